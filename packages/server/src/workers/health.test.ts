import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Asked, WorkersHealth } from './health.ts';
import type { Health } from './messages.ts';

const ready: Health = { reasons: [], warnings: [] };
const drained: Health = { reasons: [{ reason: 'draining', message: 'drained' }], warnings: [] };

function healthOf(...answers: readonly (Health | 'starting' | 'silent')[]): WorkersHealth {
  const workers = answers.map((answer, at): Asked => {
    const health = typeof answer === 'string' ? null : answer;
    return { number: at + 1, isReady: answer !== 'starting', ask: async () => health };
  });
  return new WorkersHealth(() => workers);
}

test('one worker that is ready is enough, and a warning names each of the others', async () => {
  const health = healthOf(drained, ready, 'silent', 'starting');
  assert.deepEqual(await health.reasons(), []);
  assert.deepEqual(await health.warnings(), [
    { warning: 'worker_not_ready', message: 'worker 1 is not ready: drained' },
    { warning: 'worker_not_ready', message: 'worker 3 is not ready: it does not respond' },
    { warning: 'worker_not_ready', message: 'worker 4 is not ready: it is starting' },
  ]);
});

test('without a worker that is ready there are the reasons of all', async () => {
  assert.deepEqual(await healthOf(drained, 'starting').reasons(), [
    { reason: 'draining', message: 'worker 1: drained' },
    { reason: 'starting', message: 'worker 2: it is starting' },
  ]);
});

test('before its workers are there, and while it stops, the supervisor is not ready', async () => {
  const health = healthOf();
  assert.deepEqual(await health.reasons(), [{ reason: 'starting', message: 'no worker runs' }]);
  const stopping = healthOf(ready);
  stopping.draining = 'it stops';
  assert.deepEqual(await stopping.reasons(), [{ reason: 'draining', message: 'it stops' }]);
});
