import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ErrorCode, field, StreamType } from '@underpass/wire';
import { rowsOf } from '../../../test/harness/property-runs.ts';
import { startedFor } from '../../../test/harness/repository-command.ts';
import { ConditionVariable } from '../../../test/harness/until.ts';
import { AUTHTOKEN, Collector, TestService, testCertificate } from './testing/service.fixture.ts';
import { serve } from './testing/upstream.fixture.ts';
import { agentVersion } from './version.ts';

const BIN = startedFor(fileURLToPath(new URL('../bin/underpass.js', import.meta.url)));

/** The command as a process of its own, with what it has printed so far. */
class Running {
  readonly child: ChildProcess;
  readonly code: Promise<number | null>;
  out = '';
  err = '';
  readonly #changes = new ConditionVariable();

  constructor(args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}) {
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('UNDERPASS_'));
    this.child = spawn(process.execPath, [BIN, ...args], {
      cwd,
      env: { ...Object.fromEntries(inherited), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout?.on('data', (chunk) => {
      this.out += chunk;
      this.#changes.notify();
    });
    this.child.stderr?.on('data', (chunk) => {
      this.err += chunk;
      this.#changes.notify();
    });
    this.code = new Promise((resolve) => this.child.on('close', resolve));
  }

  async until(pattern: RegExp): Promise<void> {
    await this.#changes.until(
      () => pattern.test(this.out),
      () => `${pattern} in ${this.out}\n${this.err}`,
    );
  }

  /** Lines of `--json` without their times, each of which is checked. */
  get events(): Record<string, unknown>[] {
    return this.out
      .split('\n')
      .slice(0, -1)
      .map((line) => {
        const { time, ...event } = JSON.parse(line) as Record<string, unknown>;
        assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        return event;
      });
  }
}

interface Installation {
  readonly service: TestService;
  readonly cwd: string;
  readonly run: (args: readonly string[], env?: Readonly<Record<string, string>>) => Running;
}

/** A service, and a folder as a daemon leaves it after its first start. */
async function install(t: TestContext, authtoken = AUTHTOKEN): Promise<Installation> {
  const service = await TestService.start();
  const cwd = mkdtempSync(join(tmpdir(), 'underpass-agent-'));
  mkdirSync(join(cwd, 'data'));
  writeFileSync(join(cwd, 'data', 'ca.pem'), testCertificate().ca);
  const bootstrap = { connect_addr: service.address, authtoken, ca_file: join(cwd, 'data', 'ca.pem') };
  writeFileSync(join(cwd, 'data', 'bootstrap.json'), JSON.stringify(bootstrap));
  const running: Running[] = [];
  t.after(async () => {
    for (const it of running) it.child.kill('SIGKILL');
    await service.stop();
    rmSync(cwd, { recursive: true, force: true });
  });
  const run: Installation['run'] = (args, env) => {
    const isQuiet =
      !['http', 'start'].includes(args[0] ?? '') || args.some((arg) => arg.startsWith('--inspect'));
    const it = new Running(isQuiet ? args : [...args, '--inspect=false'], cwd, env);
    running.push(it);
    return it;
  };
  return { service, cwd, run };
}

async function hello(t: TestContext): Promise<string> {
  const upstream = await serve(createServer((_request, response) => response.end('hello')));
  t.after(() => upstream.stop());
  return String(upstream.port);
}

const GET = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

