import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, rmSync } from 'node:fs';
import { createServer as createTcp } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { ErrorCode, field, StreamType } from '@underpass/wire';
import { rowsOf } from '../../../test/harness/property-runs.ts';
import { BIN, GET, hello, install } from './testing/command.fixture.ts';
import { AUTHTOKEN, Collector } from './testing/service.fixture.ts';
import { serve } from './testing/upstream.fixture.ts';
import { agentVersion } from './version.ts';

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
