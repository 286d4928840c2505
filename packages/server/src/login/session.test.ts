import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultMaximumDuration, endOf, latestEnd, overBecause } from './session.ts';

const session = { begunAt: 1_000_000, endsAt: Number.MAX_SAFE_INTEGER, seenAt: 1_030_000 };

test('a session is over to the second, be it by its age or because nobody used it', () => {
  const limits = { inactivity_timeout: 10, maximum_duration: 60 };
  assert.equal(overBecause(session, limits, 1_039_999), null);
  assert.equal(overBecause(session, limits, 1_040_000), 'inactivity');
  assert.equal(overBecause({ ...session, seenAt: 1_055_000 }, limits, 1_059_999), null);
  assert.equal(overBecause({ ...session, seenAt: 1_055_000 }, limits, 1_060_000), 'maximum duration');
});

test('V9: a session of a clock that was ahead is over, and not as long as that clock was ahead', () => {
  const limits = { inactivity_timeout: 0, maximum_duration: 0 };
  const [minute, day] = [60_000, 86_400_000];
  assert.equal(overBecause(session, limits, session.begunAt - minute), null, 'of another daemon');
  assert.equal(overBecause(session, limits, session.begunAt - day), 'clock');
  assert.equal(overBecause({ ...session, seenAt: session.begunAt + day }, limits, session.begunAt), 'clock');
});

test('without an inactivity timeout only its age ends a session, which has a bound of its own', () => {
  const limits = { inactivity_timeout: 0, maximum_duration: 0 };
  const end = session.begunAt + defaultMaximumDuration * 1000;
  assert.equal(endOf(session, limits), end);
  assert.equal(overBecause(session, limits, end - 1), null);
  assert.equal(overBecause(session, limits, end), 'maximum duration');
});

test('a session does not get longer by limits that are longer than those it began under', () => {
  const longer = { inactivity_timeout: 0, maximum_duration: 3600 };
  const began = {
    ...session,
    endsAt: latestEnd(session.begunAt, { inactivity_timeout: 0, maximum_duration: 60 }),
  };
  assert.equal(endOf(began, longer), 1_060_000);
  assert.equal(endOf(began, { inactivity_timeout: 0, maximum_duration: 30 }), 1_030_000);
});
