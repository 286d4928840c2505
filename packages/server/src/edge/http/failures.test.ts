import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ErrorCode, type MuxStream } from '@underpass/wire';
import { freePorts } from '../../../../../test/harness/free-ports.ts';
import { until } from '../../../../../test/harness/until.ts';
import { tunnelBackend } from '../backends/tunnel-backend.ts';
import {
  type Answer,
  always,
  byHand,
  type Client,
  forwardTo,
  get,
  NAME,
  siteOf,
  startTestServer,
} from './test-server.fixture.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const POST = `POST / HTTP/1.1\r\nHost: ${NAME}\r\nContent-Length: 4\r\n\r\nbody`;

async function expectError(client: Client, status: number, code: number): Promise<Answer> {
  const answer = await client.answer();
  assert.equal(answer.status, status);
  assert.equal(answer.headers.get('underpass-error-code'), `ERR_TEST_${code}`);
  return answer;
}

test('a tunnel that has gone is 404, 3200', async (t) => {
  const testServer = await startTestServer(t);
  const client = await testServer.connect();
  client.send(get());
  assert.equal((await client.answer()).status, 200);
  testServer.agents[0]!.goOffline();
  client.send(get());
  await expectError(client, 404, 3200);
});

test('a tunnel group without tunnels is 503, 6515', async (t) => {
  const testServer = await startTestServer(t, undefined, { isGroup: true });
  const client = await testServer.connect();
  client.send(get());
  await expectError(client, 503, 6515);
});

test('a tunnel group spreads its requests evenly and passes over a tunnel that gives no stream', async (t) => {
  const testServer = await startTestServer(t, undefined, { isGroup: true });
  const hits = [0, 0, 0];
  for (const i of [0, 1, 2]) {
    const agent = await testServer.agent(
      byHand((stream) => {
        hits[i]! += 1;
        stream.write(Buffer.from(OK));
      }),
    );
    testServer.group.push(agent.tunnel);
  }
  const client = await testServer.connect();
  for (let i = 0; i < 30; i += 1) {
    client.send(get());
    assert.equal((await client.answer()).status, 200);
  }
  assert.deepEqual(hits, [10, 10, 10]);
  testServer.group[1] = { ...testServer.group[1]!, open: () => null, closed: new AbortController().signal };
  for (let i = 0; i < 30; i += 1) {
    client.send(get());
    assert.equal((await client.answer()).status, 200);
  }
  assert.equal(hits[0]! + hits[2]!, 50);
});

test('a tunnel group of which no tunnel has a free stream is busy, not empty', async (t) => {
  const testServer = await startTestServer(t, undefined, { isGroup: true });
  testServer.group.push({
    ...testServer.agents[0]!.tunnel,
    open: () => null,
    closed: new AbortController().signal,
  });
  const client = await testServer.connect();
  client.send(get());
  await expectError(client, 503, 60225);
});

test('a single tunnel without a free stream is 503, and says so', async (t) => {
  const testServer = await startTestServer(t);
  const tunnel = { ...testServer.agents[0]!.tunnel, open: () => null };
  testServer.sites.set(NAME, siteOf(tunnelBackend(tunnel)));
  const client = await testServer.connect();
  client.send(get());
  await expectError(client, 503, 60225);
});

test('an upstream that refuses the connection is 502, 8012, and the visitor may try again', async (t) => {
  const [port] = (await freePorts(1)) as [number];
  const testServer = await startTestServer(t, forwardTo(port));
  const client = await testServer.connect();
  for (let i = 0; i < 2; i += 1) {
    client.send(get());
    const answer = await expectError(client, 502, 8012);
    assert.equal(answer.headers.has('connection'), false);
  }
});

test('an upstream that closes without a word on a new connection is 502, 8012', async (t) => {
  for (const how of ['end', 'reset'] as const) {
    const testServer = await startTestServer(
      t,
      byHand((stream) => (how === 'end' ? stream.end() : stream.reset(ErrorCode.streamReset))),
    );
    const client = await testServer.connect();
    client.send(get());
    await expectError(client, 502, 8012);
  }
});

