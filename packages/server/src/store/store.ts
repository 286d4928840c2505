/**
 * The interface that SQLite and PostgreSQL implement: documents with revisions. It knows neither SQL nor HTTP nor the
 * rules of a resource.
 */

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };
export type JsonObject = { readonly [key: string]: JsonValue };

/** A position in the change log. Every write takes the next one, or a later one. 0 is before the first. */
export type Revision = number;

export interface Link {
  /** The field of the reference, e.g. `backend.backend_id`. */
  readonly field: string;
  readonly to: string;
  /** True if the target must exist in the same account at the write, and may not be deleted while the link exists. */
  readonly binding: boolean;
}

/** A claim on a value that only one document may hold, e.g. `{kind: 'hostport', value: 'a.example.com:443'}`. */
export interface NameClaim {
  readonly kind: string;
  readonly value: string;
}

export interface StoredDocument {
  readonly id: string;
  readonly account: string;
  readonly kind: string;
  /** The id of the parent document. The document is deleted with it. */
  readonly parent: string | null;
  readonly body: JsonObject;
  /** The revision that wrote this state. */
  readonly revision: Revision;
}

/**
 * An entry in the queue of a document. It is no document: nothing refers to it, and it is not in the change log. If its
 * document is deleted, it can no longer be read but stays stored until it is cleared. A write that deleted a long queue
 * would block all others.
 */
export interface QueueEntry {
  /** Greater than any earlier position in any queue, and never assigned again. */
  readonly position: number;
  readonly account: string;
  /** The document whose queue it is. */
  readonly parent: string;
  readonly body: JsonObject;
}

/**
 * A text beside the documents: it is not in the change log, and nothing refers to it. It goes with its account, and one
 * of the kind `use` with the document that its key is the id of.
 */
export interface Note {
  /** The id of a document, or of nothing else. */
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The revision that wrote it. */
  readonly revision: Revision;
  readonly body: JsonObject;
}

/** `use`: the last use of a document. `change`: an entry of the audit trail. `visit`: a login of a visitor. */
export type NoteKind = 'change' | 'use' | 'visit';

/**
 * A block of a series: the traffic of one key in consecutive steps, as text that the store does not read. It is no
 * document: nothing refers to it, and it is not in the change log.
 */
export interface SeriesRow {
  readonly account: string;
  readonly key: string;
  /** Name of the writer. Blocks of several writers add up. */
  readonly node: string;
  /** Seconds of a step. */
  readonly step: number;
  /** Start of the block in seconds since 1970. */
  readonly start: number;
  readonly body: string;
}

/** Selects blocks of some keys that start from `from` on and before `until`, in seconds since 1970. */
export interface SeriesQuery extends Pick<SeriesRow, 'account' | 'step'> {
  readonly keys: readonly string[];
  readonly from: number;
  readonly until: number;
}

