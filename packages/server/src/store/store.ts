/**
 * Documents with revisions: the one interface that SQLite and PostgreSQL implement. Never that it knows SQL, HTTP or a
 * resource's rules.
 */

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };
export type JsonObject = { readonly [key: string]: JsonValue };

/** A position in the change log; every write takes the next one, or one further on. 0 is before the first. */
export type Revision = number;

export interface Link {
  /** Where in the document the reference stands, e.g. `backend.backend_id`. */
  readonly field: string;
  readonly to: string;
  /** The target must exist in the same account when this is written, and may not be deleted while this stands. */
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
  /** The id of the document that this one lives and dies with. */
  readonly parent: string | null;
  readonly body: JsonObject;
  /** The revision that wrote this state. */
  readonly revision: Revision;
}

/**
 * What waits in the queue of a document. It is no document: nothing refers to it, and the change log does not tell of it. When the
 * document is deleted nobody reads it any more, and it takes room until it is cleared: a write that deleted a long queue would keep all
 * others waiting.
 */
export interface QueueEntry {
  /** Greater than that of whatever was written before, in any queue; never given again. */
  readonly position: number;
  readonly account: string;
  /** The document whose queue it is. */
  readonly parent: string;
  readonly body: JsonObject;
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
      /** Absent: all that is not given. */
      readonly dropped?: Dropped;
    }
  | {
      /** Replaces the body alone; links and names stay: for a body that means what it meant. */
      readonly op: 'rewrite';
      readonly id: string;
      readonly revision: Revision;
      readonly body: JsonObject;
    }
  | {
      /** Deletes a document with its children, links and names; refused while a binding link from elsewhere points at any of them. */
      readonly op: 'delete';
      readonly id: string;
      readonly revision: Revision;
    }
  | {
      /** Puts an entry at the end of a document's queue. */
      readonly op: 'enqueue';
      readonly account: string;
      readonly parent: string;
      /** The JSON of its body, which is written once and never changed: whoever knows what is in it makes it for less. */
      readonly text: string;
    }
  | {
      /** Takes entries out of their queues. One that is gone by now does no harm. */
      readonly op: 'dequeue';
      readonly positions: readonly number[];
    }
  | {
      /** Takes entries, at most `most`, out of the queues of deleted documents, whichever they are. */
      readonly op: 'clear';
      readonly most: number;
    };

/**
 * Links and names that the writer knows a document to have no longer. What else there is, a newer version has written, and it stays: a link
 * for as long as the body has the id of its target.
 */
export interface Dropped {
  readonly links: readonly Omit<Link, 'binding'>[];
  readonly names: readonly NameClaim[];
}

/** Why a batch was refused. Nothing of a refused batch is written. */
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
  | { readonly reason: 'in-use'; readonly id: string; readonly by: readonly string[] };

export class ConflictError extends Error {
  override readonly name = 'ConflictError';
  readonly conflict: Conflict;
  constructor(conflict: Conflict) {
    super(`write refused: ${conflict.reason}`);
    this.conflict = conflict;
  }
}

/** The store cannot answer now (closed, disk full, database away). Of a write: it was not done and will not be. */
export class StoreUnavailableError extends Error {
  override readonly name: string = 'StoreUnavailableError';
}

/** The database has no room for the write, which was not done. Reading goes on. */
export class StoreFullError extends StoreUnavailableError {
  override readonly name = 'StoreFullError';
}

/** The database refuses what the daemon does, until its operator changes something: rights, a password, a schema, a value it cannot hold. */
export class StoreRefusedError extends StoreUnavailableError {
  override readonly name = 'StoreRefusedError';
}

/** The database was removed while it was in use, and what is written now would be lost. Reading goes on. */
export class StoreRemovedError extends StoreUnavailableError {
  override readonly name = 'StoreRemovedError';
}

/** Whoever could say whether the write was done is gone: it is read before it is repeated. No StoreUnavailableError, so that nobody takes it for one. */
export class WriteOutcomeUnknownError extends Error {
  override readonly name = 'WriteOutcomeUnknownError';
}

/** The change log no longer reaches back to the asked revision: list again. */
export class RevisionCompactedError extends Error {
  override readonly name = 'RevisionCompactedError';
}

/** The database has gone on from another history than the revision is of: list again, and rely on nothing that was known. */
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
  /** The state that this revision wrote; null when it deleted the document. States overwritten before they were read are skipped. */
  readonly document: StoredDocument | null;
  /** The document is there, and of this format, which this program does not know: `follow` tells its followers nothing of it. */
  readonly newerFormat?: number;
}

/** The change log from some revision on. */
export interface ChangeFeed extends AsyncIterable<readonly Change[]> {
  /**
   * When it was last known to have given all that was committed, in milliseconds of `performance.now()`. Absent where nothing is
   * committed without its being told in the same turn.
   */
  readonly caughtUpAt?: number;
  /** When the log was last found away, in the same milliseconds; absent or negative infinity when it never was. */
  readonly unreadableAt?: number;
}

