import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ErrorCode, field, StreamType } from '@underpass/wire';
import { freePorts } from '../../../test/harness/free-ports.ts';
import { type Agent, connect } from './agent.ts';
import type { AgentOptions, AgentState } from './agent-options.ts';
import { Refused } from './refused.ts';
import { AUTHTOKEN, Collector, HOST, TestService, testCertificate } from './testing/service.fixture.ts';
import { startUpstream } from './testing/upstream.fixture.ts';

interface Started {
  readonly service: TestService;
  readonly states: AgentState[];
  readonly options: AgentOptions;
}

async function start(
  t: TestContext,
  changes: Partial<AgentOptions> = {},
): Promise<Started & { agent: Agent }> {
  const started = await prepare(t, changes);
  const agent = await connect(started.options);
  t.after(() => agent.close());
  return { ...started, agent };
}

async function prepare(t: TestContext, changes: Partial<AgentOptions> = {}): Promise<Started> {
  const service = await TestService.start();
  t.after(() => service.stop());
  const states: AgentState[] = [];
  const options: AgentOptions = {
    server: service.address,
    authtoken: AUTHTOKEN,
    ca: testCertificate().ca,
    random: () => 0,
    onState: (state) => states.push(state),
    ...changes,
  };
  return { service, states, options };
}

async function echoUpstream(t: TestContext): Promise<string> {
  const upstream = await startUpstream((socket) => socket.pipe(socket));
  t.after(() => upstream.stop());
  return upstream.address;
}

function extra(request: unknown, name: string): unknown {
  return field(field(request, 'Extra'), name);
}

test('introduces itself as the protocol says', async (t) => {
  const { service } = await start(t);
  const [auth] = service.requests(StreamType.auth);
  assert.deepEqual(field(auth, 'Version'), ['3', '2']);
  assert.equal(field(auth, 'ClientId'), '');
  assert.equal(extra(auth, 'Authtoken'), AUTHTOKEN);
  assert.equal(extra(auth, 'HeartbeatInterval'), 10_000_000_000);
  assert.equal(extra(auth, 'HeartbeatTolerance'), 15_000_000_000);
  assert.equal(extra(auth, 'StopUnsupportedError'), '');
  assert.equal(extra(auth, 'RestartUnsupportedError'), '');
  for (const name of ['OS', 'Arch', 'Version', 'UserAgent', 'UpdateUnsupportedError']) {
    assert.notEqual(extra(auth, name) ?? '', '', name);
  }
});

test('binds a URL, forwards bytes and half-closes both ways', async (t) => {
  const { service, agent } = await start(t);
  const tunnel = await agent.forward(await echoUpstream(t), { metadata: 'mine' });
  assert.equal(tunnel.url, 'https://random.underpass.localhost:8443');
  const [bind] = service.requests(StreamType.bind);
  assert.equal(field(bind, 'Proto'), 'https');
  assert.match(String(field(bind, 'ForwardsTo')), /^http:\/\/localhost:\d+$/);
  assert.equal(extra(bind, 'Metadata'), 'mine');

  const answer = new Collector();
  const stream = service.proxy('bind-1', answer, 'hello ');
  stream.write(Buffer.from('there'));
  await answer.until(() => answer.text === 'hello there');
  stream.end();
  assert.equal(await answer.closed(), ErrorCode.none);
  assert.equal(answer.ended, true);
});

test('an upstream that ends first still receives', async (t) => {
  const { service, agent } = await start(t);
  let received = '';
  const over = Promise.withResolvers<void>();
  const upstream = await startUpstream((socket) => {
    socket.end('goodbye');
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('end', () => over.resolve());
  });
  t.after(() => upstream.stop());
  await agent.forward(upstream.address);
  const answer = new Collector();
  const stream = service.proxy('bind-1', answer, 'one ');
  await answer.until(() => answer.ended);
  assert.equal(answer.text, 'goodbye');
  stream.write(Buffer.from('two'));
  stream.end();
  await over.promise;
  assert.equal(received, 'one two');
  assert.equal(await answer.closed(), ErrorCode.none);
});

