/** The stream of events of the API, as clients see it. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { Client } from '@underpass/client';
import {
  curlMissing,
  EventStream,
  eventually,
  Process,
  startUpstream,
  type Upstream,
} from '../harness/index.ts';
import { startTwoAccounts, type TwoAccounts } from './attacks.fixture.ts';

let world: TwoAccounts;
let upstream: Upstream;
before(async () => {
  [world, upstream] = await Promise.all([
    startTwoAccounts(),
    startUpstream((request, response) => {
      response.statusCode = request.url === '/gone' ? 404 : 200;
      response.end('ok');
    }),
  ]);
});
after(async () => {
  await world.platform.stop();
  await upstream.stop();
});

async function open(options: Parameters<typeof EventStream.open>[1] = {}): Promise<EventStream> {
  const stream = await EventStream.open(world.platform, options);
  assert.equal(stream.status, 200, stream.text);
  await stream.first('ready');
  return stream;
}

async function make(): Promise<string> {
  const { status, json, text } = await world.platform.api('POST', '/edges/tls', { description: 'watched' });
  assert.equal(status, 201, text);
  return json.id;
}

/** Descriptors of the daemon for sockets. */
function sockets(): number {
  return readdirSync(`/proc/${world.platform.daemon.pid}/fd`).length;
}

test('a change is reported to its account only, also over HTTP/2', { skip: curlMissing }, async () => {
  const { platform, other } = world;
  const [home, abroad] = [await open(), await open({ apiKey: other.api_key })];
  assert.equal(home.headers['content-type'], 'text/event-stream');
  assert.equal(home.headers['cache-control'], 'no-store');
  const { api_key, base_url, ca_file } = platform.bootstrap;
  const headers = ['-H', `authorization: Bearer ${api_key}`, '-H', 'service-version: 2'];
  const http2 = Process.program('curl', [
    '-sSN',
    '--http2',
    '-D',
    '-',
    '--cacert',
    ca_file,
    ...headers,
    `${base_url}/stream`,
  ]);
  try {
    await http2.line(/^event: ready/);
    assert.ok(
      http2.lines.some((line) => line.startsWith('HTTP/2 200')),
      http2.lines.join('\n'),
    );
    const id = await make();
    const { data } = await home.first('change', (event) => event.data.id === id);
    assert.deepEqual([data.kind, data.what], ['tls_edge', 'created']);
    await http2.line(new RegExp(`^data: .*"id":"${id}"`));
    const { json: theirs } = await world.asOther('POST', '/edges/tls', {});
    await abroad.first('change', (event) => event.data.id === theirs.id);
    assert.ok(!abroad.text.includes(id));
    assert.ok(!home.text.includes(theirs.id));
  } finally {
    await http2.stop();
    home.close();
    abroad.close();
  }
});

test('changes since the last event come after a reconnect, and after a restart of the daemon', async () => {
  const first = await open();
  const id = await make();
  await first.first('change', (event) => event.data.id === id);
  const { lastEventId } = first;
  first.close();
  const missed = await make();
  const second = await open({ lastEventId });
  assert.deepEqual(
    second.named('change').map(({ data }) => [data.id, data.what]),
    [[missed, 'created']],
  );
  await world.platform.restart();
  await second.until(() => second.isEnded, 'the end of the stream');
  assert.match(second.text, /^retry: \d+$/m);
  const after = await make();
  const third = await open({ lastEventId: second.lastEventId });
  assert.deepEqual(
    third.named('change').map(({ data }) => data.id),
    [after],
  );
  third.close();
});

test('an agent that comes and goes is reported', async () => {
  const stream = await open({ topics: 'sessions' });
  const agent = await world.platform.agent(['http', String(upstream.port)]);
  const { data: tunnel } = await stream.first('session', ({ data }) => data.kind === 'tunnel');
  assert.equal(tunnel.what, 'online');
  const session = await stream.first('session', ({ data }) => data.kind === 'tunnel_session');
  await agent.process.stop();
  await stream.first('session', ({ data }) => data.id === session.data.id && data.what === 'offline');
  stream.close();
});

test('requests are reported to their account while a stream is open, and a filter selects', async () => {
  const { platform, other } = world;
  const agent = await platform.agent(['http', String(upstream.port)]);
  const all = await open({ topics: 'traffic' });
  const failed = await open({ topics: 'traffic', query: { filter: 'status_code >= 400' } });
  const abroad = await open({ topics: 'traffic', apiKey: other.api_key });
  await platform.visit(`${agent.url}/watched`);
  const { data } = await all.first('traffic', (event) => event.data.path === '/watched');
  assert.deepEqual([data.status_code, data.method], [200, 'GET']);
  await platform.visit(`${agent.url}/gone`);
  await failed.first('traffic');
  await agent.process.stop();
  assert.ok(failed.named('traffic').every((event) => event.data.status_code >= 400));
  assert.deepEqual(abroad.named('traffic'), []);
  const wrong = await EventStream.open(platform, { topics: 'traffic', query: { filter: 'colour = red' } });
  assert.equal(wrong.status, 400);
  for (const stream of [all, failed, abroad, wrong]) stream.close();
});

