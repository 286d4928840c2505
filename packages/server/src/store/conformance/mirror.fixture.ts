/** Fixtures for tests of `follow`. */
import type { Follower } from '../follow.ts';
import type { Change, Store, StoredDocument } from '../store.ts';
import { byId } from './harness.fixture.ts';

/** A follower that keeps all states and lets a test wait for one. */
export class Mirror implements Follower {
  documents = byId([]);
  resets = 0;
  applied: Change[] = [];
  readonly #waiting: (() => void)[] = [];

  reset(documents: readonly StoredDocument[]): void {
    this.resets += 1;
    this.documents = byId(documents);
    this.check();
  }

  apply(changes: readonly Change[]): void {
    this.applied.push(...changes);
    for (const { id, document } of changes) {
      if (document === null) this.documents.delete(id);
      else this.documents.set(id, document);
    }
    this.check();
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  check(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

/** Replaces some methods of a store. */
export function proxy(store: Store, changed: Partial<Store>): Store {
  return {
    write: (build) => store.write(build),
    get: (id) => store.get(id),
    page: (query) => store.page(query),
    queue: (query) => store.queue(query),
    countQueued: (query) => store.countQueued(query),
    hasDeletedQueues: () => store.hasDeletedQueues(),
    findName: (claim) => store.findName(claim),
    names: (query) => store.names(query),
    lastId: () => store.lastId(),
    linksTo: (id, limit) => store.linksTo(id, limit),
    scan: (kinds) => store.scan(kinds),
    scanStates: (kinds) => store.scanStates(kinds),
    snapshot: (kinds) => store.snapshot(kinds),
    watch: (from, kinds, signal) => store.watch(from, kinds, signal),
    watchQueues: (signal) => store.watchQueues(signal),
    close: () => store.close(),
    ...changed,
  };
}

/** A watch that yields nothing. */
export async function* silence(signal: AbortSignal): AsyncIterable<readonly Change[]> {
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
