/** A batch on its way into the database: built once, when it is first its turn. Never that `build` runs twice. */
import { type IdSequence, suffixOf } from '../../core/id.ts';
import { type BatchOperation, toBatchOperation } from '../batch.ts';
import type { Conflict, Revision, WriteOperation } from '../store.ts';
import { checkStorable } from './text.ts';

export type Outcome =
  | { readonly revision: Revision }
  | { readonly conflict: Conflict }
  /** The batch was not written because the database could not: why. */
  | { readonly unavailable: string }
  /** Building it threw this. */
  | { readonly failed: unknown };

/** The fate of some batches, in their order. */
export interface Acknowledgement {
  readonly outcomes: readonly Outcome[];
  /** The last revision that is committed, and the kinds that these batches touched. */
  readonly revision: Revision;
  readonly kinds: readonly string[];
  /** Whether a queue may have grown. */
  readonly enqueued: boolean;
}

export interface BuiltBatch {
  readonly operations: readonly BatchOperation[];
  /** The last id suffix that was handed out when this batch was built. */
  readonly lastId: string;
}

export class PendingBatch {
  readonly #build: (newId: (prefix: string) => string) => readonly WriteOperation[];
  #built: BuiltBatch | null = null;
  #failure: { readonly failed: unknown } | null = null;
  #firstId: string | null = null;

  constructor(build: (newId: (prefix: string) => string) => readonly WriteOperation[]) {
    this.#build = build;
  }

  /**
   * Called while the lock is held that hands out ids, `lastId` being the last one committed; again when a transaction is
   * repeated. Then the batch stays what it was, unless others committed greater ids meanwhile: to write it now would put it
   * behind them, and to build it anew is not allowed, so it is refused.
   */
  prepare(ids: IdSequence, lastId: string): BuiltBatch | Outcome {
    if (this.#failure !== null) return this.#failure;
    if (this.#built === null) return this.#buildWith(ids);
    if (this.#firstId !== null && this.#firstId <= lastId) {
      return { unavailable: 'the connection was lost, and others have written since' };
    }
    return this.#built;
  }

  #buildWith(ids: IdSequence): BuiltBatch | Outcome {
    try {
      const operations = this.#build((prefix) => {
        const id = ids.next(prefix);
        this.#firstId ??= suffixOf(id);
        return id;
      }).map(toBatchOperation);
      operations.forEach(checkStorable);
      this.#built = { operations, lastId: ids.last };
      return this.#built;
    } catch (failed) {
      this.#failure = { failed };
      return this.#failure;
    }
  }
}