export interface PageQuery {
  readonly account: string;
  readonly kind: string;
  readonly parent?: string;
  /** Only documents with a smaller id; the id itself need not exist any more. */
  readonly before?: string;
  readonly limit: number;
}

export interface QueueQuery {
  readonly account: string;
  readonly parent: string;
  /** Only entries at greater positions. */
  readonly after?: number;
  readonly limit: number;
  /** Only as many as have so many bytes together, as JSON in UTF-8; the first one has any size. */
  readonly bytes?: number;
}

/** Of one queue, or of all of the account with what is yet to be cleared. */
export interface QueueCountQuery {
  readonly account: string;
  readonly parent?: string;
  /** Counts no further: what it costs grows with what is counted. */
  readonly limit: number;
}

export interface NameQuery {
  readonly kind: string;
  /** Only values that begin with this, in ASCII, and are longer. */
  readonly prefix: string;
  /** Only values greater than this one. */
  readonly after?: string;
  readonly limit: number;
}

export interface NameHolder {
  readonly value: string;
  readonly id: string;
  readonly account: string;
}

/** Documents are in the order of these. */
export interface DocumentKey {
  readonly account: string;
  readonly id: string;
}

/** Which state of a document it is. */
export interface DocumentState extends DocumentKey {
  readonly revision: Revision;
}

/** Documents, and the revision that their state is of. */
export interface Slice<Listed = StoredDocument> {
  readonly revision: Revision;
  /** The revision's mark where a database can go on from another history: the same revision there has another one. */
  readonly mark?: string;
  readonly documents: readonly Listed[];
}

export interface Store {
  /**
   * Writes one batch atomically, durable when the promise resolves, and answers its revision.
   * `build` runs synchronously, once and never again, in commit order, so that `newId(prefix)` hands out strictly increasing
   * ids. It may run after this returned; not at all when the store is away by then.
   * Rejects with ConflictError or StoreUnavailableError, when nothing was written, or with WriteOutcomeUnknownError.
   */
  write(build: (newId: (prefix: string) => string) => readonly WriteOperation[]): Promise<Revision>;
  get(id: string): Promise<StoredDocument | null>;
  /** Newest first, as a key-range scan: cost is independent of depth. */
  page(query: PageQuery): Promise<readonly StoredDocument[]>;
  /** What waits in a queue, oldest first, as a key-range scan. */
  queue(query: QueueQuery): Promise<readonly QueueEntry[]>;
  countQueued(query: QueueCountQuery): Promise<number>;
  /** Whether there is anything to clear. */
  hasDeletedQueues(): Promise<boolean>;
  /** Who holds a name. */
  findName(claim: NameClaim): Promise<{ readonly id: string; readonly account: string } | null>;
  /** The suffix of the newest id that was handed out, by whatever process has the database; '' before the first. */
  lastId(): Promise<string>;
  /** Who holds the names that begin alike, in the order of their values, as a key-range scan. */
  names(query: NameQuery): Promise<readonly NameHolder[]>;
  /** Ids of documents that refer to `id`, at most `limit`. */
  linksTo(id: string, limit: number): Promise<readonly { readonly from: string; readonly field: string }[]>;
  /**
   * All documents of some kinds, in every account, in slices of one moment that never hold up the event loop for long.
   * The first slice is empty: whoever wants to know the revision only can leave after it.
   */
  scan(kinds: readonly string[]): AsyncIterable<Slice>;
  /** As `scan`, without what stands in the documents, which is most of the work: for who compares what it has with what there is. */
  scanStates(kinds: readonly string[]): AsyncIterable<Slice<DocumentState>>;
  /** What `scan` gives, at once: the list of list + watch. */
  snapshot(kinds: readonly string[]): Promise<Slice>;
  /** As `snapshot`, but of a moment that may be past, for whoever watches from there on. Null where nothing was read before. */
  firstList?(kinds: readonly string[]): Promise<Slice | null>;
  /**
   * Follows the change log from after `from`: batches in revision order, without gap or double, until `signal` aborts.
   * A write's changes are handed to watchers before its own promise resolves. Throws RevisionCompactedError; with the `mark` of `from`,
   * also OtherHistoryError.
   */
  watch(from: Revision, kinds: readonly string[], signal: AbortSignal, mark?: string): ChangeFeed;
  /**
   * The documents whose queues grow, whoever writes, until `signal` aborts; one may be named again without reason. Null: all that
   * grow from then on are named, and any may have grown before; so first, and when the database goes on from another history. Throws
   * StoreUnavailableError.
   */
  watchQueues(signal: AbortSignal): AsyncIterable<readonly string[] | null>;
  /** Finishes what was accepted, then closes. */
  close(): Promise<void>;
}
