/**
 * The requests and connections of each account that ended last: failures always, others while a client of the API reads
 * the list.
 * Invariant: an account, and all of them together, use a limited number of bytes. An account beyond an equal share evicts
 * its own entries only.
 */
import type { ExchangeRecord } from '../../edge/sites/exchange-record.ts';
import type { JsonObject } from '../../store/store.ts';
import type { RequestLogChoice } from './choice.ts';
import { CHUNK_BYTES, Chunks } from './chunks.ts';
import {
  type Kept,
  lineOf,
  momentOf,
  parseLine,
  type Refused,
  refusedLine,
  type Showing,
  show,
} from './entry.ts';
import { LineRing, type RingLimits } from './line-ring.ts';
import { BodyStore } from './recorded-bodies.ts';
import { RequestIds } from './request-ids.ts';
import { type Follower, WatchedAccounts } from './watched.ts';

export interface RequestLogLimits {
  readonly failures: RingLimits;
  readonly others: RingLimits;
  /** Bytes of all accounts. */
  readonly total: number;
}

/** Limits of an account are 4 MiB of failures and 2 MiB of others. All share 32 MiB. */
export const requestLogLimits: RequestLogLimits = {
  failures: { lines: 1_000, chunks: 512 },
  others: { lines: 2_000, chunks: 256 },
  total: 32 * 2 ** 20,
};

export interface RequestLogOptions extends Omit<Showing, 'idOf'> {
  readonly choice: RequestLogChoice;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds of a clock that never moves back. */
  readonly uptime: () => number;
  readonly random: (bytes: number) => Uint8Array;
  readonly limits?: RequestLogLimits;
  /** Recorded bodies. Absent: there are none. */
  readonly bodies?: BodyStore;
}

export interface Wanted {
  /** Only entries before this id; absent: from the newest on. */
  readonly before?: string;
  readonly limit: number;
  /** Selects entries as the API shows them. */
  readonly has: (entry: JsonObject) => boolean;
}

interface OfAccount {
  readonly failures: LineRing;
  readonly others: LineRing;
}

/** Bytes of the objects of an account. */
const ACCOUNT_OBJECTS = 1024;

export class RequestLog {
  readonly choice: RequestLogChoice;
  readonly #ids: RequestIds;
  readonly #watched: WatchedAccounts<JsonObject>;
  readonly #limits: RequestLogLimits;
  readonly #showing: Showing;
  /** Accounts by their last entry, oldest first. */
  readonly #accounts = new Map<string, OfAccount>();
  readonly #chunks = new Chunks();
  readonly #bodies: BodyStore;

  constructor(options: RequestLogOptions) {
    const { choice, now, uptime, random, limits = requestLogLimits, bodies, ...showing } = options;
    this.choice = choice;
    this.#ids = new RequestIds(now, random);
    this.#watched = new WatchedAccounts(uptime);
    this.#limits = limits;
    this.#bodies = bodies ?? new BodyStore(now);
    this.#showing = { ...showing, idOf: (moment) => this.#ids.idOf(moment) };
  }

  /** Bytes of all entries. */
  get bytes(): number {
    return this.#chunks.used * CHUNK_BYTES + this.#accounts.size * ACCOUNT_OBJECTS;
  }

  /** Returns true if successful requests of an account are recorded, too. Called for each request: cheap. */
  readonly wants = (account: string): boolean => this.#watched.has(account);

  /** Called for each request and connection that has ended: cheap unless it is recorded. */
  observe(record: ExchangeRecord): void {
    const { account, bodies } = record;
    const isFailure = hasFailed(record);
    const isWanted = isFailure || bodies !== null || this.wants(account);
    if (account === '' || this.choice === 'off' || !isWanted) {
      bodies?.place.release();
      return;
    }
    const moment = this.#ids.next();
    if (bodies !== null) this.#bodies.keep(account, this.#ids.idOf(moment), bodies);
    this.#add(account, isFailure, lineOf(record, moment, this.choice === 'full'));
  }

  /** Records a visitor that was refused before there was a request. */
  refused(refused: Refused): void {
    if (this.choice === 'off') return;
    this.#add(refused.account, true, refusedLine(refused, this.#ids.next(), this.choice === 'full'));
  }

