/**
 * A store in memory, for tests that need no database. It passes the suite of all stores.
 * Invariant: an accepted write is done in a later turn, as in a database.
 */

import { randomBytes } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { IdSequence } from '../core/id.ts';
import { collect } from './collect.ts';
import type { OpenStore } from './conformance/index.fixture.ts';
import { MemoryDatabase } from './memory-database.fixture.ts';
import { ABOVE_ALL_IDS } from './prefix.ts';
import { watchQueues } from './queue-watch.ts';
import { Watchers } from './sqlite/watchers.ts';
import {
  ConflictError,
  type NameClaim,
  type NameQuery,
  type NoteKind,
  type NoteQuery,
  type PageQuery,
  type QueueCountQuery,
  type QueueQuery,
  type Revision,
  type SeriesQuery,
  type Store,
  StoreUnavailableError,
  type WriteOperation,
} from './store.ts';

/** Documents in a slice of a scan at most. */
const SLICE = 1_000;

type Build = (newId: (prefix: string) => string) => readonly WriteOperation[];

interface Accepted extends PromiseWithResolvers<Revision> {
  readonly build: Build;
}

export interface MemoryStoreOptions {
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** The state to begin with; an empty one by default. */
  readonly database?: MemoryDatabase;
}

export class MemoryStore implements Store {
  readonly #database: MemoryDatabase;
  readonly #ids: IdSequence;
  readonly #watchers: Watchers;
  readonly #queueNews = new Set<() => void>();
  #accepted: Accepted[] = [];
  #isClosed = false;

  constructor({ now = Date.now, database = new MemoryDatabase() }: MemoryStoreOptions = {}) {
    this.#database = database;
    this.#ids = new IdSequence({ now, random: randomBytes, last: database.lastId });
    this.#watchers = new Watchers((from, kinds) => this.#open().changes(from, kinds));
  }

