/**
 * The store on SQLite, in one process: reads on this thread, all writes on the writer thread. SQL is in other files.
 */
import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { IdSequence } from '../../core/id.ts';
import { toBatchOperation } from '../batch.ts';
import { collect } from '../collect.ts';
import { ABOVE_ALL_IDS } from '../prefix.ts';
import { type QueueNews, watchQueues } from '../queue-watch.ts';
import {
  type ChangeFeed,
  type NameClaim,
  type NameQuery,
  type NoteKind,
  type NoteQuery,
  type PageQuery,
  type QueueCountQuery,
  type QueueQuery,
  type Revision,
  RevisionCompactedError,
  type SeriesQuery,
  type Store,
  StoreRemovedError,
  StoreUnavailableError,
  type WriteOperation,
} from '../store.ts';
import { AnsweredRevision, describeLostWrites, findLostWrites } from './answered.ts';
import { connectReader } from './connect.ts';
import { DocumentCache } from './document-cache.ts';
import { reasonOf } from './failure.ts';
import { prepare } from './open.ts';
import { FileRemovedError, filesOf, type OpenFiles, removedOf, requireFiles } from './open-files.ts';
import { ReadTransaction } from './read-transaction.ts';
import { Reader } from './reader.ts';
import { scanSlices, scanStates } from './scan.ts';
import { Watchers } from './watchers.ts';
import { WriterThread } from './writer-thread.ts';

export interface SqliteOptions {
  /** Path of the database file. `<path>.lock` and SQLite's own `<path>-wal` are beside it. */
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Minimal number of revisions in the change log. */
  readonly retainedRevisions?: number;
  /** Called once with a message for the operator if acknowledged writes are lost. */
  readonly onLostWrites?: (message: string) => void;
  /** Called with a message if a file of the database was removed or replaced, and with null when it is back. */
  readonly onRemoved?: (message: string | null) => void;
  /** Milliseconds between two checks of the files. Each write also checks them. */
  readonly lookMs?: number;
}

/** Opens or creates the database. Rejects with StoreOpenError, whose message names the remedy. */
export async function openSqliteStore(options: SqliteOptions): Promise<Store> {
  const { path, now = Date.now, retainedRevisions = 100_000, onLostWrites = warn } = options;
  const { onRemoved = () => {}, lookMs = 1_000 } = options;
  const lock = await prepare(path);
  return new SqliteStore(lock, { path, now, retainedRevisions, onLostWrites, onRemoved, lookMs });
}

class SqliteStore implements Store {
  readonly #path: string;
  readonly #lock: DatabaseSync;
  readonly #connection: DatabaseSync;
  readonly #transaction: ReadTransaction;
  readonly #reader: Reader;
  readonly #writer: WriterThread;
  readonly #watchers: Watchers;
  readonly #queueNews: QueueNews = new Set();
  readonly #cache = new DocumentCache();
  readonly #ids: IdSequence;
  readonly #files: OpenFiles;
  readonly #looking: NodeJS.Timeout;
  #closed: Promise<void> | null = null;

  constructor(lock: DatabaseSync, options: Required<SqliteOptions>) {
    const { path, now, retainedRevisions, onLostWrites, onRemoved, lookMs } = options;
    this.#path = path;
    this.#lock = lock;
    this.#connection = connectReader(path);
    this.#transaction = new ReadTransaction(this.#connection);
    this.#reader = new Reader(this.#connection);
    // The read creates the log, if there is none.
    const { revision, lastId } = this.#reader.state();
    this.#files = filesOf(path);
    this.#looking = lookAfter(this.#files, lookMs, onRemoved);
    this.#watchers = new Watchers((from, kinds) => this.#read((reader) => reader.changes(from, kinds)));
    this.#writer = new WriterThread(
      { path, retainedRevisions, files: this.#files },
      (commit) => {
        this.#transaction.end();
        this.#cache.overwritten(commit?.overwritten ?? null);
        this.#watchers.committed(commit?.revision ?? null, commit?.kinds ?? []);
        if (commit?.enqueued ?? true) this.#tellOfQueues();
      },
      () => this.#reader.state().revision,
    );
    reportLostWrites(path, revision, onLostWrites);
    this.#ids = new IdSequence({ now, random: randomBytes, last: lastId });
  }

