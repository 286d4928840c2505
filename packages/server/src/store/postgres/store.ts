/**
 * The store on PostgreSQL, for one or several processes. It reads over a few connections, and writes over one for each
 * process. SQL is in other files.
 */
import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import { collect } from '../collect.ts';
import { StoreOpenError } from '../open-error.ts';
import { ABOVE_ALL_IDS } from '../prefix.ts';
import { type QueueNews, watchQueues } from '../queue-watch.ts';
import {
  type ChangeFeed,
  type NameClaim,
  type NameQuery,
  type NoteKind,
  type NoteQuery,
  OtherHistoryError,
  type PageQuery,
  type QueueCountQuery,
  type QueueQuery,
  type Revision,
  RevisionCompactedError,
  type SeriesQuery,
  type Store,
  StoreRefusedError,
  StoreUnavailableError,
  type WriteOperation,
} from '../store.ts';
import type { LogPart } from '../watcher.ts';
import { PendingBatch } from './batch.ts';
import { GroupCommit } from './commit.ts';
import type { Admission } from './connect.ts';
import { isLasting, reasonOf } from './failure.ts';
import { History } from './history.ts';
import { Listener } from './listener.ts';
import { Neighbours } from './neighbours.ts';
import { prepare } from './open.ts';
import { Reader } from './reader.ts';
import { Readers } from './readers.ts';
import { scanSlices, scanStates } from './scan.ts';
import { sharedReads } from './shared-reads.ts';
import { Watchers } from './watchers.ts';
import { Writer } from './writer.ts';

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`, with the parameters of settings.ts. */
  readonly url: string;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Minimal number of revisions in the change log. */
  readonly retainedRevisions?: number;
  /** Milliseconds between two reads of the log without a notification. */
  readonly pollMs?: number;
  /** Milliseconds during which the store tries to find out the outcome of a commit without response. */
  readonly certaintyMs?: number;
  /** Called with a message for the operator if the database continues from another history. */
  readonly onOtherHistory?: (message: string) => void;
  /** Called if connections lead to another server of the cluster, or another cluster, than before. */
  readonly onOtherServer?: () => void;
  /** Present for daemons, which are shown to others. Called with the number of other daemons whenever it changes. */
  readonly onOtherDaemons?: (others: number) => void;
  /** True for a daemon beside which no other one may use the database. */
  readonly isAlone?: boolean;
  /** Called with a message if a daemon may not use the database beside others any more. */
  readonly onNotAlone?: (message: string) => void;
}

/** Opens the store, and creates or upgrades its schema. Rejects with StoreOpenError, whose message names the remedy. */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const { url, now = Date.now, retainedRevisions = 100_000, pollMs = 5_000, certaintyMs = 5_000 } = options;
  const { onOtherHistory = () => {}, onOtherServer = () => {} } = options;
  await prepare(url);
  const { onOtherDaemons = null, isAlone = false, onNotAlone = () => {} } = options;
  const store = new PostgresStore({
    ...{ url, now, retainedRevisions, pollMs, certaintyMs, onOtherHistory, onOtherServer },
    ...{ onOtherDaemons, isAlone, onNotAlone },
  });
  if (await store.admitted) return store;
  await store.close();
  throw new StoreOpenError('locked', notAlone(isAlone));
}

function notAlone(isAlone: boolean): string {
  return isAlone
    ? 'another daemon uses the database, and --alone states that this is the only one. Stop the other daemon, or start this one without --alone.'
    : 'a daemon with --alone uses the database. Start that one without --alone before a second one, or stop it.';
}

interface StoreOptions extends Required<Omit<PostgresOptions, 'onOtherDaemons'>> {
  readonly onOtherDaemons: ((others: number) => void) | null;
}

class PostgresStore implements Store {
  readonly #history: History;
  readonly #readers: Readers;
  readonly #reader: Reader;
  readonly #writer: Writer;
  readonly #watchers: Watchers;
  readonly #listener: Listener;
  readonly #neighbours: Neighbours | null;
  readonly #queueNews: QueueNews = new Set();
  #closed: Promise<void> | null = null;
  /** False if this daemon may not use the database beside others. */
  readonly admitted: Promise<boolean>;

  constructor(options: StoreOptions) {
    const { url, now, retainedRevisions, pollMs, certaintyMs } = options;
    const origin = randomBytes(8).toString('hex');
    this.#history = new History({
      changed: options.onOtherHistory,
      moved: () => {
        options.onOtherServer();
        this.#renew();
      },
    });
    const admit: Admission = (identity) => this.#history.admit(identity);
    this.#readers = new Readers(url, admit);
    this.#reader = new Reader(this.#readers);
    this.#watchers = new Watchers(sharedReads((from, kinds, mark) => this.#changes(from, kinds, mark)));
    this.#writer = new Writer({
      url,
      group: new GroupCommit(retainedRevisions, origin, { now, random: randomBytes }, this.#history),
      admit,
      certaintyMs,
      committed: ({ revision, kinds, enqueued }) => {
        if (enqueued) this.#tellOfQueues();
        return this.#watchers.committed(revision, kinds);
      },
    });
    const changed = options.onOtherDaemons;
    const { isAlone } = options;
    this.#neighbours =
      changed === null ? null : new Neighbours({ connection: this.#readers, isAlone, changed });
    const { promise: admitted, resolve } = Promise.withResolvers<boolean>();
    this.admitted = this.#neighbours === null ? Promise.resolve(true) : admitted;
    let isFirst = true;
    const connected = async (client: Client) => {
      const isAdmitted = (await this.#neighbours?.announce(client)) ?? true;
      if (!isFirst && !isAdmitted) options.onNotAlone(notAlone(isAlone));
      isFirst = false;
      resolve(isAdmitted);
    };
    this.#listener = new Listener({ url, origin, pollMs, news: () => this.#news(), admit, connected });
  }

  /** `build` runs when the batch's turn has come, after this method returned. */
  write(build: (newId: (prefix: string) => string) => readonly WriteOperation[]): Promise<Revision> {
    if (this.#closed !== null) return Promise.reject(new StoreUnavailableError('the store is closed'));
    return this.#writer.send(new PendingBatch(build));
  }

  get(id: string) {
    return this.#read((reader) => reader.get(id));
  }

  page(query: PageQuery) {
    return this.#read((reader) => reader.page(query));
  }

  queue(query: QueueQuery) {
    return this.#read((reader) => reader.queue(query));
  }

  countQueued(query: QueueCountQuery) {
    return this.#read((reader) => reader.countQueued(query));
  }

  notes(query: NoteQuery) {
    return this.#read((reader) => reader.notes(query));
  }

  notesAt(kind: NoteKind, account: string, keys: readonly string[]) {
    return this.#read((reader) => reader.notesAt(kind, account, keys));
  }

  oldestNote(kind: NoteKind) {
    return this.#read((reader) => reader.oldestNote(kind));
  }

  series(query: SeriesQuery) {
    return this.#read((reader) => reader.series(query));
  }

  hasDeletedQueues() {
    return this.#read((reader) => reader.hasDeletedQueues());
  }

  findName(claim: NameClaim) {
    return this.#read((reader) => reader.findName(claim));
  }

  names(query: NameQuery) {
    return this.#read((reader) => reader.names(query));
  }

  lastId() {
    return this.#read((reader) => reader.lastId());
  }

  linksTo(id: string, limit: number) {
    return this.#read((reader) => reader.linksTo(id, limit));
  }

  linksBefore(id: string, limit: number, before = ABOVE_ALL_IDS) {
    return this.#read((reader) => reader.linksBefore(id, limit, before));
  }

  scan(kinds: readonly string[]) {
    return this.#scanned(() => scanSlices(this.#source, kinds));
  }

  scanStates(kinds: readonly string[]) {
    return this.#scanned(() => scanStates(this.#source, kinds));
  }

  async *#scanned<Part>(begin: () => AsyncIterable<Part>): AsyncGenerator<Part> {
    if (this.#closed !== null) throw new StoreUnavailableError('the store is closed');
    try {
      yield* begin();
    } catch (error) {
      throw unavailable(error);
    }
  }

  snapshot(kinds: readonly string[]) {
    return collect(this.scan(kinds));
  }

  watch(from: Revision, kinds: readonly string[], signal: AbortSignal, mark?: string): ChangeFeed {
    return this.#watchers.open(from, kinds, signal, mark);
  }

  watchQueues(signal: AbortSignal) {
    const read = async (after: number | null) => {
      const grown = await this.#read((reader) => reader.grownQueues(after));
      return { ...grown, history: this.#history.count };
    };
    return watchQueues(read, this.#queueNews, signal);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await this.#writer.close();
    this.#watchers.close();
    this.#tellOfQueues();
    this.#neighbours?.close();
    await this.#listener.close();
    this.#readers.close();
  }

  get #source() {
    return { readers: this.#readers, history: this.#history };
  }

  /** Another process may have written. */
  #news(): void {
    this.#watchers.news();
    this.#tellOfQueues();
  }

  /** Connections to the former server are abandoned, because it may no longer be the primary. */
  #renew(): void {
    this.#readers.renew();
    this.#writer.renew();
    this.#listener.renew();
  }

  async #changes(from: Revision, kinds: readonly string[], mark?: string): Promise<LogPart> {
    try {
      const { lastId, ...part } = await this.#read((reader) => reader.changes(from, kinds, mark));
      this.#history.learn({ revision: part.to, mark: part.mark }, lastId);
      return part;
    } catch (error) {
      if (error instanceof OtherHistoryError) {
        this.#history.differs(error.head);
        this.#tellOfQueues();
      }
      throw error;
    }
  }

  #tellOfQueues(): void {
    for (const tell of this.#queueNews) tell();
  }

  async #read<T>(query: (reader: Reader) => Promise<T>): Promise<T> {
    if (this.#closed !== null) throw new StoreUnavailableError('the store is closed');
    try {
      return await query(this.#reader);
    } catch (error) {
      throw error instanceof RevisionCompactedError ? error : unavailable(error);
    }
  }
}

function unavailable(error: unknown): StoreUnavailableError {
  if (error instanceof StoreUnavailableError) return error;
  const Unavailable = isLasting(error) ? StoreRefusedError : StoreUnavailableError;
  return new Unavailable(`the database cannot be read: ${reasonOf(error)}`, { cause: error });
}
