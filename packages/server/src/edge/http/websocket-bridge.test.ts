import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ErrorCode, type MuxStream } from '@underpass/wire';
import { until } from '../../../../../test/harness/until.ts';
import { tunnelBackend } from '../backends/tunnel-backend.ts';
import { unservedBackend } from '../backends/unserved-backend.ts';
import type { Route } from '../sites/site.ts';
import { fixedBackend, get, NAME, siteOf, startTestServer } from './test-server.fixture.ts';
import { ACCEPT, attacks, clientFrame, closePayload, HANDSHAKE, KEY } from './websocket-client.fixture.ts';

const converter = { name: 'websocket_tcp' } as const;

/** Gives back in upper case what it gets. */
function echo(seen: { streams: MuxStream[]; ended: boolean; closed: ErrorCode | null; got: string }) {
  return (stream: MuxStream): void => {
    seen.streams.push(stream);
    stream.handler = {
      data(chunk) {
        seen.got += chunk.toString('latin1');
        stream.write(Buffer.from(chunk.toString('latin1').toUpperCase(), 'latin1'));
      },
      end() {
        seen.ended = true;
        stream.end();
      },
      drain() {},
      close(code) {
        seen.closed = code;
      },
    };
  };
}

async function start(t: TestContext, parts: Partial<Route> = {}) {
  const seen = { streams: [] as MuxStream[], ended: false, closed: null as ErrorCode | null, got: '' };
  const testServer = await startTestServer(t, echo(seen));
  const backend = parts.backend ?? tunnelBackend(testServer.agents[0]!.tunnel);
  testServer.sites.set(NAME, siteOf(backend, { converter, ...parts }));
  return { testServer, seen };
}

async function opened(t: TestContext, parts: Partial<Route> = {}) {
  const started = await start(t, parts);
  const client = await started.testServer.connect();
  client.send(get('/', HANDSHAKE));
  const answer = await client.answer();
  assert.equal(answer.status, 101);
  return { ...started, client, answer };
}

test('messages become bytes and bytes become messages, those behind the handshake too; closing ends both', async (t) => {
  const { testServer, seen } = await start(t);
  const client = await testServer.connect();
  client.send(Buffer.concat([Buffer.from(get('/', HANDSHAKE)), clientFrame(0x02, 'ab')]));
  const answer = await client.answer();
  assert.equal(answer.headers.get('sec-websocket-accept'), ACCEPT);
  assert.equal(answer.headers.get('sec-websocket-protocol'), undefined);
  assert.equal(await client.takeBytes(4), '\x82\x02AB');
  client.send(Buffer.concat([clientFrame(0x89, 'hi'), clientFrame(0x80, 'cd')]));
  assert.equal(await client.takeBytes(8), '\x8a\x02hi\x82\x02CD');
  client.send(clientFrame(0x88, closePayload(1000)));
  assert.equal(await client.rest(), '\x88\x02\x03\xe8');
  await until(() => seen.ended);
  assert.equal(seen.got, 'abcd');
  await until(() => testServer.observed.length === 1);
  const { status, error, decisions } = testServer.observed[0]!;
  assert.deepEqual([status, error, decisions.get('websocket_tcp_converter')], [101, null, 'convert']);
});

test('when the backend ends, the visitor gets a close frame, and its further data still arrives', async (t) => {
  const { client, seen } = await opened(t);
  await until(() => seen.streams.length === 1);
  seen.streams[0]!.end();
  assert.equal(await client.takeBytes(4), '\x88\x02\x03\xe8');
  client.send(Buffer.concat([clientFrame(0x82, 'last'), clientFrame(0x88, closePayload(1000))]));
  assert.equal(await client.rest(), '');
  await until(() => seen.ended);
  assert.equal(seen.got, 'last');
});

test('a visitor that leaves without closing resets the stream', async (t) => {
  const { client, seen } = await opened(t);
  client.send(clientFrame(0x82, 'a'));
  await client.takeBytes(3);
  client.socket.end();
  await until(() => seen.closed !== null);
  assert.notEqual(seen.closed, ErrorCode.none);
  assert.equal(seen.ended, false);
});

