import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HalfClosed } from './half-closed.ts';

test('silence counts from the last end or the last bytes, and not before a side has ended', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let silences = 0;
  const halfClosed = new HalfClosed(20_000, () => {
    silences += 1;
  });
  halfClosed.progress();
  t.mock.timers.tick(100_000);
  assert.equal(silences, 0);
  halfClosed.begin();
  t.mock.timers.tick(20_000);
  halfClosed.progress();
  t.mock.timers.tick(20_000);
  halfClosed.begin();
  t.mock.timers.tick(20_000);
  assert.equal(silences, 0);
  t.mock.timers.tick(5_000);
  assert.equal(silences, 1);
  t.mock.timers.tick(25_000);
  assert.equal(silences, 2, 'it is asked again while it goes on');
  halfClosed.end();
  t.mock.timers.tick(100_000);
  assert.equal(silences, 2);
});
