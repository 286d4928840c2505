/**
 * One follower of the change log, as an async iterator.
 * Invariant: the turn in which a step's promise settles never changes.
 */
import type { Change, Position, Revision } from './store.ts';

/** A part of the change log: changes, and the revision up to which they are complete. */
export interface LogPart {
  readonly to: Revision;
  /** The mark of `to`, if the log has marks. */
  readonly mark?: string;
  readonly changes: readonly Change[];
}

type Result = IteratorResult<readonly Change[], undefined>;

/**
 * An iterator without an async generator: the call that brings a change settles its promise. So the body of a `for
 * await` runs before the caller of the write continues.
 */
export abstract class Watcher implements AsyncIterableIterator<readonly Change[], undefined> {
  protected readonly kinds: readonly string[];
  /** All changes up to this revision were delivered, or are of other kinds. */
  protected from: Revision;
  readonly #waiting: Set<Watcher>;
  readonly #signal: AbortSignal;
  #ended = false;
  #next: PromiseWithResolvers<Result> | null = null;
  #step: PromiseWithResolvers<void> | null = null;

  /** `waiting` is the set that the watcher joins while its reader waits. */
  constructor(waiting: Set<Watcher>, from: Revision, kinds: readonly string[], signal: AbortSignal) {
    this.#waiting = waiting;
    this.from = from;
    this.kinds = kinds;
    this.#signal = signal;
    if (signal.aborted) this.#ended = true;
    else signal.addEventListener('abort', this.#end, { once: true });
  }

  get position(): Position {
    return { revision: this.from };
  }

  /** Reads further changes and delivers them. Called when a step begins. */
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
    this.#stepped();
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

  protected get isEnded(): boolean {
    return this.#ended;
  }

  /** Resolves when the reader begins its next step, or the watcher ends. */
  protected nextStep(): Promise<void> {
    this.#step ??= Promise.withResolvers();
    return this.#step.promise;
  }

  protected give(changes: readonly Change[]): void {
    this.#settle()?.resolve({ done: false, value: changes });
  }

  readonly #end = (): void => {
    this.#ended = true;
    this.#signal.removeEventListener('abort', this.#end);
    this.#settle()?.resolve({ done: true, value: undefined });
    this.#stepped();
  };

  #stepped(): void {
    this.#step?.resolve();
    this.#step = null;
  }

  #settle(): PromiseWithResolvers<Result> | null {
    const next = this.#next;
    this.#next = null;
    this.#waiting.delete(this);
    return next;
  }
}
