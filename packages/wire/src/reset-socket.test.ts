import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { resetSocket } from './reset-socket.ts';

async function pair(t: TestContext): Promise<{ near: Socket; far: Socket }> {
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const far = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const [near] = (await once(server, 'connection')) as [Socket];
  near.on('error', () => {});
  t.after(() => far.destroy());
  return { near, far };
}

test('the other side sees a connection that broke', async (t) => {
  const { near, far } = await pair(t);
  const broke = once(far, 'error');
  far.resume();
  resetSocket(near);
  const [error] = (await broke) as [NodeJS.ErrnoException];
  assert.equal(error.code, 'ECONNRESET');
});

test('a connection that is ending is closed too, whenever that comes', async (t) => {
  const moments = [
    (act: () => void) => act(),
    (act: () => void) => process.nextTick(act),
    (act: () => void) => queueMicrotask(act),
    (act: () => void) => setImmediate(act),
  ];
  for (const soon of moments) {
    const { near, far } = await pair(t);
    far.resume();
    const closed = Promise.all([once(near, 'close'), once(far, 'end').catch(() => {})]);
    near.end();
    soon(() => resetSocket(near));
    await closed;
  }
});
