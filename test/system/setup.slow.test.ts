/** `underpassd setup`, on a terminal and in scripts: the file that it writes, the daemon that it starts, and what it leaves alone. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { freePorts, Postgres, Process, pathToNode, postgresMissing, underpassd } from '../harness/index.ts';
import { missingPrograms } from '../harness/missing.ts';
import { startedFor } from '../harness/repository-command.ts';

const DAEMON = fileURLToPath(import.meta.resolve('../../packages/server/bin/underpassd.js'));
const skip = missingPrograms('script');
const JOIN =
  /^ {2}(underpass login --server connect\.underpass\.localhost:\d+ --ca-fingerprint sha256:[0-9a-f]{64} --authtoken -)$/;

let folder: string;
let config: string;
let port: number;
let started: Process | null = null;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'underpass-setup-'));
  config = join(folder, 'etc', 'underpassd.yaml');
  port = (await freePorts(1))[0] ?? 0;
});
afterEach(async () => {
  await started?.stop();
  started = null;
  rmSync(folder, { recursive: true, force: true });
});

const place = () => ['--config', config, '--data-dir', join(folder, 'data'), '--no-service'];
const ports = () => ['--listen', `127.0.0.1:${port}`, '--http-listen', 'off', '--ssh-listen', 'off'];

function run(args: readonly string[]): Process {
  started = Process.node(DAEMON, ['setup', ...args], { cwd: folder });
  return started;
}

async function finished(args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const setup = run(args);
  const { code } = await setup.exited;
  return { code, output: setup.output };
}

/** Runs it on a terminal. */
function typed(args: readonly string[]): Process {
  const command = ['exec', startedFor(DAEMON), 'setup', ...args].join(' ');
  started = Process.inTerminal(command, { cwd: folder, env: pathToNode });
  return started;
}

async function answer(setup: Process, question: RegExp, text: string): Promise<void> {
  await setup.text(question);
  setup.forgetOutput();
  setup.type(text);
}

/** The printed line has the fingerprint of the authority of this daemon. */
async function joined(setup: Process): Promise<void> {
  const [, line = ''] = await setup.line(JOIN);
  const { stdout } = await underpassd(['ca', 'fingerprint', '--json', '--config', config]);
  assert.equal(line, JSON.parse(stdout).command);
}

test('in a script it writes the file, starts the daemon, and prints how a machine joins', async () => {
  const setup = run(['--yes', ...place(), ...ports()]);
  await joined(setup);
  assert.equal(statSync(config).mode & 0o777, 0o600);
  assert.match(readFileSync(config, 'utf8'), new RegExp(`^listen: 127\\.0\\.0\\.1:${port}$`, 'm'));
  assert.deepEqual(readdirSync(join(folder, 'etc')), ['underpassd.yaml']);
  // The daemon ends with the setup.
  assert.equal((await setup.stop()).code, 0);
});

test('in a script with PostgreSQL', { skip: postgresMissing }, async (t) => {
  const postgres = await Postgres.shared();
  t.after(() => postgres.stop());
  const url = await postgres.database();
  const setup = run(['--yes', ...place(), ...ports(), '--database', url]);
  await joined(setup);
  assert.ok(readFileSync(config, 'utf8').includes(`database: ${url}\n`));
  const { password } = new URL(url);
  assert.equal(setup.output.includes(password), false);
});

test('a second run changes nothing, or the line of the other answer', async () => {
  await finished(['--yes', ...place(), ...ports(), '--no-start']);
  const text = `# mine\n${readFileSync(config, 'utf8')}log-level:  warn  # quiet\n`;
  writeFileSync(config, text);
  const { ino, mtimeMs } = statSync(config);
  const same = await finished(['--yes', '--config', config]);
  assert.equal(same.code, 0, same.output);
  assert.match(same.output, /^Nothing changed: /m);
  assert.deepEqual([statSync(config).ino, statSync(config).mtimeMs], [ino, mtimeMs]);
  const other = await finished(['--yes', '--config', config, '--domain', 'example.com', '--no-start']);
  assert.equal(
    readFileSync(config, 'utf8'),
    text.replace('domain: underpass.localhost', 'domain: example.com'),
  );
  assert.match(other.output, /^ {2}- domain: underpass\.localhost\n {2}\+ domain: example\.com$/m);
  assert.match(other.output, /^Warning: connect\.example\.com /m);
  assert.match(other.output, /^Start the daemon with: underpassd serve --config /m);
});

test('without a terminal it says what to give', async () => {
  const { code, output } = await finished(place());
  assert.equal(code, 2);
  assert.match(output, /no terminal.*--yes/);
  assert.equal(existsSync(join(folder, 'etc')), false);
});

