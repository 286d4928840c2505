/**
 * bootstrap.json of the first start.
 * Invariant: its addresses can be reached.
 */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Bootstrap, freePorts, Process, underpassd } from '../harness/index.ts';

const DAEMON = fileURLToPath(import.meta.resolve('../../packages/server/bin/underpassd.js'));
const SECRETS = ['api_key', 'authtoken', 'account_id', 'user_id'] as const;

let dataDir: string;
let file: string;
let ports: number[];
before(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'underpass-bootstrap-'));
  file = join(dataDir, 'bootstrap.json');
  ports = await freePorts(2);
});
after(() => rmSync(dataDir, { recursive: true, force: true }));

/** Returns the bootstrap.json of a start when it is `ready`, and its output. */
async function start(...options: string[]): Promise<{ content: Bootstrap; output: string }> {
  const daemon = Process.node(DAEMON, ['--data-dir', dataDir, ...options]);
  await daemon.line(/^ready /);
  const content = JSON.parse(readFileSync(file, 'utf8')) as Bootstrap;
  await daemon.stop();
  return { content, output: daemon.output };
}

test('a wrong option is a line of the log that was chosen', async () => {
  for (const args of [['--listen', 'x'], ['--bad']]) {
    const json = await underpassd([...args, '--log-format', 'json']);
    assert.equal(json.code, 2);
    const { level, msg } = JSON.parse(json.stderr);
    assert.equal(level, 60);
    const people = await underpassd([...args, '--log-format', 'people']);
    assert.equal(people.stderr, `underpassd: ${msg}\n`);
  }
});

test('bootstrap.json comes with the first start that listens, and follows the addresses of each one after it', async () => {
  const holder = createServer();
  await new Promise<void>((done) => holder.listen(0, '127.0.0.1', done));
  const { port: taken } = holder.address() as { port: number };
  const warn =
    "process.on('newListener', (name) => name === 'unhandledRejection' && process.emitWarning('odd'));";
  const failed = await underpassd(['--data-dir', dataDir, '--listen', `127.0.0.1:${taken}`], {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(warn)}`,
  });
  holder.close();
  assert.equal(failed.code, 1);
  assert.match(failed.stderr, /already listens/);
  const lines = failed.stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.equal(lines.find(({ msg }) => msg === 'odd')?.level, 40, 'a warning of Node is a line of the log');
  const [level, time] = [lines.at(-1).level, lines.at(-1).time];
  assert.equal(level, 60, 'the last line of a log in JSON is JSON, too');
  assert.match(time, /^\d{4}-\d\d-\d\dT/);
  assert.ok(!existsSync(file), 'nothing says where a daemon is that never was');

  const [port, otherPort] = ports;
  const first = await start('--listen', `127.0.0.1:${port}`);
  assert.match(first.output, /first start: wrote the API key/);
  assert.equal(first.content.base_url, `https://api.underpass.localhost:${port}`);
  assert.ok(!existsSync(`${file}.draft`), 'the secrets are in one file');

  chmodSync(file, 0o640);
  const moved = await start(
    ...['--listen', `127.0.0.1:${otherPort}`, '--domain', 'moved.localhost'],
    ...['--base-url', 'https://API.moved.example:444'],
  );
  assert.doesNotMatch(moved.output, /first start/);
  for (const name of SECRETS) assert.equal(moved.content[name], first.content[name]);
  assert.deepEqual(Object.keys(moved.content), Object.keys(first.content));
  assert.equal(moved.content.base_url, 'https://api.moved.example:444');
  assert.equal(moved.content.domain, 'moved.localhost');
  assert.equal(moved.content.connect_addr, 'connect.moved.localhost:444');
  assert.equal(statSync(file).mode & 0o777, 0o640, 'the rights that the operator gave it stay');
});

test('a bootstrap.json that somebody took away, or damaged, is left as it is', async () => {
  const listen = ['--listen', `127.0.0.1:${ports[0]}`];
  writeFileSync(file, '{"api_key": "half of');
  const damaged = Process.node(DAEMON, ['--data-dir', dataDir, ...listen]);
  await damaged.line(/^ready /);
  await damaged.stop();
  assert.match(damaged.output, /bootstrap\.json is left as it is/);
  assert.equal(readFileSync(file, 'utf8'), '{"api_key": "half of');

  rmSync(file);
  const without = Process.node(DAEMON, ['--data-dir', dataDir, ...listen]);
  await without.line(/^ready /);
  await without.stop();
  assert.ok(!existsSync(file));
});

for (const [what, url, message] of [
  [
    'an IPv4 address',
    'https://192.0.2.7:8443',
    /--base-url https:\/\/192\.0\.2\.7:8443: must have a host name/,
  ],
  ['an IPv6 address', 'https://[2001:db8::7]', /--base-url .*: must have a host name/],
  [
    'a name without a dot',
    'https://underpass',
    /--base-url .*underpass cannot be served; give a host name of letters/,
  ],
] as const) {
  test(`a base URL with ${what}: a clear error and exit 2`, async () => {
    const { code, stderr } = await underpassd(['--data-dir', dataDir, '--base-url', url]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, message);
  });
}
