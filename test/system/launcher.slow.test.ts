/** The installed commands under an old Node, with a socket of the process that starts them, and through npm's shims for Windows. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { BoundSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { curlMissing, Process, pathToNode } from '../harness/index.ts';
import { missing, missingPrograms } from '../harness/missing.ts';
import { daemonWith } from './daemon-process.fixture.ts';
import { repository } from './documented-commands.fixture.ts';

const PACKAGES = { underpass: 'agent', underpassd: 'server' } as const;
const cmdShim = cmdShimOfNpm();
let folder: string;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'underpass-launcher-'));
});
after(() => rmSync(folder, { recursive: true }));

/** The package that writes npm's shims on Windows. Null if this machine's npm has none. */
function cmdShimOfNpm(): ((from: string, to: string) => Promise<void>) | null {
  const found = (process.env.PATH ?? '').split(delimiter).find((place) => existsSync(join(place, 'npm')));
  try {
    return createRequire(realpathSync(join(found ?? '', 'npm')))('cmd-shim');
  } catch {
    return null;
  }
}

/** The file that a package names as its command. */
function launcherOf(name: keyof typeof PACKAGES): string {
  const root = join(repository, 'packages', PACKAGES[name]);
  return join(root, JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).bin[name]);
}

/** A folder with a program `node` of this version, which refuses the flags of newer ones as Node does. */
function oldNode(version: string): string {
  const place = join(folder, version);
  mkdirSync(place, { recursive: true });
  const says = `[ "$1" = --version ] && echo ${version} && exit\necho "node: bad option: $1" >&2\nexit 9\n`;
  writeFileSync(join(place, 'node'), `#!/bin/sh\n${says}`, { mode: 0o755 });
  return place;
}