test('megabytes pass whole in both directions past slow readers', async (t) => {
  const { service, agent } = await start(t);
  await agent.forward(await echoUpstream(t));
  const answer = new Collector();
  const stream = service.proxy('bind-1', answer);
  stream.pause();
  const piece = Buffer.alloc(100_000, 'abcdefghij');
  const pieces = 80;
  for (let sent = 0; sent < pieces; sent++) {
    if (sent === 40) stream.resume();
    stream.write(piece);
  }
  stream.end();
  assert.equal(await answer.closed(), ErrorCode.none);
  assert.equal(answer.length, piece.length * pieces);
  assert.equal(answer.text, piece.toString().repeat(pieces));
});

test('a refused upstream resets the stream and says why', async (t) => {
  const { service, agent } = await start(t);
  const [port] = (await freePorts(1)) as [number];
  const errors: string[] = [];
  await agent.forward(`localhost:${port}`, { onUpstreamError: (message) => errors.push(message) });
  const answer = new Collector();
  service.proxy('bind-1', answer, 'GET / HTTP/1.1\r\n\r\n');
  assert.equal(await answer.closed(), ErrorCode.upstreamUnreached);
  assert.equal(answer.text, '');
  assert.equal(errors.length, 1);
  assert.match(errors[0]!, /connection refused/);
});

test('an upstream that breaks off resets the stream', async (t) => {
  const { service, agent } = await start(t);
  const upstream = await startUpstream((socket) => socket.once('data', () => socket.resetAndDestroy()));
  t.after(() => upstream.stop());
  await agent.forward(upstream.address);
  const answer = new Collector();
  service.proxy('bind-1', answer, 'x');
  assert.equal(await answer.closed(), ErrorCode.remoteGoneAway);
});

test('a visitor that breaks off resets the connection to the upstream', async (t) => {
  const { service, agent } = await start(t);
  const broken = Promise.withResolvers<string | undefined>();
  const upstream = await startUpstream((socket) => {
    socket.on('error', (error: NodeJS.ErrnoException) => broken.resolve(error.code));
    socket.write('ready');
    socket.resume();
  });
  t.after(() => upstream.stop());
  await agent.forward(upstream.address);
  const answer = new Collector();
  const stream = service.proxy('bind-1', answer, 'x');
  await answer.until(() => answer.text === 'ready');
  stream.reset(ErrorCode.streamCancelled);
  assert.equal(await broken.promise, 'ECONNRESET');
});

test('comes back with the same session, id, URL and token', async (t) => {
  const { service, agent } = await start(t);
  const tunnel = await agent.forward(await echoUpstream(t));
  service.session.goAway(ErrorCode.none, 'maintenance');
  const [, again] = await service.until(StreamType.bind, 2);
  const [, auth] = service.requests(StreamType.auth);
  assert.equal(field(auth, 'ClientId'), 'client-1');
  assert.equal(extra(auth, 'Cookie'), 'cookie-1');
  assert.equal(field(again, 'Id'), 'bind-1');
  assert.equal(field(field(again, 'Opts'), 'URL'), 'https://random.underpass.localhost:8443');
  assert.equal(extra(again, 'Token'), 'token-1');
  assert.equal(tunnel.url, 'https://random.underpass.localhost:8443');

  const answer = new Collector();
  const stream = service.proxy('bind-1', answer, 'back');
  await answer.until(() => answer.text === 'back');
  stream.end();
  await answer.closed();
});

test('goes on with its TLS session each time that it comes back', async (t) => {
  const { service } = await start(t);
  for (const count of [2, 3]) {
    service.session.goAway(ErrorCode.none);
    await service.until(StreamType.auth, count);
  }
  assert.deepEqual(service.resumed, [false, true, true]);
});

test('keeps trying while nothing listens, and connects when it does', async () => {
  const [port] = (await freePorts(1)) as [number];
  const states: AgentState[] = [];
  const offline = Promise.withResolvers<void>();
  const connecting = connect({
    server: `${HOST}:${port}`,
    authtoken: AUTHTOKEN,
    ca: testCertificate().ca,
    random: () => 0.01,
    onState: (state) => {
      states.push(state);
      if (state.state === 'offline') offline.resolve();
    },
  });
  await offline.promise;
  const later = await TestService.start(port);
  const agent = await connecting;
  assert.match(states.find((state) => state.state === 'offline')!.reason, /connection refused/);
  await agent.close();
  await later.stop();
});

