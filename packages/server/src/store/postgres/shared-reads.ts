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
  /** Those that have not begun, by the revision from which on they read. */
  const queries = new Map<Revision, Query>();

  const queryFrom = (from: Revision): Query => {
    const { promise: part, resolve } = Promise.withResolvers<LogPart>();
    const query: Query = { kinds: new Set(), part };
    queries.set(from, query);
    // When all those have asked who were told of the same thing.
    process.nextTick(() => {
      queries.delete(from);
      resolve(read(from, [...query.kinds]));
    });
    return query;
  };

  return async (from, kinds) => {
    const query = queries.get(from) ?? queryFrom(from);
    for (const kind of kinds) query.kinds.add(kind);
    const { to, changes } = await query.part;
    return { to, changes: changes.filter(({ kind }) => kinds.includes(kind)) };
  };
}
