/** install.sh, against a web server that has a release of small programs. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, test } from 'node:test';
import { missingPrograms } from '../harness/missing.ts';

const SCRIPT = join(import.meta.dirname, '../../install.sh');
const skip =
  process.platform !== 'linux' || process.arch !== 'x64'
    ? 'the release has programs for linux-x64'
    : missingPrograms('curl', 'wget', 'tar');
/** Programs that the script may use. */
const TOOLS = [
  'sh',
  'cat',
  'id',
  'uname',
  'mkdir',
  'mktemp',
  'rm',
  'cp',
  'mv',
  'chmod',
  'awk',
  'cut',
  'tar',
  'gzip',
];

let folder: string;
let server: Server;
let address: string;
/** Files by path. */
const files = new Map<string, Buffer>();

before(async () => {
  if (skip !== false) return;
  folder = mkdtempSync(join(tmpdir(), 'underpass-install-'));
  server = createServer(({ url }, response) => {
    const file = files.get(url ?? '');
    response.writeHead(file === undefined ? 404 : 200).end(file);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await publish('/latest/download', '1.3.0');
  await publish('/download/v1.2.0', '1.2.0');
});
after(() => {
  if (skip !== false) return;
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function run(command: string, args: readonly string[], options: { env?: NodeJS.ProcessEnv } = {}) {
  return await new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(command, args, options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr });
    });
  });
}

interface Release {
  /** Source of the programs, for `sh`. */
  readonly source?: string;
  readonly platform?: string;
}

/** Puts a release of both programs below a path of the server. */
async function publish(path: string, version: string, { source, platform = 'linux-x64' }: Release = {}) {
  const sums: string[] = [];
  for (const program of ['underpass', 'underpassd']) {
    const made = mkdtempSync(join(folder, 'made-'));
    writeFileSync(join(made, program), source ?? `#!/bin/sh\necho ${program} ${version}\n`, { mode: 0o755 });
    await run('tar', ['-czf', join(made, 'archive'), '-C', made, program]);
    const content = readFileSync(join(made, 'archive'));
    const name = `${program}-${version}-${platform}.tar.gz`;
    files.set(`${path}/${name}`, content);
    sums.push(`${createHash('sha256').update(content).digest('hex')}  ${name}`);
  }
  files.set(`${path}/SHA256SUMS`, Buffer.from(`${sums.join('\n')}\n`));
}

interface Attempt {
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly script?: string;
}

/** Runs the script with an empty home folder. */
async function install({ args = [], env = {}, script = SCRIPT }: Attempt = {}) {
  const home = mkdtempSync(join(folder, 'home-'));
  const prefix = join(home, 'prefix');
  const all = args.includes('--prefix') ? args : ['--prefix', prefix, ...args];
  const temporary = mkdtempSync(join(folder, 'tmp-'));
  const result = await run('sh', [script, ...all], {
    env: { PATH: process.env.PATH, HOME: home, TMPDIR: temporary, UNDERPASS_RELEASES: address, ...env },
  });
  assert.deepEqual(readdirSync(temporary), [], 'no file is left');
  const programs = existsSync(join(prefix, 'bin')) ? readdirSync(join(prefix, 'bin')).sort() : [];
  return { ...result, prefix, programs };
}

async function versionOf(prefix: string, program: string): Promise<string> {
  return (await run(join(prefix, 'bin', program), ['--version'])).stdout.trim();
}

test('installs the newest agent, and prints what to do next', { skip }, async () => {
  const { code, stdout, stderr, prefix, programs } = await install();
  assert.deepEqual([code, stderr, programs], [0, '', ['underpass']]);
  assert.equal(await versionOf(prefix, 'underpass'), 'underpass 1.3.0');
  assert.ok(stdout.includes(`export PATH="${prefix}/bin:$PATH"`), stdout);
  assert.match(stdout, /underpass login --server HOST:PORT --ca-fingerprint/);
});

test('installs both programs in a version, over another one', { skip }, async () => {
  const { prefix } = await install({ args: ['underpass', 'underpassd'] });
  const args = ['--prefix', prefix, '--version', 'v1.2.0', 'underpass', 'underpassd'];
  const { code, stdout } = await install({
    args,
    env: { PATH: `${prefix}/bin${delimiter}${process.env.PATH}` },
  });
  assert.equal(code, 0);
  assert.deepEqual(
    [await versionOf(prefix, 'underpass'), await versionOf(prefix, 'underpassd')],
    ['underpass 1.2.0', 'underpassd 1.2.0'],
  );
  assert.doesNotMatch(stdout, /export PATH/);
  assert.match(stdout, /underpassd setup/);
  assert.deepEqual(readdirSync(join(prefix, 'bin')).sort(), ['underpass', 'underpassd']);
});

for (const tools of [
  ['wget', 'sha256sum'],
  ['curl', 'openssl'],
])
  test(`needs no more than ${tools.join(' and ')}`, {
    skip: skip || missingPrograms('openssl', 'wget'),
  }, async () => {
    const bin = mkdtempSync(join(folder, 'bin-'));
    for (const tool of [...TOOLS, ...tools]) {
      const { stdout } = await run('sh', ['-c', `command -v ${tool}`]);
      symlinkSync(stdout.trim(), join(bin, tool));
    }
    const { code, stderr, programs } = await install({ env: { PATH: bin } });
    assert.deepEqual([code, stderr, programs], [0, '', ['underpass']]);
  });