test('the stream ends with its API key, its user and its address', async () => {
  const { platform } = world;
  const { json: bot } = await platform.api('POST', '/bot_users', { name: 'reader', active: true });
  const key = async () => (await platform.api('POST', '/api_keys', { owner_id: bot.id })).json;
  const [one, other] = [await key(), await key()];
  const [byKey, byUser, rest] = [
    await open({ apiKey: one.token }),
    await open({ apiKey: other.token }),
    await open(),
  ];
  const { json: later } = await platform.api('POST', '/api_keys', { owner_id: platform.bootstrap.user_id });
  await rest.first('change', ({ data }) => data.id === later.id);
  const id = await make();
  await byKey.first('change', ({ data }) => data.id === id);
  assert.ok(!byKey.text.includes(later.id), 'a key that a member may not see');
  await platform.api('DELETE', `/api_keys/${one.id}`);
  await byKey.until(() => byKey.isEnded, 'the end with the key');
  assert.equal(byUser.isEnded, false);
  await platform.api('PATCH', `/bot_users/${bot.id}`, { active: false });
  await byUser.until(() => byUser.isEnded, 'the end with the user');
  assert.equal(rest.isEnded, false);
  const again = await EventStream.open(platform, { apiKey: other.token });
  assert.ok(again.status === 401 || again.status === 403, String(again.status));
  rest.close();
});

test('the stream ends when an IP restriction no longer admits its address, and others go on', async () => {
  const { other, asOther } = world;
  const [stream, kept] = [
    await open({ apiKey: other.api_key, localAddress: '127.0.0.2' }),
    await open({ apiKey: other.api_key }),
  ];
  const { json: policy } = await asOther('POST', '/ip_policies', { description: 'one address' });
  const rule = { ip_policy_id: policy.id, cidr: '127.0.0.1/32', action: 'allow' };
  assert.equal((await asOther('POST', '/ip_policy_rules', rule)).status, 201);
  const restriction = { type: 'api', enforced: true, ip_policy_ids: [policy.id] };
  const { status, json, text } = await asOther('POST', '/ip_restrictions', restriction);
  assert.equal(status, 201, text);
  await stream.until(() => stream.isEnded, 'the end with the address');
  await kept.first('change', ({ data }) => data.id === json.id);
  assert.equal(kept.isEnded, false);
  kept.close();
});

test('the client yields the changes of a daemon that restarts meanwhile', async () => {
  const { platform } = world;
  const { api_key: apiKey, base_url: baseUrl, ca_file: caFile } = platform.bootstrap;
  const client = new Client({ baseUrl, apiKey, caFile, retry: { maxDelayMs: 200 } });
  const ended = new AbortController();
  try {
    const events = client.stream({ topics: ['changes'] }, { signal: ended.signal });
    assert.equal((await events.next()).value?.event, 'ready');
    await platform.restart();
    const id = await make();
    for await (const { event, data } of events) if (event === 'change' && data.id === id) break;
  } finally {
    ended.abort();
    client.close();
  }
});

test('a wrong topic, and parameters that do not exist, are refused', async () => {
  const { platform } = world;
  for (const [query, number] of [
    ['topics=everything', 60942],
    ['topics=changes&colour=red', 231],
  ] as const) {
    const { status, json } = await platform.api('GET', `/stream?${query}`);
    assert.equal(status, 400);
    assert.ok(json.error_code.endsWith(String(number)), json.error_code);
  }
});

test('of 400 streams that were opened and cut, nothing is left', async () => {
  await eventually(async () => assert.ok(sockets() > 0));
  const before = sockets();
  for (let round = 0; round < 4; round += 1) {
    const streams = await Promise.all(Array.from({ length: 100 }, () => open()));
    for (const stream of streams) stream.close();
  }
  await eventually(() => assert.ok(sockets() <= before + 4, `${sockets()} descriptors, ${before} before`));
});

test('an account has a limited number of streams, and its places come back', async () => {
  const streams = await Promise.all(Array.from({ length: 200 }, () => open()));
  const refused = await EventStream.open(world.platform);
  assert.equal(refused.status, 429);
  await refused.until(() => refused.isEnded, 'the response');
  assert.match(refused.text, /60940/);
  streams[0]?.close();
  await eventually(async () => {
    const next = await EventStream.open(world.platform);
    next.close();
    assert.equal(next.status, 200);
  });
  for (const stream of streams) stream.close();
});
