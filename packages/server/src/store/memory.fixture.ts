/**
 * A store in memory, for tests that compare databases with the expected results. `scanStates`, the watches and `close`
 * are missing.
 */
import { randomBytes } from 'node:crypto';
import { IdSequence } from '../core/id.ts';
import { collect } from './collect.ts';
import { Model } from './conformance/model.fixture.ts';
import {
  ConflictError,
  type NameClaim,
  type NameQuery,
  type PageQuery,
  type QueueCountQuery,
  type QueueQuery,
  type Store,
  type WriteOperation,
} from './store.ts';

export class MemoryStore implements Omit<Store, 'lastId' | 'scanStates' | 'watch' | 'watchQueues' | 'close'> {
  readonly #model = new Model();
  readonly #ids: IdSequence;
  #revision = 0;

  /** `now` returns milliseconds since 1970. */
  constructor(now: () => number) {
    this.#ids = new IdSequence({ now, random: randomBytes });
  }

  async write(build: (newId: (prefix: string) => string) => readonly WriteOperation[]) {
    const operations = build((prefix) => this.#ids.next(prefix));
    const conflict = this.#model.write(operations, this.#revision + 1);
    if (conflict !== null) throw new ConflictError(conflict);
    this.#revision += 1;
    return this.#revision;
  }

  async get(id: string) {
    return this.#model.documents().find((document) => document.id === id) ?? null;
  }

  async page({ account, kind, parent, before, limit }: PageQuery) {
    return this.#model
      .documents()
      .filter((document) => document.account === account && document.kind === kind)
      .filter((document) => parent === undefined || document.parent === parent)
      .filter((document) => before === undefined || document.id < before)
      .sort((one, other) => (one.id < other.id ? 1 : -1))
      .slice(0, limit);
  }

  async queue({ account, parent, after = 0, limit, bytes = Number.POSITIVE_INFINITY }: QueueQuery) {
    const queued = this.#model.queued(account, parent).filter(({ position }) => position > after);
    let room = bytes;
    return queued.slice(0, limit).filter(({ body }, at) => {
      room -= Buffer.byteLength(JSON.stringify(body));
      return room >= 0 || at === 0;
    });
  }

  async countQueued({ account, parent, limit }: QueueCountQuery) {
    return this.#model.queued(account, parent).slice(0, limit).length;
  }

  async hasDeletedQueues() {
    return this.#model.hasDeletedQueues;
  }

  async findName(claim: NameClaim) {
    return this.#model.holder(claim);
  }

  async names(query: NameQuery) {
    return this.#model.names(query);
  }

  async linksTo(id: string, limit: number) {
    return this.#model.linksTo(id).slice(0, limit);
  }

  async *scan(kinds: readonly string[]) {
    const revision = this.#revision;
    const documents = this.#model.documents().filter((document) => kinds.includes(document.kind));
    yield { revision, documents: [] };
    yield { revision, documents };
  }

  snapshot(kinds: readonly string[]) {
    return collect(this.scan(kinds));
  }
}
