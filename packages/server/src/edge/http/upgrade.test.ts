import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ErrorCode, type MuxStream } from '@underpass/wire';
import { until } from '../../../../../test/harness/until.ts';
import { unservedBackend } from '../backends/unserved-backend.ts';
import { byHand, get, NAME, siteOf, startTestServer } from './test-server.fixture.ts';

const ASK = 'Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n';
const SWITCH =
  'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: WebSocket\r\nSec-WebSocket-Accept: x\r\n\r\n';

/** Switches, then gives back in upper case what it gets, and ends when the visitor does. */
function echo(seen: { head?: string; stream?: MuxStream; closed?: ErrorCode }) {
  return (stream: MuxStream): void => {
    seen.stream = stream;
    stream.handler = {
      data(chunk) {
        const text = chunk.toString('latin1');
        if (seen.head === undefined) {
          const end = text.indexOf('\r\n\r\n') + 4;
          seen.head = text.slice(0, end);
          stream.write(Buffer.from(`${SWITCH}hello`));
          if (end < text.length) stream.write(Buffer.from(text.slice(end).toUpperCase()));
        } else {
          stream.write(Buffer.from(text.toUpperCase()));
        }
      },
      end() {
        stream.write(Buffer.from('bye'));
        stream.end();
      },
      drain() {},
      close(code) {
        seen.closed = code;
      },
    };
  };
}

test('an upgraded connection carries bytes both ways and each direction ends for itself', async (t) => {
  const seen: Parameters<typeof echo>[0] = {};
  const testServer = await startTestServer(t, echo(seen));
  const client = await testServer.connect({ allowHalfOpen: true } as never);
  client.send(`${get('/', ASK)}early`);
  const answer = await client.answer();
  assert.equal(answer.status, 101);
  assert.equal(answer.headers.get('connection'), 'Upgrade');
  assert.equal(answer.headers.get('upgrade'), 'WebSocket');
  assert.match(seen.head!, /\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n/);
  assert.equal(await client.takeBytes(10), 'helloEARLY');
  client.send('abc');
  assert.equal(await client.takeBytes(3), 'ABC');
  client.socket.end();
  assert.equal(await client.rest(), 'bye');
  await client.until(() => client.closed);
  await until(() => testServer.observed.length === 1);
  assert.equal(testServer.observed[0]!.status, 101);
});

test('a reset of an upgraded stream closes the visitor connection, and the other way round', async (t) => {
  const seen: Parameters<typeof echo>[0] = {};
  const testServer = await startTestServer(t, echo(seen));
  const client = await testServer.connect();
  client.send(get('/', ASK));
  await client.take('hello');
  seen.stream!.reset(ErrorCode.streamReset);
  await client.until(() => client.closed);

  delete seen.head;
  delete seen.closed;
  const second = await testServer.connect();
  second.send(get('/', ASK));
  await second.take('hello');
  second.socket.destroy();
  await until(() => seen.closed !== undefined);
});

