/**
 * Followers of the change log within this process.
 * Invariant: a waiting watcher is served only after the write that woke it is acknowledged.
 */
import { type ChangeFeed, type Revision, StoreUnavailableError } from '../store.ts';
import { type LogPart, Watcher } from '../watcher.ts';

/** Reads changes after a revision. Synchronous; may throw. */
export type ReadChanges = (from: Revision, kinds: readonly string[]) => LogPart;

export class Watchers {
  readonly #read: ReadChanges;
  readonly #waiting = new Set<LocalWatcher>();

  constructor(read: ReadChanges) {
    this.#read = read;
  }

  open(from: Revision, kinds: readonly string[], signal: AbortSignal): ChangeFeed {
    return new LocalWatcher(this.#read, this.#waiting, from, kinds, signal);
  }

  /** Reports a committed revision with these kinds; null if revisions and kinds are unknown. */
  committed(revision: Revision | null, kinds: readonly string[]): void {
    for (const watcher of [...this.#waiting]) watcher.committed(revision, kinds);
  }

  close(): void {
    for (const watcher of [...this.#waiting]) watcher.fail(new StoreUnavailableError('the store is closed'));
  }
}

class LocalWatcher extends Watcher {
  readonly #read: ReadChanges;

  constructor(
    read: ReadChanges,
    waiting: Set<LocalWatcher>,
    from: Revision,
    kinds: readonly string[],
    signal: AbortSignal,
  ) {
    super(waiting, from, kinds, signal);
    this.#read = read;
  }

  committed(revision: Revision | null, kinds: readonly string[]): void {
    if (revision === null || kinds.some((kind) => this.kinds.includes(kind))) this.advance();
    // A waiting watcher has seen all earlier commits, so it can skip one of other kinds.
    else if (revision > this.from) this.from = revision;
  }

  protected advance(): void {
    try {
      for (;;) {
        const { to, changes } = this.#read(this.from, this.kinds);
        const progress = to > this.from;
        this.from = to;
        if (changes.length > 0) this.give(changes);
        if (changes.length > 0 || !progress) return;
      }
    } catch (error) {
      this.fail(error);
    }
  }
}
