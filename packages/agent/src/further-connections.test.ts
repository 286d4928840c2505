/** Attempts at further connections are bounded, and spread by random waits. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
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

test('waits are random, longer after a loss, and grow to half a minute between attempts in a row', () => {
  const range = (attempts: number, short: number, isAfterLoss: boolean) =>
    [0, 1].map((random) => waitBefore({ attempts, short }, isAfterLoss, random));
  assert.deepEqual(range(0, 0, false), [200, 1_000]);
  assert.deepEqual(range(0, 0, true), [1_000, 5_000]);
  for (const attempts of [1, 2, 4, 11]) assert.deepEqual(range(attempts, 0, true), [50, 100]);
  assert.deepEqual(range(3, 0, false), [2_000, 4_000]);
  assert.deepEqual(range(9, 0, true), [15_000, 30_000]);
  assert.deepEqual(range(0, 1, true), [1_000, 2_000]);
  assert.deepEqual(range(0, 6, true), [15_000, 30_000]);
});

test('two agents that take turns at a balancer each reach the daemon that the other one is connected to', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let next = 0;
  const isDone = [false, false];
  const over = new AbortController();
  // The balancer leads each connection to the other daemon than the one before. Each agent needs the one of its number.
  const agents = [0, 1].map((agent) => {
    const open = async (): Promise<Attempt> => {
      next = 1 - next;
      isDone[agent] ||= next === agent;
      return isDone[agent] ? 'open' : 'again';
    };
    const isMissing = () => !isDone[agent];
    return new FurtherConnections({ open, isMissing, random: () => 0.5 + agent / 10, signal: over.signal });
  });
  for (const one of agents) one.changed();
  for (let ms = 0; ms < 5_000; ms += 10) {
    t.mock.timers.tick(10);
    await turn();
  }
  assert.deepEqual(isDone, [true, true]);
  over.abort();
});
