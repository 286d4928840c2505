/**
 * Combines reads of the change log in the same turn into one query.
 * Invariant: a read is never served by an earlier query, which may have missed the change that caused the read.
 */
import type { Revision } from '../store.ts';
import type { LogPart } from '../watcher.ts';
import type { ReadChanges } from './watchers.ts';

interface Query {
  readonly kinds: Set<string>;
  readonly part: Promise<LogPart>;
}

export function sharedReads(read: ReadChanges): ReadChanges {
  /** Queries that have not started, by start revision and its mark. */
  const queries = new Map<string, Query>();

  const queryFrom = (from: Revision, mark: string | undefined): Query => {
    const key = keyOf(from, mark);
    const { promise: part, resolve } = Promise.withResolvers<LogPart>();
    const query: Query = { kinds: new Set(), part };
    queries.set(key, query);
    // All followers of the same notification have joined by then.
    process.nextTick(() => {
      queries.delete(key);
      resolve(read(from, [...query.kinds], mark));
    });
    return query;
  };

  return async (from, kinds, mark) => {
    const query = queries.get(keyOf(from, mark)) ?? queryFrom(from, mark);
    for (const kind of kinds) query.kinds.add(kind);
    const { changes, ...part } = await query.part;
    return { ...part, changes: changes.filter(({ kind }) => kinds.includes(kind)) };
  };
}

function keyOf(from: Revision, mark = ''): string {
  return `${from} ${mark}`;
}