  /** Not an async function: the caller must continue after the watchers. */
  write(build: Build): Promise<Revision> {
    if (this.#isClosed) return Promise.reject(new StoreUnavailableError('the store is closed'));
    if (this.#accepted.length === 0) setImmediate(() => this.#commit());
    const accepted = { build, ...Promise.withResolvers<Revision>() };
    this.#accepted.push(accepted);
    return accepted.promise;
  }

  async get(id: string) {
    const document = this.#open().model.document(id);
    return document === null ? null : this.#database.readable(document);
  }

  async page({ account, kind, parent, before, limit }: PageQuery) {
    return this.#open()
      .model.documents()
      .filter((document) => document.account === account && document.kind === kind)
      .filter((document) => parent === undefined || document.parent === parent)
      .filter((document) => before === undefined || document.id < before)
      .sort((one, other) => (one.id < other.id ? 1 : -1))
      .slice(0, limit)
      .map((document) => this.#database.readable(document));
  }

  async queue({ account, parent, after = 0, limit, bytes = Number.POSITIVE_INFINITY }: QueueQuery) {
    const queued = this.#open()
      .model.queued(account, parent)
      .filter(({ position }) => position > after);
    let room = bytes;
    return queued.slice(0, limit).filter(({ body }, at) => {
      room -= Buffer.byteLength(JSON.stringify(body));
      return room >= 0 || at === 0;
    });
  }

  async countQueued({ account, parent, limit }: QueueCountQuery) {
    const { model } = this.#open();
    const counted =
      parent === undefined
        ? model.stored().filter((entry) => entry.account === account)
        : model.queued(account, parent);
    return Math.min(counted.length, limit);
  }

  async notes({ kind, account, before, limit }: NoteQuery) {
    return this.#open()
      .model.notes(kind, account)
      .filter(({ key }) => before === undefined || key < before)
      .slice(0, limit);
  }

  async notesAt(kind: NoteKind, account: string, keys: readonly string[]) {
    return this.#open()
      .model.notes(kind, account)
      .filter(({ key }) => keys.includes(key));
  }

  async oldestNote(kind: NoteKind) {
    const times = this.#open()
      .model.notes(kind)
      .map(({ at }) => at);
    return times.length === 0 ? null : Math.min(...times);
  }

  async series(query: SeriesQuery) {
    return this.#open().model.series(query);
  }

  async hasDeletedQueues() {
    return this.#open().model.hasDeletedQueues;
  }

  async findName(claim: NameClaim) {
    return this.#open().model.holder(claim);
  }

  async lastId() {
    return this.#ids.last;
  }

  async names(query: NameQuery) {
    return this.#open().model.names(query);
  }

  async linksTo(id: string, limit: number) {
    return this.#open().model.linksTo(id).slice(0, limit);
  }

  async linksBefore(id: string, limit: number, before = ABOVE_ALL_IDS) {
    const links = this.#open().model.linksTo(id);
    const order = (one: string, other: string) => (one < other ? 1 : one > other ? -1 : 0);
    return links
      .filter(({ from }) => from < before)
      .sort((a, b) => order(a.from, b.from) || order(b.field, a.field))
      .slice(0, limit);
  }

  async *scan(kinds: readonly string[]) {
    for await (const { revision, documents } of this.#slices(kinds))
      yield { revision, documents: documents.map((document) => this.#database.readable(document)) };
  }

  async *scanStates(kinds: readonly string[]) {
    for await (const { revision, documents } of this.#slices(kinds)) {
      const states = documents.map(({ id, account, revision: of }) => ({ id, account, revision: of }));
      yield { revision, documents: states };
    }
  }

  snapshot(kinds: readonly string[]) {
    return collect(this.scan(kinds));
  }

  watch(from: Revision, kinds: readonly string[], signal: AbortSignal) {
    return this.#watchers.open(from, kinds, signal);
  }

  watchQueues(signal: AbortSignal) {
    return watchQueues((after) => this.#open().grownQueues(after), this.#queueNews, signal);
  }

  async close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#commit();
    this.#watchers.close();
    this.#tellOfQueues();
  }

  #open(): MemoryDatabase {
    if (this.#isClosed) throw new StoreUnavailableError('the store is closed');
    return this.#database;
  }

  /** Yields documents of one moment, in the order of their keys. The first slice is empty. */
  async *#slices(kinds: readonly string[]) {
    const { revision, model } = this.#open();
    const all = model
      .documents()
      .filter(({ kind }) => kinds.includes(kind))
      .sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
    yield { revision, documents: [] };
    // A caller that reads in a loop does not keep writes from their turn.
    await turn();
    for (let at = 0; at < all.length; at += SLICE) yield { revision, documents: all.slice(at, at + SLICE) };
  }

  /** Writes everything that was accepted. Watchers receive it before the promises resolve. */
  #commit(): void {
    const settle = this.#accepted.splice(0).map((accepted) => this.#apply(accepted));
    this.#watchers.committed(null, []);
    this.#tellOfQueues();
    for (const each of settle) each();
  }

  #apply({ build, resolve, reject }: Accepted): () => void {
    try {
      const operations = build((prefix) => this.#ids.next(prefix));
      const conflict = this.#database.write(operations);
      if (conflict !== null) return () => reject(new ConflictError(conflict));
      this.#database.lastId = this.#ids.last;
      const { revision } = this.#database;
      return () => resolve(revision);
    } catch (error) {
      return () => reject(error);
    }
  }

  #tellOfQueues(): void {
    for (const tell of this.#queueNews) tell();
  }
}

function keyOf({
  kind,
  account,
  id,
}: {
  readonly kind: string;
  readonly account: string;
  readonly id: string;
}) {
  return `${kind} ${account} ${id}`;
}

/** Opens stores in memory for the suite of all stores. */
export const openInMemory: OpenStore = async ({ now = Date.now, retainedRevisions } = {}) => {
  const database = new MemoryDatabase(retainedRevisions);
  const first = new MemoryStore({ now, database });
  let current = first;
  return {
    store: first,
    reopen: async () => {
      await current.close();
      database.requireKnownFormats();
      current = new MemoryStore({ now, database });
      return current;
    },
    makeNewer: async (id) => database.makeNewer(id),
    contents: async () => Buffer.from(JSON.stringify(database.model.documents())),
    dispose: () => current.close(),
  };
};
