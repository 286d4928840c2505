/**
 * Followers of the change log within this process.
 * In: the news that a revision is committed. Out: changes, pulled from the log by each watcher at its own pace.
 * What may change here: never that a waiting watcher is served before the write that woke it is answered.
 */
import { type Change, type Revision, StoreUnavailableError } from './store.ts';

/** Changes after a revision, and the revision up to which they are complete. Synchronous; may throw. */
export type ReadChanges = (
  from: Revision,
  kinds: readonly string[],
) => { readonly to: Revision; readonly changes: readonly Change[] };

export class Watchers {
  readonly #read: ReadChanges;
  readonly #waiting = new Set<Watcher>();

  constructor(read: ReadChanges) {
    this.#read = read;
  }

  open(from: Revision, kinds: readonly string[], signal: AbortSignal): AsyncIterable<readonly Change[]> {
    return new Watcher(this.#read, this.#waiting, from, kinds, signal);
  }

  /** A revision is committed that touched these kinds; null when it is not known which revisions and kinds. */
  committed(revision: Revision | null, kinds: readonly string[]): void {
    for (const watcher of [...this.#waiting]) watcher.committed(revision, kinds);
  }

  close(): void {
    for (const watcher of [...this.#waiting]) watcher.fail(new StoreUnavailableError('the store is closed'));
  }
}

type Result = IteratorResult<readonly Change[], undefined>;

/**
 * A hand-written iterator, not an async generator: its promise is settled in the very call that brings the news,
 * so that a `for await` body has run before whoever waits for the write goes on.
 */
class Watcher implements AsyncIterableIterator<readonly Change[], undefined> {
  readonly #read: ReadChanges;
  readonly #waiting: Set<Watcher>;
  readonly #kinds: readonly string[];
  readonly #signal: AbortSignal;
  #from: Revision;
  #ended = false;
  #next: PromiseWithResolvers<Result> | null = null;

  constructor(
    read: ReadChanges,
    waiting: Set<Watcher>,
    from: Revision,
    kinds: readonly string[],
    signal: AbortSignal,
  ) {
    this.#read = read;
    this.#waiting = waiting;
    this.#from = from;
    this.#kinds = kinds;
    this.#signal = signal;
    if (signal.aborted) this.#ended = true;
    else signal.addEventListener('abort', this.#end, { once: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Result> {
    if (this.#next !== null) throw new Error('a watcher is read by one reader, one step at a time');
    if (this.#ended) return Promise.resolve({ done: true, value: undefined });
    this.#next = Promise.withResolvers();
    const { promise } = this.#next;
    this.#waiting.add(this);
    this.#advance();
    return promise;
  }

  return(): Promise<Result> {
    this.#end();
    return Promise.resolve({ done: true, value: undefined });
  }

  committed(revision: Revision | null, kinds: readonly string[]): void {
    if (revision === null || kinds.some((kind) => this.#kinds.includes(kind))) this.#advance();
    // A waiting watcher has seen all that was committed before: what does not concern it, it has seen too.
    else if (revision > this.#from) this.#from = revision;
  }

  fail(error: unknown): void {
    const next = this.#settle();
    this.#end();
    next?.reject(error);
  }

  #advance(): void {
    try {
      for (;;) {
        const { to, changes } = this.#read(this.#from, this.#kinds);
        const progress = to > this.#from;
        this.#from = to;
        if (changes.length > 0) this.#settle()?.resolve({ done: false, value: changes });
        if (changes.length > 0 || !progress) return;
      }
    } catch (error) {
      this.fail(error);
    }
  }

  readonly #end = (): void => {
    this.#ended = true;
    this.#signal.removeEventListener('abort', this.#end);
    this.#settle()?.resolve({ done: true, value: undefined });
  };

  #settle(): PromiseWithResolvers<Result> | null {
    const next = this.#next;
    this.#next = null;
    this.#waiting.delete(this);
    return next;
  }
}
