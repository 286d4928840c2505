import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Rounds, SilenceWatch, silentRounds } from './silence-watch.ts';

/**
 * Steps: `a` sends a request, `r` receives a byte from the agent, `.` is a round. Returns the number of `probes`, and
 * `suspect` at the end.
 */
function after(steps: string): { probes: number; suspect: boolean } {
  const rounds = new Rounds();
  let received = 0;
  let probes = 0;
  const watch = new SilenceWatch({
    rounds,
    received: () => received,
    probe: () => {
      probes += 1;
    },
  });
  for (const step of steps) {
    if (step === 'a') watch.expect();
    else if (step === 'r') received += 1;
    else rounds.go();
  }
  return { probes, suspect: watch.isSuspect };
}

const most = '.'.repeat(silentRounds - 1);
const all = '.'.repeat(silentRounds);

test('an agent that owes an answer and says nothing is asked once for a sign of life, and suspect until it gives one', () => {
  for (const [steps, probes, suspect] of [
    ['', 0, false],
    [`${all}${all}`, 0, false],
    [`a${most}`, 0, false],
    [`a${all}`, 1, true],
    [`a${all}${all}a${all}`, 1, true],
    [`a${all}r`, 1, false],
    [`a${all}r${all}`, 1, false],
    [`a${all}r.a${most}`, 1, false],
    [`a${all}ra${most}`, 1, false],
    [`a${all}ra${all}`, 2, true],
    // An answer is a sign of life, whichever question it is for.
    [`a${most}r${all}`, 0, false],
    [`a..r.a${most}`, 0, false],
    [`a..ra${all}`, 1, true],
    // Requests during the silence do not restart the time.
    [`a${'.a'.repeat(silentRounds)}`, 1, true],
  ] as const)
    assert.deepEqual(after(steps), { probes, suspect }, steps);
});

test('an agent that has answered, or whose session is over, is looked at no more', () => {
  const rounds = new Rounds();
  const counts = { received: 0, looks: 0, probes: 0 };
  const received = () => {
    counts.looks += 1;
    return counts.received;
  };
  const watch = new SilenceWatch({ rounds, received, probe: () => counts.probes++ });
  const looksAfter = (act: () => void) => {
    act();
    rounds.go();
    const before = counts.looks;
    for (let round = 0; round < 2 * silentRounds; round++) rounds.go();
    return counts.looks - before;
  };
  watch.expect();
  assert.equal(
    looksAfter(() => counts.received++),
    0,
    'it has answered',
  );
  watch.expect();
  assert.ok(looksAfter(() => {}) > 0, 'it is asked again');
  assert.equal(watch.isSuspect, true);
  assert.equal(
    looksAfter(() => watch.stop()),
    0,
    'its session is over',
  );
  assert.equal(watch.isSuspect, false);
  assert.equal(counts.probes, 1);
});

test('stopped rounds check no session', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const rounds = new Rounds();
  let probes = 0;
  const watch = new SilenceWatch({ rounds, received: () => 0, probe: () => probes++ });
  watch.expect();
  rounds.start(100);
  t.mock.timers.tick(100 * (silentRounds - 1));
  rounds.stop();
  t.mock.timers.tick(1_000);
  assert.equal(probes, 0);
});
