/** Memory of visitors who wait or are idle: only the needed part of their requests is kept. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { until } from '../../../../../test/harness/until.ts';
import { Http2Client } from './http2-client.fixture.ts';
import { byHand, NAME, startTestServer } from './test-server.fixture.ts';

const KIB = 1024;

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

/** Returns the bytes of buffers that are still referenced. */
async function bufferBytes(): Promise<number> {
  assert.ok(typeof collect === 'function');
  // The second collection frees the buffers that the first one has found unused.
  for (let times = 0; times < 3; times += 1) {
    collect();
    await delay(1);
  }
  return process.memoryUsage().arrayBuffers;
}

/** Simulates other traffic of the daemon, because small buffers of all users are cut from the same large ones. */
function others(): void {
  for (let times = 0; times < 8; times += 1) Buffer.from('x'.repeat(Buffer.poolSize / 4));
}

async function connectionsThatRest(t: TestContext): Promise<void> {
  const server = await startTestServer(t);
  const first = await server.connect();
  first.send(`GET / HTTP/1.1\r\nHost: ${NAME}\r\n\r\n`);
  await first.answer();
  const before = await bufferBytes();
  for (let at = 0; at < CONNECTIONS; at += 1) {
    const client = await server.connect();
    client.send(`GET / HTTP/1.1\r\nHost: ${NAME}\r\n\r\n`);
    assert.equal((await client.answer()).status, 200);
    others();
  }
  const each = ((await bufferBytes()) - before) / CONNECTIONS;
  assert.ok(each < 16 * KIB, `a connection that rests keeps ${Math.round(each / KIB)} KiB`);
}

const CONNECTIONS = 24;

test('a connection that rests keeps no large buffer for the few bytes that it knows', connectionsThatRest);

for (const cookie of [100, 40 * KIB]) {
  test(`a request with ${cookie} bytes of cookies that waits for its answer is kept once`, async (t) => {
    let asked = 0;
    const server = await startTestServer(
      t,
      byHand((_stream, soFar) => {
        if (soFar.endsWith('\r\n\r\n')) asked += 1;
      }),
      { limits: { requestHeadBytes: 64 * KIB } },
    );
    const { session } = await Http2Client.open(t, server.port);
    const before = await bufferBytes();
    for (let at = 1; at <= STREAMS; at += 1) {
      const stream = session.request({ ':authority': NAME, cookie: 'x'.repeat(cookie) }, { endStream: true });
      stream.on('error', () => {});
      await until(() => asked === at);
      others();
    }
    server.pass(1);
    const each = ((await bufferBytes()) - before) / STREAMS;
    // With the beginning of it that is recorded.
    assert.ok(each < cookie + 28 * KIB, `a request that waits keeps ${Math.round(each / KIB)} KiB`);
  });
}

const STREAMS = 30;
