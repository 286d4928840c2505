/** Requests that find no stream of their agent wait for their turn, and leave nothing behind. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ErrorCode, type MuxStream } from '@underpass/wire';
import { until } from '../../../../../test/harness/until.ts';
import { tunnelBackend } from '../backends/tunnel-backend.ts';
import {
  byHand,
  type Client,
  get,
  NAME,
  siteOf,
  startTestServer,
  type TestServer,
} from './test-server.fixture.ts';
import { clientFrame, HANDSHAKE } from './websocket-client.fixture.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const elsewhere = { localAddress: '127.0.0.2' };
/** Longer than any test here takes. */
const waitMs = 60_000;

/** Holds checks until a test decides. */
class Held {
  readonly requests: { readonly path: string; readonly stream: MuxStream; readonly text: string }[] = [];
  readonly serve = byHand((stream, soFar) => {
    const text = soFar.slice(Math.max(soFar.lastIndexOf('GET '), soFar.lastIndexOf('POST ')));
    const [, length = '0'] = /content-length: (\d+)/i.exec(text) ?? [];
    const end = text.indexOf('\r\n\r\n');
    if (end === -1 || text.length < end + 4 + Number(length)) return;
    this.requests.push({ path: text.split(' ')[1]!, stream, text });
  });

  get paths(): string[] {
    return this.requests.map(({ path }) => path);
  }

  answer(at: number): void {
    this.requests[at]!.stream.write(Buffer.from(OK));
  }
}

async function send(testServer: TestServer, path: string, options = {}): Promise<Client> {
  const client = await testServer.connect(options);
  client.send(get(path));
  return client;
}

async function start(t: Parameters<typeof startTestServer>[0], options = {}) {
  const held = new Held();
  const testServer = await startTestServer(t, held.serve, { streamsOfAgent: 4, waitMs, ...options });
  return { held, testServer };
}

test('addresses take turns at the streams that become free, however many requests one of them has', async (t) => {
  const { held, testServer } = await start(t);
  const from = (last: number) => ({ localAddress: `127.0.0.${last}` });
  const reach = (count: number) => until(() => held.requests.length === count);
  for (const path of ['/a0', '/a1']) await send(testServer, path);
  await reach(2);
  await send(testServer, '/b0', from(2));
  await reach(3);
  await send(testServer, '/c0', from(3));
  await reach(4);
  for (let at = 2; at < 8; at += 1) await send(testServer, `/a${at}`);
  await until(() => testServer.streams.waiting === 6);
  await send(testServer, '/d0', from(4));
  await send(testServer, '/e0', from(5));
  await until(() => testServer.streams.waiting === 8);
  held.answer(2);
  await reach(5);
  held.answer(3);
  await reach(6);
  assert.deepEqual(held.paths.slice(4).sort(), ['/d0', '/e0']);
  for (const at of [0, 1, 4, 5, 6, 7, 8, 9, 10, 11]) {
    await until(() => held.requests.length > at);
    held.answer(at);
  }
  assert.equal(testServer.streams.waiting, 0);
  assert.equal(new Set(held.paths).size, 12);
});

test('a request that waited is sent as it came, with its body', async (t) => {
  const { held, testServer } = await start(t, { streamsOfAgent: 2 });
  const first = await send(testServer, '/first');
  await until(() => held.requests.length === 1);
  const client = await testServer.connect();
  const body = 'x'.repeat(150_000);
  client.send(
    `POST /waits HTTP/1.1\r\nHost: ${NAME}\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 9)}`,
  );
  await until(() => testServer.streams.waiting === 1);
  client.send(body.slice(9));
  held.answer(0);
  assert.equal((await first.answer()).status, 200);
  await until(() => held.requests.length === 2);
  assert.ok(held.requests[1]!.text.endsWith(`\r\n\r\n${body}`));
  held.answer(1);
  assert.equal((await client.answer()).status, 200);
  assert.equal(testServer.streams.waiting, 0);
});

test('a request without a free stream in time gets a Retry-After', async (t) => {
  const { held, testServer } = await start(t, { streamsOfAgent: 2, waitMs: 50 });
  await send(testServer, '/first');
  await until(() => held.requests.length === 1);
  const { status, headers } = await (await send(testServer, '/late')).answer();
  assert.deepEqual(
    [status, headers.get('underpass-error-code'), headers.get('retry-after')],
    [503, 'ERR_TEST_60226', '5'],
  );
  await send(testServer, '/other', elsewhere);
  await until(() => held.requests.length === 2);
  const { headers: full } = await (await send(testServer, '/late', { localAddress: '127.0.0.3' })).answer();
  assert.deepEqual([full.get('underpass-error-code'), full.get('retry-after')], ['ERR_TEST_60226', '5']);
  assert.equal(testServer.streams.waiting, 0);
});

