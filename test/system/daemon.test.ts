/**
 * Start, restart and refused start of the daemon.
 * Invariant: an exit always has a printed reason.
 */
import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { eventually, freePorts, Platform, Process, startUpstream } from '../harness/index.ts';
import { missingPrograms } from '../harness/missing.ts';
import { rowsOf } from '../harness/property-runs.ts';

const DAEMON = fileURLToPath(import.meta.resolve('../../packages/server/bin/underpassd.js'));
let dir: string;

before(() => {
  dir = mkdtempSync(join(tmpdir(), 'underpass-daemon-'));
});
after(() => rmSync(dir, { recursive: true, force: true }));

/** Root may write anywhere, unless it starts the daemon without the right to. */
const asOrdinaryUser = ['setpriv', '--bounding-set=-dac_override'];

async function refused(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  through: readonly string[] = [],
): Promise<{ code: number | null; output: string }> {
  const daemon = Process.node(DAEMON, args, { env, through });
  const { code } = await daemon.exited;
  return { code, output: daemon.output };
}

const badOptions: readonly (readonly [string, readonly string[], RegExp])[] = [
  [
    'a config file without end',
    ['--config', '/dev/zero'],
    /--config \/dev\/zero: cannot be read: is no regular file/,
  ],
  [
    'no config file',
    ['--config', '/nowhere.yaml'],
    /--config \/nowhere.yaml: cannot be read: there is no such file/,
  ],
  ['a flag that does not exist', ['--no-such-flag'], /no-such-flag/],
  ['a command that does not exist', ['fly'], /no command "fly"/],
  ['a listen address without a port', ['--listen', 'localhost'], /--listen localhost: must be HOST:PORT/],
  [
    'one port for two',
    ['--listen', ':8443', '--http-listen', '127.0.0.1:8443'],
    /--http-listen: port 8443 is the one of --listen/,
  ],
  ['a port out of range', ['--listen', '127.0.0.1:70000'], /--listen/],
  ['an unknown region', ['--region', 'mars'], /--region mars: must be one of/],
  [
    'a domain that is none',
    ['--domain', 'a b'],
    /--domain a b: must be a host name of letters, .* example\.com/,
  ],
  ['a base URL that is not https', ['--base-url', 'http://x.example'], /--base-url/],
  ['a rate limit that is no number', ['--api-rate-limit', '-1'], /--api-rate-limit/],
  ['a database of another kind', ['--database', 'mysql://u:p@h/d'], /--database mysql:\/\/\*\*\*@h\/d/],
  ['an unknown log format', ['--log-format', 'xml'], /--log-format xml: must be one of people, json/],
  ['an unknown log level', ['--log-level', 'loud'], /--log-level loud/],
  ['ports the wrong way round', ['--tcp-ports', '5-1'], /--tcp-ports 5-1: must be two ports/],
  [
    'load balancers in a network with host bits',
    ['--proxy-protocol-from', '10.0.0.1/8'],
    /--proxy-protocol-from 10.0.0.1.8: must be a network/,
  ],
  ['no time for a handshake', ['--handshake-seconds', '0'], /--handshake-seconds 0: must be a whole number/],
  ['heads without end', ['--head-bytes', '2000000'], /--head-bytes 2000000: .* from 8192 to 1048576/],
  [
    'a request head that is larger than any head',
    ['--request-head-bytes', '70000'],
    /--request-head-bytes 70000: is more than --head-bytes 65536/,
  ],
  ['no connections', ['--connections', '0'], /--connections 0: must be a whole number from 16 to 9999999/],
  [
    'a source without a number',
    ['--connections-per-source', 'x'],
    /--connections-per-source x: must be a whole/,
  ],
  ['an SSH address without a port', ['--ssh-listen', 'x'], /--ssh-listen x: must be HOST:PORT/],
  [
    'name servers at the port of SSH',
    ['--dns-listen', ':2222', '--ssh-listen', ':2222'],
    /--dns-listen: port 2222 is the one of --ssh-listen, too/,
  ],
  [
    'a name server by its name',
    ['--dns-resolver', 'dns.example.com:53'],
    /--dns-resolver dns.example.com:53: must be the address and the port/,
  ],
  [
    'a network without a mask',
    ['--allow-private', '10.0.0.1'],
    /--allow-private 10.0.0.1: must be a network/,
  ],
  [
    'a config file that is not there',
    ['--config', '/nowhere/at/all.yaml'],
    /--config \/nowhere\/at\/all.yaml/,
  ],
];
for (const [what, args, message] of rowsOf(badOptions)) {
  test(`${what}: a clear error and exit 2`, async () => {
    const { code, output } = await refused(args);
    assert.equal(code, 2);
    assert.match(output, message);
    assert.doesNotMatch(output, /\n\s+at /, 'no stack trace');
  });
}

