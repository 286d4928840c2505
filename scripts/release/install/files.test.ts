import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import type { ListedFile, ReleaseList } from '../about.ts';
import { installFiles } from './files.ts';
import { releasesUrl } from './scripts.ts';

const ROOT = join(import.meta.dirname, '../../..');
const URL = 'https://releases.example/underpass';
const FOLDER = `${URL}/download/v1.2.3`;

function archive(platform: string, at: number): ListedFile {
  const file = `underpass-1.2.3-${platform}.${platform.startsWith('win32') ? 'zip' : 'tar.gz'}`;
  return {
    file,
    bytes: 5,
    sha256: String(at).repeat(64),
    part: 'executables',
    program: 'underpass',
    platform,
  };
}

function listOf(...platforms: readonly string[]): ReleaseList {
  const other: ListedFile = { ...archive('linux-x64', 9), file: 'underpassd', program: 'underpassd' };
  return {
    ...{ version: '1.2.3', commit: 'c', time: '2026-01-02T03:04:05.000Z' },
    files: [other, ...platforms.map(archive)],
  };
}

function filesOf(list: ReleaseList): ReadonlyMap<string, string> {
  return new Map(installFiles(ROOT, list, URL).map(({ file, text }) => [file, text]));
}

const whole = filesOf(listOf('linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64'));

test('the formula has the archive and the sum of each processor', () => {
  const text = whole.get('underpass.rb') ?? '';
  const places = [...text.matchAll(/on_(\w+) do|url "(.+)"\n\s+sha256 "(\d)/g)].map((match) =>
    match.slice(1).join(' ').trim(),
  );
  const url = (platform: string, at: number) => `${FOLDER}/underpass-1.2.3-${platform}.tar.gz ${at}`;
  assert.deepEqual(places, [
    ...['macos', 'arm', url('darwin-arm64', 3), 'intel', url('darwin-x64', 2)],
    ...['linux', 'arm', url('linux-arm64', 1), 'intel', url('linux-x64', 0)],
  ]);
  assert.equal(text.split(/ do$|^ {2}def /m).length, text.split(/^ +end$/m).length, 'each block has an end');
  const part = filesOf(listOf('darwin-arm64')).get('underpass.rb') ?? '';
  assert.doesNotMatch(part, /on_linux|on_intel/);
});

test('the manifests name the archive for Windows', () => {
  const at = (end: string) => parse(whole.get(`Underpass.Underpass${end}.yaml`) ?? '');
  const { Installers, NestedInstallerFiles, ...installer } = at('.installer');
  assert.deepEqual(Installers, [
    {
      Architecture: 'x64',
      InstallerUrl: `${FOLDER}/underpass-1.2.3-win32-x64.zip`,
      InstallerSha256: '4'.repeat(64),
    },
  ]);
  assert.deepEqual(NestedInstallerFiles, [
    { RelativeFilePath: 'underpass.exe', PortableCommandAlias: 'underpass' },
  ]);
  assert.deepEqual(
    [installer.InstallerType, installer.NestedInstallerType, installer.ReleaseDate],
    ['zip', 'portable', '2026-01-02'],
  );
  assert.equal(at('').DefaultLocale, at('.locale.en-US').PackageLocale);
  for (const end of ['', '.installer', '.locale.en-US']) {
    const { PackageIdentifier, PackageVersion, ManifestVersion } = at(end);
    assert.deepEqual(
      [PackageIdentifier, PackageVersion, ManifestVersion],
      ['Underpass.Underpass', '1.2.3', '1.6.0'],
    );
  }
  assert.deepEqual([...filesOf(listOf('linux-x64')).keys()], ['install.sh', 'install.ps1', 'underpass.rb']);
});

test('the scripts have the address of all releases, and a variable replaces it', () => {
  assert.match(whole.get('install.ps1') ?? '', /\{ 'https:\/\/releases\.example\/underpass' \}/);
  const script = whole.get('install.sh') ?? '';
  const run = (env: NodeJS.ProcessEnv) => {
    const line = script.split('\n').find((each) => each.startsWith('RELEASES='));
    return execFileSync('sh', ['-c', `${line}; echo "$RELEASES"`], { encoding: 'utf8', env }).trim();
  };
  assert.deepEqual(
    [run({}), run({ UNDERPASS_RELEASES: 'https://other.example' })],
    [URL, 'https://other.example'],
  );
});

test('an address that a script could misread is refused', () => {
  assert.equal(
    releasesUrl('https://git.example:8443/a-b/c_d/releases/'),
    'https://git.example:8443/a-b/c_d/releases',
  );
  for (const bad of [
    'http://a.example',
    'https://a.example/$(id)',
    "https://a.example/'",
    'https://a.example/?a=b',
    '',
  ])
    assert.throws(() => releasesUrl(bad), /--url .*must be an https:\/\/ address/);
});
