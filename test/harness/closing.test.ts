/** A wait for the end of a connection ends, however the connection does. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closing } from './closing.ts';
import { socketPair } from './socket-pair.ts';

test('a connection that is reset is as closed as one that ends in order, and one that is closed already', async (t) => {
  for (const end of ['resetAndDestroy', 'end'] as const) {
    const [near, far] = await socketPair(t);
    const closed = closing(near);
    near.resume();
    far[end]();
    await closed;
    await closing(near);
    assert.ok(near.closed);
  }
});
