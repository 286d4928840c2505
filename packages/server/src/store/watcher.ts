/**
 * One follower of the change log, as whoever reads it sees it. Never that the turn changes in which a step's promise is
 * settled.
 */
import type { Change, Revision } from './store.ts';

/** A part of the change log: changes, and the revision up to which they are complete. */
export interface LogPart {
  readonly to: Revision;
  /** The mark of `to`, where the log has any. */
  readonly mark?: string;
  readonly changes: readonly Change[];
}

type Result = IteratorResult<readonly Change[], undefined>;

/**
 * A hand-written iterator, not an async generator: its promise is settled in the very call that brings the news,
 * so that a `for await` body has run before whoever waits for the write goes on.
 */
export abstract class Watcher implements AsyncIterableIterator<readonly Change[], undefined> {
  protected readonly kinds: readonly string[];
  /** All that happened up to this revision has been given, or did not concern these kinds. */
  protected from: Revision;
  readonly #waiting: Set<Watcher>;
  readonly #signal: AbortSignal;
  #ended = false;
  #next: PromiseWithResolvers<Result> | null = null;

  /** `waiting`: where the watcher enters itself while somebody waits for its next step. */
  constructor(waiting: Set<Watcher>, from: Revision, kinds: readonly string[], signal: AbortSignal) {
    this.#waiting = waiting;
    this.from = from;
    this.kinds = kinds;
    this.#signal = signal;
    if (signal.aborted) this.#ended = true;
    else signal.addEventListener('abort', this.#end, { once: true });
  }

  /** Reads on, and gives what it found. Called when a step begins. */
  protected abstract advance(): void;

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Result> {
    if (this.#next !== null) throw new Error('a watcher is read by one reader, one step at a time');
    if (this.#ended) return Promise.resolve({ done: true, value: undefined });
    this.#next = Promise.withResolvers();
    const { promise } = this.#next;
    this.#waiting.add(this);
    this.advance();
    return promise;
  }

  return(): Promise<Result> {
    this.#end();
    return Promise.resolve({ done: true, value: undefined });
  }

  fail(error: unknown): void {
    const next = this.#settle();
    this.#end();
    next?.reject(error);
  }

  protected get isWaiting(): boolean {
    return this.#next !== null;
  }

  protected give(changes: readonly Change[]): void {
    this.#settle()?.resolve({ done: false, value: changes });
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
