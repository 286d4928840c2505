/** An agent with several connections, and what the service reports of their number. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { call, field, StreamType } from '@underpass/wire';
import { eventually } from '../../../test/harness/until.ts';
import { connect } from './agent.ts';
import type { AgentOptions } from './agent-options.ts';
import { AUTHTOKEN, Collector, type Rpc, TestService, testCertificate } from './testing/service.fixture.ts';
import { startUpstream } from './testing/upstream.fixture.ts';

const SAME_DAEMON = 'The agent has a connection to this daemon already.\n\nERR_TEST_60855';

/** A service that reports a number of useful connections, with another daemon at each. */
async function start(t: TestContext, useful: number, changes: Partial<AgentOptions> = {}) {
  const service = await TestService.start();
  t.after(() => service.stop());
  const daemons = { count: 0, useful, refusal: '' };
  service.respond = ({ type, request }: Rpc) => {
    if (type !== StreamType.auth) return undefined;
    const isFurther = field(field(request, 'Extra'), 'UnderpassOtherDaemon') === true;
    if (isFurther && daemons.refusal !== '') return { ClientId: '', Error: daemons.refusal };
    const own =
      daemons.useful === 0
        ? {}
        : { UnderpassConnections: daemons.useful, UnderpassDaemon: `daemon-${++daemons.count}` };
    const Extra = { Region: 'us', Cookie: 'cookie-1', AgentSessionID: `ts_${daemons.count}`, ...own };
    return { Version: '3', ClientId: 'client-1', Error: '', Extra };
  };
  const events = { open: 1, wanted: 1, states: [] as string[] };
  const agent = await connect({
    ...{ server: service.address, authtoken: AUTHTOKEN, ca: testCertificate().ca, random: () => 0 },
    onConnections: ({ open, wanted }) => Object.assign(events, { open, wanted }),
    onState: ({ state }) => void events.states.push(state),
    ...changes,
  });
  t.after(() => agent.close());
  const upstream = await startUpstream((socket) => socket.pipe(socket));
  t.after(() => upstream.stop());
  const legs = () =>
    service.requests(StreamType.auth).map((one) => field(field(one, 'Extra'), 'LegNumber') ?? 0);
  const open = (count: number) => eventually(() => assert.equal(events.open, count));
  return { agent, service, daemons, events, upstream, legs, open };
}

test('a service that reports nothing has one connection', async (t) => {
  const { service, agent, upstream, events } = await start(t, 0);
  await agent.forward(upstream.address);
  assert.equal(service.requests(StreamType.auth).length, 1);
  assert.deepEqual(events, { open: 1, wanted: 1, states: ['connecting', 'online'] });
});

test('further connections are as many as the service reports, and bind the same tunnels', async (t) => {
  const { service, agent, upstream, legs, open } = await start(t, 3);
  let bound = 0;
  await agent.forward(upstream.address, { onBound: () => bound++ });
  await open(3);
  assert.deepEqual(legs(), [0, 1, 2]);
  const [first, ...others] = (await service.until(StreamType.bind, 3)).map((one) => [
    field(one, 'Id'),
    field(field(one, 'Extra'), 'Token'),
  ]);
  assert.deepEqual(first, ['', '']);
  assert.deepEqual(others, [
    ['bind-1', 'token-1'],
    ['bind-1', 'token-1'],
  ]);
  for (const session of service.sessions) {
    const answer = new Collector();
    service.proxyOn(session, 'bind-1', answer, 'hello');
    await answer.until(() => answer.text === 'hello');
  }
  assert.equal(bound, 1);
});

test('there are at most as many as the option permits', async (t) => {
  const { legs, open, events } = await start(t, 5, { connections: 2 });
  await open(2);
  assert.deepEqual([legs(), events.wanted], [[0, 1], 2]);
});

test('a lost connection comes back alone, with its number and without a report', async (t) => {
  const { agent, service, upstream, events, legs, open } = await start(t, 2);
  const tunnel = await agent.forward(upstream.address);
  await service.until(StreamType.bind, 2);
  const [first] = service.sessions;
  first?.goAway(0, 'gone');
  await open(1);
  assert.equal(tunnel.url, 'https://random.underpass.localhost:8443');
  await open(2);
  assert.deepEqual(legs(), [0, 1, 0]);
  await service.until(StreamType.bind, 3);
  assert.deepEqual(events.states, ['connecting', 'online']);
});

test('a daemon that is added gets a connection when the service reports it', async (t) => {
  const { service, daemons, open } = await start(t, 1);
  daemons.useful = 2;
  await call(service.sessions[0]!, StreamType.connections, { Connections: 2 });
  await open(2);
});

test('a daemon that has a connection already leaves the first one alone', async (t) => {
  const { daemons, service, events } = await start(t, 2);
  daemons.refusal = SAME_DAEMON;
  await service.until(StreamType.auth, 3);
  assert.deepEqual([events.open, events.wanted], [1, 2]);
});

test('the end of a tunnel, and of the agent, reach every connection once', async (t) => {
  const { agent, service, upstream, open } = await start(t, 3);
  const tunnel = await agent.forward(upstream.address);
  await service.until(StreamType.bind, 3);
  await open(3);
  await tunnel.close();
  assert.equal(service.requests(StreamType.unbind).length, 3);
  await agent.close();
  await eventually(() => assert.ok(service.sessions.every(({ isClosed }) => isClosed)));
});

test('a restart that the service requests on one connection renews all of them, once', async (t) => {
  const { service, events, legs, open } = await start(t, 2);
  await open(2);
  await call(service.sessions[1]!, StreamType.restart, {});
  await eventually(() => assert.equal(legs().length, 4));
  await open(2);
  assert.deepEqual(events.states, ['connecting', 'online', 'offline', 'connecting', 'online']);
});

test('a stopped tunnel ends once, and is unbound on the other connections', async (t) => {
  const { agent, service, upstream } = await start(t, 2);
  const tunnel = await agent.forward(upstream.address);
  await service.until(StreamType.bind, 2);
  const stop = { Id: 'bind-1', Message: 'no', ErrorCode: 'ERR_1' };
  await Promise.all(service.sessions.map((session) => call(session, StreamType.stopTunnel, stop)));
  assert.deepEqual(await tunnel.ended, { reason: 'stopped', message: 'no', code: 'ERR_1' });
});