export type WriteOperation =
  | {
      readonly op: 'insert';
      readonly id: string;
      readonly account: string;
      readonly kind: string;
      readonly parent: string | null;
      readonly body: JsonObject;
      readonly links: readonly Link[];
      readonly names: readonly NameClaim[];
    }
  | {
      /** Replaces body, links and names of a document whose current revision is `revision`. */
      readonly op: 'replace';
      readonly id: string;
      readonly revision: Revision;
      readonly body: JsonObject;
      readonly links: readonly Link[];
      readonly names: readonly NameClaim[];
      /** Absent: all links and names that are not given are dropped. */
      readonly dropped?: Dropped;
    }
  | {
      /** Replaces only the body, with an equivalent one; links and names stay. */
      readonly op: 'rewrite';
      readonly id: string;
      readonly revision: Revision;
      readonly body: JsonObject;
    }
  | {
      /**
       * Deletes a document with its children, links and names. Refused while a binding link from elsewhere refers to
       * any of them.
       */
      readonly op: 'delete';
      readonly id: string;
      readonly revision: Revision;
    }
  | {
      /** Appends an entry to a document's queue. */
      readonly op: 'enqueue';
      readonly account: string;
      readonly parent: string;
      /**
       * The JSON of its body, which never changes. The caller can often produce the text more cheaply than the store.
       */
      readonly text: string;
    }
  | {
      /** Removes entries from their queues. Missing entries are ignored. */
      readonly op: 'dequeue';
      readonly positions: readonly number[];
    }
  | {
      /** Removes at most `most` entries from the queues of deleted documents. */
      readonly op: 'clear';
      readonly most: number;
    }
  | {
      /** Writes a note. It replaces one of the same key that is not newer. */
      readonly op: 'note';
      readonly kind: NoteKind;
      readonly account: string;
      readonly key: string;
      /** Milliseconds since 1970. */
      readonly at: number;
      /** The JSON of its body. */
      readonly text: string;
      /** True: nothing is written unless the account has a document with this id. */
      readonly needsDocument: boolean;
    }
  | {
      /** Deletes a note. A missing one is ignored. */
      readonly op: 'forget';
      readonly kind: NoteKind;
      readonly account: string;
      readonly key: string;
    }
  | {
      /** Deletes at most `most` notes of a kind that are older than `before`, in milliseconds since 1970. */
      readonly op: 'expire';
      readonly kind: NoteKind;
      readonly before: number;
      readonly most: number;
    }
  | {
      /** Deletes at most `most` notes of an account, those with the smallest keys, if it has more than `keep`. */
      readonly op: 'trim';
      readonly kind: NoteKind;
      readonly account: string;
      readonly keep: number;
      readonly most: number;
    }
  | {
      /** Adds or replaces blocks of series. Those of an account that does not exist are ignored. */
      readonly op: 'keep_series';
      readonly rows: readonly SeriesRow[];
    }
  | {
      /** Removes at most `most` of the oldest blocks of a step that start before `before`. */
      readonly op: 'drop_series';
      readonly step: number;
      readonly before: number;
      readonly most: number;
    }
  | {
      /**
       * Refuses the batch if a tunnel of the directory has one of these names. Until the commit no name is claimed.
       * Without a directory it does nothing.
       */
      readonly op: 'exclude';
      /** The account that may have tunnels at the names. */
      readonly account: string;
      readonly names: readonly ExcludedName[];
    };

export interface ExcludedName {
  /** Keys of the directory that overlap with the name, itself first. */
  readonly keys: readonly string[];
  /** The end of all other keys that overlap with it; null: there are none. */
  readonly below: string | null;
  /** Also a tunnel of the account that is online at exactly this name is refused. */
  readonly includesOwn: boolean;
}

/**
 * Links and names that the writer removes from a document. All others were written by a newer version and stay. A link
 * stays as long as the body has the id of its target.
 */
export interface Dropped {
  readonly links: readonly Omit<Link, 'binding'>[];
  readonly names: readonly NameClaim[];
}

/** The reason why a batch was refused. Nothing of a refused batch is written. */
export type Conflict =
  | {
      readonly reason: 'name-taken';
      readonly claim: NameClaim;
      readonly by: string;
      readonly account: string;
    }
  | { readonly reason: 'stale'; readonly id: string }
  | { readonly reason: 'link-target-missing'; readonly field: string; readonly to: string }
  | { readonly reason: 'parent-missing'; readonly id: string }
  | { readonly reason: 'in-use'; readonly id: string; readonly by: readonly string[] }
  /** `at` is the index of the name that was to be excluded. `how`: its tunnel is online, or was lost a moment ago. */
  | { readonly reason: 'occupied'; readonly at: number; readonly how: 'online' | 'held' };

export class ConflictError extends Error {
  override readonly name = 'ConflictError';
  readonly conflict: Conflict;
  constructor(conflict: Conflict) {
    super(`write refused: ${conflict.reason}`);
    this.conflict = conflict;
  }
}

/** The store is unavailable (closed, disk full, database away). A write was not done and will not be done. */
export class StoreUnavailableError extends Error {
  override readonly name: string = 'StoreUnavailableError';
}

/** The database is full, and the write was not done. Reads continue. */
export class StoreFullError extends StoreUnavailableError {
  override readonly name = 'StoreFullError';
}

/**
 * The database refuses the operation until its operator changes something: rights, a password, a schema, a value it
 * cannot store.
 */
export class StoreRefusedError extends StoreUnavailableError {
  override readonly name = 'StoreRefusedError';
}

