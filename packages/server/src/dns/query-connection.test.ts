import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { until } from '../../../../test/harness/index.ts';
import { listen } from '../system/listen.ts';
import { QueryConnection } from './query-connection.ts';

const queryBytes = Buffer.from([0, 1, 42]);

/** A client of a connection whose answers are as large as given. */
async function start(t: TestContext, { answerBytes = 1, idleMs = 60_000 } = {}) {
  let asked = 0;
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    new QueryConnection(socket, {
      idleMs,
      respond: () => Buffer.alloc(answerBytes),
      asked: () => {
        asked += 1;
      },
    });
  });
  t.after(() => server.close());
  const client = connect(await listen(server, { host: '127.0.0.1', port: 0 }), '127.0.0.1');
  t.after(() => client.destroy());
  await once(client, 'connect');
  return { client, asked: () => asked };
}

async function bytesOf(client: Socket): Promise<number> {
  let bytes = 0;
  for await (const piece of client) bytes += piece.length;
  return bytes;
}

test('of a client that reads nothing no more is read, and all is answered once it reads, also after its end', async (t) => {
  const answerBytes = 60_000;
  const { client, asked } = await start(t, { answerBytes });
  const count = 600;
  client.end(Buffer.concat(Array.from({ length: count }, () => queryBytes)));
  await until(() => asked() > 1);
  // The sockets of both sides hold some megabytes of the 36.
  for (let turns = 0; turns < 1000; turns++) await new Promise(setImmediate);
  assert.ok(asked() < count / 2, `${asked()} answered`);
  assert.equal(await bytesOf(client), count * (answerBytes + 2));
});

test('a client that asks nothing, or reads no answer, is left after a while', async (t) => {
  const { client } = await start(t, { idleMs: 50 });
  await once(client.resume(), 'close');
  const { client: idle, asked } = await start(t, { idleMs: 50, answerBytes: 60_000 });
  idle.on('error', () => {});
  idle.write(Buffer.concat(Array.from({ length: 1000 }, () => queryBytes)));
  await until(() => asked() > 1);
  idle.write(Buffer.alloc(2));
  // The end is seen by who writes, as nothing is read.
  await until(() => {
    if (!idle.destroyed) idle.write(Buffer.alloc(1));
    return idle.destroyed;
  });
  assert.ok(asked() < 1000);
});
