/**
 * Events of agents and of visitors.
 * Invariant: they have no credentials of visitors, and reach subscribers only.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { assertLikeExample } from '../harness/event-examples.ts';
import { curl, curlMissing, freePorts, Platform } from '../harness/index.ts';
import { eventually } from '../harness/until.ts';
import { startUpstream } from '../harness/upstream.ts';
import { Intake } from './event-intake.fixture.ts';

const intake = new Intake();
let platform: Platform;
let destination: string;

before(async () => {
  const [tcpPort] = await freePorts(1);
  platform = await Platform.start({
    args: ['--monitoring-intake-url', await intake.start(), '--tcp-ports', `${tcpPort}-${tcpPort}`],
  });
  const target = { monitoring: { api_key: 'not-a-real-key' } };
  destination = (await platform.api('POST', '/event_destinations', { format: 'json', target })).json.id;
});
after(async () => {
  await platform.stop();
  await intake.stop();
});

/** Received events of one type. */
const received = (type: string) => intake.received.filter(({ event_type }) => event_type === `${type}.v0`);

async function subscribe(...types: readonly string[]): Promise<string> {
  const sources = types.map((type) => ({ type: `${type}.v0` }));
  const body = { sources, destination_ids: [destination] };
  return (await platform.api('POST', '/event_subscriptions', body)).json.id;
}

test('an agent and what visitors ask of it are told to who subscribed, and nothing that a visitor proves itself with', {
  skip: curlMissing,
}, async () => {
  const subscription = await subscribe(
    ...['agent_session_start', 'agent_session_stop', 'http_request_complete', 'tcp_connection_closed'],
  );
  const upstream = await startUpstream((_, response) =>
    response.setHeader('Set-Cookie', 'unmistakable').end('hello'),
  );
  const agent = await platform.agent(['http', `${upstream.port}`, '--basic-auth', 'ann:unmistakable']);
  const path = `${agent.url}/there?a=1`;
  const secrets = ['-u', 'ann:unmistakable', '-H', 'Cookie: unmistakable'];
  assert.equal(
    (await curl(platform, [path, '-A', 'me/1', '-H', 'x-shown: yes', ...secrets])).stdout,
    'hello',
  );
  await eventually(() => assert.equal(received('http_request_complete').length, 1));
  await agent.process.stop();
  await eventually(() => assert.equal(received('agent_session_stop').length, 1));

  const [[start], [visit], [stop]] = [
    received('agent_session_start'),
    received('http_request_complete'),
    received('agent_session_stop'),
  ];
  assert.equal(start?.object.session.id, stop?.object.session.id);
  assert.equal(start?.object.ingress_server_ip, '127.0.0.1');
  assert.match(start?.object.credential.uri, /\/credentials\/cr_/);
  assert.deepEqual([start?.object.stopped_at, start?.object.error], [null, '']);
  assert.notEqual(stop?.object.error, '');
  assert.ok(stop?.object.stopped_at >= stop?.object.started_at);
  const { http, conn, tls, backend } = visit?.object ?? {};
  assert.deepEqual([http.request.method, http.response.status_code], ['GET', 200]);
  const { hostname: host } = new URL(agent.url);
  const url = { scheme: 'https', host, path: '/there', query: 'a=1', raw: `https://${host}/there?a=1` };
  assert.deepEqual([http.request.user_agent, http.request.headers['X-Shown']], ['me/1', ['yes']]);
  assert.deepEqual([http.request.version, http.response.body_length], ['HTTP/2.0', 5]);
  assert.deepEqual(http.response.headers['Set-Cookie'], ['[hidden]']);
  assert.notEqual(start?.object.arch, '');
  assert.deepEqual(http.request.url, url);
  assert.deepEqual([conn.client_ip, conn.server_port, tls.version], ['127.0.0.1', platform.port, 'TLSv1.3']);
  assert.deepEqual(visit?.object.basic_auth, { decision: 'allow', username: 'ann' });
  assert.match(conn.ja4, /^t13d\d{4}h2_[0-9a-f]{12}_[0-9a-f]{12}$/);
  assert.match(backend.served_by, /^tn_/);
  assert.equal(visit?.principal, null);
  assert.doesNotMatch(JSON.stringify(intake.received), /unmistakable/);
  assertLikeExample(start, 'agent_session_start');
  assertLikeExample(stop, 'agent_session_stop');
  assertLikeExample(visit, 'http_request_complete', ['ip_policy', 'compression', 'oauth']);
  await platform.api('DELETE', `/event_subscriptions/${subscription}`);
  await upstream.stop();
});

test('a connection that carries bytes is reported when it is closed, and not after the subscription is gone', async () => {
  const subscription = await subscribe('tcp_connection_closed');
  const echo = createServer((socket) => socket.on('error', () => {}).pipe(socket)).listen(0, '127.0.0.1');
  await once(echo, 'listening');
  const agent = await platform.agent(['tcp', `${(echo.address() as { port: number }).port}`]);
  const visit = async () => {
    const socket = connect(Number(new URL(agent.url).port), '127.0.0.1');
    socket.end('twelve bytes');
    await once(socket.resume(), 'close');
  };
  await visit();
  await eventually(() => assert.equal(received('tcp_connection_closed').length, 1));
  const [closed] = received('tcp_connection_closed');
  assertLikeExample(closed, 'tcp_connection_closed', ['ip_policy']);
  assert.deepEqual([closed?.object.conn.bytes_in, closed?.object.conn.bytes_out], [12, 12]);
  assert.ok(closed?.object.conn.end_ts >= closed?.object.conn.start_ts);
  await platform.api('DELETE', `/event_subscriptions/${subscription}`);
  await visit();
  // A later event arrives, so this one would have arrived as well.
  const last = await subscribe('agent_session_stop');
  const before = received('agent_session_stop').length;
  await agent.process.stop();
  await eventually(() => assert.equal(received('agent_session_stop').length, before + 1));
  assert.equal(received('tcp_connection_closed').length, 1);
  await platform.api('DELETE', `/event_subscriptions/${last}`);
  echo.close();
});