test('a switch in the file or a variable is true or false', async () => {
  const config = join(dir, 'switch.yaml');
  writeFileSync(config, 'require-domain-proof: true\nlisten: x\n');
  assert.match((await refused(['--config', config])).output, /--listen x/, 'the switch is taken');
  writeFileSync(config, 'require-domain-proof: 1\n');
  assert.match(
    (await refused(['--config', config])).output,
    /--require-domain-proof 1: must be true or false/,
  );
});

test('options come from the file, variables win over it, flags over both', async () => {
  const [port] = (await freePorts(1)) as [number];
  const config = join(dir, 'config.yaml');
  writeFileSync(
    config,
    `listen: 127.0.0.1:1\ndomain: file.localhost\nlog-level: silent\ndata-dir: ${dir}/from-file\n`,
  );
  const args = ['--config', config, '--listen', `127.0.0.1:${port}`];
  const daemon = Process.node(DAEMON, args, { env: { UNDERPASS_DOMAIN: 'variable.localhost' } });
  await daemon.line(new RegExp(`^ready https://api.variable.localhost:${port}$`));
  assert.equal((await daemon.stop()).code, 0);
  assert.ok(existsSync(join(dir, 'from-file', 'bootstrap.json')));
  const { code, output } = await refused(['--config', config, '--listen', 'x'], {});
  assert.equal(code, 2, output);
});

test('--help and --version print and exit 0', async () => {
  const help = await refused(['--help']);
  assert.equal(help.code, 0);
  assert.match(help.output, /--data-dir <DIR>/);
  assert.doesNotMatch(help.output, /\[\]/, 'no default of a list as code');
  const version = await refused(['--version']);
  assert.equal(version.code, 0);
  assert.match(version.output, /^\d+\.\d+\.\d+$/);
});

test('a port in use: says so, exits 1', async () => {
  const holder = createServer();
  await new Promise<void>((done) => holder.listen(0, '127.0.0.1', done));
  const { port } = holder.address() as { port: number };
  const { code, output } = await refused([
    '--listen',
    `127.0.0.1:${port}`,
    '--data-dir',
    join(dir, 'in-use'),
  ]);
  holder.close();
  assert.equal(code, 1);
  assert.match(output, new RegExp(`127.0.0.1:${port}: another process already listens there`));
});

test('a data dir that cannot be written: says so, exits 1', async () => {
  writeFileSync(join(dir, 'a-file'), '');
  const { code, output } = await refused([
    '--listen',
    '127.0.0.1:1',
    '--data-dir',
    join(dir, 'a-file', 'below'),
  ]);
  assert.equal(code, 1);
  assert.match(output, /data dir/);
  assert.doesNotMatch(output, /\n\s+at /);
});

test('a file that is no YAML is reported without its content', async () => {
  for (const text of [
    'acme-eab-hmac-key: *FMXQ7',
    'database: "postgres://u:FMXQ7@h/d',
    'database: FMXQ7: x',
  ]) {
    const file = join(mkdtempSync(join(dir, 'yaml-')), 'config.yaml');
    writeFileSync(file, text);
    const { code, output } = await refused(['--config', file]);
    assert.equal(code, 2, output);
    assert.doesNotMatch(output, /FMXQ7/);
  }
});

test('a data dir where the system takes no folders: says so, exits 1', async () => {
  const { code, output } = await refused(['--listen', '127.0.0.1:1', '--data-dir', '/proc/nobody/data']);
  assert.equal(code, 1);
  assert.match(output, /the data dir \/proc\/nobody\/data cannot be made/);
});

test('a read-only data dir: says so, exits 1', { skip: missingPrograms('setpriv') }, async () => {
  const readOnly = mkdtempSync(join(dir, 'ro-'));
  chmodSync(readOnly, 0o500);
  const args = ['--listen', '127.0.0.1:1', '--data-dir', readOnly];
  const { code, output } = await refused(args, {}, process.getuid?.() === 0 ? asOrdinaryUser : []);
  assert.equal(code, 1);
  assert.match(output, /data dir .* is not writable/);
  assert.deepEqual(readdirSync(readOnly), []);
});

test('a master key that is not the one of the data dir, or is missing: says so, exits 1', async () => {
  const dataDir = mkdtempSync(join(dir, 'key-'));
  const [port] = (await freePorts(1)) as [number];
  const args = ['--listen', `127.0.0.1:${port}`, '--data-dir', dataDir];
  const first = Process.node(DAEMON, args);
  await first.line(/^ready /);
  await first.stop();
  const { code, output } = await refused(args, { UNDERPASS_MASTER_KEY: 'ab'.repeat(32) });
  assert.equal(code, 1);
  assert.match(output, /put back the master\.key/);
  assert.doesNotMatch(output, /\n\s+at /);

  rmSync(join(dataDir, 'master.key'));
  const missing = await refused(args);
  assert.equal(missing.code, 1);
  assert.match(missing.output, /master\.key is missing: put back the one/);
  assert.ok(!existsSync(join(dataDir, 'master.key')), 'none is made that opens nothing');
});

