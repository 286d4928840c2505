import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Change, Revision } from '../store.ts';
import { sharedReads } from './shared-reads.ts';
import type { ReadChanges } from './watchers.ts';

interface Asked {
  readonly from: Revision;
  readonly kinds: readonly string[];
}

function change(kind: string): Change {
  return { id: kind, account: 'account', kind, revision: 8, document: null };
}

/** A log whose revision 8 changed a document of each kind, and the recorded queries. */
function log(): { read: ReadChanges; asked: Asked[] } {
  const asked: Asked[] = [];
  const read: ReadChanges = async (from, kinds) => {
    asked.push({ from, kinds });
    return { to: 8, changes: kinds.map(change) };
  };
  return { read, asked };
}

test('what is asked for in one turn is one query, and each gets its own kinds', async () => {
  const { read, asked } = log();
  const shared = sharedReads(read);
  const parts = await Promise.all([shared(7, ['a', 'b']), shared(7, ['b', 'c']), shared(5, ['a'])]);
  assert.deepEqual(asked, [
    { from: 7, kinds: ['a', 'b', 'c'] },
    { from: 5, kinds: ['a'] },
  ]);
  assert.deepEqual(parts, [
    { to: 8, changes: [change('a'), change('b')] },
    { to: 8, changes: [change('b'), change('c')] },
    { to: 8, changes: [change('a')] },
  ]);
});

test('what is asked for while a query is under way has a query of its own', async () => {
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  const { read, asked } = log();
  const shared = sharedReads(async (from, kinds) => {
    const part = await read(from, kinds);
    await finished;
    return part;
  });
  const first = shared(7, ['a']);
  await new Promise(setImmediate);
  const second = shared(7, ['a']);
  await new Promise(setImmediate);
  finish();
  await Promise.all([first, second]);
  assert.equal(asked.length, 2);
});