test('a refused upgrade leaves HTTP in force: the pipelined request goes through every check', async (t) => {
  const heads: string[] = [];
  const testServer = await startTestServer(
    t,
    byHand((stream, soFar) => {
      heads.push(soFar);
      stream.write(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
    }),
  );
  const client = await testServer.connect();
  const smuggled = 'GET /admin HTTP/1.1\r\nHost: other.example.com\r\n\r\n';
  client.send(get('/', 'Connection: Upgrade\r\nUpgrade: foo\r\n') + smuggled);
  assert.equal((await client.answer()).body, 'ok');
  assert.equal((await client.answer()).status, 421);
  assert.equal(heads.length, 1);
});

test('a refused upgrade leaves HTTP in force: a changed route table applies to the pipelined request', async (t) => {
  const testServer = await startTestServer(
    t,
    byHand((stream) => {
      testServer.sites.set(NAME, siteOf(unservedBackend('', 'edgeWithoutBackend')));
      stream.write(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
    }),
  );
  const client = await testServer.connect();
  client.send(get('/', ASK) + get('/admin'));
  assert.equal((await client.answer()).status, 200);
  assert.equal((await client.answer()).status, 503);
});

test('a switch in a head that is not strictly formed is written anew', async (t) => {
  const testServer = await startTestServer(
    t,
    byHand((stream, soFar) => {
      if (soFar.endsWith('\r\n\r\n'))
        stream.write(Buffer.from(`${SWITCH.replaceAll('\r', '').replaceAll(':', ' :')}hello`));
    }),
  );
  const client = await testServer.connect();
  client.send(get('/', ASK));
  const { status, head } = await client.answer();
  assert.equal(status, 101);
  assert.doesNotMatch(head, / :|[^\r]\n/);
  assert.equal(await client.takeBytes(5), 'hello');
});

const unasked: [string, string][] = [
  ['Connection does not name it', 'Upgrade: websocket\r\n'],
  [
    'only HTTP/2 is asked for',
    'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n',
  ],
  ['the upstream switches to something else', 'Connection: Upgrade\r\nUpgrade: foo, h2c\r\n'],
];
for (const [name, headers] of unasked) {
  test(`there is no switch when ${name}`, async (t) => {
    const seen: Parameters<typeof echo>[0] = {};
    const testServer = await startTestServer(t, echo(seen));
    const client = await testServer.connect();
    client.send(get('/', headers));
    const answer = await client.answer();
    assert.equal(answer.status, 502);
    assert.equal(answer.headers.get('underpass-error-code'), 'ERR_TEST_3004');
    assert.doesNotMatch(seen.head!, /h2c|HTTP2/i);
  });
}

/** Switches to the requested protocol, and keeps its side open. */
function keepsOpen(seen: { streams: MuxStream[]; ended: number; closed: ErrorCode[] }) {
  return (stream: MuxStream): void => {
    seen.streams.push(stream);
    stream.handler = {
      data(chunk) {
        const protocol = /\r\nUpgrade: (.*)\r\n/.exec(chunk.toString('latin1'))?.[1];
        if (protocol === undefined) return;
        stream.write(Buffer.from(SWITCH.replace('WebSocket', protocol)));
      },
      end() {
        seen.ended += 1;
      },
      drain() {},
      close(code) {
        seen.closed.push(code);
      },
    };
  };
}

async function switchedTo(t: TestContext, protocol: string) {
  const seen = { streams: [] as MuxStream[], ended: 0, closed: [] as ErrorCode[] };
  const testServer = await startTestServer(t, keepsOpen(seen));
  const client = await testServer.connect({ allowHalfOpen: true });
  client.send(get('/', ASK.replace('websocket', protocol)));
  assert.equal((await client.answer()).status, 101);
  const session = testServer.agents[0]!.agentSession;
  return { seen, testServer, client, session, stream: seen.streams[0]! };
}

for (const side of ['visitor', 'service'] as const) {
  test(`the end of the ${side} ends a WebSocket on both sides within seconds, and leaves nothing`, async (t) => {
    const { seen, testServer, client, session, stream } = await switchedTo(t, 'websocket');
    if (side === 'visitor') client.socket.end();
    else stream.end();
    await until(() => (side === 'visitor' ? seen.ended === 1 : client.ended));
    testServer.pass(1_500);
    assert.equal(testServer.edge.connections, 1, 'what it still has to say may come');
    // Bytes are no sign of life of a WebSocket that has ended.
    if (side === 'visitor') stream.write(Buffer.from('more'));
    testServer.pass(1_000);
    await until(() => session.streamCount === 0 && testServer.edge.connections === 0);
    assert.equal(seen.closed.length, 1);
    assert.equal(testServer.agents[0]!.tunnel.outstanding, 0);
    assert.equal(testServer.observed.length, 1);
  });

  test(`after the end of the ${side} any other connection lives while the other side makes progress`, async (t) => {
    const { seen, testServer, client, session, stream } = await switchedTo(t, 'tcp');
    if (side === 'visitor') client.socket.end();
    else stream.end();
    await until(() => (side === 'visitor' ? seen.ended === 1 : client.ended));
    let received = 0;
    const data = (chunk: Buffer): void => {
      received += chunk.length;
    };
    stream.handler = { ...stream.handler, data };
    for (let i = 1; i <= 3; i += 1) {
      testServer.pass(30_000);
      if (side === 'visitor') {
        stream.write(Buffer.from('x'));
        assert.equal(await client.takeBytes(1), 'x');
      } else {
        client.send('x');
        await until(() => received === i);
      }
    }
    testServer.pass(30_000);
    assert.equal(testServer.edge.connections, 1);
    testServer.pass(1_000);
    if (side === 'visitor') {
      // The visitor is there and waits. The next bytes to it make its kernel respond.
      assert.equal(testServer.edge.connections, 1);
      client.socket.destroy();
      stream.write(Buffer.from('x'));
    }
    let seconds = 0;
    await until(() => {
      testServer.pass(1_000);
      seconds += 1;
      return session.streamCount === 0 && testServer.edge.connections === 0;
    });
    assert.ok(seconds < 500, 'not for silence in both directions');
    assert.equal(testServer.agents[0]!.tunnel.outstanding, 0);
  });
}

test('of visitors of one address that have ended their side and wait in silence, eight may', async (t) => {
  const { seen, testServer, client, session } = await switchedTo(t, 'tcp');
  const clients = [client];
  for (let i = 1; i < 20; i += 1) {
    const other = await testServer.connect({ allowHalfOpen: true });
    clients.push(other);
    other.send(get('/', ASK.replace('websocket', 'tcp')));
    assert.equal((await other.answer()).status, 101);
  }
  for (const { socket } of clients) socket.end();
  await until(() => seen.ended === clients.length);
  testServer.pass(31_000);
  await until(() => testServer.edge.connections === 8 && session.streamCount === 8);
  // Counted streams free their places when they end.
  for (const stream of seen.streams) stream.end();
  await until(() => testServer.edge.connections === 0 && session.streamCount === 0);
  const { connections } = testServer.edge;
  assert.equal(connections, 0);
});

test('what the service said before it ended a WebSocket reaches a visitor that reads slowly', async (t) => {
  const { testServer, client, stream } = await switchedTo(t, 'websocket');
  client.socket.pause();
  const bulk = Buffer.alloc(8_000_000, 'a');
  stream.write(bulk);
  stream.end();
  client.socket.once('data', () => {});
  client.socket.pause();
  for (let seconds = 0; seconds < 20; seconds += 1) {
    client.socket.resume();
    await client.until(() => client.pending.length >= (seconds + 1) * 100_000);
    client.socket.pause();
    testServer.pass(1_000);
  }
  client.socket.resume();
  await client.until(() => client.pending.length === bulk.length && client.ended);
});