const invalid: [string, string][] = [
  ['no HTTP at all', 'SSH-2.0-OpenSSH_9.2\r\n'],
  ['an unknown version', 'HTTP/2.0 200 OK\r\n\r\n'],
  ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n'],
  ['a CL of +2', 'HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\nok'],
  ['another coding', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
  ['a chunk size that is none', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n'],
  ['101 unasked', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
  ['a head of 70 KB', `HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(70_000)}\r\n\r\n`],
  ['a head without end of 70 KB', `HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(70_000)}`],
];

for (const [name, answer] of invalid) {
  test(`an upstream that answers ${name} is 502, 3004`, async (t) => {
    const testServer = await startTestServer(t, always(answer));
    const client = await testServer.connect();
    for (let i = 0; i < 2; i += 1) {
      client.send(get());
      await expectError(client, 502, 3004);
    }
    assert.equal(testServer.agents[0]!.opened.length, 2);
  });
}

test('an upstream that ends in the middle of its head is 502, 3004', async (t) => {
  const testServer = await startTestServer(
    t,
    byHand((stream) => {
      stream.write(Buffer.from('HTTP/1.1 200 OK\r\nContent-Le'));
      stream.end();
    }),
  );
  const client = await testServer.connect();
  client.send(get());
  await expectError(client, 502, 3004);
});

/** Answers the first request on its first stream, then closes that stream at the second one. */
function closesWhenReused(seen: string[]) {
  return byHand((stream, soFar, index) => {
    seen[index] = soFar;
    const count = soFar.split('HTTP/1.1\r\n').length - 1;
    if (index === 0 && count === 2) stream.reset(ErrorCode.streamReset);
    else stream.write(Buffer.from(OK));
  });
}

test('a kept connection that turns out closed costs a repeatable request nothing', async (t) => {
  const seen: string[] = [];
  const testServer = await startTestServer(t, closesWhenReused(seen));
  const client = await testServer.connect();
  client.send(get('/1'));
  assert.equal((await client.answer()).status, 200);
  client.send(get('/2'));
  assert.equal((await client.answer()).status, 200);
  assert.match(seen[1]!, /^GET \/2 /);
});

test('a request that may not be sent twice is not sent twice', async (t) => {
  const seen: string[] = [];
  const testServer = await startTestServer(t, closesWhenReused(seen));
  const client = await testServer.connect();
  client.send(get('/1'));
  assert.equal((await client.answer()).status, 200);
  client.send(POST);
  await expectError(client, 502, 3007);
  assert.equal(seen.length, 1);
});

test('a request that may not be sent twice uses no connection that has been idle for long', async (t) => {
  const testServer = await startTestServer(t, always(OK));
  const client = await testServer.connect();
  client.send(get());
  assert.equal((await client.answer()).status, 200);
  testServer.pass(3000);
  client.send(`POST / HTTP/1.1\r\nHost: ${NAME}\r\nContent-Length: 0\r\n\r\n`);
  assert.equal((await client.answer()).status, 200);
  assert.equal(testServer.agents[0]!.opened.length, 2);
});

test('a connection is kept for less time than its upstream announces', async (t) => {
  const testServer = await startTestServer(
    t,
    always(OK.replace('\r\n\r\n', '\r\nKeep-Alive: timeout=5\r\n\r\n')),
  );
  const client = await testServer.connect();
  for (const idle of [0, 2900, 3100]) {
    testServer.pass(idle);
    client.send(get());
    assert.equal((await client.answer()).status, 200);
  }
  assert.equal(testServer.agents[0]!.opened.length, 2);
});

const malformed: [string, string][] = [
  ['said close', 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok'],
  ['sent more than it announced', `${OK}extra`],
];
for (const [name, answer] of malformed) {
  test(`an upstream connection that ${name} is not used again`, async (t) => {
    const testServer = await startTestServer(t, always(answer));
    const client = await testServer.connect();
    for (let i = 0; i < 2; i += 1) {
      client.send(get());
      assert.equal((await client.answer()).body, 'ok');
    }
    assert.equal(testServer.agents[0]!.opened.length, 2);
  });
}

test('an upstream connection on which a visitor logged in by connection is nobody else’s', async (t) => {
  const testServer = await startTestServer(t, always(OK));
  for (let i = 0; i < 2; i += 1) {
    const client = await testServer.connect();
    client.send(get('/', 'Authorization: NTLM TlRMTVNTUAAB\r\n'));
    assert.equal((await client.answer()).body, 'ok');
  }
  assert.equal(testServer.agents[0]!.opened.length, 2);
});

test('bytes on an idle upstream connection never become an answer', async (t) => {
  let idle: (() => void) | null = null;
  const testServer = await startTestServer(
    t,
    byHand((stream, _soFar, index) => {
      stream.write(Buffer.from(OK));
      if (index === 0)
        idle = () => stream.write(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil'));
    }),
  );
  const client = await testServer.connect();
  client.send(get());
  assert.equal((await client.answer()).body, 'ok');
  const before = testServer.agents[0]!.agentSession.streamCount;
  idle!();
  await until(() => testServer.agents[0]!.agentSession.streamCount < before);
  client.send(get());
  assert.equal((await client.answer()).body, 'ok');
});

test('an answer that breaks off is never made to look whole', async (t) => {
  const heads = [
    'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npartial',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7\r\npartial\r\n',
    'HTTP/1.1 200 OK\r\n\r\npartial',
  ];
  const ends = [
    (stream: MuxStream) => stream.reset(ErrorCode.streamReset),
    // An end, too, unless the end is what ends the body; and bytes that are no chunk, where there are chunks.
    (stream: MuxStream, head: string) => {
      if (/length|coding/i.test(head)) stream.end();
      else stream.reset(ErrorCode.internal);
    },
    (stream: MuxStream, head: string) => {
      if (/coding/i.test(head)) stream.write(Buffer.from('xyz'));
      else stream.reset(ErrorCode.internal);
    },
  ];
  for (const [head, end] of heads.flatMap((head) => ends.map((end) => [head, end] as const))) {
    const testServer = await startTestServer(
      t,
      byHand((stream) => {
        stream.write(Buffer.from(head));
        setImmediate(() => end(stream, head));
      }),
    );
    const client = await testServer.connect();
    client.send(get());
    const all = await client.rest();
    assert.match(all, /partial/);
    assert.doesNotMatch(all, /\r\n0\r\n/);
    await client.until(() => client.closed);
  }
});

test('a visitor that leaves takes its request with it', async (t) => {
  const testServer = await startTestServer(
    t,
    byHand(() => {}),
  );
  const session = testServer.agents[0]!.agentSession;
  const client = await testServer.connect();
  client.send(get());
  await until(() => session.streamCount === 1);
  client.socket.destroy();
  await until(() => session.streamCount === 0 && testServer.edge.connections === 0);
});
