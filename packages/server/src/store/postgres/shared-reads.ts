/**
 * Reads of the change log that followers ask for in the same turn, as one query. Never that one is answered by a query that began
 * before it was asked for, since that may have missed what the follower was told of.
 */
import type { Revision } from '../store.ts';
import type { LogPart } from '../watcher.ts';
import type { ReadChanges } from './watchers.ts';

interface Query {
  readonly kinds: Set<string>;
  readonly part: Promise<LogPart>;
}

export function sharedReads(read: ReadChanges): ReadChanges {
  /** Those that have not begun, by the revision from which on they read, and its mark. */
  const queries = new Map<string, Query>();

  const queryFrom = (from: Revision, mark: string | undefined): Query => {
    const key = keyOf(from, mark);
    const { promise: part, resolve } = Promise.withResolvers<LogPart>();
    const query: Query = { kinds: new Set(), part };
    queries.set(key, query);
    // When all those have asked who were told of the same thing.
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