/** The database was removed while it was in use, and writes would be lost. Reads continue. */
export class StoreRemovedError extends StoreUnavailableError {
  override readonly name = 'StoreRemovedError';
}

/**
 * The outcome of the write is unknown: read before you repeat it. It is no StoreUnavailableError, so that callers do
 * not confuse the two.
 */
export class WriteOutcomeUnknownError extends Error {
  override readonly name = 'WriteOutcomeUnknownError';
}

/** The change log no longer contains the requested revision: list again. */
export class RevisionCompactedError extends Error {
  override readonly name = 'RevisionCompactedError';
}

/** The database continues from another history than the revision is of. List again, and rely on no earlier state. */
export class OtherHistoryError extends RevisionCompactedError {
  /** The last revision of the database. */
  readonly head: Revision;
  constructor(head: Revision) {
    super('the change log is of another history: list again');
    this.head = head;
  }
}

export interface Change {
  readonly revision: Revision;
  readonly id: string;
  readonly account: string;
  readonly kind: string;
  /**
   * The state that this revision wrote; null if it deleted the document. States that were overwritten before they were
   * read are skipped.
   */
  readonly document: StoredDocument | null;
  /**
   * The document exists in this format, which this program does not know. `follow` does not report it to its followers.
   */
  readonly newerFormat?: number;
}

/** The change log from a revision on. */
export interface ChangeFeed extends AsyncIterable<readonly Change[]> {
  /**
   * The last time at which it had delivered all commits, in milliseconds of `performance.now()`. Absent if every commit
   * is delivered in the same turn.
   */
  readonly caughtUpAt?: number;
  /** The last time at which the log was unavailable, in the same milliseconds. Absent or negative infinity: never. */
  readonly unreadableAt?: number;
  /** Everything up to here was delivered, or is of other kinds. Absent: it is known up to the last change only. */
  readonly position?: Position;
  /** The progress of its reader, like that of a follower. Absent if every commit is delivered in the same turn. */
  reached?(revision: Revision): Promise<boolean>;
}

/** A part of this process that follows the change log. */
export interface LogFollower {
  /**
   * Resolves with true when the follower has processed all changes up to a revision of another process. Resolves with
   * false if it cannot read them now. Waits while the follower lists documents.
   */
  reached(revision: Revision): Promise<boolean>;
}

export interface PageQuery {
  readonly account: string;
  readonly kind: string;
  readonly parent?: string;
  /** Selects only documents with a smaller id. The id itself need not exist. */
  readonly before?: string;
  readonly limit: number;
}

export interface QueueQuery {
  readonly account: string;
  readonly parent: string;
  /** Selects only entries at greater positions. */
  readonly after?: number;
  readonly limit: number;
  /** Bytes of all entries together at most, as JSON in UTF-8. The first one may be larger. */
  readonly bytes?: number;
}

/** Selects one queue, or all queues of the account with those that are not cleared. */
export interface QueueCountQuery {
  readonly account: string;
  readonly parent?: string;
  /** The count stops here, because its cost grows with it. */
  readonly limit: number;
}

export interface NoteQuery {
  readonly kind: NoteKind;
  readonly account: string;
  /** Selects only notes with a smaller key. */
  readonly before?: string;
  readonly limit: number;
}

export interface NameQuery {
  readonly kind: string;
  /** Selects only values that begin with this, in ASCII, and are longer. */
  readonly prefix: string;
  /** Selects only greater values. */
  readonly after?: string;
  readonly limit: number;
}

export interface NameHolder {
  readonly value: string;
  readonly id: string;
  readonly account: string;
}

/** The key that documents are ordered by. */
export interface DocumentKey {
  readonly account: string;
  readonly id: string;
}

/** Identifies a state of a document. */
export interface DocumentState extends DocumentKey {
  readonly revision: Revision;
}

/** A revision with its mark, if a database can continue from another history. */
export interface Position {
  readonly revision: Revision;
  readonly mark?: string;
}

/** Documents, and the revision of their state. */
export interface Slice<Listed = StoredDocument> {
  readonly revision: Revision;
  /** The revision's mark, if a database can continue from another history. The same revision has another mark there. */
  readonly mark?: string;
  readonly documents: readonly Listed[];
}

/**
 * The part of a store that followers need: the state of some kinds, and its changes. It is all that `follow` reads.
 * Invariant: a holder of a feed cannot write.
 */