test('a wrong authtoken ends with the message of the service', async (t) => {
  const { options, service } = await prepare(t, { authtoken: 'bad' });
  await assert.rejects(connect(options), (error: unknown) => {
    assert.ok(error instanceof Refused);
    assert.equal(error.stage, 'auth');
    assert.equal(error.code, 'ERR_UNDERPASS_107');
    assert.match(error.message, /authtoken is not valid/);
    return true;
  });
  assert.equal(service.requests(StreamType.auth).length, 1);
});

test('a limit that passes is tried again', async (t) => {
  const { options, service } = await prepare(t);
  const answers = [{ Error: 'Too many sessions.\n\nERR_X_108' }];
  service.respond = ({ type }) => (type === StreamType.auth ? answers.shift() : undefined);
  const agent = await connect(options);
  assert.equal(service.requests(StreamType.auth).length, 2);
  await agent.close();
});

test('a certificate that is not trusted is refused at once', async (t) => {
  const { options } = await prepare(t, { ca: undefined });
  await assert.rejects(connect(options), (error: unknown) => {
    assert.ok(error instanceof Refused);
    assert.equal(error.stage, 'certificate');
    return true;
  });
});

test('a certificate of another name is refused at once', async (t) => {
  const { options, service } = await prepare(t);
  const other = { ...options, server: `elsewhere.localhost:${service.port}` };
  await assert.rejects(
    connect(other),
    (error: unknown) => error instanceof Refused && error.stage === 'certificate',
  );
});

test('a refused bind ends that tunnel with the message, and no other', async (t) => {
  const { agent, service } = await start(t);
  service.respond = ({ type, request }) =>
    type === StreamType.bind && field(field(request, 'Opts'), 'Domain') === 'taken.example'
      ? { Error: 'The domain is taken.\n\nERR_UNDERPASS_309' }
      : undefined;
  const good = await agent.forward('1');
  await assert.rejects(agent.forward('1', { domain: 'taken.example' }), {
    name: 'Refused',
    stage: 'bind',
    code: 'ERR_UNDERPASS_309',
  });
  assert.equal(service.session.isClosed, false);
  await good.close();
});

test('a bind refused after a reconnect ends the tunnel', async (t) => {
  const { agent, service } = await start(t);
  const tunnel = await agent.forward('1');
  service.respond = ({ type }) => (type === StreamType.bind ? { Error: 'not any more' } : undefined);
  service.session.goAway(ErrorCode.none);
  const end = await tunnel.ended;
  assert.equal(end.reason, 'refused');
  assert.equal(end.reason === 'refused' && end.error.message, 'not any more');
});

test('a labelled tunnel starts with its labels and has no URL', async (t) => {
  const { agent, service } = await start(t);
  const labels = { app: 'web', __proto__x: 'odd value' };
  const tunnel = await agent.forward(await echoUpstream(t), { labels, metadata: 'm' });
  assert.equal(tunnel.url, null);
  const [request] = service.requests(StreamType.startTunnelWithLabel);
  assert.deepEqual(field(request, 'Labels'), labels);
  assert.equal(field(request, 'Metadata'), 'm');
  const answer = new Collector();
  const stream = service.proxy('label-1', answer, 'labelled');
  await answer.until(() => answer.text === 'labelled');
  stream.end();
  await answer.closed();
});

test('a connection that comes before the answer to its bind waits for it', async (t) => {
  const { agent, service } = await start(t);
  const answer = new Collector();
  service.respond = ({ type }) => {
    if (type !== StreamType.bind) return undefined;
    service.proxy('early', answer, 'first').end();
    return { Id: 'early', URL: 'https://early.example', Error: '', Extra: {} };
  };
  await agent.forward(await echoUpstream(t));
  assert.equal(await answer.closed(), ErrorCode.none);
  assert.equal(answer.text, 'first');
});

test('a connection for a tunnel that is not there is refused', async (t) => {
  const { service } = await start(t);
  const answer = new Collector();
  service.proxy('nobody', answer, 'x');
  assert.equal(await answer.closed(), ErrorCode.streamRefused);
});

test('an unknown type of stream is refused and the session lives', async (t) => {
  const { service } = await start(t);
  const answer = new Collector();
  assert.ok(service.session.open(77 as StreamType, answer));
  assert.equal(await answer.closed(), ErrorCode.streamRefused);
  assert.deepEqual(await service.ask(StreamType.stopTunnel, { Id: 'nobody' }), { Error: '' });
});

