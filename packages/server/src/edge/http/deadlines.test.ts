import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { noopHandler } from '@underpass/wire';
import { until } from '../../../../../test/harness/until.ts';
import { tunnelBackend } from '../backends/tunnel-backend.ts';
import type { Guard } from '../sites/site.ts';
import { Http2Client } from './http2-client.fixture.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import {
  byHand,
  type Client,
  get,
  NAME,
  siteOf,
  startTestServer,
  type TestServer,
} from './test-server.fixture.ts';

const silent = byHand(() => {});

/** Opens a connection, sends, and waits until the edge has it. */
async function sent(testServer: TestServer, text: string): Promise<Client> {
  const client = await testServer.connect();
  await until(() => testServer.edge.connections > 0);
  client.send(text);
  return client;
}

test('a connection without a request is closed after the idle time', async (t) => {
  const testServer = await startTestServer(t);
  const client = await sent(testServer, '');
  testServer.pass(75_000);
  assert.equal(testServer.edge.connections, 1);
  testServer.pass(1_000);
  assert.equal(await client.rest(), '');
});

test('a kept-alive connection is closed after the idle time, counted from its last answer', async (t) => {
  const testServer = await startTestServer(t);
  const client = await sent(testServer, '');
  testServer.pass(70_000);
  client.send(get());
  assert.equal((await client.answer()).status, 200);
  testServer.pass(70_000);
  client.send(get());
  assert.equal((await client.answer()).status, 200);
  testServer.pass(76_000);
  assert.equal(await client.rest(), '');
});

test('a request head that does not come to its end is 408, however busily it drips', async (t) => {
  const testServer = await startTestServer(t);
  const client = await sent(testServer, get());
  assert.equal((await client.answer()).status, 200);
  client.send('GET / HTTP/1.1\r\nHost: ');
  // The next request on another connection is answered after the bytes above were read.
  await roundTrip(testServer);
  testServer.pass(20_000);
  client.send('app');
  await roundTrip(testServer);
  testServer.pass(11_000);
  const answer = await client.answer();
  assert.equal(answer.status, 408);
  assert.equal(answer.headers.get('underpass-error-code'), 'ERR_TEST_60010');
  assert.equal(await client.rest(), '');
});

test('a request body that stops is 408', async (t) => {
  const testServer = await startTestServer(t, silentFor('/slow'));
  const client = await sent(
    testServer,
    `POST /slow HTTP/1.1\r\nHost: ${NAME}\r\nContent-Length: 9000\r\n\r\n123`,
  );
  await roundTrip(testServer);
  testServer.pass(50_000);
  client.send('x'.repeat(6_000));
  await roundTrip(testServer);
  testServer.pass(50_000);
  assert.equal(client.pending, '');
  testServer.pass(11_000);
  assert.equal((await client.answer()).status, 408);
  assert.equal(await client.rest(), '');
  await until(() => testServer.agents[0]!.agentSession.streamCount <= 1);
});

test('a request body that drips is 408, one that keeps the least rate is not', async (t) => {
  let [sentBytes, received] = [0, 0];
  const testServer = await startTestServer(t, (stream) => {
    const data = (chunk: Buffer): void => {
      received += chunk.toString('latin1').split('#').length - 1;
    };
    stream.handler = { ...noopHandler, data };
  });
  const post = `POST / HTTP/1.1\r\nHost: ${NAME}\r\nContent-Length: 100000\r\n\r\n`;
  const [drips, flows] = [await sent(testServer, post), await sent(testServer, post)];
  const send = async (client: Client, bytes: number): Promise<void> => {
    client.send('#'.repeat(bytes));
    sentBytes += bytes;
    await until(() => received === sentBytes);
  };
  for (const minute of [1, 2, 3]) {
    for (let half = 0; half < 2; half += 1) {
      if (minute === 1) await send(drips, 2_999);
      await send(flows, 3_000);
      testServer.pass(30_000);
    }
    assert.equal(drips.pending, '');
    testServer.pass(1_000);
    if (minute === 1) assert.equal((await drips.answer()).status, 408);
  }
  assert.equal(await drips.rest(), '');
  assert.equal(flows.pending, '');
  assert.equal(flows.ended, false);
});

test('an upstream that does not answer is 504, 3005, and its stream is reset', async (t) => {
  const testServer = await startTestServer(t, silent);
  const client = await sent(testServer, get());
  await until(() => testServer.agents[0]!.agentSession.streamCount === 1);
  testServer.pass(299_000);
  testServer.pass(2_000);
  const answer = await client.answer();
  assert.equal(answer.status, 504);
  assert.equal(answer.headers.get('underpass-error-code'), 'ERR_TEST_3005');
  await until(() => testServer.agents[0]!.agentSession.streamCount === 0);
});