test('one that waits leaves with its visitor, with its tunnel, and with the change that forbids it', async (t) => {
  const { held, testServer } = await start(t, { streamsOfAgent: 2 });
  const [agent] = testServer.agents;
  await send(testServer, '/first');
  await until(() => held.requests.length === 1);
  for (let at = 0; at < 20; at += 1) await send(testServer, `/waits${at}`);
  const leaving = await Promise.all(Array.from({ length: 20 }, () => send(testServer, '/leaves')));
  await until(() => testServer.streams.waiting === 40);
  for (const { socket } of leaving) socket.destroy();
  await until(() => testServer.streams.waiting === 20);

  const guard = {
    name: 'ip_restriction',
    reads: 'connection',
    check: () => 'nothingOnline' as const,
  } as const;
  const backend = tunnelBackend(agent!.tunnel);
  testServer.sites.set(NAME, siteOf(backend, { guards: [guard] }));
  testServer.edge.recheck(null);
  await until(() => testServer.streams.waiting === 0);
  testServer.sites.set(NAME, siteOf(backend));

  await send(testServer, '/again');
  await until(() => held.requests.length === 2);
  const orphan = await send(testServer, '/orphan');
  await until(() => testServer.streams.waiting === 1);
  agent!.unbind();
  assert.equal((await orphan.answer()).headers.get('underpass-error-code'), 'ERR_TEST_3200');
  assert.equal(testServer.streams.waiting, 0);
});

test('one that waits goes nowhere that its route leads to no longer', async (t) => {
  const { held, testServer } = await start(t, { streamsOfAgent: 2 });
  const first = await send(testServer, '/first');
  await until(() => held.requests.length === 1);
  const client = await send(testServer, '/waits');
  await until(() => testServer.streams.waiting === 1);
  const second = await testServer.agent(held.serve, 2);
  const both = { ...tunnelBackend(second.tunnel), leadsTo: () => true };
  testServer.sites.set(NAME, siteOf(both));
  testServer.edge.recheck(null);
  held.answer(0);
  assert.equal((await first.answer()).status, 200);
  await until(() => held.requests.length === 2);
  assert.equal(second.opened.length, 0, 'a backend that leads to the first place as well');
  held.answer(1);
  assert.equal((await client.answer()).status, 200);

  await send(testServer, '/third');
  await until(() => held.requests.length === 3);
  const other = await send(testServer, '/waits');
  await until(() => testServer.streams.waiting === 1);
  testServer.sites.set(NAME, siteOf(tunnelBackend(testServer.agents[0]!.tunnel)));
  testServer.edge.recheck(null);
  assert.equal((await other.answer()).headers.get('underpass-error-code'), 'ERR_TEST_60225');
  assert.equal(testServer.streams.waiting, 0);
});

test('a request waits only when no tunnel of its group has room, and takes the first stream of any', async (t) => {
  const { held, testServer } = await start(t, { streamsOfAgent: 2, isGroup: true });
  const second = await testServer.agent(held.serve, 2);
  testServer.group.push(testServer.agents[0]!.tunnel, second.tunnel);
  const clients = [await send(testServer, '/first'), await send(testServer, '/second')];
  await until(() => held.requests.length === 2);
  assert.deepEqual([testServer.streams.waiting, second.opened.length], [0, 1]);
  const third = await send(testServer, '/third');
  await until(() => testServer.streams.waiting === 1);
  const at = held.paths.indexOf('/second');
  held.answer(at);
  assert.equal((await clients[1]!.answer()).status, 200);
  await until(() => held.requests.length === 3);
  held.answer(2);
  assert.equal((await third.answer()).status, 200);
  assert.equal(testServer.streams.waiting, 0);
});

for (const code of [ErrorCode.acceptQueueFull, ErrorCode.streamRefused])
  test(`an agent that accepts few streams at a time, and resets others with ${code}, serves all`, async (t) => {
    let open = 0;
    let refused = 0;
    const answering = byHand((stream) => {
      setImmediate(() => {
        open -= 1;
        stream.write(Buffer.from(OK));
      });
    });
    const testServer = await startTestServer(
      t,
      (stream) => {
        open += 1;
        if (open > 4) {
          open -= 1;
          refused += 1;
          stream.reset(code);
        } else answering(stream);
      },
      { waitMs },
    );
    const clients = await Promise.all(Array.from({ length: 100 }, () => testServer.connect()));
    for (const client of clients) client.send(get('/', 'Connection: close\r\n'));
    for (const client of clients) assert.equal((await client.answer()).status, 200);
    assert.ok(refused > 0);
    assert.equal(testServer.streams.waiting, 0);
  });

test('a bridged WebSocket waits for a stream, and leaves with its visitor', async (t) => {
  const { held, testServer } = await start(t, { streamsOfAgent: 2 });
  const backend = tunnelBackend(testServer.agents[0]!.tunnel);
  const first = await send(testServer, '/first');
  await until(() => held.requests.length === 1);
  testServer.sites.set(NAME, siteOf(backend, { converter: { name: 'websocket_tcp' } }));
  const gone = await testServer.connect();
  gone.send(get('/', HANDSHAKE));
  await until(() => testServer.streams.waiting === 1);
  gone.socket.destroy();
  await until(() => testServer.streams.waiting === 0);
  const client = await testServer.connect();
  client.send(
    Buffer.concat([Buffer.from(get('/', HANDSHAKE)), clientFrame(0x82, 'POST /bytes HTTP/1.1\r\n\r\n')]),
  );
  await until(() => testServer.streams.waiting === 1);
  held.answer(0);
  assert.equal((await first.answer()).status, 200);
  assert.equal((await client.answer()).status, 101);
  await until(() => held.requests.length === 2);
  assert.equal(held.paths[1], '/bytes');
});