export interface Feed {
  get(id: string): Promise<StoredDocument | null>;
  /**
   * Returns all documents of some kinds, in every account, in slices of one moment. It does not block the event loop
   * for long. The first slice is empty, so that a caller can read the revision only.
   */
  scan(kinds: readonly string[]): AsyncIterable<Slice>;
  /** Returns states like `scan` does, without the bodies, which are most of the work. Use it to compare. */
  scanStates(kinds: readonly string[]): AsyncIterable<Slice<DocumentState>>;
  /** Returns the result of `scan` at once: the list of list + watch. */
  snapshot(kinds: readonly string[]): Promise<Slice>;
  /**
   * Returns a snapshot of a moment that may be past, for a caller that watches from there. Returns null if nothing was
   * read before.
   */
  firstList?(kinds: readonly string[]): Promise<Slice | null>;
  /**
   * Follows the change log after `from` until `signal` aborts: batches in revision order, complete and without repeats.
   * Watchers receive a write's changes before its promise resolves. Throws RevisionCompactedError; with the `mark` of
   * `from`, also OtherHistoryError.
   */
  watch(from: Revision, kinds: readonly string[], signal: AbortSignal, mark?: string): ChangeFeed;
  /** Registers a follower. Call the returned function when it has stopped. */
  joined?(follower: LogFollower): () => void;
}

export interface Store extends Feed {
  /**
   * Writes one batch atomically. It is durable when the promise resolves with its revision. `build` runs synchronously
   * and once, in commit order, so that `newId(prefix)` returns strictly increasing ids. It may run after this method
   * returned, or never if the store is unavailable by then. Rejects with ConflictError or StoreUnavailableError if
   * nothing was written, or with WriteOutcomeUnknownError.
   */
  write(build: (newId: (prefix: string) => string) => readonly WriteOperation[]): Promise<Revision>;
  /** Returns documents newest first, by a range of keys. The cost does not depend on the depth. */
  page(query: PageQuery): Promise<readonly StoredDocument[]>;
  /** Returns entries of a queue oldest first, by a range of keys. */
  queue(query: QueueQuery): Promise<readonly QueueEntry[]>;
  countQueued(query: QueueCountQuery): Promise<number>;
  /** Returns blocks of series in any order. */
  series(query: SeriesQuery): Promise<readonly SeriesRow[]>;
  /** Returns true if there are entries to clear. */
  hasDeletedQueues(): Promise<boolean>;
  /** Returns notes of an account by descending keys, by a range of keys. */
  notes(query: NoteQuery): Promise<readonly Note[]>;
  /** Returns the notes of an account that have one of these keys, in any order. */
  notesAt(kind: NoteKind, account: string, keys: readonly string[]): Promise<readonly Note[]>;
  /** Returns the time of the oldest note of a kind, in milliseconds since 1970; null if there is none. */
  oldestNote(kind: NoteKind): Promise<number | null>;
  /** Returns the holder of a name. */
  findName(claim: NameClaim): Promise<{ readonly id: string; readonly account: string } | null>;
  /** Returns the newest assigned id suffix of all processes; '' before the first. */
  lastId(): Promise<string>;
  /** Returns the holders of names with a common prefix, in the order of the values, by a range of keys. */
  names(query: NameQuery): Promise<readonly NameHolder[]>;
  /** Returns ids of documents that refer to `id`, at most `limit`. */
  linksTo(id: string, limit: number): Promise<readonly { readonly from: string; readonly field: string }[]>;
  /**
   * Returns links to `id`, at most `limit`, by descending ids of the documents that they are from. Selects only documents
   * with an id below `before`.
   */
  linksBefore(
    id: string,
    limit: number,
    before?: string,
  ): Promise<readonly { readonly from: string; readonly field: string }[]>;
  /**
   * Yields documents whose queues grow, for all writers, until `signal` aborts. A document may be named again without
   * reason. Null comes first, and when the database continues from another history: any queue may have grown before,
   * and all that grow later are named. Throws StoreUnavailableError.
   */
  watchQueues(signal: AbortSignal): AsyncIterable<readonly string[] | null>;
  /** Finishes accepted writes, then closes. */
  close(): Promise<void>;
}
