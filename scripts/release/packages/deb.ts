/** Writes a Debian package (deb(5)): an ar archive of two tar archives. */
import { hash } from 'node:crypto';
import { dirname } from 'node:path';
import { type Entry, fileEntry } from '../archives/entry.ts';
import { gzipped, tar } from '../archives/tar.ts';
import type { LinuxName } from '../platforms.ts';
import { CONFIG_FILE, DESCRIPTION, NAME, packageScripts, SUMMARY } from './daemon-package.ts';

/** Libraries that Node is linked with. */
const DEPENDS = 'libc6 (>= 2.28), libstdc++6, libgcc-s1, libatomic1, passwd';
const ARCHITECTURES: Readonly<Record<LinuxName, string>> = { 'linux-x64': 'amd64', 'linux-arm64': 'arm64' };

interface DebFacts {
  readonly version: string;
  readonly time: number;
  readonly platform: LinuxName;
}

export function debName({ version, platform }: DebFacts): string {
  return `${NAME}_${version}_${ARCHITECTURES[platform]}.deb`;
}

/** `files`: without folders. */
export async function deb(files: readonly Entry[], facts: DebFacts): Promise<Buffer> {
  const { time } = facts;
  const control = await gzipped(tar(prefixed(controlFiles(files, facts)), time));
  const data = await gzipped(tar(prefixed([...foldersOf(files), ...files]), time));
  const members = { 'debian-binary': Buffer.from('2.0\n'), 'control.tar.gz': control, 'data.tar.gz': data };
  const parts = Object.entries(members).flatMap(([name, content]) => [
    Buffer.from(arHeader(name, content.length, time)),
    content,
    Buffer.alloc(content.length % 2, '\n'),
  ]);
  return Buffer.concat([Buffer.from('!<arch>\n'), ...parts]);
}

function controlFiles(files: readonly Entry[], { version, platform }: DebFacts): readonly Entry[] {
  const contents = files.flatMap((file) => (file.kind === 'file' ? [file] : []));
  const bytes = contents.reduce((sum, { content }) => sum + content.length, 0);
  const control = [
    ...[
      `Package: ${NAME}`,
      `Version: ${version.replace('-', '~')}`,
      `Architecture: ${ARCHITECTURES[platform]}`,
    ],
    ...['Maintainer: Underpass <underpass@localhost>', `Installed-Size: ${Math.ceil(bytes / 1024)}`],
    ...[`Depends: ${DEPENDS}`, 'Recommends: systemd', 'Section: net', 'Priority: optional'],
    ...[`Description: ${SUMMARY}`, ` ${DESCRIPTION}`, ''],
  ].join('\n');
  const sums = contents.map(({ path, content }) => `${hash('md5', content, 'hex')}  ${path}\n`).join('');
  const scripts = packageScripts('[ "$1" = configure ] && [ -n "$2" ]', '[ "$1" = remove ]');
  return [
    ...[
      fileEntry('control', control),
      fileEntry('md5sums', sums),
      fileEntry('conffiles', `/${CONFIG_FILE}\n`),
    ],
    ...[fileEntry('postinst', scripts.afterInstall, 0o755), fileEntry('prerm', scripts.beforeRemove, 0o755)],
    fileEntry('postrm', scripts.afterRemove, 0o755),
  ];
}

/** Paths in Debian's archives begin with "./". */
function prefixed(entries: readonly Entry[]): readonly Entry[] {
  const root = { kind: 'folder', path: '.', mode: 0o755 } as const;
  return [root, ...entries.map((entry) => ({ ...entry, path: `./${entry.path}` }))];
}

function foldersOf(files: readonly Entry[]): readonly Entry[] {
  const paths = new Set(files.flatMap(({ path }) => ancestors(path)));
  return [...paths].map((path) => ({ kind: 'folder', path, mode: 0o755 }));
}

function ancestors(path: string): readonly string[] {
  const folder = dirname(path);
  return folder === '.' ? [] : [...ancestors(folder), folder];
}

function arHeader(name: string, bytes: number, time: number): string {
  const fields = [name.padEnd(16), String(time).padEnd(12), '0'.padEnd(6), '0'.padEnd(6), '100644'.padEnd(8)];
  return `${fields.join('')}${String(bytes).padEnd(10)}\`\n`;
}
