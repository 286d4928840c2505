/** Makes data old when the stream reports its change. */
import { effect } from '@preact/signals';
import type { StreamChange } from '@underpass/client';
import { invalidate, invalidateAll } from './cache.ts';
import { COLLECTIONS } from './collections.ts';
import { connection, onEvent } from './stream.ts';

/** Data that is computed from resources of many kinds. */
const COMPUTED = ['/overview', '/names', '/changes', '/status'] as const;

/** Milliseconds for which changes are collected, so that many at once cost one request for each list. */
const GATHER_MS = 300;
/** While changes go on without a rest, the time doubles up to this one: an account has a limit of requests. */
const GATHER_MAX_MS = 4800;

const waiting = new Set<string>();
let gatherMs = GATHER_MS;
let flushedAt = -Infinity;

/** Call it once. After a gap in the stream everything counts as old. */
export function followChanges(): void {
  let wasLive = false;
  effect(() => {
    const isLive = connection.value === 'live';
    if (isLive && wasLive) invalidateAll();
    wasLive ||= isLive;
  });
  onEvent(({ event, data }) => {
    if (event === 'reset' || event === 'dropped') invalidateAll();
    else if (event === 'change' || event === 'session') gather(data as Pick<StreamChange, 'kind'>);
  });
}

function gather({ kind }: Pick<StreamChange, 'kind'>): void {
  const collection = COLLECTIONS[kind];
  if (waiting.size === 0) {
    const isOngoing = performance.now() - flushedAt < gatherMs;
    gatherMs = isOngoing ? Math.min(gatherMs * 2, GATHER_MAX_MS) : GATHER_MS;
    setTimeout(flush, gatherMs);
  }
  for (const path of [...COMPUTED, ...(collection === undefined ? [] : [collection])]) waiting.add(path);
}

function flush(): void {
  const paths = [...waiting];
  waiting.clear();
  flushedAt = performance.now();
  invalidate(...paths);
}
