/**
 * List, then watch, with a repair read now and then: how everything in this process keeps up with the store.
 * In: kinds and a follower. Out: calls of `reset` once and `apply` for ever. What may change here: the timing; not that a follower ends at the truth.
 */
import type { Change, Revision, Store, StoredDocument } from './store.ts';

export interface Follower {
  /** The whole truth: forget what was known before. */
  reset(documents: readonly StoredDocument[]): void;
  /** What became different, in revision order. */
  apply(changes: readonly Change[]): void;
}

export interface FollowOptions {
  /** Milliseconds between two repair reads. */
  readonly repairMs?: number;
  /** Told why following was interrupted, by the store or by the follower itself; it goes on by itself. */
  readonly onError?: (error: unknown) => void;
}

const REPAIR_MS = 60_000;
const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 5_000;

/** Resolves after the first `reset`; until then it waits for the store. Never rejects for what the store or the follower does. */
export async function follow(
  store: Store,
  kinds: readonly string[],
  follower: Follower,
  options: FollowOptions = {},
): Promise<{ stop(): Promise<void> }> {
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  const following = new Following(store, kinds, follower, options);
  const done = following.run(resolve);
  await ready;
  return {
    stop: () => {
      following.stop();
      return done;
    },
  };
}

class Following {
  readonly #store: Store;
  readonly #kinds: readonly string[];
  readonly #follower: Follower;
  readonly #repairMs: number;
  readonly #onError: (error: unknown) => void;
  readonly #stopped = new AbortController();
  /** The documents that the follower has, by id. */
  readonly #known = new Map<string, Known>();
  /** What the watch brought while a repair read was under way: there the watch is the newer truth. */
  #touched: Set<string> | null = null;

  constructor(store: Store, kinds: readonly string[], follower: Follower, options: FollowOptions) {
    this.#store = store;
    this.#kinds = kinds;
    this.#follower = follower;
    this.#repairMs = options.repairMs ?? REPAIR_MS;
    this.#onError = options.onError ?? warn;
  }

  stop(): void {
    this.#stopped.abort();
  }

  async run(ready: () => void): Promise<void> {
    let retryMs = FIRST_RETRY_MS;
    while (!this.#stopped.signal.aborted) {
      try {
        const from = await this.#list();
        ready();
        retryMs = FIRST_RETRY_MS;
        await this.#watchAndRepair(from);
      } catch (error) {
        this.#report(error);
        await pause(retryMs, this.#stopped.signal);
        retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
      }
    }
  }

  async #list(): Promise<Revision> {
    const { revision, documents } = await this.#store.snapshot(this.#kinds);
    if (this.#stopped.signal.aborted) return revision;
    this.#known.clear();
    for (const document of documents) this.#known.set(document.id, knowing(document));
    this.#follower.reset(documents);
    return revision;
  }

  /** Whichever of the two fails ends the other. */
  async #watchAndRepair(from: Revision): Promise<void> {
    const round = new AbortController();
    const signal = AbortSignal.any([round.signal, this.#stopped.signal]);
    const tasks = [this.#watch(from, signal), this.#repairForever(signal)];
    const results = await Promise.allSettled(tasks.map((task) => task.finally(() => round.abort())));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  async #watch(from: Revision, signal: AbortSignal): Promise<void> {
    for await (const changes of this.#store.watch(from, this.#kinds, signal)) {
      for (const { id } of changes) this.#touched?.add(id);
      // A repair read may have been faster than the watch.
      this.#accept(changes.filter((change) => this.#isNews(change)));
    }
  }

  async #repairForever(signal: AbortSignal): Promise<void> {
    for (;;) {
      await pause(this.#repairMs, signal);
      if (signal.aborted) return;
      const touched = new Set<string>();
      this.#touched = touched;
      const { revision, documents } = await this.#store.snapshot(this.#kinds);
      this.#touched = null;
      if (!signal.aborted) this.#accept(this.#missed(revision, documents, touched));
    }
  }

  /** What the follower should have been told by the time of a snapshot, and was not. Normally nothing. */
  #missed(revision: Revision, documents: readonly StoredDocument[], touched: ReadonlySet<string>): Change[] {
    const missed: Change[] = [];
    const present = new Set<string>();
    for (const document of documents) {
      present.add(document.id);
      if (touched.has(document.id) || (this.#known.get(document.id)?.revision ?? 0) >= document.revision)
        continue;
      missed.push({ ...knowing(document), document });
    }
    for (const known of this.#known.values()) {
      if (present.has(known.id) || touched.has(known.id) || known.revision > revision) continue;
      missed.push({ ...known, revision, document: null });
    }
    return missed.sort((one, other) => one.revision - other.revision);
  }

  #isNews(change: Change): boolean {
    const known = this.#known.get(change.id);
    return change.document === null ? known !== undefined : change.revision > (known?.revision ?? 0);
  }

  #accept(changes: readonly Change[]): void {
    if (changes.length === 0) return;
    for (const change of changes) {
      if (change.document === null) this.#known.delete(change.id);
      else this.#known.set(change.id, knowing(change.document));
    }
    this.#follower.apply(changes);
  }

  #report(error: unknown): void {
    try {
      this.#onError(error);
    } catch {
      // Whoever is told of an error cannot end the following by one of its own.
    }
  }
}

type Known = Omit<StoredDocument, 'body' | 'parent'>;

function knowing({ id, account, kind, revision }: StoredDocument): Known {
  return { id, account, kind, revision };
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error));
}

/** Does not keep the process alive; ends early, without an error, when the signal aborts. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds).unref();
    signal.addEventListener('abort', end, { once: true });
  });
}
