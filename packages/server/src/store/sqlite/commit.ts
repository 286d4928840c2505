/**
 * Group commit: many batches, one transaction, one fsync. Each batch succeeds or is refused by itself.
 * Invariant: an outcome is reported only when it is durable.
 */
import type { DatabaseSync } from 'node:sqlite';
import { BatchWriter } from './apply.ts';
import type { Acknowledgement, Batch, Outcome } from './batch.ts';
import { isFull, isInputOutputError, reasonOf } from './failure.ts';
import { FileRemovedError, type OpenFiles, requireFiles } from './open-files.ts';

/** Revisions by which the log is shortened at a time, which takes about a millisecond. */
const COMPACTION_STEP = 1000;

export class GroupCommit {
  readonly #database: DatabaseSync;
  readonly #writer: BatchWriter;
  readonly #retained: number;
  readonly #files: OpenFiles;
  readonly #statements;

  /** `retainedRevisions` is the minimal length of the change log. `files` are checked: a commit must go into them. */
  constructor(database: DatabaseSync, retainedRevisions: number, files: OpenFiles = []) {
    this.#database = database;
    this.#files = files;
    this.#writer = new BatchWriter(database);
    this.#retained = retainedRevisions;
    this.#statements = {
      state: database.prepare('SELECT revision, compacted, queued FROM state'),
      advance: database.prepare('UPDATE state SET revision = ?, last_id = ?, queued = ?'),
      cut: database.prepare('DELETE FROM changes WHERE revision <= ?'),
      compacted: database.prepare('UPDATE state SET compacted = ?'),
    };
  }

  commit(batches: readonly Batch[]): Acknowledgement {
    this.#writer.forget();
    const outcomes = this.#commitGroup(batches);
    let revision = 0;
    for (const outcome of outcomes) if ('revision' in outcome) revision = outcome.revision;
    const { touchedKinds, overwritten } = this.#writer;
    const enqueued = batches.some(({ operations }) => operations.some(({ op }) => op === 'enqueue'));
    return { outcomes, revision, kinds: [...touchedKinds], overwritten, enqueued };
  }

  #commitGroup(batches: readonly Batch[]): readonly Outcome[] {
    let outcomes: readonly Outcome[] | null = null;
    try {
      this.#database.exec('BEGIN IMMEDIATE');
      outcomes = this.#applyAll(batches);
      requireFiles(this.#files);
      this.#database.exec('COMMIT');
      return outcomes;
    } catch (error) {
      const failure = this.#rollback(error);
      // If a disk fails during a commit, only the next read of the log shows what it has kept.
      if (outcomes !== null && isInputOutputError(error))
        return outcomes.map((outcome) =>
          'revision' in outcome ? { unknown: reasonOf(error) } : { unavailable: reasonOf(error) },
        );
      const why = reasonOf(failure);
      if (failure instanceof FileRemovedError) return batches.map(() => ({ removed: why }));
      if (batches.length === 1) return [isFull(failure) ? { full: why } : { unavailable: why }];
      // A batch that cannot be stored, for example because of its size, must not fail its neighbours.
      return batches.flatMap((batch) => this.#commitGroup([batch]));
    }
  }

  #applyAll(batches: readonly Batch[]): Outcome[] {
    const state = this.#statements.state.get();
    const before = Number(state?.revision);
    let revision = before;
    let lastId = '';
    this.#writer.position = Number(state?.queued);
    const outcomes = batches.map((batch): Outcome => {
      this.#database.exec('SAVEPOINT batch');
      const conflict = this.#writer.apply(batch.operations, revision + 1);
      if (conflict !== null) {
        this.#database.exec('ROLLBACK TO batch');
        this.#writer.undone();
      }
      this.#database.exec('RELEASE batch');
      if (conflict !== null) return { conflict };
      revision += 1;
      lastId = batch.lastId;
      return { revision };
    });
    if (revision > before) {
      this.#statements.advance.run(revision, lastId, this.#writer.position);
      this.#compact(revision, Number(state?.compacted));
    }
    return outcomes;
  }

  #compact(revision: number, compacted: number): void {
    const bound = revision - this.#retained;
    if (bound < compacted + Math.min(COMPACTION_STEP, this.#retained)) return;
    this.#statements.cut.run(bound);
    this.#statements.compacted.run(bound);
  }

  /** SQLite ends the transaction by itself after some errors. */
  #rollback(error: unknown): unknown {
    this.#writer.undone();
    try {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      return error;
    } catch (failure) {
      return failure;
    }
  }
}