for (const side of ['visitor', 'backend'] as const) {
  test(`the end of the ${side} alone ends both within seconds, and leaves nothing`, async (t) => {
    const { testServer, client, seen } = await opened(t);
    await until(() => seen.streams.length === 1);
    let hasEnded = false;
    const end = (): void => {
      hasEnded = true;
    };
    const [stream] = seen.streams;
    stream!.handler = { ...stream!.handler, end };
    if (side === 'backend') stream!.end();
    else client.send(clientFrame(0x88, closePayload(1000)));
    assert.equal(await client.takeBytes(4), '\x88\x02\x03\xe8');
    if (side === 'visitor') await until(() => hasEnded);
    testServer.pass(1_500);
    assert.equal(testServer.edge.connections, 1);
    testServer.pass(1_000);
    await until(() => testServer.agents[0]!.agentSession.streamCount === 0);
    await until(() => testServer.edge.connections === 0 && testServer.observed.length === 1);
    assert.equal(testServer.agents[0]!.tunnel.outstanding, 0);
  });
}

for (const [what, bytes, code] of attacks) {
  test(`${what}: the connection is closed with ${code}, and the stream with it`, async (t) => {
    const { client, seen } = await opened(t);
    await until(() => seen.streams.length === 1);
    client.send(bytes);
    assert.equal(await client.rest(), `\x88\x02\x03${String.fromCharCode(code - 768)}`);
    await until(() => seen.closed !== null);
    assert.equal(seen.got, '');
  });
}

test('a place that refuses is reported as such, also to observers, and another one is tried first', async (t) => {
  const statuses: number[] = [];
  const watches = [{ answered: (status: number) => statuses.push(status) }];
  const { testServer, seen } = await start(t);
  const refusing = await testServer.agent((stream) => stream.reset(ErrorCode.streamRefused));
  const first = tunnelBackend(refusing.tunnel);
  testServer.sites.set(NAME, siteOf(first, { converter, watches }));
  const client = await testServer.connect();
  client.send(get('/', HANDSHAKE));
  assert.equal((await client.answer()).status, 101);
  assert.equal(await client.rest(), '\x88\x02\x03\xf6');
  assert.deepEqual(statuses, [502]);
  const second = tunnelBackend(testServer.agents[0]!.tunnel);
  const both = {
    ...second,
    pick: (tried: ReadonlySet<never>) => (tried.size === 0 ? first : second).pick(new Set()),
  };
  testServer.sites.set(NAME, siteOf(both, { converter, watches }));
  const other = await testServer.connect();
  other.send(Buffer.concat([Buffer.from(get('/', HANDSHAKE)), clientFrame(0x82, 'again')]));
  assert.equal((await other.answer()).status, 101);
  assert.equal(await other.takeBytes(7), '\x82\x05AGAIN');
  assert.equal(seen.got, 'again');
  assert.deepEqual(statuses, [502, 101]);
});

const losses: readonly (readonly [string, boolean, boolean, string])[] = [
  ['before it said anything', false, false, 'upstreamUnreachable'],
  ['after it said something', true, false, 'upstreamClosed'],
  ["with its agent's session, before it said anything", false, true, 'upstreamClosed'],
];
for (const [when, hasSpoken, withSession, error] of losses) {
  test(`a service whose connection is lost ${when} is recorded as ${error}`, async (t) => {
    const { testServer, client, seen } = await opened(t);
    await until(() => seen.streams.length === 1);
    if (hasSpoken) {
      client.send(clientFrame(0x82, 'a'));
      assert.equal(await client.takeBytes(3), '\x82\x01A');
    }
    if (withSession) testServer.agents[0]!.goOffline();
    else seen.streams[0]!.reset(ErrorCode.streamReset);
    await until(() => testServer.observed.length === 1);
    assert.equal(testServer.observed[0]!.error, error);
  });
}

test('a change of the site ends what it no longer allows', async (t) => {
  const { testServer, client, seen } = await opened(t);
  await until(() => seen.streams.length === 1);
  const other = await testServer.agent(() => {});
  testServer.sites.set(NAME, siteOf(tunnelBackend(other.tunnel), { converter }));
  testServer.edge.recheck(null);
  await client.until(() => client.closed);
  await until(() => seen.closed !== null);
});

test('it ends with its tunnel, and the visitor is told', async (t) => {
  const { testServer, client, seen } = await opened(t);
  await until(() => seen.streams.length === 1);
  testServer.agents[0]!.unbind();
  assert.equal(await client.rest(), '\x88\x02\x03\xf6');
  await until(() => seen.closed !== null);
});

