/**
 * Changes of one daemon on their way to the database, in batches. What waits is sent when the connection is back.
 * Invariant: changes are executed in the order in which they came.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { NotConnectedError } from '../../store/not-connected.ts';
import type { ClaimAnswer, DirectoryChange, DirectoryDatabase } from '../../store/postgres/directory.ts';
import type { Incarnation } from './row.ts';

/** A claim that was granted, or the reason why not. `over`: a newer claim has replaced it already. */
export type ClaimOutcome =
  | { readonly outcome: 'granted'; readonly number: number }
  /** Milliseconds until the name is free; null: its tunnel is online. */
  | { readonly outcome: 'refused'; readonly wait: number | null }
  | Extract<ClaimAnswer, { outcome: 'reserved' }>
  | { readonly outcome: 'over' };

export interface Pending {
  readonly change: DirectoryChange;
  readonly settle: (answer: ClaimOutcome) => void;
  /** It may have been executed. */
  isSent: boolean;
}

export interface QueueOptions {
  readonly link: { run<T>(call: (database: DirectoryDatabase) => Promise<T>): Promise<T> };
  /** Null: the daemon has not joined. */
  readonly incarnation: () => Incarnation | null;
  /** Returns false if the life with the incarnation has ended. */
  readonly isOf: (incarnation: Incarnation) => boolean;
  /** Receives the answers to a batch. That to a change which is no claim is null. */
  readonly answered: (answers: readonly (ClaimAnswer | null)[], batch: readonly Pending[]) => void;
  /** Receives the error of a batch, which is tried again. */
  readonly failed: (error: unknown) => void;
}

/** Changes in one transaction. It bounds the time for which keys are locked. */
const MOST = 200;
const RETRY_MS = 250;

export class ChangeQueue {
  readonly #options: QueueOptions;
  readonly #waiting: Pending[] = [];
  #inFlight: readonly Pending[] = [];
  #sending: Promise<void> | null = null;
  #isStopped = false;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  /** Changes that are not sent, or were sent without an answer. Oldest first. */
  get waiting(): readonly Pending[] {
    return this.#waiting;
  }

  /** Returns true if a change that matches waits or is under way. */
  has(matches: (change: DirectoryChange) => boolean): boolean {
    const isMatch = ({ change }: Pending) => matches(change);
    return this.#inFlight.some(isMatch) || this.#waiting.some(isMatch);
  }

  push(change: DirectoryChange, settle: Pending['settle'] = () => {}): void {
    this.#waiting.push({ change, settle, isSent: false });
    void this.flush();
  }

  again(pending: Pending): void {
    this.#waiting.push(pending);
  }

  /** Takes out what waits and matches. Returns it. */
  takeOut(matches: (pending: Pending) => boolean): readonly Pending[] {
    const taken = this.#waiting.filter(matches);
    if (taken.length === 0) return taken;
    const left = this.#waiting.filter((pending) => !taken.includes(pending));
    this.#waiting.splice(0, this.#waiting.length, ...left);
    return taken;
  }

  /** Sends what waits. Resolves when nothing waits, or it cannot be sent now. */
  async flush(): Promise<void> {
    this.#sending ??= this.#send();
    await this.#sending;
  }

  /** No error is tried again from here on. */
  stop(): void {
    this.#isStopped = true;
  }

  /** One transaction at a time: what is queued meanwhile is in the next one. */
  async #send(): Promise<void> {
    // `#sending` is set by now. The end of the loop and of `#sending` are one turn, so nothing is queued between them.
    await null;
    try {
      while (this.#waiting.length > 0 && (await this.#sendBatch()));
    } finally {
      this.#sending = null;
    }
  }

  /** Returns false if it cannot be sent now: the next connection sends it. */
  async #sendBatch(): Promise<boolean> {
    const { link, answered, failed } = this.#options;
    const incarnation = this.#options.incarnation();
    if (incarnation === null) return false;
    const batch = this.#waiting.splice(0, MOST);
    this.#inFlight = batch;
    try {
      const changes = batch.map(({ change }) => change);
      const answers = await link.run((database) => database.changeAll(changes, incarnation));
      this.#inFlight = [];
      // The row of a claim of an ended life is dead with it.
      if (!this.#options.isOf(incarnation)) {
        this.#waiting.unshift(...batch);
        return true;
      }
      answered(answers, batch);
      void link.run((database) => database.notify()).catch(() => {});
      return true;
    } catch (error) {
      this.#inFlight = [];
      this.#waiting.unshift(...batch);
      if (error instanceof NotConnectedError || this.#isStopped) return false;
      failed(error);
      // A statement without an answer may have been executed: its row is cleaned up later, and its number not used.
      for (const pending of batch) pending.isSent = true;
      await pause(RETRY_MS, undefined, { ref: false });
      return true;
    }
  }
}
