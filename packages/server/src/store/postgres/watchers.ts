/**
 * Followers of the change log in this process, while other processes write to it too.
 * Invariant: no waiting watcher is served before the caller of the write that woke it has its result.
 */
import { type Change, type ChangeFeed, type Revision, StoreUnavailableError } from '../store.ts';
import { type LogPart, Watcher } from '../watcher.ts';

/** Changes after a revision. Rejects with StoreUnavailableError while the database is away. */
export type ReadChanges = (from: Revision, kinds: readonly string[], mark?: string) => Promise<LogPart>;

export class Watchers {
  readonly #read: ReadChanges;
  readonly #waiting = new Set<RemoteWatcher>();
  #closed = false;

  constructor(read: ReadChanges) {
    this.#read = read;
  }

  /** `mark`: of `from`, when it is known. */
  open(from: Revision, kinds: readonly string[], signal: AbortSignal, mark?: string): ChangeFeed {
    const read: ReadChanges = (after, of, its) => this.#read(after, of, its);
    const log = { read, isClosed: () => this.#closed };
    return new RemoteWatcher(log, this.#waiting, { revision: from, mark }, kinds, signal);
  }

  /** This process committed a revision that touched these kinds. Resolves when whoever waits for them has been served. */
  async committed(revision: Revision, kinds: readonly string[]): Promise<void> {
    await Promise.all([...this.#waiting].map((watcher) => watcher.committed(revision, kinds)));
  }

  /** Something may have been committed, anywhere. */
  news(): void {
    for (const watcher of [...this.#waiting]) watcher.advance();
  }

  close(): void {
    this.#closed = true;
    for (const watcher of [...this.#waiting]) watcher.fail(new StoreUnavailableError('the store is closed'));
  }
}

interface Log {
  readonly read: ReadChanges;
  readonly isClosed: () => boolean;
}

/** Outlives a database that is away: it waits where it was, and goes on at the next news. */
class RemoteWatcher extends Watcher implements ChangeFeed {
  readonly #log: Log;
  /** Mark of the revision `from`. */
  #mark: string | undefined;
  #caughtUpAt = performance.now();
  #unreadableAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<boolean> | null = null;
  #again = false;

  constructor(
    log: Log,
    waiting: Set<RemoteWatcher>,
    { revision, mark }: { readonly revision: Revision; readonly mark: string | undefined },
    kinds: readonly string[],
    signal: AbortSignal,
  ) {
    super(waiting, revision, kinds, signal);
    this.#log = log;
    this.#mark = mark;
  }

  get caughtUpAt(): number {
    return this.#caughtUpAt;
  }

  get unreadableAt(): number {
    return this.#unreadableAt;
  }

  /**
   * Not skipped ahead over what does not concern it, as a local watcher is: what other processes committed before may
   * not have been read yet. The next read of the log that concerns it, or the next poll, takes it along.
   */
  async committed(revision: Revision, kinds: readonly string[]): Promise<void> {
    if (!kinds.some((kind) => this.kinds.includes(kind))) return;
    // A read that was under way gives what it found; whoever took that waits again by the time it ends.
    while (this.isWaiting && this.from < revision) {
      if (!(await this.advance())) return;
    }
  }

  /** Answers whether the log could be read. One read at a time; what is news meanwhile makes it read again. */
  advance(): Promise<boolean> {
    this.#again = true;
    this.#reading ??= this.#readOn();
    return this.#reading;
  }

  async #readOn(): Promise<boolean> {
    let found: readonly Change[] = [];
    try {
      while (this.#again && found.length === 0) {
        this.#again = false;
        const askedAt = performance.now();
        const { to, changes, mark } = await this.#log.read(this.from, this.kinds, this.#mark);
        if (!this.isWaiting) break;
        // A long log is read in parts.
        if (to > this.from) this.#again = true;
        else this.#caughtUpAt = askedAt;
        this.from = to;
        this.#mark = mark;
        found = changes;
      }
    } catch (error) {
      this.#reading = null;
      if (error instanceof StoreUnavailableError && !this.#log.isClosed()) {
        this.#unreadableAt = performance.now();
        return false;
      }
      this.fail(error);
      return false;
    }
    // Before anything is given: whoever takes it begins the next step at once.
    this.#reading = null;
    if (found.length > 0) this.give(found);
    return true;
  }
}
