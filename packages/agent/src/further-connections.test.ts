/** Attempts at further connections are bounded, and spread by random waits. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Attempt, FurtherConnections, waitBefore } from './further-connections.ts';

/** Attempts with these results, and time that passes at once. */
function planned(t: TestContext, respond: (attempt: number) => Attempt) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const over = new AbortController();
  const state = { attempts: 0, isMissing: true };
  const further = new FurtherConnections({
    open: () => Promise.resolve(respond(++state.attempts)),
    isMissing: () => state.isMissing,
    random: () => 1,
    signal: over.signal,
  });
  const pass = async () => {
    for (let step = 0; step < 40; step++) {
      t.mock.timers.tick(31_000);
      await Promise.resolve().then(() => Promise.resolve());
    }
  };
  return { further, state, over, pass };
}

test('attempts end after twelve in vain, and begin again when the number changes', async (t) => {
  const { further, state, pass } = planned(t, () => 'again');
  further.changed();
  await pass();
  assert.equal(state.attempts, 12);
  further.changed();
  await pass();
  assert.equal(state.attempts, 24);
});

test('a refusal ends the attempts at once', async (t) => {
  const { further, state, pass } = planned(t, () => 'refused');
  further.changed();
  await pass();
  assert.equal(state.attempts, 1);
});

test('connections that never last are given up', async (t) => {
  const { further, state, pass } = planned(t, () => 'open');
  further.changed();
  for (let loss = 0; loss < 30; loss++) {
    state.isMissing = true;
    further.lost(false);
    state.isMissing = true;
    await pass();
  }
  const { attempts } = state;
  further.lost(false);
  await pass();
  assert.equal(state.attempts, attempts);
});

test('the end of the agent ends the attempts', async (t) => {
  const { further, state, over, pass } = planned(t, () => 'again');
  further.changed();
  over.abort();
  await pass();
  further.changed();
  await pass();
  assert.equal(state.attempts, 0);
});

test('waits are random, longer after a loss, and grow to half a minute', () => {
  const range = (attempt: number, isAfterLoss: boolean) =>
    [0, 1].map((random) => waitBefore(attempt, isAfterLoss, random));
  assert.deepEqual(range(0, false), [200, 1_000]);
  assert.deepEqual(range(0, true), [1_000, 5_000]);
  assert.deepEqual(range(1, false), [750, 1_500]);
  assert.deepEqual(range(11, true), [15_000, 30_000]);
});
