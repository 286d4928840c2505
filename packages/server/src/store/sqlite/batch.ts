/** What crosses between the main thread and the writer thread. */
import type { BatchOperation } from '../batch.ts';
import type { Conflict, Revision } from '../store.ts';
import type { OpenFiles } from './open-files.ts';

export interface Batch {
  readonly operations: readonly BatchOperation[];
  /** The last id suffix that was handed out when this batch was built. */
  readonly lastId: string;
}

export type Outcome =
  | { readonly revision: Revision }
  | { readonly conflict: Conflict }
  /** The batch was not written because the database could not: why. */
  | { readonly unavailable: string }
  /** It was not written because there is no room: SQLite's words. */
  | { readonly full: string }
  /** It was not written because the file is not in its place: which one. */
  | { readonly removed: string }
  /** It may have been written or not: why that is not known. */
  | { readonly unknown: string };

/** The fate of some batches, in the order in which they were sent. */
export interface Acknowledgement {
  readonly outcomes: readonly Outcome[];
  /** The last revision that is committed, and the kinds that these batches touched. */
  readonly revision: Revision;
  readonly kinds: readonly string[];
  /** Documents that are no longer what they were, or no longer there. */
  readonly overwritten: readonly string[];
  /** Whether a queue may have grown. */
  readonly enqueued: boolean;
}

/** What a commit changed; `null` in place of one says that commits may have been missed. */
export type Commit = Pick<Acknowledgement, 'revision' | 'kinds' | 'overwritten' | 'enqueued'>;

export interface WriterOptions {
  readonly path: string;
  readonly retainedRevisions: number;
  /** Of the database, which the main thread has open. */
  readonly files: OpenFiles;
}
