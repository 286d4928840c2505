/** Files that an option or the data dir names, and that are none: a start or a command ends at once and names the file. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { OPTIONS } from '../../packages/server/src/command/options.ts';
import { freePorts, Process } from '../harness/index.ts';

const DAEMON = fileURLToPath(import.meta.resolve('../../packages/server/bin/underpassd.js'));
const AGENT = fileURLToPath(import.meta.resolve('../../packages/agent/bin/underpass.js'));
let dir: string;
let ports: readonly number[];
const started: Process[] = [];

before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'underpass-named-files-'));
  ports = await freePorts(1);
});
after(async () => {
  await Promise.all(started.map((one) => one.stop()));
  rmSync(dir, { recursive: true, force: true });
});

/** Each makes at a path what is no file to read. */
const makers: Readonly<Record<string, (path: string) => void>> = {
  pipe: (path) => void execFileSync('mkfifo', [path]),
  device: (path) => symlinkSync('/dev/zero', path),
  directory: (path) => mkdirSync(path),
};

async function ends(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const one = Process.node(program, args, { env });
  started.push(one);
  assert.notEqual((await one.exited).code, 0, one.output);
  return one.output;
}

function serving(dataDir: string, ...more: readonly string[]): readonly string[] {
  return [
    'serve',
    '--listen',
    `127.0.0.1:${ports[0]}`,
    '--domain',
    'u.localhost',
    '--data-dir',
    dataDir,
    ...more,
  ];
}

test('each option that names a file refuses what is none', async () => {
  const given = join(dir, 'given by options');
  mkdirSync(given);
  for (const [kind, make] of Object.entries(makers)) make(join(given, kind));
  writeFileSync(join(given, 'large'), '');
  truncateSync(join(given, 'large'), 8 * 1024 ** 3);
  const pem = join(given, 'pem');
  writeFileSync(pem, 'text');
  const beside: Readonly<Record<string, readonly string[]>> = {
    'tls-cert': ['--tls-key', pem],
    'tls-key': ['--tls-cert', pem],
    'acme-ca': [
      '--acme-directory',
      'https://127.0.0.1:1/dir',
      '--acme-service-names',
      '--dns-hook',
      '/bin/true',
    ],
    'dashboard-oidc-client-secret-file': [
      ...['--dashboard-oidc', 'https://127.0.0.1:1', '--dashboard-oidc-client-id', 'console'],
      ...['--dashboard-oidc-role', 'admin=ops'],
    ],
  };
  const options = [...OPTIONS, { flag: 'config', argument: 'FILE' }];
  for (const { flag, argument = '' } of options.filter((option) => option.argument?.endsWith('FILE'))) {
    for (const kind of [...Object.keys(makers), 'large']) {
      const path = join(given, kind);
      const value = argument.includes('=') ? `google=${path}` : path;
      const output = await ends(
        DAEMON,
        serving(join(dir, 'unused'), `--${flag}`, value, ...(beside[flag] ?? [])),
      );
      const reason = kind === 'large' ? 'is larger than \\d+ bytes' : 'is no regular file';
      assert.match(output, new RegExp(`--${flag} .*${reason}`), `${flag} ${kind}`);
    }
  }
});

test('a file of the data dir that is none ends the start, and is named', async () => {
  const whole = join(dir, 'whole');
  const daemon = Process.node(DAEMON, serving(whole));
  started.push(daemon);
  await daemon.line(/^ready /);
  await daemon.stop();
  const files = ['master.key', 'bootstrap.json.draft', 'ca.pem', 'underpass.db', 'underpass.db.lock'];
  for (const name of files) {
    for (const [kind, make] of Object.entries(makers)) {
      const dataDir = join(dir, `${kind} ${name}`);
      cpSync(whole, dataDir, { recursive: true });
      rmSync(join(dataDir, name), { force: true });
      make(join(dataDir, name));
      const output = await ends(DAEMON, serving(dataDir));
      assert.ok(output.includes(name) && !output.includes('    at '), `${kind} ${name}: ${output}`);
    }
  }
});

test('a start goes on without files that it only adds to', async () => {
  for (const name of [
    'bootstrap.json',
    'underpass.db.answered',
    'ssh_host_key.pub',
    'ssh_host_ecdsa_key.pub',
  ]) {
    const dataDir = join(dir, `pipe instead of ${name}`);
    cpSync(join(dir, 'whole'), dataDir, { recursive: true });
    rmSync(join(dataDir, name), { force: true });
    makers.pipe?.(join(dataDir, name));
    const daemon = Process.node(DAEMON, serving(dataDir));
    started.push(daemon);
    await daemon.line(/^ready /);
    await daemon.stop();
  }
});

test('a backup in which something is no file is not restored', async () => {
  const [dataDir, backup] = [join(dir, 'backed up'), join(dir, 'backup')];
  cpSync(join(dir, 'whole'), dataDir, { recursive: true });
  const made = Process.node(DAEMON, ['backup', backup, '--data-dir', dataDir]);
  started.push(made);
  assert.equal((await made.exited).code, 0, made.output);
  for (const name of ['backup.json', 'master.key', 'underpass.db', 'ca.pem']) {
    const damaged = join(dir, `damaged ${name}`);
    cpSync(backup, damaged, { recursive: true });
    rmSync(join(damaged, name));
    makers.pipe?.(join(damaged, name));
    const output = await ends(DAEMON, ['restore', damaged, '--data-dir', join(dir, 'restored')]);
    assert.match(output, new RegExp(`${name} is no regular file`));
  }
});

test('the agent refuses them, too', async () => {
  for (const [kind, make] of Object.entries(makers)) {
    const path = join(dir, `agent ${kind}`);
    make(path);
    const base = ['--server', '127.0.0.1:1', '--authtoken', 'x'];
    for (const args of [
      ['start', '--all', '--config', path],
      ['http', '3000', ...base, '--ca', path],
      ['http', '3000', ...base, '--mutual-tls-ca', path],
      [
        'http',
        '3000',
        ...base,
        '--oauth',
        'google',
        '--oauth-client-id',
        `@${path}`,
        '--oauth-client-secret',
        's',
      ],
      ['http', 'https://localhost:1', ...base, '--upstream-tls-verify-cas', path],
      ['tls', '3000', ...base, '--certificate', path, '--key', path],
    ])
      assert.match(await ends(AGENT, args), /it is no regular file/, args.join(' '));
  }
});

test('a data dir that other users may change is reported at the start', async () => {
  const dataDir = join(dir, 'open to all');
  cpSync(join(dir, 'whole'), dataDir, { recursive: true });
  chmodSync(dataDir, 0o777);
  const daemon = Process.node(DAEMON, serving(dataDir));
  started.push(daemon);
  await daemon.line(
    /"level":40.*other users may change the data dir: every user may write there \(mode 0777\)/,
  );
  await daemon.stop();
});
