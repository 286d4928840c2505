/**
 * Data of the API as signals. Components that show the same path share one request; events make them request it again.
 * Invariant: at most 200 paths that no component shows are kept.
 */
import { type Signal, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ApiError, send } from './http.ts';

export interface Entry<T> {
  readonly path: string;
  /** The last response; undefined until the first one. */
  readonly data: Signal<T | undefined>;
  /** The last failure; null after a success. */
  readonly error: Signal<ApiError | null>;
  /** The tag of the version, for `ifMatch`. */
  readonly etag: Signal<string | null>;
  readonly refresh: () => Promise<void>;
}

interface Held extends Entry<unknown> {
  users: number;
  isStale: boolean;
}

const UNUSED_MAX = 200;
const entries = new Map<string, Held>();

/** The data at a path, fetched when the component is drawn and again after each change. Null: nothing is fetched. */
export function useGet<T>(path: string | null): Entry<T> {
  const entry = entryOf(path ?? '');
  useEffect(() => {
    if (path === null) return;
    entry.users++;
    if (entry.isStale) void entry.refresh();
    return () => {
      entry.users--;
      evict();
    };
  }, [path]);
  return entry as Entry<unknown> as Entry<T>;
}

/** Replaces the data at a path with the result of a change, so that no component shows the old version meanwhile. */
export function put(path: string, data: unknown, etag: string | null): void {
  const entry = entryOf(path);
  entry.etag.value = etag;
  entry.data.value = data;
  entry.error.value = null;
}

/** Makes all data below these paths old. What is shown is fetched again at once. */
export function invalidate(...prefixes: readonly string[]): void {
  for (const entry of entries.values()) {
    if (!prefixes.some((prefix) => isBelow(entry.path, prefix))) continue;
    entry.isStale = true;
    if (entry.users > 0) void entry.refresh();
  }
}

/** Makes all data old, after a gap in the events. */
export function invalidateAll(): void {
  invalidate('');
}

/** Forgets everything, at the end of a session. */
export function forgetAll(): void {
  entries.clear();
}

export function isBelow(path: string, prefix: string): boolean {
  const rest = path.slice(prefix.length);
  return path.startsWith(prefix) && (rest === '' || rest[0] === '/' || rest[0] === '?');
}

function entryOf(path: string): Held {
  const known = entries.get(path);
  if (known !== undefined) return known;
  let running: Promise<void> | null = null;
  let isAgain = false;
  const entry: Held = {
    ...{ path, users: 0, isStale: true },
    ...{ data: signal(undefined), error: signal(null), etag: signal(null) },
    /** One request at a time; a change during it causes one more. */
    refresh: () => {
      if (running !== null) {
        isAgain = true;
        return running;
      }
      running = fetchInto(entry).finally(() => {
        running = null;
        if (isAgain) {
          isAgain = false;
          void entry.refresh();
        }
      });
      return running;
    },
  };
  entries.set(path, entry);
  return entry;
}

async function fetchInto(entry: Held): Promise<void> {
  entry.isStale = false;
  try {
    const { data, etag } = await send<unknown>({ method: 'GET', path: entry.path });
    entry.etag.value = etag;
    entry.data.value = data;
    entry.error.value = null;
  } catch (error) {
    entry.isStale = true;
    entry.error.value = error instanceof ApiError ? error : new ApiError(String(error), 0);
  }
}

/** The oldest first. */
function evict(): void {
  const unused = [...entries.values()].filter(({ users }) => users === 0);
  for (const { path } of unused.slice(0, Math.max(0, unused.length - UNUSED_MAX))) entries.delete(path);
}