test('StopTunnel ends the tunnel, which does not come back', async (t) => {
  const { agent, service } = await start(t);
  const tunnel = await agent.forward('1');
  await service.ask(StreamType.stopTunnel, { Id: 'bind-1', Message: 'policy', ErrorCode: 'ERR_X_1' });
  assert.deepEqual(await tunnel.ended, { reason: 'stopped', message: 'policy', code: 'ERR_X_1' });
  service.session.goAway(ErrorCode.none);
  await service.until(StreamType.auth, 2);
  const labelled = await agent.forward('1', { labels: { a: 'b' } });
  assert.equal(service.requests(StreamType.bind).length, 1);
  await labelled.close();
});

test('Stop unbinds and ends the agent', async (t) => {
  const { agent, service } = await start(t);
  await agent.forward('1');
  assert.deepEqual(await service.ask(StreamType.stop, {}), { Error: '' });
  assert.deepEqual(await agent.ended, { reason: 'stopped' });
  assert.equal(service.requests(StreamType.unbind).length, 1);
});

test('Restart opens a new session with the same tunnels, and nothing is unbound', async (t) => {
  const { agent, service, states } = await start(t);
  const tunnel = await agent.forward(await echoUpstream(t));
  const { url } = tunnel;
  assert.deepEqual(await service.ask(StreamType.restart, {}), { Error: '' });
  const [, again] = await service.until(StreamType.bind, 2);
  assert.equal(service.sessions.length, 2);
  assert.equal(field(again, 'Id'), 'bind-1');
  assert.deepEqual(service.requests(StreamType.unbind), []);
  assert.match(String(states.find((one) => one.state === 'offline')?.reason), /requested a restart/);

  const answer = new Collector();
  service.proxy('bind-1', answer, 'still here').end();
  assert.equal(await answer.closed(), ErrorCode.none);
  assert.deepEqual([answer.text, tunnel.url], ['still here', url]);
});

test('Update is answered with why not, and the session lives', async (t) => {
  const { service } = await start(t);
  const answer = await service.ask(StreamType.update, { Version: '9', PermitMajorVersion: false });
  assert.match(String(field(answer, 'Error')), /cannot update/);
  assert.equal(service.session.isClosed, false);
});

test('a service that stops echoing heartbeats is dropped and dialled again', async (t) => {
  const { options, service, states } = await prepare(t, { heartbeat: { intervalMs: 10, toleranceMs: 250 } });
  service.echoesHeartbeats = false;
  const agent = await connect(options);
  await service.until(StreamType.auth, 2);
  const offline = states.find((state) => state.state === 'offline');
  assert.match(String(offline?.reason), /heartbeat/);
  await agent.close();
});

test("the service's heartbeat is echoed", async (t) => {
  const { service } = await start(t);
  const answer = new Collector();
  const stream = service.session.open(StreamType.heartbeat, answer, Buffer.from('beat'));
  assert.ok(stream);
  await answer.until(() => answer.text === 'beat');
  stream.reset(ErrorCode.streamCancelled);
});

test('closing a tunnel unbinds it', async (t) => {
  const { agent, service } = await start(t);
  const tunnel = await agent.forward('1');
  await tunnel.close();
  assert.deepEqual(service.requests(StreamType.unbind), [{ Id: 'bind-1' }]);
  assert.deepEqual(await tunnel.ended, { reason: 'closed' });
});

test('closing the agent says goodbye and ends everything', async (t) => {
  const { agent, service } = await start(t);
  const tunnel = await agent.forward('1');
  await agent.close();
  assert.equal(service.sockets.size === 0 || service.session.isClosed, true);
  assert.deepEqual(await agent.ended, { reason: 'closed' });
  assert.deepEqual(await tunnel.ended, { reason: 'closed' });
  await assert.rejects(agent.forward('1'), /closed/);
});

test('an aborted signal ends an agent that still tries', async () => {
  const controller = new AbortController();
  const connecting = connect({
    server: 'nowhere.localhost:1',
    authtoken: AUTHTOKEN,
    signal: controller.signal,
    onState: (state) => state.state === 'offline' && controller.abort(),
  });
  await assert.rejects(connecting, { name: 'AbortError' });
});
