/** Tests restarts after a crash, with a program of fakes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepRunning } from './keep-running.ts';

/** Runs the keeper on these exit codes. `abortAt`: what was done by then when it is stopped. */
async function keep(codes: readonly (number | null)[], abortAt = '') {
  const left = [...codes];
  const controller = new AbortController();
  const done: string[] = [];
  const note = (what: string) => {
    done.push(what);
    if (what === abortAt) controller.abort();
  };
  const code = await keepRunning({
    stop: controller.signal,
    run: async () => {
      note('run');
      return left.shift() ?? null;
    },
    wait: async () => note('wait'),
    crashed: (it) => note(`crashed ${it}`),
  });
  return [code, ...done];
}

test('a crash leads to a restart, a refusal and an end do not', async () => {
  assert.deepEqual(await keep([0]), [0, 'run']);
  assert.deepEqual(await keep([1]), [1, 'run']);
  assert.deepEqual(await keep([2]), [2, 'run']);
  const twice = ['run', 'crashed null', 'wait', 'run', 'crashed 134', 'wait', 'run'];
  assert.deepEqual(await keep([null, 134, 1]), [1, ...twice]);
});

test('a stop is final, while the program runs and before a restart', async () => {
  assert.deepEqual(await keep([null], 'run'), [0, 'run']);
  assert.deepEqual(await keep([7], 'wait'), [0, 'run', 'crashed 7', 'wait']);
});