test('an answer that falls silent is broken off, one that trickles is not', async (t) => {
  let more = (): void => {};
  const testServer = await startTestServer(
    t,
    byHand((stream) => {
      stream.write(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n'));
      more = () => stream.write(Buffer.from('x'));
    }),
  );
  const client = await sent(testServer, get());
  await client.take('\r\n\r\n');
  for (let i = 0; i < 3; i += 1) {
    testServer.pass(200_000);
    more();
    await client.take('x');
  }
  testServer.pass(301_000);
  await client.until(() => client.closed);
});

test('after its last answer a visitor is read for a while, so that it gets the answer, but not without end', async (t) => {
  const testServer = await startTestServer(t, undefined, {
    limits: { lingerBytes: 100_000, lingerPlaces: 0 },
  });
  const client = await testServer.connect({ allowHalfOpen: true });
  client.send('GET / HTTP/3.0\r\n\r\n');
  assert.equal((await client.answer()).status, 505);
  assert.equal(await client.rest(), '');
  await new Promise<void>((resolve) => client.socket.write('x'.repeat(90_000), () => resolve()));
  await roundTrip(testServer);
  await until(() => testServer.edge.connections === 1);
  client.send('x'.repeat(20_000));
  await until(() => testServer.edge.connections === 0);
});

test('a visitor that asked for the end with its last request is not waited for', async (t) => {
  const testServer = await startTestServer(t);
  const client = await testServer.connect({ allowHalfOpen: true });
  client.send(get('/', 'Connection: close\r\n'));
  assert.equal((await client.answer()).status, 200);
  await until(() => testServer.edge.connections === 0);
});

test('an upgraded connection is closed after silence in both directions only', async (t) => {
  let more = (): void => {};
  const testServer = await startTestServer(
    t,
    byHand((stream) => {
      stream.write(Buffer.from('HTTP/1.1 101 OK\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'));
      more = () => stream.write(Buffer.from('x'));
    }),
  );
  const client = await sent(testServer, get('/', 'Connection: upgrade\r\nUpgrade: x\r\n'));
  await client.take('\r\n\r\n');
  for (let i = 0; i < 3; i += 1) {
    testServer.pass(500_000);
    more();
    await client.take('x');
  }
  testServer.pass(601_000);
  await client.until(() => client.closed);
});

test('what a guard has let go on ends within a second when the guard says so, over HTTP/2, too, and nothing else does', async (t) => {
  const over = new Set<string>();
  const session: Guard = {
    name: 'session',
    reads: 'request',
    check: () => null,
    isOver: ({ target }) => over.has(target),
  };
  const testServer = await startTestServer(
    t,
    byHand((stream) =>
      stream.write(Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n')),
    ),
  );
  const backend = tunnelBackend(testServer.agents[0]!.tunnel);
  testServer.sites.set(NAME, siteOf(backend, { guards: [session], readsRequest: true }));
  const first = await sent(testServer, get('/first'));
  const second = await sent(testServer, get('/second'));
  for (const client of [first, second]) await client.take('a\r\n');
  const http2 = await Http2Client.open(t, testServer.port);
  const streams = ['/first', '/second'].map((path) => http2.request({ ':path': path }));
  await Promise.all(streams.map((stream) => once(stream, 'data')));
  over.add('/first');
  testServer.pass(1000);
  await first.until(() => first.closed);
  await until(() => streams[0]?.closed === true);
  assert.equal(second.closed, false);
  assert.equal(streams[1]?.closed, false);
});

test('a visitor that does not read its answer is cut off', async (t) => {
  const testServer = await startTestServer(
    t,
    byHand((stream) => {
      stream.write(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n'));
      while (stream.write(Buffer.alloc(100_000))) {}
      stream.handler = {
        ...stream.handler,
        drain: () => {
          while (stream.write(Buffer.alloc(100_000))) {}
        },
      };
    }),
  );
  const client = await testServer.connect();
  client.socket.pause();
  client.send(get());
  const session = testServer.agents[0]!.agentSession;
  await until(() => session.streamCount === 1);
  for (let passed = 0; passed < 100 && session.streamCount > 0; passed += 1) {
    await roundTrip(testServer, '/other');
    testServer.pass(10_000);
  }
  await until(() => session.streamCount <= 1);
  client.socket.resume();
  await client.until(() => client.closed);
});

test('a connection that was answered for good is given a moment to be read, then destroyed', async (t) => {
  const testServer = await startTestServer(t);
  const client = await testServer.connect({ allowHalfOpen: true });
  client.send('GET / HTTP/3.0\r\n\r\n');
  assert.equal((await client.answer()).status, 505);
  await client.rest();
  let seconds = 0;
  await until(() => {
    if (testServer.edge.connections === 0) return true;
    testServer.pass(1_000);
    seconds += 1;
    return false;
  });
  assert.ok(seconds * 1_000 > DEFAULT_LIMITS.lingerSilenceMs, `${seconds} s`);
});

test('closing lets a running exchange end and closes what is idle at once', async (t) => {
  let answer = (): void => {};
  const testServer = await startTestServer(
    t,
    byHand((stream, soFar) => {
      const send = (): boolean => stream.write(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
      if (soFar.includes('/slow')) answer = send;
      else send();
    }),
  );
  const idle = await sent(testServer, get());
  assert.equal((await idle.answer()).status, 200);
  const running = await testServer.connect();
  running.send(get('/slow'));
  await until(
    () => testServer.agents[0]!.agentSession.streamCount === 1 && testServer.edge.connections === 2,
  );
  await roundTrip(testServer);
  const closed = testServer.edge.close(60_000);
  assert.equal(await idle.rest(), '');
  answer();
  const last = await running.answer();
  assert.equal(last.body, 'ok');
  assert.equal(last.headers.get('connection'), 'close');
  running.socket.end();
  await closed;
});

test('closing destroys at its deadline what does not end', async (t) => {
  const testServer = await startTestServer(t, silent);
  const client = await sent(testServer, get());
  await until(() => testServer.agents[0]!.agentSession.streamCount === 1);
  await testServer.edge.close(0);
  await client.until(() => client.closed);
});

function silentFor(path: string) {
  return byHand((stream, soFar) => {
    if (!soFar.includes(path)) stream.write(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
  });
}

/** A request on a connection of its own: when it is answered, what was sent before it has been read. */
async function roundTrip(testServer: TestServer, path = '/'): Promise<void> {
  const client = await testServer.connect();
  client.send(get(path, 'Connection: close\r\n'));
  await client.until(() => client.pending !== '' || client.closed);
  client.socket.destroy();
}
