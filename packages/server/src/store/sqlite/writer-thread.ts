/**
 * The main thread's side of the writer thread. It queues batches and settles their promises with the outcomes.
 * Invariant: a write is acknowledged only after the writer acknowledged it.
 */

import { Worker } from 'node:worker_threads';
import { moduleBeside } from '../../core/modules/module-beside.ts';
import {
  ConflictError,
  type Revision,
  StoreFullError,
  StoreRemovedError,
  StoreUnavailableError,
  WriteOutcomeUnknownError,
} from '../store.ts';
import type { Acknowledgement, Batch, Commit, Outcome, WriterOptions } from './batch.ts';
import { reasonOf } from './failure.ts';
import { pack } from './packed.ts';

interface Waiting {
  readonly resolve: (revision: Revision) => void;
  readonly reject: (error: unknown) => void;
}

interface Unsent extends Waiting {
  readonly build: () => Batch;
}

export class WriterThread {
  readonly #options: WriterOptions;
  readonly #committed: (commit: Commit | null) => void;
  readonly #lastRevision: () => Revision;
  /** The last revision that this side knows to be committed. */
  #acknowledged: Revision;
  #worker: Worker | null = null;
  #unsent: Unsent[] = [];
  /** Batches without an outcome, in the order in which they were sent. */
  #waiting: Waiting[] = [];
  #idle: (() => void) | null = null;

  /**
   * `committed` is called for every commit before the promises of its batches are settled; with null if some may have
   * been missed. `lastRevision` reads the last committed revision, and may throw.
   */
  constructor(
    options: WriterOptions,
    committed: (commit: Commit | null) => void,
    lastRevision: () => Revision,
  ) {
    this.#options = options;
    this.#committed = committed;
    this.#lastRevision = lastRevision;
    this.#acknowledged = lastRevision();
    this.#worker = this.#start();
    this.#worker.unref();
  }

  /** Rejects with what `build` throws. */
  send(build: () => Batch): Promise<Revision> {
    const { promise, resolve, reject } = Promise.withResolvers<Revision>();
    // Batches of one turn of the event loop are sent as one message.
    if (this.#unsent.push({ build, resolve, reject }) === 1) setImmediate(() => this.#flush());
    return promise;
  }

  /** Waits for all outcomes, then ends the thread. */
  async close(): Promise<void> {
    if (!this.#isIdle) await new Promise<void>((resolve) => (this.#idle = resolve));
    const worker = this.#worker;
    if (worker === null) return;
    worker.ref();
    const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    worker.postMessage(null);
    await exited;
  }

  /** Ends the thread at once and rejects waiting batches. The next batch starts a new thread. */
  async kill(): Promise<void> {
    await this.#worker?.terminate();
  }

  get #isIdle(): boolean {
    return this.#unsent.length === 0 && this.#waiting.length === 0;
  }

  /**
   * Sends all batches of one turn. Single messages between other work of a request cost markedly more
   * (docs/about/performance.md).
   */
  #flush(): void {
    const unsent = this.#unsent;
    this.#unsent = [];
    const batches: Batch[] = [];
    const built: Waiting[] = [];
    for (const one of unsent) {
      try {
        batches.push(one.build());
        built.push(one);
      } catch (error) {
        one.reject(error);
      }
    }
    try {
      if (batches.length > 0) this.#post(batches);
      this.#waiting.push(...built);
    } catch (error) {
      const refusal = errorOf({ unavailable: reasonOf(error) });
      for (const { reject } of built) reject(refusal);
    }
    this.#rest();
  }

  #post(batches: readonly Batch[]): void {
    const worker = this.#worker ?? this.#start();
    this.#worker = worker;
    worker.ref();
    worker.postMessage(pack(batches));
  }

  #start(): Worker {
    const worker = new Worker(moduleBeside(import.meta.url, 'writer'), { workerData: this.#options });
    let cause = 'the writer thread ended';
    worker.on('message', (acknowledgement: Acknowledgement) => {
      this.#acknowledged = Math.max(this.#acknowledged, acknowledgement.revision);
      this.#committed(acknowledgement);
      this.#settle(acknowledgement.outcomes);
    });
    worker.on('error', (error) => {
      cause = reasonOf(error);
    });
    worker.on('exit', () => {
      this.#worker = null;
      const lost = this.#waiting.length;
      if (lost === 0) return;
      this.#committed(null);
      this.#settle(new Array<Outcome>(lost).fill(this.#lostOutcome(cause)));
    });
    return worker;
  }

  /**
   * Returns the outcome of batches that a dead thread did not acknowledge. The database shows if any was written, but
   * not which.
   */
  #lostOutcome(cause: string): Outcome {
    try {
      const before = this.#acknowledged;
      this.#acknowledged = this.#lastRevision();
      return this.#acknowledged === before ? { unavailable: cause } : { unknown: cause };
    } catch {
      return { unknown: cause };
    }
  }

  #settle(outcomes: readonly Outcome[]): void {
    const settled = this.#waiting.splice(0, outcomes.length);
    for (const [at, waiting] of settled.entries()) {
      const outcome = outcomes[at] ?? { unavailable: 'the writer thread did not answer' };
      if ('revision' in outcome) waiting.resolve(outcome.revision);
      else waiting.reject(errorOf(outcome));
    }
    this.#rest();
  }

  #rest(): void {
    // An idle store does not keep the process alive.
    if (this.#waiting.length === 0) this.#worker?.unref();
    if (this.#isIdle) this.#idle?.();
  }
}

function errorOf(outcome: Exclude<Outcome, { readonly revision: Revision }>): Error {
  if ('conflict' in outcome) return new ConflictError(outcome.conflict);
  if ('full' in outcome) return new StoreFullError(`the write was not done: ${outcome.full}`);
  if ('removed' in outcome) return new StoreRemovedError(`the write was not done: ${outcome.removed}`);
  if ('unavailable' in outcome)
    return new StoreUnavailableError(`the write was not done: ${outcome.unavailable}`);
  return new WriteOutcomeUnknownError(`it is not known whether the write was done: ${outcome.unknown}`);
}
