/**
 * Followers of the change log in this process, while other processes also write.
 * Invariant: the result of a write reaches its caller before a watcher that it woke is served.
 */
import {
  type Change,
  type ChangeFeed,
  type Position,
  type Revision,
  StoreUnavailableError,
} from '../store.ts';
import { type LogPart, Watcher } from '../watcher.ts';

/** Reads changes after a revision. Rejects with StoreUnavailableError while the database is unavailable. */
export type ReadChanges = (from: Revision, kinds: readonly string[], mark?: string) => Promise<LogPart>;

export class Watchers {
  readonly #read: ReadChanges;
  readonly #waiting = new Set<RemoteWatcher>();
  #closed = false;

  constructor(read: ReadChanges) {
    this.#read = read;
  }

  /** `mark` is that of `from`, if known. */
  open(from: Revision, kinds: readonly string[], signal: AbortSignal, mark?: string): ChangeFeed {
    const read: ReadChanges = (after, of, its) => this.#read(after, of, its);
    const log = { read, isClosed: () => this.#closed };
    return new RemoteWatcher(log, this.#waiting, { revision: from, mark }, kinds, signal);
  }

  /**
   * Reports that this process committed a revision with these kinds. Resolves when the waiting watchers of these kinds
   * were served.
   */
  async committed(revision: Revision, kinds: readonly string[]): Promise<void> {
    await Promise.all([...this.#waiting].map((watcher) => watcher.committed(revision, kinds)));
  }

  /** Reports that something may have been committed. */
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

/** A watcher that survives outages of the database: it keeps its place and continues with the next notification. */
class RemoteWatcher extends Watcher implements ChangeFeed {
  readonly #log: Log;
  /** The mark of the revision `from`. */
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

  override get position(): Position {
    return this.#mark === undefined ? { revision: this.from } : { revision: this.from, mark: this.#mark };
  }

  get caughtUpAt(): number {
    return this.#caughtUpAt;
  }

  get unreadableAt(): number {
    return this.#unreadableAt;
  }

  /**
   * A local watcher skips revisions of other kinds; this one does not, because earlier commits of other processes may
   * be unread. The next relevant read, or the next poll, includes them.
   */
  async committed(revision: Revision, kinds: readonly string[]): Promise<void> {
    if (!kinds.some((kind) => this.kinds.includes(kind))) return;
    // A running read returns its changes. The reader waits again by the time it ends.
    while (this.isWaiting && this.from < revision) {
      if (!(await this.advance())) return;
    }
  }

  /** Resolves as that of a follower: the reader has processed everything when it waits again. */
  async reached(revision: Revision): Promise<boolean> {
    while (!this.isEnded) {
      const { from } = this;
      if (!this.isWaiting) await this.nextStep();
      else if (from >= revision) return true;
      else if (!(await this.advance())) return false;
      // The log ends before the revision, which is of another history.
      else if (this.isWaiting && this.from === from) return false;
    }
    return false;
  }

  /**
   * Returns whether the log could be read. There is one read at a time, and a notification during it causes another.
   */
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
    // Reset before the changes are delivered, because the receiver begins the next step at once.
    this.#reading = null;
    if (found.length > 0) this.give(found);
    return true;
  }
}
