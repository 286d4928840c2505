/**
 * Group commit: many batches, one transaction; each batch succeeds or is refused by itself. Never that an outcome is given
 * before it is durable, or that anything is built before the lock is held.
 */
import type { Client } from 'pg';
import { IdSequence, type IdSequenceOptions } from '../../core/id.ts';
import { APPLY_GROUP } from './apply.ts';
import type { Acknowledgement, BuiltBatch, Outcome, PendingBatch } from './batch.ts';
import { isConnectionLoss } from './failure.ts';

/** The connection was lost while the transaction was being committed: it was, or it was not. */
export class CommitUncertainError extends Error {
  override readonly name = 'CommitUncertainError';
  /** What is true if it was. */
  readonly acknowledgement: Acknowledgement;
  constructor(acknowledgement: Acknowledgement, cause: unknown) {
    super('the connection was lost during a commit', { cause });
    this.acknowledgement = acknowledgement;
  }
}

const LOCK = 'SELECT last_id FROM underpass.state FOR UPDATE';

export class GroupCommit {
  readonly #retained: number;
  readonly #origin: string;
  readonly #clock: Pick<IdSequenceOptions, 'now' | 'random'>;
  /** The last id suffix that this process handed out, also to batches that were refused. */
  #lastId = '';

  /** `retainedRevisions`: how far back the change log reaches at least. `origin`: this process, in notifications and among the writers. */
  constructor(retainedRevisions: number, origin: string, clock: Pick<IdSequenceOptions, 'now' | 'random'>) {
    this.#retained = retainedRevisions;
    this.#origin = origin;
    this.#clock = clock;
  }

  /** Rejects with CommitUncertainError, or with another error when nothing was written; the connection is then not to be used again. */
  async commit(client: Client, batches: readonly PendingBatch[]): Promise<Acknowledgement> {
    await client.query('BEGIN');
    const { rows } = await client.query(LOCK);
    const prepared = this.#prepare(batches, String(rows[0]?.last_id));
    const built = prepared.filter((one) => 'operations' in one);
    const applied = await client.query({
      ...APPLY_GROUP,
      values: [JSON.stringify(built), this.#retained, this.#origin],
    });
    const answer = applied.rows[0]?.answer as Omit<Acknowledgement, 'enqueued'>;
    const enqueued = built.some(({ operations }) => operations.some(({ op }) => op === 'enqueue'));
    const acknowledgement = { ...answer, outcomes: merge(prepared, answer.outcomes), enqueued };
    try {
      await client.query('COMMIT');
    } catch (error) {
      throw isConnectionLoss(error) ? new CommitUncertainError(acknowledgement, error) : error;
    }
    return acknowledgement;
  }

  /** What became of a commit that was not answered. Taking the lock first waits for its end. */
  async wasCommitted(client: Client, { acknowledgement }: CommitUncertainError): Promise<boolean> {
    await client.query(LOCK);
    const { rows } = await client.query('SELECT revision FROM underpass.writers WHERE origin = $1', [
      this.#origin,
    ]);
    return Number(rows[0]?.revision) === acknowledgement.revision;
  }

  #prepare(batches: readonly PendingBatch[], lastId: string): (BuiltBatch | Outcome)[] {
    const last = lastId > this.#lastId ? lastId : this.#lastId;
    const ids = new IdSequence({ ...this.#clock, last });
    const prepared = batches.map((batch) => batch.prepare(ids, lastId));
    this.#lastId = ids.last;
    return prepared;
  }
}

/** Puts the outcomes of what was sent between those that were known before. */
function merge(prepared: readonly (BuiltBatch | Outcome)[], sent: readonly Outcome[]): Outcome[] {
  let at = 0;
  return prepared.map((one) => {
    if (!('operations' in one)) return one;
    return sent[at++] ?? { unavailable: 'the server did not answer for this batch' };
  });
}
