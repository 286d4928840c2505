/**
 * The one writer of this process. It queues batches, commits the queued ones as one group, and settles their promises.
 * Invariant: a write is acknowledged only when its commit is certain.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import {
  ConflictError,
  type Revision,
  StoreFullError,
  StoreRefusedError,
  StoreUnavailableError,
  WriteOutcomeUnknownError,
} from '../store.ts';
import type { Acknowledgement, Outcome, PendingBatch } from './batch.ts';
import { CommitUncertainError, type GroupCommit } from './commit.ts';
import { type Admission, abandon, connectWriter } from './connect.ts';
import { isConnectionLoss, isFull, isLasting, mayRetry, reasonOf } from './failure.ts';
import { type Identity, textOf } from './identity.ts';

/** Batches in a group at most. It bounds the time that other daemons wait for the lock. */
const LARGEST_GROUP = 200;
/** Attempts to begin a transaction. An idle connection may be dead, and its successor may fail in the same restart. */
const ATTEMPTS = 3;
const ASK_AGAIN_MS = 100;

interface Waiting {
  readonly batch: PendingBatch;
  readonly resolve: (revision: Revision) => void;
  readonly reject: (error: unknown) => void;
}

interface Failure {
  readonly failure: unknown;
  readonly again: boolean;
}

export interface WriterOptions {
  readonly url: string;
  readonly group: GroupCommit;
  readonly admit: Admission;
  /** Milliseconds during which the writer tries to find out the outcome of an unacknowledged commit. */
  readonly certaintyMs: number;
  /** Called for every commit before the promises of its batches are settled. They wait for it. */
  readonly committed: (commit: Acknowledgement) => Promise<void>;
}

export class Writer {
  readonly #options: WriterOptions;
  #queue: Waiting[] = [];
  #running: Promise<void> | null = null;
  #client: Client | null = null;
  /** The identity of the server behind the connection. */
  #server: string | null = null;
  #isStale = false;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  send(batch: PendingBatch): Promise<Revision> {
    const { promise, resolve, reject } = Promise.withResolvers<Revision>();
    this.#queue.push({ batch, resolve, reject });
    this.#running ??= this.#run();
    return promise;
  }

  /** Abandons a connection to a former primary. The next write opens another. */
  renew(): void {
    this.#isStale = true;
    if (this.#running === null) this.#disconnect();
  }

  /** Waits for all outcomes, then ends the connection. */
  async close(): Promise<void> {
    await this.#running;
    await this.#client?.end();
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      const group = this.#queue.splice(0, LARGEST_GROUP);
      await this.#commit(group);
    }
    this.#running = null;
  }

  async #commit(group: readonly Waiting[]): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const result = await this.#attempt(group);
      if ('outcomes' in result) return await this.#answer(group, result);
      const { failure, again } = result;
      if (failure instanceof CommitUncertainError) {
        const committed = await this.#ask(failure);
        if (committed === true) return await this.#answer(group, failure.acknowledgement);
        if (committed === null) return leaveOpen(group, failure);
      }
      if (attempt < ATTEMPTS && again) continue;
      if (group.length === 1 || isConnectionLoss(failure)) return refuse(group, failure);
      // A batch that cannot be stored, for example because of its size, must not fail its neighbours.
      for (const one of group) await this.#commit([one]);
      return;
    }
  }

  /** A server that accepts no connection is not retried here. The caller of the write can retry. */
  async #attempt(group: readonly Waiting[]): Promise<Acknowledgement | Failure> {
    let client: Client;
    try {
      client = await this.#connected();
    } catch (failure) {
      return { failure, again: false };
    }
    try {
      return await this.#options.group.commit(
        client,
        group.map(({ batch }) => batch),
        this.#server,
      );
    } catch (failure) {
      this.#disconnect();
      return { failure, again: failure instanceof CommitUncertainError || mayRetry(failure) };
    }
  }

  /** Returns null if the server could not be reached in time. */
  async #ask(failure: CommitUncertainError): Promise<boolean | null> {
    const deadline = performance.now() + this.#options.certaintyMs;
    do {
      try {
        return await this.#options.group.wasCommitted(await this.#connected(), failure);
      } catch {
        this.#disconnect();
        await pause(ASK_AGAIN_MS);
      }
    } while (performance.now() < deadline);
    return null;
  }

  async #answer(group: readonly Waiting[], acknowledgement: Acknowledgement): Promise<void> {
    await this.#options.committed(acknowledgement);
    for (const [at, { resolve, reject }] of group.entries()) {
      const outcome: Outcome = acknowledgement.outcomes[at] ?? { unavailable: 'it was not answered' };
      if ('revision' in outcome) resolve(outcome.revision);
      else if ('conflict' in outcome) reject(new ConflictError(outcome.conflict));
      else if ('failed' in outcome) reject(outcome.failed);
      else reject(new StoreUnavailableError(`the write was not done: ${outcome.unavailable}`));
    }
  }

  async #connected(): Promise<Client> {
    if (this.#client !== null && !this.#isStale) return this.#client;
    this.#disconnect();
    const admit = (identity: Identity) => {
      this.#options.admit(identity);
      this.#server = textOf(identity);
    };
    this.#client = await connectWriter(this.#options.url, admit, (ended) => {
      if (this.#client === ended) this.#client = null;
    });
    this.#isStale = false;
    return this.#client;
  }

  #disconnect(): void {
    const client = this.#client;
    this.#client = null;
    if (client !== null) abandon(client);
  }
}

function refuse(group: readonly Waiting[], cause: unknown): void {
  const Unavailable = isFull(cause)
    ? StoreFullError
    : isLasting(cause)
      ? StoreRefusedError
      : StoreUnavailableError;
  const error = new Unavailable(`the write was not done: ${reasonOf(cause)}`, { cause });
  for (const { reject } of group) reject(error);
}

/** Batches that were refused within the transaction were not written in any case. */
function leaveOpen(group: readonly Waiting[], { acknowledgement, cause }: CommitUncertainError): void {
  const written = group.filter((_, at) => 'revision' in (acknowledgement.outcomes[at] ?? {}));
  const why = `it is not known whether the write was done: ${reasonOf(cause)}`;
  for (const { reject } of written) reject(new WriteOutcomeUnknownError(why, { cause }));
  refuse(
    group.filter((one) => !written.includes(one)),
    cause,
  );
}