  /** Records all requests of an account for some time from now on. */
  watch(account: string, ms: number): void {
    if (this.choice !== 'off') this.#watched.watch(account, ms);
  }

  /** Calls `follower` with each entry, and records all requests, until the returned function is called. */
  follow(account: string, follower: Follower<JsonObject>): () => void {
    return this.#watched.follow(account, follower);
  }

  /** Returns entries of an account, newest first. */
  list(account: string, { before, limit, has }: Wanted): JsonObject[] {
    const found: JsonObject[] = [];
    for (const line of this.#newest(account)) {
      if (found.length >= limit) break;
      const kept = parseLine(line);
      if (before !== undefined && this.#ids.idOf(momentOf(kept)) >= before) continue;
      const entry = this.#show(account, kept);
      if (has(entry)) found.push(entry);
    }
    return found;
  }

  find(account: string, id: string): JsonObject | null {
    for (const line of this.#newest(account)) {
      const kept = parseLine(line);
      if (this.#ids.idOf(momentOf(kept)) === id) return this.#show(account, kept);
    }
    return null;
  }

  /** Returns the recorded bodies of a request; null if there are none. */
  bodiesOf(account: string, id: string): JsonObject | null {
    return this.#bodies.find(account, id);
  }

  #show(account: string, kept: Kept): JsonObject {
    const entry = show(kept, this.#showing);
    return { ...entry, has_bodies: this.#bodies.has(account, String(entry.id)) };
  }

  #add(account: string, isFailure: boolean, line: string): void {
    const bytes = Buffer.byteLength(line);
    if (bytes >= CHUNK_BYTES) return;
    const entries = this.#of(account);
    const ring = isFailure ? entries.failures : entries.others;
    if (ring.needsChunk(bytes)) this.#makeRoom(account, entries);
    ring.push(line, bytes);
    const followers = this.#watched.followers(account);
    if (followers === undefined || followers.size === 0) return;
    const entry = this.#show(account, parseLine(line));
    for (const follower of followers) follower(entry);
  }

  /** Returns the entries of an account, which is the last one from here on. */
  #of(account: string): OfAccount {
    const { failures, others } = this.#limits;
    const entries = this.#accounts.get(account) ?? {
      failures: new LineRing(failures, this.#chunks),
      others: new LineRing(others, this.#chunks),
    };
    this.#accounts.delete(account);
    this.#accounts.set(account, entries);
    return entries;
  }

  /** Evicts until there is room for a chunk of an account. */
  #makeRoom(account: string, entries: OfAccount): void {
    const most = this.#limits.total - CHUNK_BYTES;
    while (this.bytes > most) {
      const isBeyond = (sizeOf(entries) + 1) * CHUNK_BYTES > this.#limits.total / this.#accounts.size;
      const [oldest = account] = this.#accounts.keys();
      const from = isBeyond ? entries : this.#accounts.get(oldest)!;
      if (!(from.others.forgetOldest() || from.failures.forgetOldest())) return;
      if (from !== entries && sizeOf(from) === 0) this.#accounts.delete(oldest);
    }
  }

  /** Lines of an account in the order of their ids, newest first. */
  *#newest(account: string): Generator<string> {
    const entries = this.#accounts.get(account);
    if (entries === undefined) return;
    const [one, two] = [entries.failures.newest(), entries.others.newest()];
    let [left, right] = [one.next(), two.next()];
    while (left.done !== true || right.done !== true) {
      const isLeft = right.done === true || (left.done !== true && isLater(left.value, right.value));
      yield isLeft ? left.value! : right.value!;
      if (isLeft) left = one.next();
      else right = two.next();
    }
  }
}

function hasFailed({ kind, status, error, reason }: ExchangeRecord): boolean {
  if (error !== null || reason !== null) return true;
  return kind === 'http' && (status === 0 || status >= 400);
}

/** Returns the number of chunks. */
function sizeOf({ failures, others }: OfAccount): number {
  return failures.size + others.size;
}

function isLater(one: string, two: string): boolean {
  const [a, b] = [momentOf(parseLine(one)), momentOf(parseLine(two))];
  return a.ms === b.ms ? a.count > b.count : a.ms > b.ms;
}
