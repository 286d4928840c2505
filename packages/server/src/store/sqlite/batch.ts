/** Messages between the main thread and the writer thread. */
import type { BatchOperation } from '../batch.ts';
import type { Conflict, Revision } from '../store.ts';
import type { OpenFiles } from './open-files.ts';

export interface Batch {
  readonly operations: readonly BatchOperation[];
  /** The last id suffix at the time when this batch was built. */
  readonly lastId: string;
}

export type Outcome =
  | { readonly revision: Revision }
  | { readonly conflict: Conflict }
  /** The batch was not written, because the database could not. The value is the reason. */
  | { readonly unavailable: string }
  /** The batch was not written, because the disk is full. The value is SQLite's message. */
  | { readonly full: string }
  /** The batch was not written, because this file was removed or replaced. */
  | { readonly removed: string }
  /** The batch may have been written or not. The value is the reason. */
  | { readonly unknown: string };

/** The outcomes of some batches, in the order in which they were sent. */
export interface Acknowledgement {
  readonly outcomes: readonly Outcome[];
  /** The last committed revision, and the kinds that these batches touched. */
  readonly revision: Revision;
  readonly kinds: readonly string[];
  /** Ids of documents that were changed or deleted. */
  readonly overwritten: readonly string[];
  /** True if a queue may have grown. */
  readonly enqueued: boolean;
}

/** The changes of a commit. `null` in its place means that commits may have been missed. */
export type Commit = Pick<Acknowledgement, 'revision' | 'kinds' | 'overwritten' | 'enqueued'>;

export interface WriterOptions {
  readonly path: string;
  readonly retainedRevisions: number;
  /** The files of the database that the main thread has open. */
  readonly files: OpenFiles;
}
