import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { socketPair } from '../../../test/harness/socket-pair.ts';
import { resetSocket } from './reset-socket.ts';

test('the other side sees a connection that broke', async (t) => {
  const [far, near] = await socketPair(t, { allowHalfOpen: true });
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
    const [far, near] = await socketPair(t, { allowHalfOpen: true });
    far.resume();
    const closed = Promise.all([once(near, 'close'), once(far, 'end').catch(() => {})]);
    near.end();
    soon(() => resetSocket(near));
    await closed;
  }
});
