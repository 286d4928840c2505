import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deadline } from './deadline.ts';
import { startHeartbeat } from './heartbeat.ts';
import { data, rawPair, socketPair, until } from './test-peers.fixture.ts';

/** Blocks the event loop, like a busy machine or one that slept. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

test('a missed deadline is reported once, and one that was met never', async () => {
  let missed = 0;
  deadline(1, () => missed++);
  deadline(1, () => missed++).met();
  await until(() => missed === 1);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(missed, 1);
});

test('a deadline that was met leaves no timer behind', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const immediates = t.mock.method(globalThis, 'setImmediate', () => {});
  deadline(1_000, () => {}).met();
  t.mock.timers.tick(1_000);
  assert.equal(immediates.mock.callCount(), 0);
  deadline(1_000, () => {});
  t.mock.timers.tick(1_000);
  assert.equal(immediates.mock.callCount(), 1);
});

test('what arrived in time is read before a deadline is judged, however late this process is', async (t) => {
  const [near, far] = await socketPair(t);
  let missed = false;
  const waiting = deadline(5, () => {
    missed = true;
  });
  near.on('data', () => waiting.met());
  far.write('in time');
  standStill(50);
  await until(() => near.bytesRead > 0);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(missed, false);
});

test('a peer whose echo is there is alive, although this process stood still for longer than it tolerates', async (t) => {
  const { peer, session } = await rawPair(t);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let dead = 0;
  let beats = 0;
  startHeartbeat(session, { intervalMs: 60_000, toleranceMs: 500, dead: () => dead++, beat: () => beats++ });
  await until(() => peer.frames.length === 1);
  peer.send(data(2, peer.frames[0]!.body.subarray(4)));
  standStill(50);
  t.mock.timers.tick(600);
  await until(() => beats + dead > 0);
  assert.deepEqual([beats, dead], [1, 0]);
});
