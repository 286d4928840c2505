/**
 * A batch on its way into the database, built when its turn comes.
 * Invariant: `build` never runs twice.
 */
import { type IdSequence, suffixOf } from '../../core/id.ts';
import { type BatchOperation, toBatchOperation } from '../batch.ts';
import type { Conflict, Revision, WriteOperation } from '../store.ts';
import { checkStorable } from './text.ts';

export type Outcome =
  | { readonly revision: Revision }
  | { readonly conflict: Conflict }
  /** The batch was not written, because the database could not. The value is the reason. */
  | { readonly unavailable: string }
  /** The error that `build` threw. */
  | { readonly failed: unknown };

/** The outcomes of some batches, in their order. */
export interface Acknowledgement {
  readonly outcomes: readonly Outcome[];
  /** The last committed revision, and the kinds that these batches touched. */
  readonly revision: Revision;
  readonly kinds: readonly string[];
  /** True if a queue may have grown. */
  readonly enqueued: boolean;
}

export interface BuiltBatch {
  readonly operations: readonly BatchOperation[];
  /** The last id suffix at the time when this batch was built. */
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
   * Builds the batch, while the lock that assigns ids is held. `lastId` is the last committed one. When a transaction
   * is repeated, the batch stays as it was built. If others have committed greater ids meanwhile, it is refused: its
   * ids would be out of order, and it cannot be built again.
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
