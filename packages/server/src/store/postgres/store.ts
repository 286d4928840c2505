/**
 * The store on PostgreSQL, for one or several processes: reads over a few connections, all writes of a process over one.
 * Never SQL: that lives in the files beside.
 */
import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { collect } from '../collect.ts';
import { type QueueNews, watchQueues } from '../queue-watch.ts';
import {
  type ChangeFeed,
  type NameClaim,
  type NameQuery,
  type PageQuery,
  type QueueCountQuery,
  type QueueQuery,
  type Revision,
  RevisionCompactedError,
  type Store,
  StoreUnavailableError,
  type WriteOperation,
} from '../store.ts';
import { PendingBatch } from './batch.ts';
import { GroupCommit } from './commit.ts';
import { connectReaders } from './connect.ts';
import { reasonOf } from './failure.ts';
import { Listener } from './listener.ts';
import { prepare } from './open.ts';
import { Reader } from './reader.ts';
import { scanSlices, scanStates } from './scan.ts';
import { sharedReads } from './shared-reads.ts';
import { Watchers } from './watchers.ts';
import { Writer } from './writer.ts';

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`, with the parameters that the driver knows. */
  readonly url: string;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** How many revisions the change log keeps at least. */
  readonly retainedRevisions?: number;
  /** Milliseconds between two reads of the log that no notification asked for. */
  readonly pollMs?: number;
  /** How long the server is asked what became of a commit that it did not answer, in milliseconds. */
  readonly certaintyMs?: number;
}

/** Makes or updates what is missing in the database. Rejects with StoreOpenError, whose message tells the operator what to do. */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const { url, now = Date.now, retainedRevisions = 100_000, pollMs = 5_000, certaintyMs = 5_000 } = options;
  await prepare(url);
  return new PostgresStore({ url, now, retainedRevisions, pollMs, certaintyMs });
}

class PostgresStore implements Store {
  readonly #pool: Pool;
  readonly #reader: Reader;
  readonly #writer: Writer;
  readonly #watchers: Watchers;
  readonly #listener: Listener;
  readonly #queueNews: QueueNews = new Set();
  #closed: Promise<void> | null = null;

  constructor({ url, now, retainedRevisions, pollMs, certaintyMs }: Required<PostgresOptions>) {
    const origin = randomBytes(8).toString('hex');
    this.#pool = connectReaders(url);
    this.#reader = new Reader(this.#pool);
    this.#watchers = new Watchers(
      sharedReads((from, kinds) => this.#read((reader) => reader.changes(from, kinds))),
    );
    this.#writer = new Writer({
      url,
      group: new GroupCommit(retainedRevisions, origin, { now, random: randomBytes }),
      certaintyMs,
      committed: ({ revision, kinds, enqueued }) => {
        if (enqueued) this.#tellOfQueues();
        return this.#watchers.committed(revision, kinds);
      },
    });
    const news = () => {
      this.#watchers.news();
      this.#tellOfQueues();
    };
    this.#listener = new Listener({ url, origin, pollMs, news });
  }

  /** `build` runs when the batch's turn has come, which is after this returned. */
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

  scan(kinds: readonly string[]) {
    return this.#scanned(() => scanSlices(this.#pool, kinds));
  }

  scanStates(kinds: readonly string[]) {
    return this.#scanned(() => scanStates(this.#pool, kinds));
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
    await this.#writer.close();
    this.#watchers.close();
    this.#tellOfQueues();
    await this.#listener.close();
    await this.#pool.end();
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
  return new StoreUnavailableError(`the database cannot be read: ${reasonOf(error)}`, { cause: error });
}
