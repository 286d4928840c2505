import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { inspect } from 'node:util';
import { ErrorCode, field, StreamType, toDuplex } from '@underpass/wire';
import { eventually, until } from '../../../test/harness/until.ts';
import { warningsOf } from '../../../test/harness/warnings.ts';
import { AgentError, type AgentState, connect, forward, InvalidInput, listen, Refused } from './index.ts';
import type { ExchangesEvent, StatusView } from './inspector/api-types.ts';
import { AUTHTOKEN, Collector, TestService, testCertificate } from './testing/service.fixture.ts';
import { startUpstream } from './testing/upstream.fixture.ts';

interface Given {
  readonly server: string;
  readonly authtoken: string;
  readonly ca: string;
}

async function start(t: TestContext): Promise<{ readonly service: TestService; readonly given: Given }> {
  const service = await TestService.start();
  t.after(() => service.stop());
  return { service, given: { server: service.address, authtoken: AUTHTOKEN, ca: testCertificate().ca } };
}

const request = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`;

test('one call gives a local server a name, and closing it ends the session', async (t) => {
  const { service, given } = await start(t);
  const upstream = await startUpstream((socket) => socket.pipe(socket));
  t.after(() => upstream.stop());
  const tunnel = await forward(upstream.port, { ...given, domain: 'app.example' });
  assert.equal(tunnel.url, 'https://app.example:8443');
  assert.equal(inspect(tunnel), inspect({ url: tunnel.url, tunnelId: tunnel.tunnelId, labels: null }));
  const answer = new Collector();
  service.proxy('bind-1', answer, 'echoed');
  await answer.until(() => answer.text === 'echoed');
  const [socket] = [...service.sockets];
  const over = once(socket!, 'close');
  await tunnel.close();
  assert.deepEqual(await tunnel.ended, { reason: 'closed' });
  await over;
});

test('what a program serves itself is shown where it asks for that, sent again, and gone with its agent', async (t) => {
  const { service, given } = await start(t);
  let asked = 0;
  const server = createHttpServer((message, answer) => {
    asked += 1;
    message.pipe(answer);
  });
  const told: string[] = [];
  const inspected = { inspect: '127.0.0.1:0', onInspector: (url: string) => told.push(url) };
  const listener = (await listen({ ...given, ...inspected, domain: 'app.example' })).serve(server);
  const { origin, hash } = new URL(told[0] ?? '');
  // If the system does not report the user of a connection, the token is in the URL, else in the page.
  const page = await (await fetch(`${origin}/`)).text();
  const [, token = ''] = /^#token=(.+)$/.exec(hash) ?? /name="token" content="(.+)"/.exec(page) ?? [];
  const api = async (path: string, method = 'GET') => {
    const headers = { 'X-Inspector-Token': token };
    return (await fetch(`${origin}/api/${path}`, { method, headers })).json();
  };

  const answer = new Collector();
  service.proxy('bind-1', answer, 'POST /one HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\n\r\nbody');
  await answer.until(() => /body/.test(answer.text));
  const { tunnels } = (await api('status')) as StatusView;
  assert.deepEqual(
    tunnels.map(({ url, forwardsTo, isOnline }) => [url, forwardsTo, isOnline]),
    [['https://app.example:8443', 'embedded', true]],
  );
  const { exchanges } = (await api('exchanges')) as ExchangesEvent;
  assert.deepEqual(
    exchanges.map(({ path, status, responseSize }) => [path, status, responseSize]),
    [['/one', 200, 4]],
  );
  assert.deepEqual(await api('exchanges/1/replay', 'POST'), { id: 2 });
  await until(() => asked === 2);

  listener.closeAllConnections();
  await listener.close();
  await eventually(async () => await assert.rejects(fetch(`${origin}/`)));
});

test('where nothing can be shown an agent does not begin', async (t) => {
  const { service, given } = await start(t);
  for (const inspect of ['0.0.0.0:4040', 'here'])
    await assert.rejects(listen({ ...given, inspect }), InvalidInput);
  assert.equal(service.sockets.size, 0);
});

test('an HTTP server of this program answers, and knows who asks', async (t) => {
  const { service, given } = await start(t);
  const server = createHttpServer((message, answer) => {
    const { remoteAddress, remotePort, remoteFamily } = message.socket;
    const isEncrypted = 'encrypted' in message.socket && message.socket.encrypted;
    answer.end(`${message.url} ${remoteAddress} ${remotePort} ${remoteFamily} ${isEncrypted}`);
  });
  const listener = (await listen({ ...given, domain: 'app.example' })).serve(server);
  assert.deepEqual(listener.address(), { address: 'app.example', family: 'tunnel', port: 8443 });
  const answer = new Collector();
  service.proxy('bind-1', answer, request('/one'));
  await answer.until(() => answer.text.includes('/one 192.0.2.1 1234 IPv4 true'));
  listener.closeAllConnections();
  await listener.close();
  assert.equal(listener.listening, false);
});

test("an HTTP server's time-out ends a connection that is idle", async (t) => {
  const { service, given } = await start(t);
  const server = createHttpServer({ keepAliveTimeout: 1, keepAliveTimeoutBuffer: 0 }, (_, answer) =>
    answer.end('done'),
  );
  const listener = (await listen(given)).serve(server);
  t.after(() => listener.close());
  const answer = new Collector();
  service.proxy('bind-1', answer, request('/'));
  await answer.closed();
  assert.match(answer.text, /done/);
});

test('connections that come before a listener are served as soon as there is one', async (t) => {
  const { service, given } = await start(t);
  const listener = await listen(given);
  t.after(() => listener.close());
  const answer = new Collector();
  service.proxy('bind-1', answer, 'early').end();
  // Later data arrives later.
  await service.ask(StreamType.update, {});
  listener.on('connection', (connection) => connection.pipe(connection));
  assert.equal(await answer.closed(), ErrorCode.none);
  assert.equal(answer.text, 'early');
});

test('closing a listener lets what runs finish, takes nothing new, and then ends the session', async (t) => {
  const { service, given } = await start(t);
  const listener = await listen(given);
  listener.on('connection', (connection) => connection.pipe(connection));
  const answer = new Collector();
  const stream = service.proxy('bind-1', answer, 'one ');
  await answer.until(() => answer.text === 'one ');
  const closed = listener.close();
  await service.until(StreamType.unbind, 1);
  const late = new Collector();
  service.proxy('bind-1', late, 'late');
  assert.equal(await late.closed(), ErrorCode.streamRefused);
  stream.write(Buffer.from('two'));
  stream.end();
  await closed;
  assert.equal(await answer.closed(), ErrorCode.none);
  assert.equal(answer.text, 'one two');
});

test('megabytes pass whole to a program that reads slowly', async (t) => {
  const { service, given } = await start(t);
  const listener = await listen(given);
  t.after(() => listener.close());
  let received = 0;
  let buffered = 0;
  listener.on('connection', (connection) => {
    const slow = new Writable({
      write: (chunk, _encoding, done) => {
        received += chunk.length;
        buffered = Math.max(buffered, connection.readableLength);
        setImmediate(done);
      },
    });
    connection.pipe(slow).on('finish', () => connection.end('all'));
  });
  const sender = toDuplex(service.proxy('bind-1', new Collector()));
  sender.end(Buffer.alloc(8_000_000, 'x'));
  assert.equal(await text(sender), 'all');
  assert.equal(received, 8_000_000);
  assert.ok(buffered < 2_000_000, `${buffered} bytes were kept`);
});

test('a handler that throws loses its connection, and nothing else', async (t) => {
  const { service, given } = await start(t);
  const listener = await listen(given);
  t.after(() => listener.close());
  const warnings = warningsOf(t, /a mistake/);
  listener.once('connection', () => {
    throw new Error('a mistake');
  });
  const broken = new Collector();
  service.proxy('bind-1', broken, 'x');
  assert.equal(await broken.closed(), ErrorCode.streamCancelled);
  await until(() => warnings.length === 1);
  listener.on('connection', (connection) => connection.pipe(connection));
  const fine = new Collector();
  service.proxy('bind-1', fine, 'fine').end();
  assert.equal(await fine.closed(), ErrorCode.none);
});

test('errors are told apart by class and code, and say what to do', async (t) => {
  const { service, given } = await start(t);
  const refused = await forward(1, { ...given, authtoken: 'bad' }).catch((error: unknown) => error);
  assert.ok(refused instanceof Refused && refused instanceof AgentError);
  assert.deepEqual([refused.stage, refused.code], ['auth', 'ERR_UNDERPASS_107']);
  assert.match(refused.remedy, /authtoken/);
  const invalid = await forward('a b', given).catch((error: unknown) => error);
  assert.ok(invalid instanceof InvalidInput && invalid.code === 'ERR_AGENT_INVALID_INPUT');
  service.respond = ({ type }) =>
    type === StreamType.bind ? { Error: 'The name is taken.\n\nERR_UNDERPASS_334' } : undefined;
  const taken = await listen(given).catch((error: unknown) => error);
  assert.ok(taken instanceof Refused && taken.stage === 'bind' && taken.code === 'ERR_UNDERPASS_334');
});

test('what a program without types leaves open is refused, or as good as left out', async (t) => {
  const { given } = await start(t);
  for (const target of [null, {}, [], undefined, 0, Number.NaN]) {
    // @ts-expect-error: most are no address.
    const refused = forward(target, given);
    await assert.rejects(refused, InvalidInput, String(target));
  }
  // @ts-expect-error: null is no listener, and no signal.
  const tunnel = await forward(1, { ...given, onBound: null, onExchange: null, signal: null });
  await tunnel.close();
});

test('an unknown option, or one of another kind, is refused: it may be what keeps visitors out', async (t) => {
  const { service, given } = await start(t);
  const asked: unknown[] = [];
  service.respond = (rpc) => void asked.push(rpc);
  const wrong: readonly [object, RegExp][] = [
    [{ domian: 'a.example' }, /no option "domian"\. Did you mean "domain"\?/],
    [{ modules: { basicauth: [] } }, /no option "modules\.basicauth"\. Did you mean "basicAuth"\?/],
    [{ modules: { ipRestriction: {} } }, /no option "modules\.ipRestriction"\. docs\/build\/typescript\.md/],
    [{ modules: { basicAuth: 'me:secret' } }, /"modules\.basicAuth" has to be a list/],
    [{ modules: { basicAuth: ['me:secret'] } }, /"modules\.basicAuth\[0\]" has to be an object/],
    [{ modules: { basicAuth: null } }, /"modules\.basicAuth" has to be a list/],
    [
      { modules: { basicAuth: [{ user: 'me', password: 'x' }] } },
      /no option "modules\.basicAuth\[0\]\.user"/,
    ],
    [{ modules: { cidrs: { deny: '10.0.0.0/8' } } }, /"modules\.cidrs\.deny" has to be a list of texts/],
    [{ modules: { compression: 'yes' } }, /"modules\.compression" has to be true or false/],
    [{ modules: { circuitBreaker: '0.5' } }, /"modules\.circuitBreaker" has to be a number/],
    [{ modules: [] }, /"modules" has to be an object/],
    [{ domain: 7 }, /"domain" has to be a text/],
    [{ labels: { app: 7 } }, /"labels" has to be an object of texts/],
    [{ onBound: 'x' }, /"onBound" has to be a function/],
    [{ ca: 'ca.pem' }, /"ca" holds no certificate\. Give the PEM itself, not the path/],
    [{ ca: Buffer.from(String(given.ca)) }, /"ca" has to be a text: the PEM itself/],
    [{ labels: { a: 'b' }, modules: { basicAuth: [] } }, /"modules" is not for a tunnel with labels/],
    [{ labels: { a: 'b' }, domain: 'a.example' }, /"domain" is not for a tunnel with labels/],
    [
      { proto: 'tcp', domain: 'a.example' },
      /"domain" is not for tunnels of the protocol tcp, only for http and tls/,
    ],
    [{ address: '1.tcp.example:1' }, /"address" is not for tunnels of the protocol http, only for tcp/],
    [{ termination: {} }, /"termination" is not for tunnels of the protocol http/],
    [{ __proto__: null, constructor: 1 }, /no option "constructor"/],
  ];
  for (const [options, message] of wrong) {
    const all = { ...given, ...options };
    for (const refused of [forward(1, all), listen(all)])
      await assert.rejects(refused, (error) => error instanceof InvalidInput && message.test(error.message));
  }
  // @ts-expect-error: it is a tunnel's.
  await assert.rejects(connect({ ...given, domain: 'a.example' }), /no option "domain"/);
  assert.deepEqual(asked, [], 'and the service is not asked');
  const agent = await connect(given);
  // @ts-expect-error: there is none of that name.
  await assert.rejects(agent.listen({ modules: { basicauth: [] } }), InvalidInput);
  await agent.close();
});

test('a value that the service would refuse is refused before, with its option and the remedy', async (t) => {
  const { service, given } = await start(t);
  const asked: unknown[] = [];
  service.respond = (rpc) => void asked.push(rpc);
  const { ca } = given;
  const login = { username: 'ada', password: 'correct-horse' };
  const wrong: readonly [object, RegExp][] = [
    [{ proto: 'udp' }, /"proto" has to be "http" or "tls" or "tcp"/],
    [{ scheme: 'ftp' }, /"scheme" has to be "http" or "https"/],
    [{ proxyProtocol: 3 }, /"proxyProtocol" has to be 1 or 2/],
    [{ proxyProtocol: -1 }, /"proxyProtocol" has to be 1 or 2/],
    [{ upstreamProtocol: 'h2' }, /"upstreamProtocol" has to be "http1" or "http2"/],
    [{ domain: 'https://a.example/' }, /option "domain": .*Leave out scheme/],
    [{ proto: 'tcp', address: 'a:0' }, /option "address": .*Give HOST:PORT/],
    [{ labels: {} }, /option "labels": It has no labels/],
    [{ labels: { 'a=b': 'c' } }, /option "labels": .*KEY=VALUE/],
    [{ metadata: 'x'.repeat(4097) }, /option "metadata": .*at most 4096/],
    [{ description: 'x'.repeat(256) }, /option "description": .*at most 255/],
    [
      { modules: { cidrs: { allow: ['10.1.2.3/8'], deny: [] } } },
      /"modules\.cidrs\.allow": .*Give 10\.0\.0\.0\/8/,
    ],
    [
      { modules: { cidrs: { deny: ['10.0.0.0/8'] } } },
      /"modules\.cidrs\.deny": .*Give "modules\.cidrs\.allow", too/,
    ],
    [{ modules: { cidrs: {} } }, /"modules\.cidrs": It has no ranges/],
    [
      { modules: { userAgents: { allow: ['('], deny: [] } } },
      /"modules\.userAgents\.allow": .*regular expression/,
    ],
    [{ modules: { requestHeaders: { add: ['no colon'] } } }, /"modules\.requestHeaders\.add": .*NAME:VALUE/],
    [
      { modules: { responseHeaders: { remove: ['a b'] } } },
      /"modules\.responseHeaders\.remove": .*name of a header/,
    ],
    [{ modules: { circuitBreaker: -0.5 } }, /"modules\.circuitBreaker": "-0\.5" .*from 0 to 1/],
    [{ modules: { circuitBreaker: Number.NaN } }, /"modules\.circuitBreaker" has to be a number/],
    [{ modules: { basicAuth: [] } }, /"modules\.basicAuth": The list is empty/],
    [{ modules: { basicAuth: [{ username: 'ada' }] } }, /"modules\.basicAuth\[0\]\.password": .*Give it/],
    [
      { modules: { basicAuth: [login, { ...login, password: 'short' }] } },
      /\[1\]\.password": .*Give one of 8 to 128/,
    ],
    [{ modules: { oauth: { provider: '' } } }, /"modules\.oauth\.provider": .*Give it/],
    [{ modules: { oauth: { provider: 'github', clientId: 'a' } } }, /"modules\.oauth": .*clientSecret", too/],
    [{ modules: { oidc: { issuer: 'https://a.example' } } }, /"modules\.oidc\.clientId": .*Give it/],
    [
      { modules: { oidc: { issuer: 'http://a.example', clientId: 'a', clientSecret: 'b' } } },
      /"modules\.oidc\.issuer": .*an https URL/,
    ],
    [{ modules: { webhook: { provider: 'github' } } }, /"modules\.webhook": .*secret", too/],
    [{ proto: 'tcp', modules: { basicAuth: [login] } }, /"modules\.basicAuth": .*tcp, only for http/],
    [{ proto: 'tls', modules: { mutualTlsCa: ca } }, /"modules\.mutualTlsCa": .*Give "termination"/],
    [{ scheme: 'http', modules: { mutualTlsCa: ca } }, /"modules\.mutualTlsCa": .*https only/],
    [{ proto: 'tls', termination: { certificate: ca } }, /"termination": .*Give both/],
    [
      { proto: 'tls', termination: { certificate: ca, key: 'x' } },
      /"termination\.key": .*holds no private key/,
    ],
    [{ heartbeat: { intervalMs: -1, toleranceMs: 1 } }, /"heartbeat\.intervalMs": -1 is no time/],
    [{ heartbeat: { intervalMs: 1 } }, /"heartbeat\.toleranceMs": .*Give milliseconds/],
    [{ signal: 'now' }, /"signal" has to be an AbortSignal/],
    [{ inspect: '0.0.0.0:4040' }, /The inspector .*this machine alone/],
    [{ server: 'a b' }, /server address "a b" is not valid/],
  ];
  for (const [options, message] of wrong) {
    const all = { ...given, ...options };
    for (const refused of [forward(1, all), listen(all)])
      await assert.rejects(refused, (error) => {
        assert.ok(error instanceof InvalidInput, String(error));
        assert.match(error.message, message);
        return true;
      });
  }
  // @ts-expect-error: it is an option of forward.
  await assert.rejects(listen({ ...given, upstreamTls: {} }), /"upstreamTls" is for forward/);
  await assert.rejects(forward(1, { ...given, upstreamTls: {} }), /"upstreamTls": .*Give https:\/\/HOST/);
  await assert.rejects(forward('a b', { ...given, server: '127.0.0.1:1' }), InvalidInput);
  const many = { ...given, domain: '-', modules: { cidrs: { allow: ['x', 'y'] } } };
  await assert.rejects(forward(1, many), /"domain": .*\n.*"modules\.cidrs\.allow": "x".*\n.*"y"/);
  assert.deepEqual([asked, service.sockets.size], [[], 0], 'and the service is not asked');
});

test('lists that are left out are sent as empty ones', async (t) => {
  const { service, given } = await start(t);
  const asked: unknown[] = [];
  service.respond = ({ type, request }) => {
    if (type === StreamType.bind) asked.push(field(request, 'Opts'));
    return undefined;
  };
  const modules = {
    ...{ requestHeaders: { remove: ['x-a'] }, responseHeaders: { add: ['x-b:c'] } },
    ...{ cidrs: { allow: ['10.0.0.0/8'] }, userAgents: { deny: ['bot'] } },
  };
  await (await forward(1, { ...given, modules })).close();
  const opts = asked[0];
  assert.deepEqual(
    ['RequestHeaders', 'ResponseHeaders', 'IPRestriction', 'UserAgentFilter'].map((name) =>
      field(opts, name),
    ),
    [
      { add: [], remove: ['x-a'] },
      { add: ['x-b:c'], remove: [] },
      { allow_cidrs: ['10.0.0.0/8'], deny_cidrs: [] },
      { allow: [], deny: ['bot'] },
    ],
  );
});

test('a login of a provider needs no lists', async (t) => {
  const { service, given } = await start(t);
  const asked: unknown[] = [];
  service.respond = ({ type, request }) => {
    if (type === StreamType.bind) asked.push(field(field(request, 'Opts'), 'OAuth'));
    return undefined;
  };
  await (await forward(1, { ...given, modules: { oauth: { provider: 'google' } } })).close();
  assert.deepEqual(asked, [
    {
      ...{ provider: 'google', client_id: '', client_secret: '' },
      ...{ allow_emails: [], allow_domains: [], scopes: [] },
    },
  ]);
});

test('an option that asks for nothing is as good as left out, for tunnels of all kinds', async (t) => {
  const { given } = await start(t);
  const nothing = { domain: '', address: '', description: '', pooling: false, proxyProtocol: 0 } as object;
  const modules = { compression: undefined } as object;
  for (const kind of [{ proto: 'tcp' }, { proto: 'tls' }, { labels: { app: 'a' } }] as const)
    await (await listen({ ...given, ...nothing, modules, ...kind })).close();
});

test('a signal ends it at any time, and its reason is the error', async (t) => {
  const { service, given } = await start(t);
  const controller = new AbortController();
  const reason = new Error('enough');
  const states: AgentState['state'][] = [];
  const onState = ({ state }: AgentState) => {
    states.push(state);
    if (state === 'offline') controller.abort(reason);
  };
  const unreachable = { ...given, server: 'nowhere.localhost:1', signal: controller.signal, onState };
  await assert.rejects(forward(1, unreachable), (error) => error === reason);
  assert.deepEqual(states, ['connecting', 'offline']);

  for (const open of [(options: object) => forward(1, options), listen]) {
    const binding = new AbortController();
    service.respond = ({ type }) => {
      if (type === StreamType.bind) binding.abort(reason);
      return undefined;
    };
    await assert.rejects(open({ ...given, signal: binding.signal }), (error) => error === reason);
  }
  service.respond = () => undefined;

  const later = new AbortController();
  const listener = await listen({ ...given, signal: later.signal });
  const closed = once(listener, 'close');
  later.abort();
  await closed;
  assert.deepEqual(await listener.ended, { reason: 'closed' });
});

test('what ends the session for good ends its tunnel, with the reason', async (t) => {
  const { service, given } = await start(t);
  const tunnel = await forward(1, given);
  await service.ask(StreamType.stop, {});
  const end = await tunnel.ended;
  assert.equal(end.reason, 'stopped');

  const again = await forward(1, { ...given, random: () => 0 });
  service.respond = ({ type }) =>
    type === StreamType.auth ? { Error: 'The credential is no more.\n\nERR_UNDERPASS_107' } : undefined;
  for (const socket of service.sockets) socket.destroy();
  const refused = await again.ended;
  assert.ok(refused.reason === 'refused' && refused.error.stage === 'auth');
});