  /** Not an async function: the caller must continue neither after nor before the watchers. */
  write(build: (newId: (prefix: string) => string) => readonly WriteOperation[]): Promise<Revision> {
    if (this.#closed !== null) return Promise.reject(new StoreUnavailableError('the store is closed'));
    return this.#writer.send(() => {
      const operations = build(this.#newId).map(toBatchOperation);
      return { operations, lastId: this.#ids.last };
    });
  }

  readonly #newId = (prefix: string): string => this.#ids.next(prefix);

  async get(id: string) {
    if (this.#closed !== null) throw new StoreUnavailableError('the store is closed');
    return this.#cache.get(id) ?? this.#read((reader) => reader.get(id, this.#cache));
  }

  async page(query: PageQuery) {
    return this.#read((reader) => reader.page(query, this.#cache));
  }

  async queue(query: QueueQuery) {
    return this.#read((reader) => reader.queue(query));
  }

  async countQueued(query: QueueCountQuery) {
    return this.#read((reader) => reader.countQueued(query));
  }

  async notes(query: NoteQuery) {
    return this.#read((reader) => reader.notes(query));
  }

  async notesAt(kind: NoteKind, account: string, keys: readonly string[]) {
    return this.#read((reader) => reader.notesAt(kind, account, keys));
  }

  async oldestNote(kind: NoteKind) {
    return this.#read((reader) => reader.oldestNote(kind));
  }

  async series(query: SeriesQuery) {
    return this.#read((reader) => reader.series(query));
  }

  async hasDeletedQueues() {
    return this.#read((reader) => reader.hasDeletedQueues());
  }

  async findName(claim: NameClaim) {
    return this.#read((reader) => reader.findName(claim));
  }

  async names(query: NameQuery) {
    return this.#read((reader) => reader.names(query));
  }

  async lastId() {
    return this.#ids.last;
  }

  async linksTo(id: string, limit: number) {
    return this.#read((reader) => reader.linksTo(id, limit));
  }

  async linksBefore(id: string, limit: number, before = ABOVE_ALL_IDS) {
    return this.#read((reader) => reader.linksBefore(id, limit, before));
  }

  scan(kinds: readonly string[]) {
    return this.#scanned(() => scanSlices(this.#path, kinds));
  }

  scanStates(kinds: readonly string[]) {
    return this.#scanned(() => scanStates(this.#path, kinds));
  }

  async *#scanned<Part>(begin: () => AsyncIterable<Part>): AsyncGenerator<Part> {
    if (this.#closed !== null) throw new StoreUnavailableError('the store is closed');
    try {
      // The thread opens the file at the path.
      requireFiles(this.#files);
      yield* begin();
    } catch (error) {
      throw unavailable(error);
    }
  }

  snapshot(kinds: readonly string[]) {
    return collect(this.scan(kinds));
  }

  watch(from: Revision, kinds: readonly string[], signal: AbortSignal): ChangeFeed {
    return this.#watchers.open(from, kinds, signal);
  }

  watchQueues(signal: AbortSignal) {
    return watchQueues((after) => this.#read((reader) => reader.grownQueues(after)), this.#queueNews, signal);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    clearInterval(this.#looking);
    await this.#writer.close();
    this.#watchers.close();
    this.#tellOfQueues();
    this.#transaction.end();
    this.#connection.close();
    this.#lock.close();
  }

  #tellOfQueues(): void {
    for (const tell of this.#queueNews) tell();
  }

  #read<T>(query: (reader: Reader) => T): T {
    if (this.#closed !== null) throw new StoreUnavailableError('the store is closed');
    try {
      this.#transaction.join();
      return query(this.#reader);
    } catch (error) {
      throw error instanceof RevisionCompactedError ? error : unavailable(error);
    }
  }
}

function reportLostWrites(path: string, revision: Revision, report: (message: string) => void): void {
  const lost = findLostWrites(path, revision);
  if (lost === null) return;
  report(describeLostWrites(path, lost));
  // Reported once, because the lost revisions are assigned again.
  const answered = new AnsweredRevision(path);
  answered.set(revision);
  answered.close();
}

function warn(message: string): void {
  process.emitWarning(message);
}

function unavailable(error: unknown): StoreUnavailableError {
  if (error instanceof FileRemovedError) return new StoreRemovedError(error.message);
  if (error instanceof StoreUnavailableError) return error;
  return new StoreUnavailableError(`the database cannot be read: ${reasonOf(error)}`, { cause: error });
}

/** Reports each change of the files once. Does not keep the process alive. */
function lookAfter(
  files: OpenFiles,
  everyMs: number,
  onRemoved: (message: string | null) => void,
): NodeJS.Timeout {
  let last: string | null = null;
  return setInterval(() => {
    const removed = removedOf(files);
    if (removed === last) return;
    last = removed;
    onRemoved(removed);
  }, everyMs).unref();
}