test('each obstacle is named with its remedy, and nothing is written', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port: taken } = server.address() as AddressInfo;
  writeFileSync(join(folder, 'file'), '');
  const cases: readonly (readonly [readonly string[], number, RegExp])[] = [
    [
      ['--listen', `127.0.0.1:${taken}`],
      1,
      /--listen 127\.0\.0\.1:\d+: .*EADDRINUSE.*another port with --listen/,
    ],
    [
      ['--database', 'postgres://a:s3cret@127.0.0.1:1/x'],
      1,
      /--database: .*cannot be reached: .*ECONNREFUSED/,
    ],
    [['--database', `sqlite:${join(folder, 'file', 'a.db')}`], 1, /--database .*file.*give sqlite:PATH/],
    [['--database', 'mysql://a'], 2, /--database mysql:\/\/a: must be "sqlite"/],
    [['--domain', 'a b'], 2, /--domain a b: must be a host name/],
    [['--acme-email', 'ops'], 2, /--acme-email ops: must be an address/],
    [['--listen', 'off'], 2, /--listen off: must be HOST:PORT/],
    [['--service'], 2, /--service: (systemd does not run|needs root)/],
  ];
  for (const [args, expected, message] of cases) {
    const { code, output } = await finished(['--yes', ...place(), ...ports(), ...args]);
    assert.match(output, message);
    assert.equal(code, expected, output);
    assert.equal(output.includes('s3cret'), false);
    assert.deepEqual(readdirSync(folder), ['file']);
  }
});

test('a file that no daemon reads is refused, and stays', async () => {
  mkdirSync(join(folder, 'etc'));
  for (const [text, message] of [
    ['domain: [', /--config .*underpassd\.yaml: /],
    ['nonsense: 1\n', /there is no option "nonsense"/],
    ['acme-orders-per-hour: 3\n', /--acme-orders-per-hour: needs --acme-directory/],
  ] as const) {
    writeFileSync(config, text);
    const { code, output } = await finished(['--yes', ...place()]);
    assert.match(output, message);
    assert.equal(code, 2);
    assert.equal(readFileSync(config, 'utf8'), text);
  }
});

test('on a terminal it asks five questions, again after an unusable answer', { skip }, async () => {
  const setup = typed(place());
  await answer(setup, /Domain \[underpass\.localhost\]: $/, 'a b\r');
  await answer(setup, /--domain a b: must be a host name[\s\S]*Domain \[.*\]: $/, '\r');
  await answer(setup, /E-mail for certificates.*\[none\]: $/, 'ops\r');
  await answer(setup, /--acme-email ops: must be[\s\S]*\[none\]: $/, '\r');
  await answer(setup, /Ports .*\[443 80 2222 off\]: $/, '127.0.0.1:0 off off\r');
  await answer(setup, /--listen 127\.0\.0\.1:0: must be[\s\S]*off\]: $/, `127.0.0.1:${port} off off\r`);
  await answer(setup, /Database.*\[sqlite\]: $/, 'postgres://a:b@127.0.0.1:1/x\r');
  await answer(setup, /ECONNREFUSED[\s\S]*Database.*: $/, '\r');
  assert.equal(existsSync(join(folder, 'etc')), false);
  await answer(setup, /service of systemd, yes or no \[no\]: $/, '\r');
  await joined(setup);
  // Ctrl-C ends the daemon, and the setup with it.
  setup.type('\u0003');
  assert.equal((await setup.exited).code, 0);
  await joinedAgain();
});

/** A second run on a terminal has the answers of the first one as defaults. */
async function joinedAgain(): Promise<void> {
  const text = readFileSync(config, 'utf8');
  const setup = typed(['--config', config]);
  for (const question of [
    /Domain.*: $/,
    /E-mail.*: $/,
    new RegExp(`Ports.*\\[127\\.0\\.0\\.1:${port} off off off\\]: $`),
    /Database.*: $/,
  ])
    await answer(setup, question, '\r');
  await answer(setup, /service.*: $/, '\r');
  await setup.line(/^Nothing changed: /);
  assert.equal((await setup.exited).code, 0);
  assert.equal(readFileSync(config, 'utf8'), text);
}

test('Ctrl-C at any question changes nothing', { skip }, async () => {
  const questions = [/Domain.*: $/, /E-mail.*: $/, /Ports.*: $/, /Database.*: $/, /service.*: $/];
  for (let at = 0; at < questions.length; at++) {
    const setup = typed([...place(), ...ports()]);
    for (const question of questions.slice(0, at)) await answer(setup, question, '\r');
    await answer(setup, questions[at] ?? /$/, '\u0003');
    await setup.line(/^Nothing was changed\.$/);
    assert.equal((await setup.exited).code, 1);
    assert.deepEqual(readdirSync(folder), []);
  }
});
