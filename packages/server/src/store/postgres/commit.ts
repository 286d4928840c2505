/**
 * Group commit: many batches in one transaction. Each batch succeeds or is refused by itself.
 * Invariant: an outcome is reported only when it is durable, and nothing is built before the lock is held.
 */
import type { Client } from 'pg';
import { IdSequence, type IdSequenceOptions } from '../../core/id.ts';
import { APPLY_GROUP } from './apply.ts';
import type { Acknowledgement, BuiltBatch, Outcome, PendingBatch } from './batch.ts';
import { prepared } from './connect.ts';
import { isConnectionLoss } from './failure.ts';
import type { History } from './history.ts';

/** The connection was lost during the commit. The transaction may have been committed or not. */
export class CommitUncertainError extends Error {
  override readonly name = 'CommitUncertainError';
  /** The acknowledgement, if it was committed. */
  readonly acknowledgement: Acknowledgement;
  constructor(acknowledgement: Acknowledgement, cause: unknown) {
    super('the connection was lost during a commit', { cause });
    this.acknowledgement = acknowledgement;
  }
}

interface Answer extends Omit<Acknowledgement, 'enqueued'> {
  /** The mark of the transaction; null if it wrote nothing new. */
  readonly mark?: string | null;
  /** Nothing was written, because the database has another history than the batches were built from. */
  readonly foreign?: true;
}

const LOCK = 'SELECT last_id FROM underpass.state FOR UPDATE';

export class GroupCommit {
  readonly #retained: number;
  readonly #origin: string;
  readonly #clock: Pick<IdSequenceOptions, 'now' | 'random'>;
  readonly #history: History;
  /** The last id suffix that this process assigned, also to refused batches. */
  #lastId = '';

  /**
   * `retainedRevisions` is the minimal length of the change log. `origin` names this process in notifications and among
   * the writers.
   */
  constructor(
    retainedRevisions: number,
    origin: string,
    clock: Pick<IdSequenceOptions, 'now' | 'random'>,
    history: History,
  ) {
    this.#retained = retainedRevisions;
    this.#origin = origin;
    this.#clock = clock;
    this.#history = history;
  }

  /**
   * `server` is the identity behind the connection, or null if it shows none. Rejects with CommitUncertainError, or
   * with another error if nothing was written. Do not use the connection again after an error.
   */
  async commit(
    client: Client,
    batches: readonly PendingBatch[],
    server: string | null,
  ): Promise<Acknowledgement> {
    const { known } = this.#history;
    await client.query('BEGIN');
    const { rows } = await client.query(LOCK);
    const ready = this.#prepare(batches, String(rows[0]?.last_id));
    const built = ready.filter((one) => 'operations' in one);
    const values = [
      JSON.stringify(built),
      this.#retained,
      this.#origin,
      server,
      known?.revision,
      known?.mark,
    ];
    const applied = await client.query({ ...prepared(client, APPLY_GROUP), values });
    const answer = applied.rows[0]?.answer as Answer;
    if (answer.foreign) {
      await client.query('COMMIT');
      this.#history.differs(answer.revision);
      const unavailable = 'the database goes on from another history than it was read in';
      return { ...answer, outcomes: batches.map(() => ({ unavailable })), enqueued: false };
    }
    const enqueued = built.some(({ operations }) => operations.some(({ op }) => op === 'enqueue'));
    const acknowledgement = { ...answer, outcomes: merge(ready, answer.outcomes), enqueued };
    try {
      await client.query('COMMIT');
    } catch (error) {
      throw isConnectionLoss(error) ? new CommitUncertainError(acknowledgement, error) : error;
    }
    if (typeof answer.mark === 'string')
      this.#history.learn({ revision: answer.revision, mark: answer.mark });
    return acknowledgement;
  }

  /** Finds out if an unacknowledged commit happened. Taking the lock first waits for its end. */
  async wasCommitted(client: Client, { acknowledgement }: CommitUncertainError): Promise<boolean> {
    await client.query(LOCK);
    const { rows } = await client.query('SELECT revision FROM underpass.writers WHERE origin = $1', [
      this.#origin,
    ]);
    return Number(rows[0]?.revision) === acknowledgement.revision;
  }

  #prepare(batches: readonly PendingBatch[], lastId: string): (BuiltBatch | Outcome)[] {
    // Ids that were lost with a history are not assigned again.
    const last = [lastId, this.#lastId, this.#history.lastId].toSorted().at(-1) ?? '';
    const ids = new IdSequence({ ...this.#clock, last });
    const ready = batches.map((batch) => batch.prepare(ids, lastId));
    this.#lastId = ids.last;
    return ready;
  }
}

/** Merges the server's outcomes with those that were known before. */
function merge(ready: readonly (BuiltBatch | Outcome)[], sent: readonly Outcome[]): Outcome[] {
  let at = 0;
  return ready.map((one) => {
    if (!('operations' in one)) return one;
    return sent[at++] ?? { unavailable: 'the server did not answer for this batch' };
  });
}
