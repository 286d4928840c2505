import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type WriteOperation, WriteOutcomeUnknownError } from '../../store/store.ts';
import type { AuditEvent } from './audit.ts';
import { writeTold } from './write-told.ts';

const change: WriteOperation = { op: 'delete', id: 'ipp_1', revision: 1 };
const telling: WriteOperation = { op: 'enqueue', account: 'ac_1', parent: 'ed_1', text: '{}' };

/** A store that writes, and then may lose its answer; and an event that keeps what was written when it was called. */
function told(error: Error | null) {
  const written: (readonly WriteOperation[])[] = [];
  const calls: number[] = [];
  const store = {
    async write(build: (newId: (prefix: string) => string) => readonly WriteOperation[]) {
      written.push(build((prefix) => prefix));
      if (error !== null) throw error;
      return 7;
    },
  };
  const event: AuditEvent = {
    operations: () => [telling],
    object: null,
    written: () => calls.push(written.length),
    leaveOut: () => false,
  };
  return { written, calls, result: writeTold(store, () => [change], [event]) };
}

test('what tells of a change is in its batch, and is called written afterwards', async () => {
  const { written, calls, result } = told(null);
  assert.equal(await result, 7);
  assert.deepEqual(written, [[change, telling]]);
  assert.deepEqual(calls, [1]);
});

test('what may have been written is called written, too', async () => {
  const { calls, result } = told(new WriteOutcomeUnknownError('cut'));
  await assert.rejects(result, WriteOutcomeUnknownError);
  assert.deepEqual(calls, [1]);
});