test('prints the URL, a line per request, and ends with 0 on SIGTERM', async (t) => {
  const { service, run } = await install(t);
  const port = await hello(t);
  const command = run(['http', port]);
  await command.until(
    /^Forwarding {2}https:\/\/random\.underpass\.localhost:8443 -> http:\/\/localhost:\d+$/m,
  );
  const answer = new Collector();
  service.proxy('bind-1', answer, GET('/path\x1b[2J?q=1'));
  await answer.until(() => answer.ended || answer.text.endsWith('hello'));
  const second = new Collector();
  service.proxy('bind-1', second, GET('/fine'));
  await command.until(/^\d\d:\d\d:\d\d {2}GET \/fine {2}200 {2}\d+(\.\d)? ms$/m);
  assert.match(command.out, /GET \/path\\x1b\[2J\?q=1 {2}400/);
  assert.equal(command.out.includes('\x1b'), false);
  command.child.kill('SIGTERM');
  assert.equal(await command.code, 0);
  assert.equal(service.requests(StreamType.unbind).length, 1);
  assert.equal(command.err, '');
});

test('--json prints an object a line', async (t) => {
  const { service, run } = await install(t);
  const command = run(['http', await hello(t), '--json', '--metadata', 'm']);
  await command.until(/"event":"tunnel"/);
  service.proxy('bind-1', new Collector(), GET('/path'));
  await command.until(/"event":"request"/);
  command.child.kill('SIGINT');
  assert.equal(await command.code, 0);
  const [connecting, online, tunnel, request] = command.events;
  assert.deepEqual(connecting, { event: 'connection', state: 'connecting' });
  assert.deepEqual(online, { event: 'connection', state: 'online', region: 'us', session_id: 'ts_1' });
  assert.equal(tunnel?.event, 'tunnel');
  assert.equal(tunnel?.url, 'https://random.underpass.localhost:8443');
  assert.equal(tunnel?.tunnel_id, 'tn_1');
  assert.equal(request?.event, 'request');
  assert.deepEqual([request?.method, request?.path, request?.status], ['GET', '/path', 200]);
  assert.equal(typeof request?.duration_ms, 'number');
});

test('a newer version that the server states is reported once, to people and to programs', async (t) => {
  const { service, run } = await install(t);
  const state = (version: string) => {
    service.respond = ({ type }) =>
      type === StreamType.auth
        ? {
            ...{ Version: '3', ClientId: 'client-1', Error: '' },
            Extra: {
              Region: 'us',
              AgentSessionID: 'ts_1',
              Version: '999.0.0',
              UnderpassAgentVersion: version,
            },
          }
        : undefined;
  };
  state('98.0.0');
  const people = run(['http', '1']);
  await people.until(/^The server has version 98\.0\.0, and this agent is \d/m);
  service.session.goAway(ErrorCode.none, 'again');
  await people.until(/Online[\s\S]*Online/);
  people.child.kill('SIGINT');
  await people.code;
  assert.equal(people.out.match(/98\.0\.0/g)?.length, 1);
  const programs = run(['http', '1', '--json']);
  await programs.until(/"newer_version":"98\.0\.0"/);
  programs.child.kill('SIGINT');
  await programs.code;
  for (const version of ['0.0.1', agentVersion, '99.0.0\u001b[2J', '']) {
    state(version);
    const quiet = run(['http', '1', '--json']);
    await quiet.until(/"event":"tunnel"/);
    quiet.child.kill('SIGINT');
    await quiet.code;
    assert.equal('newer_version' in (quiet.events[1] ?? {}), false, version);
  }
});

test('an upstream that is down is reported once, and the request has no response', async (t) => {
  const { service, run } = await install(t);
  const command = run(['http', '1']);
  await command.until(/^Forwarding/m);
  service.proxy('bind-1', new Collector(), GET('/'));
  await command.until(/GET \/ {2}no answer/);
  await command.until(/http:\/\/localhost:1 cannot be reached: connection refused/);
});

test('a response that is not valid is shown with its line, and not as missing', async (t) => {
  const server = createTcp((socket) => {
    socket.on('error', () => {});
    socket.once('data', () =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nBad\x1b Name: 1\r\n\r\nhi'),
    );
  });
  const upstream = await serve(server);
  t.after(() => upstream.stop());
  const { service, run } = await install(t);
  const command = run(['http', String(upstream.port)]);
  await command.until(/^Forwarding/m);
  service.proxy('bind-1', new Collector(), GET('/'));
  await command.until(
    /GET \/ {2}invalid response \(a header line whose name is not valid: "Bad\\x1b Name: 1"\)/,
  );
  assert.doesNotMatch(command.out, /no answer/);
});

test('labels make a tunnel without a URL', async (t) => {
  const { service, run } = await install(t);
  const command = run(['http', '3000', '--label', 'app=web', '--label', 'zone=a']);
  await command.until(/^Forwarding {2}labels app=web, zone=a -> http:\/\/localhost:3000$/m);
  const [request] = service.requests(StreamType.startTunnelWithLabel);
  assert.deepEqual(field(request, 'Labels'), { app: 'web', zone: 'a' });
});

test('flags name the server where there is no daemon', async (t) => {
  const { service, cwd, run } = await install(t);
  rmSync(join(cwd, 'data', 'bootstrap.json'));
  const command = run(
    ['http', '3000', '--server', service.address, '--ca', 'data/ca.pem', '--domain', 'app.example'],
    { UNDERPASS_AUTHTOKEN: AUTHTOKEN },
  );
  await command.until(/^Forwarding {2}https:\/\/app\.example:8443/m);
});

test('reports the loss of the connection, and its return', async (t) => {
  const { service, run } = await install(t);
  const command = run(['http', '3000']);
  await command.until(/^Forwarding/m);
  service.session.goAway(ErrorCode.none, 'maintenance');
  await command.until(/^Offline {5}maintenance; trying again in \d\.\d s$/m);
  await command.until(/^Online[\s\S]*^Online/m);
});

test('a wrong authtoken ends with 1 and says what to do', async (t) => {
  const { run } = await install(t, 'bad-token');
  const command = run(['http', '3000']);
  assert.equal(await command.code, 1);
  assert.match(command.err, /authtoken is not valid[\s\S]*ERR_UNDERPASS_107[\s\S]*--authtoken/);
  assert.doesNotMatch(command.err, /bad-token|at .*\.ts/);
});

test('a certificate that is not trusted ends with 1 and says what to do', async (t) => {
  const { service, run } = await install(t);
  const command = run(['http', '3000', '--server', service.address, '--authtoken', AUTHTOKEN]);
  assert.equal(await command.code, 1);
  assert.match(command.err, /not trusted[\s\S]*--ca FILE/);
});

test('Stop from the service ends with 0 and says so', async (t) => {
  const { service, run } = await install(t);
  const command = run(['http', '3000']);
  await command.until(/^Forwarding/m);
  await service.ask(StreamType.stop, {});
  assert.equal(await command.code, 0);
  assert.match(command.out, /^The service stopped this agent\.$/m);
});

test('Restart from the service is reported, and the tunnel comes back', async (t) => {
  const { service, run } = await install(t);
  const command = run(['http', '3000']);
  await command.until(/^Forwarding/m);
  await service.ask(StreamType.restart, {});
  await command.until(/^Offline {5}the service requested a restart; trying again in \d\.\d s$/m);
  await command.until(/^Online[\s\S]*^Online/m);
});

test('StopTunnel ends with 1 and the message', async (t) => {
  const { service, run } = await install(t);
  const command = run(['http', '3000']);
  await command.until(/^Forwarding/m);
  await service.ask(StreamType.stopTunnel, { Id: 'bind-1', Message: 'not allowed any more' });
  assert.equal(await command.code, 1);
  assert.match(command.err, /stopped the tunnel: not allowed any more/);
});

test('what the service says about a bind is shown, without what steers a terminal', async (t) => {
  const { service, run } = await install(t);
  const Notice = 'The name was taken over from the agent on "\u001b[2Jx\u202e".';
  service.respond = ({ type }) =>
    type === StreamType.bind
      ? { Id: 'b', URL: 'https://x.underpass.localhost:8443', Proto: 'https', Error: '', Extra: { Notice } }
      : undefined;
  const people = run(['http', '3000']);
  await people.until(/^The name was .*$/m);
  assert.match(
    people.out,
    /^Forwarding.*\nThe name was taken over from the agent on "\\x1b\[2Jx\\u202e"\.$/m,
  );
  const machines = run(['http', '3000', '--json']);
  await machines.until(/"event":"notice"/);
  assert.deepEqual(machines.events.at(-1), { event: 'notice', message: Notice });
  for (const { child } of [people, machines]) child.kill('SIGTERM');
  await Promise.all([people.code, machines.code]);
});

const THREE = (port: string) =>
  `tunnels:\n  web: {upstream: ${port}, domain: web.example}\n  db: {proto: tcp, upstream: 5432}\n` +
  '  other: {upstream: 1, label: [a=b]}\n';

test('start keeps several tunnels of the file on one session, and says which a request is of', async (t) => {
  const { service, cwd, run } = await install(t);
  mkdirSync(join(cwd, 'underpass'));
  writeFileSync(join(cwd, 'underpass', 'agent.yaml'), THREE(await hello(t)));
  const command = run(['start', 'web', 'db'], { XDG_CONFIG_HOME: cwd });
  await command.until(/^Forwarding {2}web {2}https:\/\/web\.example:8443 -> http:\/\/localhost:\d+$/m);
  await command.until(/^Forwarding {2}db {2}.* -> localhost:5432$/m);
  assert.equal(service.sessions.length, 1);
  assert.equal(service.requests(StreamType.startTunnelWithLabel).length, 0);
  service.proxy('bind-1', new Collector(), GET('/path'));
  await command.until(/^\d\d:\d\d:\d\d {2}web {2}GET \/path {2}200/m);
  command.child.kill('SIGTERM');
  assert.equal(await command.code, 0);
  assert.equal(service.requests(StreamType.unbind).length, 2);
});

test('a tunnel that is refused or stopped is reported by name, and the others stay up', async (t) => {
  const { service, cwd, run } = await install(t);
  writeFileSync(join(cwd, 'a.yaml'), THREE(await hello(t)));
  const refusal = { Error: 'The port is not yours.\n\nERR_UNDERPASS_347' };
  service.respond = ({ type, request }) =>
    type === StreamType.bind && field(request, 'Proto') === 'tcp' ? refusal : undefined;
  const command = run(['start', '--all', '--config', 'a.yaml', '--json']);
  await command.until(/"event":"error"/);
  await command.until(/"event":"tunnel","name":"other"/);
  service.proxy('bind-1', new Collector(), GET('/still-there'));
  await command.until(/"event":"request","name":"web","method":"GET".*"path":"\/still-there".*"status":200/);
  const refused = command.events.find(({ event }) => event === 'error');
  assert.deepEqual([refused?.name, refused?.code], ['db', 'ERR_UNDERPASS_347']);
  await service.ask(StreamType.stopTunnel, { Id: 'bind-1', Message: 'not allowed any more' });
  await command.until(/"event":"error","name":"web","message":"The service stopped the tunnel: not allowed/);
  assert.equal(command.child.exitCode, null);
  command.child.kill('SIGTERM');
  assert.equal(await command.code, 1, 'one of them was refused');
});

test('start ends when none of its tunnels is left', async (t) => {
  const { service, cwd, run } = await install(t);
  writeFileSync(join(cwd, 'a.yaml'), THREE('3000'));
  service.respond = ({ type }) => (type === StreamType.bind ? { Error: 'No.' } : undefined);
  const command = run(['start', 'web', 'db', '--config', 'a.yaml']);
  assert.equal(await command.code, 1);
  assert.match(command.err, /^underpass: web: No\.$/m);
  assert.match(command.err, /^underpass: db: No\.$/m);
});

test('a wrong authtoken is reported once, not for each tunnel', async (t) => {
  const { cwd, run } = await install(t, 'bad-token');
  writeFileSync(join(cwd, 'a.yaml'), THREE('3000'));
  const command = run(['start', '--all', '--config', 'a.yaml']);
  assert.equal(await command.code, 1);
  assert.equal(command.err.match(/^underpass: /gm)?.length, 1);
});

test('config check names the tunnels or the mistake, config path the file', async (t) => {
  const { cwd, run } = await install(t);
  writeFileSync(join(cwd, 'a.yaml'), THREE('3000'));
  writeFileSync(join(cwd, 'bad.yaml'), 'tunnels:\n  web: {upstream: nowhere}\n');
  const good = run(['config', 'check', '--config', 'a.yaml']);
  const bad = run(['config', 'check', '--config', 'bad.yaml']);
  const path = run(['config', 'path'], { XDG_CONFIG_HOME: cwd });
  assert.equal(await good.code, 0);
  assert.match(good.out, /a\.yaml is valid\. Its tunnels: web, db, other\.\n$/);
  assert.equal(await bad.code, 2);
  assert.match(bad.err, /bad\.yaml:2: "tunnels\.web\.upstream": /);
  assert.equal(await path.code, 0);
  assert.equal(path.out, `${join(cwd, 'underpass', 'agent.yaml')}\n`);
});

test('wrong use ends with 2 and a message', async (t) => {
  const { run } = await install(t);
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [[], /Usage/],
    [['http'], /missing required argument/],
    [['http', '3000', '--nope'], /unknown option '--nope'/],
    [['http', '3000', 'more'], /too many arguments/],
    [['ftp', '3000'], /unknown command 'ftp'/],
    [['http', 'localhost'], /not an address to forward to/],
    [['http', '3000', '--label', 'x'], /KEY=VALUE/],
    [['start', 'web', '--config', 'absent.yaml'], /absent\.yaml cannot be read/],
    [['config'], /Usage/],
    [['start', 'web'], /no config file .*absent.underpass.agent\.yaml\. Write it/],
    [['http', '3000', '--server', 'a b'], /authtoken|server address/],
  ];
  const ended = cases.map(async ([args, message]) => {
    const command = run(args, { XDG_CONFIG_HOME: '/absent' });
    assert.equal(await command.code, 2, args.join(' '));
    assert.match(command.err, message);
    assert.doesNotMatch(command.err, /at .*\.ts:/);
  });
  await Promise.all(ended);
});

test('a fault is reported with its flag, and with the command that has help', async (t) => {
  const { run } = await install(t);
  const said: readonly (readonly [args: string, says: RegExp])[] = [
    ['http 3000 --hidden', /^underpass: --hidden: Only a folder/],
    ['http 3000 --inspect yes', /^underpass: --inspect: "yes" is no address/],
    ['http 3000 --pooling --label a=b', /^underpass: Labelled tunnels .* Leave --pooling out\.$/m],
    [
      'http 3000 --server other.test:443',
      /^underpass: The authtoken for this server \(there is one for \S+:\d+, which/,
    ],
    ['http http://localhost:3000/app', /^underpass: "http:\/\/localhost:3000\/app" has a path/],
    [
      'http 3000 --ca nowhere.pem',
      /^underpass: --ca: The CA file \S+\/nowhere\.pem cannot be read: there is no such file\. Give the path of one\.$/m,
    ],
    ['tcp', /Try "underpass tcp --help"\.$/m],
    ['config chekc', /Try "underpass config --help"\.$/m],
    ['file . --host-header rewrite', /unknown option '--host-header'/],
    ['nope', /Try "underpass --help"\.$/m],
  ];
  for (const [args, says] of rowsOf(said)) {
    const command = run(args.split(' '));
    assert.equal(await command.code, 2, args);
    assert.match(command.err, says, args);
  }
});

test('--help and --version end with 0', async (t) => {
  const { run } = await install(t);
  const help = run(['http', '--help']);
  assert.equal(await help.code, 0);
  assert.match(help.out, /--authtoken/);
  const version = run(['--version']);
  assert.equal(await version.code, 0);
  assert.match(version.out, /^\d+\.\d+\.\d+\n$/);
});

test('a reader of stdout that goes away leaves the tunnel up', async (t) => {
  const { service, run } = await install(t);
  const command = run(['http', await hello(t)]);
  await command.until(/^Forwarding/m);
  command.child.stdout?.destroy();
  for (let count = 0; count < 3; count++) {
    const answer = new Collector();
    service.proxy('bind-1', answer, GET('/'));
    await answer.until(() => answer.text.endsWith('hello'));
  }
  command.child.kill('SIGTERM');
  assert.equal(await command.code, 0);
  assert.equal(command.err, '');
});

test('a reader of stdout that goes away is no error of a command that prints and ends', async () => {
  // The reader is gone before the command can have begun.
  const piped = spawn('sh', ['-c', '"$0" "$1" completion bash | true', process.execPath, BIN]);
  assert.equal(await text(piped.stderr), '');
});

test('a command whose output is lost says so, and does not end well', async () => {
  const full = openSync('/dev/full', 'w');
  try {
    for (const words of ['config path', 'completion bash', '--version', 'http --help']) {
      const lost = spawn(process.execPath, [BIN, ...words.split(' ')], { stdio: ['ignore', full, 'pipe'] });
      const said = text(lost.stderr!);
      const [code] = (await once(lost, 'close')) as [number];
      assert.equal(code, 1, words);
      assert.match(await said, /^underpass: what it printed is lost: ENOSPC.*\n$/);
    }
  } finally {
    closeSync(full);
  }
});

test('a second signal ends at once', async (t) => {
  const { service, run } = await install(t);
  const command = run(['http', '3000']);
  await command.until(/^Forwarding/m);
  service.respond = ({ type }) => (type === StreamType.unbind ? new Promise(() => {}) : undefined);
  command.child.kill('SIGINT');
  await service.until(StreamType.unbind, 1);
  command.child.kill('SIGINT');
  assert.equal(await command.code, 130);
});

test('prints where requests can be looked at, keeps them there, and not when that is off', async (t) => {
  const { service, run } = await install(t);
  const port = await hello(t);
  const command = run(['http', port, '--json', '--inspect', '127.0.0.1:0']);
  await command.until(/"event":"tunnel"/);
  const { url, token } = command.events.find(({ event }) => event === 'inspector') ?? {};
  service.proxy('bind-1', new Collector(), GET('/path'));
  await command.until(/"event":"request"/);
  const answer = await fetch(`${url}/api/exchanges`, { headers: { 'X-Inspector-Token': String(token) } });
  const { exchanges } = (await answer.json()) as { exchanges: Record<string, unknown>[] };
  assert.deepEqual([exchanges[0]?.path, exchanges[0]?.status, exchanges[0]?.tunnel], ['/path', 200, 1]);
  command.child.kill('SIGTERM');
  assert.equal(await command.code, 0);
  await assert.rejects(fetch(String(url)));

  const without = run(['http', port, '--inspect=false']);
  await without.until(/^Forwarding/m);
  assert.doesNotMatch(without.out, /Inspector/);
});

test('what is looked at is shown to this machine alone', async (t) => {
  const { run } = await install(t);
  for (const address of ['0.0.0.0:4040', 'example.com:4040', '[::]:4040', '4040', 'yes', '127.0.0.1:99999']) {
    const command = run(['http', '3000', '--inspect', address]);
    assert.equal(await command.code, 2, address);
    assert.match(command.err, /--inspect|inspector/, address);
    assert.equal(command.out, '', address);
  }
});