test('a file with another sum is refused, and the program of before stays', { skip }, async () => {
  const { prefix } = await install();
  await publish('/changed', '1.4.0');
  files.set('/changed/underpass-1.4.0-linux-x64.tar.gz', Buffer.from('else'));
  const { code, stderr } = await install({ args: ['--prefix', prefix, '--from', `${address}/changed`] });
  assert.equal(code, 1);
  assert.match(stderr, /underpass-1\.4\.0-linux-x64\.tar\.gz has another SHA-256 sum/);
  assert.equal(await versionOf(prefix, 'underpass'), 'underpass 1.3.0');
});

test('a program that does not run here is not installed, and the reason is shown', { skip }, async () => {
  const lacks = 'error while loading shared libraries: libatomic.so.1: cannot open shared object file';
  await publish('/atomic', '1.4.0', { source: `#!/bin/sh\necho "${lacks}" >&2\nexit 127\n` });
  const atomic = await install({ args: ['--from', `${address}/atomic`] });
  assert.deepEqual([atomic.code, atomic.programs], [1, []]);
  assert.match(atomic.stderr, /libatomic is missing. Install it \(Debian: apt install libatomic1/);
  await publish('/broken', '1.4.0', { source: '#!/bin/sh\necho broken >&2\nexit 3\n' });
  const broken = await install({ args: ['--from', `${address}/broken`] });
  assert.deepEqual([broken.code, broken.programs], [1, []]);
  assert.match(broken.stderr, /does not run on this machine: broken/);
});

test('each mistake has its own message, and nothing is installed', { skip }, async () => {
  await publish('/arm', '1.4.0', { platform: 'linux-arm64' });
  files.set('/outside/SHA256SUMS', Buffer.from(`${'0'.repeat(64)}  underpass-1/../../x-linux-x64.tar.gz\n`));
  const taken = join(folder, 'taken');
  writeFileSync(taken, '');
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['--version'], /--version needs a value/],
    [['--prefix', ''], /--prefix is empty/],
    [['--version', '1/2'], /--version 1\/2 is no version/],
    [['agent'], /"agent" is unknown/],
    [['--from', 'http://203.0.113.1/x'], /is no https:\/\/ address/],
    [['--from', 'http://127.0.0.1.example/x'], /is no https:\/\/ address/],
    [['--from', `${address}/nowhere`], /\/nowhere\/SHA256SUMS could not be loaded/],
    [['--version', '9.9.9'], /download\/v9\.9\.9\/SHA256SUMS could not be loaded/],
    [['--from', `${address}/latest/download`, '--version', '1.2.0'], /has version 1\.3\.0, not 1\.2\.0/],
    [['--from', `${address}/arm`], /has no underpass for linux-x64/],
    [['--from', `${address}/outside`], /which is no file of the release/],
    [['--prefix', taken], /taken\/bin cannot be made. Give --prefix DIR, or run as root/],
  ];
  for (const [args, message] of cases) {
    const { code, stderr, programs } = await install({ args });
    assert.deepEqual([code, programs], [1, []], args.join(' '));
    assert.match(stderr, message);
  }
  const unset = await install({ env: { UNDERPASS_RELEASES: '' } });
  assert.match(unset.stderr, /names no place of releases. Give --from URL/);
});

test('a system without executables is named', { skip }, async () => {
  for (const [command, output, message] of [
    ['uname', 'FreeBSD', /there is no executable for FreeBSD/],
    ['ldd', 'musl libc (x86_64)', /this system has musl/],
  ] as const) {
    const bin = mkdtempSync(join(folder, 'bin-'));
    const answer =
      command === 'uname' ? `[ "$1" = -m ] && echo x86_64 || echo ${output}` : `echo "${output}" >&2; exit 1`;
    writeFileSync(join(bin, command), `#!/bin/sh\n${answer}\n`);
    chmodSync(join(bin, command), 0o755);
    const { code, stderr } = await install({ env: { PATH: `${bin}${delimiter}${process.env.PATH}` } });
    assert.equal(code, 1);
    assert.match(stderr, message);
  }
});

test('a script of which a part arrived does nothing', { skip }, async () => {
  const text = readFileSync(SCRIPT, 'utf8');
  const part = join(folder, 'part.sh');
  const home = join(folder, 'part-home');
  mkdirSync(home);
  for (const share of [0.3, 0.5, 0.7, 0.9, 0.99]) {
    writeFileSync(part, text.slice(0, Math.floor(text.length * share)));
    await run('sh', [part], { env: { PATH: process.env.PATH, HOME: home, UNDERPASS_RELEASES: address } });
    assert.deepEqual(readdirSync(home), [], `${share} of the script`);
  }
});

test('shellcheck finds nothing', { skip: missingPrograms('shellcheck') }, async () => {
  const { code, stdout } = await run('shellcheck', [SCRIPT]);
  assert.deepEqual([code, stdout], [0, '']);
});