for (const [what, damage, message] of rowsOf([
  [
    'a damaged database',
    (file: string) => writeFileSync(file, Buffer.alloc(8192, 'garbage ')),
    /damaged|not a database/i,
  ],
  [
    'a database of a newer version',
    (file: string) => new DatabaseSync(file).exec('pragma user_version = 9999'),
    /newer/i,
  ],
] as const)) {
  test(`${what}: names the file and the remedy, changes nothing, exits 1`, async () => {
    const dataDir = mkdtempSync(join(dir, 'db-'));
    const file = join(dataDir, 'underpass.db');
    damage(file);
    const before = readFileSync(file);
    const [port] = (await freePorts(1)) as [number];
    const { code, output } = await refused(['--listen', `127.0.0.1:${port}`, '--data-dir', dataDir]);
    assert.equal(code, 1, output);
    assert.match(output, message);
    assert.match(output, /underpass\.db/);
    assert.doesNotMatch(output, /\n\s+at /);
    assert.deepEqual(readFileSync(file), before);
  });
}

test('a second daemon on the same data dir is refused', async () => {
  const platform = await Platform.shared();
  const [port] = (await freePorts(1)) as [number];
  const { code, output } = await refused(['--listen', `127.0.0.1:${port}`, '--data-dir', platform.dataDir]);
  await platform.stop();
  assert.equal(code, 1, output);
  assert.match(output, /another|in use|locked/i);
});

test('the first start writes bootstrap.json with mode 0600 and every key of the contract', async () => {
  const platform = await Platform.shared();
  const mode = statSync(join(platform.dataDir, 'bootstrap.json')).mode & 0o777;
  assert.equal(mode, 0o600);
  assert.deepEqual(Object.keys(platform.bootstrap), [
    ...[
      'base_url',
      'api_key',
      'authtoken',
      'account_id',
      'user_id',
      'ca_file',
      'domain',
      'connect_addr',
      'ssh_addr',
    ],
  ]);
  assert.equal(platform.bootstrap.ssh_addr, null);
  await platform.stop();
});

test('SIGTERM lets a running request finish while /readyz says that the daemon drains, then exits 0; metrics counted it', async () => {
  const platform = await Platform.start();
  let release = (): void => {};
  let reached = (): void => {};
  const arrived = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const upstream = await startUpstream((_request, response) => {
    response.write('first ');
    release = () => response.end('last');
    reached();
  });
  const { url } = await platform.agent(['http', String(upstream.port)]);
  const answer = platform.visit(url);
  await arrived;
  const metrics = await (await fetch(`http://127.0.0.1:${platform.adminPort}/metrics`)).text();
  assert.match(metrics, /underpass_tunnels 1/);
  const stopped = platform.daemon.stop();
  await platform.daemon.line(/stopping/);
  // A machine that pauses for two seconds has another reason.
  await eventually(async () => {
    const draining = await fetch(`http://127.0.0.1:${platform.adminPort}/readyz`);
    assert.equal(draining.status, 503);
    assert.deepEqual(await draining.json(), {
      ready: false,
      reasons: [{ reason: 'draining', message: 'the daemon is stopping' }],
      warnings: [],
    });
  });
  assert.equal((await fetch(`http://127.0.0.1:${platform.adminPort}/healthz`)).status, 200, 'alive');
  release();
  assert.equal((await answer).text, 'first last');
  assert.deepEqual(await stopped, { code: 0, signal: null });
  await platform.stop();
  await upstream.stop();
});

test('a second SIGTERM, a second later, ends it at once', async () => {
  const platform = await Platform.start();
  const upstream = await startUpstream(() => {});
  const { url } = await platform.agent(['http', String(upstream.port)]);
  const hanging = platform.visit(url).catch((error: Error) => error);
  await new Promise<void>((resolve) => upstream.server.once('request', () => resolve()));
  platform.daemon.signal('SIGTERM');
  await platform.daemon.line(/stopping/);
  // For a second it would be taken for the first one.
  let exited = false;
  const ended = platform.daemon.exited.finally(() => {
    exited = true;
  });
  await eventually(() => {
    platform.daemon.signal('SIGTERM');
    assert.ok(exited);
  });
  assert.equal((await ended).code, 1);
  assert.ok((await hanging) instanceof Error);
  await platform.stop();
  await upstream.stop();
});

test('a log of the database that lost its end: the start says how many answered writes are gone', async () => {
  const platform = await Platform.start();
  const made = await platform.api('POST', '/ip_policies', {});
  assert.equal(made.status, 201, made.text);
  await platform.daemon.stop('SIGKILL');
  const log = join(platform.dataDir, 'underpass.db-wal');
  truncateSync(log, statSync(log).size - 1);
  await platform.restart();
  await platform.daemon.line(/"level":50.*has lost 1 answered writes \(revisions (\d+) to \1\)/);
  assert.equal((await platform.api('GET', `/ip_policies/${made.json.id}`)).status, 404);
  await platform.stop();
});