for (const name of Object.keys(PACKAGES) as (keyof typeof PACKAGES)[]) {
  describe(name, () => {
    /** Link to the file of the package, found in PATH, as npm installs it. */
    let link: string;
    before(() => {
      link = join(folder, name);
      symlinkSync(launcherOf(name), link);
    });

    for (const version of ['v8.17.0', 'v16.20.2', 'v20.20.2', 'v22.1.0', 'v23.11.1'])
      test(`Node ${version} gets one sentence`, () => {
        const PATH = `${oldNode(version)}:${process.env.PATH}`;
        const { status, stdout, stderr } = spawnSync(link, ['--version'], {
          encoding: 'utf8',
          env: { PATH },
        });
        assert.deepEqual([status, stdout], [1, '']);
        assert.equal(
          stderr,
          `${name}: needs Node 24 or newer, this is ${version}. Install Node 24 or newer, ` +
            `and put it first in PATH. In a checkout "npx ${name}" has one.\n`,
        );
      });

    test('a machine without Node gets one sentence', () => {
      const PATH = join(folder, 'without-node');
      mkdirSync(PATH, { recursive: true });
      for (const program of ['sh', 'env', 'readlink'])
        symlinkSync(
          execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim(),
          join(PATH, program),
        );
      const { status, stderr } = spawnSync(link, [], { encoding: 'utf8', env: { PATH } });
      rmSync(PATH, { recursive: true });
      assert.equal(status, 1);
      assert.match(stderr, /^\w+: needs Node 24 or newer, there is none in PATH\. .*\n$/);
    });

    test('an error of Node itself is printed as it is', () => {
      const env = { ...process.env, ...pathToNode, NODE_OPTIONS: '--no-such-option' };
      const { status, stderr } = spawnSync(link, ['--version'], { encoding: 'utf8', env });
      assert.deepEqual([status, stderr.includes('needs Node')], [9, false], stderr);
    });

    test('arguments and exit code go through links unchanged', () => {
      const [near, far] = [`${link}-near`, `${link}-far with a space`];
      symlinkSync(name, far);
      symlinkSync(`${name}-far with a space`, near);
      const env = { ...process.env, ...pathToNode };
      const args = ['no such', '$HOME "*"', '', "it's"];
      const run = (file: string) => spawnSync(file, args, { encoding: 'utf8', env });
      const direct = run(launcherOf(name).replace(/cjs$/, 'js'));
      const linked = run(near);
      assert.notEqual(direct.status, 0);
      assert.deepEqual([linked.status, linked.stderr], [direct.status, direct.stderr]);
      const inFolder = spawnSync('sh', ['-c', `PATH=.:$PATH; "${name}" --version`], {
        ...{ encoding: 'utf8', env, cwd: folder },
      });
      assert.match(inFolder.stdout, /^\d+\.\d+\.\d+\n$/, inFolder.stderr);
    });

    test('it starts the file beside it with the flags of that file', () => {
      const [, flags = ''] = /^#!\/usr\/bin\/env -S node (.*)$/m.exec(beside()) ?? [];
      assert.match(flags, /^--disable-sigusr1 /);
      const text = readFileSync(launcherOf(name), 'utf8');
      assert.ok(text.includes(`\nexec node ${flags} "`));
      // Older versions of Node accept these, and Windows has no such signal.
      assert.ok(text.split('\n')[0]?.endsWith(` node ${flags.replace('--disable-sigusr1 ', '')}`));
    });

    function beside(): string {
      return readFileSync(launcherOf(name).replace(/cjs$/, 'js'), 'utf8');
    }

    test('shims of npm for Windows run Node, and no other program', {
      skip: missing('the cmd-shim of npm', cmdShim !== null, 'npm') || missingPrograms('sed'),
    }, async () => {
      const shim = join(folder, 'shims', name);
      await cmdShim?.(launcherOf(name), shim);
      const flags = '--initial-heap-size=128 --max-semi-space-size=2';
      const script = `${PACKAGES[name]}\\bin\\${name}.cjs"`;
      const batch = readFileSync(`${shim}.cmd`, 'utf8');
      assert.match(batch, /SET "_prog=%dp0%\\node\.exe"\r\n\) ELSE \(\r\n +SET "_prog=node"\r\n/);
      const start = batch.split('\r\n').find((line) => line.includes('"%_prog%"')) ?? '';
      assert.ok(start.includes(`"%_prog%" ${flags} "%dp0%\\`) && start.endsWith(`${script} %*`), start);
      // An argument of the user must not be put into any other line.
      assert.doesNotMatch(batch.replace('%*', ''), /%[\d*]/);
      const [variable = ''] = batch.split('\r\n').filter((line) => line.startsWith('@SET '));
      assert.doesNotMatch(variable.replaceAll(/"[^"]*"/g, ''), /[&|<>^%]/);
      const power = readFileSync(`${shim}.ps1`, 'utf8');
      assert.ok(power.includes(`& "node$exe" ${flags} "$basedir/`), power);
      const env = { ...process.env, ...pathToNode };
      const direct = execFileSync(launcherOf(name), ['--help'], { encoding: 'utf8', env });
      assert.equal(execFileSync('sh', [shim, '--help'], { encoding: 'utf8', env }), direct);
    });
  });
}

test('an installed daemon serves on a socket that it inherits', { skip: curlMissing }, async (t) => {
  const link = join(folder, 'underpassd');
  const socket = new BoundSocket({ host: '127.0.0.1' });
  t.after(() => socket.close());
  const dataDir = join(folder, 'data');
  const LISTEN = { LISTEN_FDS: '1', LISTEN_FDNAMES: 'listen' };
  const daemon = Process.program(
    'sh',
    ['-c', 'LISTEN_PID=$$ exec "$0" "$@"', link, 'serve', '--data-dir', dataDir],
    { env: { ...pathToNode, ...LISTEN }, descriptors: [socket.fd()] },
  );
  t.after(() => daemon.stop());
  await daemon.line(/^ready /);
  assert.equal(daemonWith(dataDir).pid, daemon.pid);
  const url = `https://api.underpass.localhost:${socket.address().port}/healthz`;
  const visit = spawnSync('curl', ['-sS', '--cacert', join(dataDir, 'ca.pem'), url], { encoding: 'utf8' });
  assert.equal(visit.status, 0, visit.stderr);
});