test('silence in both directions ends it, and a ping is a sign of life', async (t) => {
  const { testServer, client } = await opened(t);
  testServer.pass(500_000);
  client.send(clientFrame(0x89));
  await client.takeBytes(2);
  testServer.pass(500_000);
  client.send(clientFrame(0x89));
  await client.takeBytes(2);
  testServer.pass(600_001);
  await client.until(() => client.closed);
});

const without = (line: string) => HANDSHAKE.replace(new RegExp(`${line}[^\r]*\r\n`), '');
const handshakes: readonly (readonly [what: string, headers: string, status: number, code: string])[] = [
  ['no upgrade', '', 400, '3206'],
  ['an upgrade to something else', HANDSHAKE.replace('websocket', 'foo'), 400, '3206'],
  ['no version', without('Sec-WebSocket-Version'), 426, '60266'],
  ['another version', HANDSHAKE.replace('13', '8'), 426, '60266'],
  ['no key', without('Sec-WebSocket-Key'), 400, '60267'],
  ['two keys', `${HANDSHAKE}Sec-WebSocket-Key: ${KEY}\r\n`, 400, '60267'],
  ['a short key', HANDSHAKE.replace(KEY, 'AAAA'), 400, '60267'],
  ['a body', `${HANDSHAKE}Content-Length: 2\r\n`, 400, '60267'],
  ['protocols that are none', `${HANDSHAKE}Sec-WebSocket-Protocol: a,,b c\r\n`, 400, '60267'],
];
for (const [what, headers, status, code] of handshakes) {
  test(`${what}: ${status} with code ${code}, and nothing is opened`, async (t) => {
    const { testServer, seen } = await start(t);
    const client = await testServer.connect();
    client.send(get('/', headers));
    const answer = await client.answer();
    assert.equal(answer.status, status);
    assert.equal(answer.headers.get('underpass-error-code'), `ERR_TEST_${code}`);
    if (status === 426) assert.equal(answer.headers.get('sec-websocket-version'), '13');
    assert.equal(seen.streams.length, 0);
  });
}

test('of the subprotocols that are offered one is chosen', async (t) => {
  const { testServer } = await start(t);
  for (const [offered, chosen] of [
    ['base64, binary', 'binary'],
    ['mqtt, x', 'mqtt'],
  ] as const) {
    const client = await testServer.connect();
    client.send(get('/', `${HANDSHAKE}Sec-WebSocket-Protocol: ${offered}\r\n`));
    assert.equal((await client.answer()).headers.get('sec-websocket-protocol'), chosen);
  }
});

test('failures before there is a stream are HTTP responses', async (t) => {
  const { testServer } = await start(t, { backend: unservedBackend('', 'edgeWithoutBackend') });
  const client = await testServer.connect();
  client.send(get('/', HANDSHAKE));
  assert.equal((await client.answer()).status, 503);
  testServer.sites.set(NAME, siteOf(fixedBackend('fixed'), { converter }));
  client.send(get('/', HANDSHAKE));
  assert.equal((await client.answer()).body, 'fixed');
});

test('a visitor that pings and does not read gets no more than the latest answer when it reads again', async (t) => {
  const { testServer, client, seen } = await opened(t);
  client.socket.pause();
  client.send(clientFrame(0x82, 'a'));
  await until(() => seen.streams.length === 1);
  const pings = Buffer.concat(new Array(4000).fill(clientFrame(0x89, 'p'.repeat(125))));
  for (let i = 0; i < 40; i += 1) client.send(pings);
  client.send(clientFrame(0x82, 'b'));
  await until(() => seen.got === 'ab');
  client.socket.resume();
  client.send(clientFrame(0x88));
  const rest = await client.rest();
  assert.ok(rest.endsWith('\x88\x00'), 'it is closed in the end');
  assert.ok(rest.length < 35 * pings.length, `${rest.length} bytes of answers`);
  assert.deepEqual(testServer.failures, []);
});

test('a visitor that pings, closes and reads only then gets Close as the last frame', async (t) => {
  const { testServer, client, seen } = await opened(t);
  client.socket.pause();
  const pings = Buffer.concat(new Array(4000).fill(clientFrame(0x89, 'p'.repeat(125))));
  for (let i = 0; i < 40; i += 1) client.send(pings);
  client.send(Buffer.concat([clientFrame(0x82, 'a'), clientFrame(0x88)]));
  await until(() => seen.ended);
  client.socket.resume();
  assert.ok((await client.rest()).endsWith('\x88\x00'));
  assert.deepEqual(testServer.failures, []);
});
