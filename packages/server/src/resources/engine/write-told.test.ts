import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentsIn } from '../../documents/store.ts';
import { MemoryStore } from '../../store/memory.fixture.ts';
import { proxy } from '../../store/proxy.fixture.ts';
import { type WriteOperation, WriteOutcomeUnknownError } from '../../store/store.ts';
import type { AuditEvent } from './audit.ts';
import { writeTold } from './write-told.ts';

const row = { op: 'insert', account: 'ac_1', parent: null, body: {}, links: [], names: [] } as const;
const telling: WriteOperation = { op: 'enqueue', account: 'ac_1', parent: 'ed_1', text: '{}' };

/**
 * Deletes a document with an event. The store may lose its answer. `calls` has the number of completed writes each
 * time the event is called written.
 */
async function told(error: Error | null) {
  const store = documentsIn(new MemoryStore());
  await store.write(() => [
    { ...row, id: 'ipp_1', kind: 'ip_policy' },
    { ...row, id: 'ed_1', kind: 'event_destination' },
  ]);
  const calls: number[] = [];
  let writes = 0;
  const losing = proxy(store, {
    async write(build) {
      const revision = await store.write(build);
      writes += 1;
      if (error !== null) throw error;
      return revision;
    },
  });
  const event: AuditEvent = {
    operations: () => [telling],
    object: null,
    written: () => calls.push(writes),
    leaveOut: () => false,
  };
  const change: WriteOperation = { op: 'delete', id: 'ipp_1', revision: 1 };
  return { store, calls, result: writeTold(losing, () => [change], [event]) };
}

test('what tells of a change is in its batch, and is called written afterwards', async () => {
  const { store, calls, result } = await told(null);
  assert.equal(await result, 2);
  assert.equal(await store.get('ipp_1'), null);
  assert.equal(await store.countQueued({ account: 'ac_1', parent: 'ed_1', limit: 10 }), 1);
  assert.deepEqual(calls, [1]);
});

test('what may have been written is called written, too', async () => {
  const { calls, result } = await told(new WriteOutcomeUnknownError('cut'));
  await assert.rejects(result, WriteOutcomeUnknownError);
  assert.deepEqual(calls, [1]);
});
