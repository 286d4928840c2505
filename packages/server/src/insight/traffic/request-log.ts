/**
 * The requests and connections of each account that ended last: failures always, others while a client of the API reads
 * the list.
 * Invariant: an account, and all of them together, use a limited number of bytes. An account beyond an equal share evicts
 * its own entries only.
 */
import type { ExchangeRecord } from '../../edge/sites/exchange-record.ts';
import type { JsonObject } from '../../store/store.ts';
import type { RequestLogChoice } from './choice.ts';
import { lineOf, momentOf, parseLine, type Refused, refusedLine, type Showing, show } from './entry.ts';
import { LineRing, type RingLimits } from './line-ring.ts';
import { RequestIds } from './request-ids.ts';
import { type Follower, WatchedAccounts } from './watched.ts';

export interface RequestLogLimits {
  readonly failures: RingLimits;
  readonly others: RingLimits;
  /** Bytes of all accounts. */
  readonly total: number;
}

const MEBIBYTE = 2 ** 20;
export const requestLogLimits: RequestLogLimits = {
  failures: { lines: 1_000, bytes: 4 * MEBIBYTE },
  others: { lines: 2_000, bytes: 2 * MEBIBYTE },
  total: 32 * MEBIBYTE,
};

export interface RequestLogOptions extends Omit<Showing, 'idOf'> {
  readonly choice: RequestLogChoice;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds of a clock that never moves back. */
  readonly uptime: () => number;
  readonly random: (bytes: number) => Uint8Array;
  readonly limits?: RequestLogLimits;
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
const ACCOUNT_OBJECTS = 512;

export class RequestLog {
  readonly choice: RequestLogChoice;
  readonly #ids: RequestIds;
  readonly #watched: WatchedAccounts<JsonObject>;
  readonly #limits: RequestLogLimits;
  readonly #showing: Showing;
  /** Accounts by their last entry, oldest first. */
  readonly #accounts = new Map<string, OfAccount>();
  #bytes = 0;

  constructor(options: RequestLogOptions) {
    const { choice, now, uptime, random, limits = requestLogLimits, ...showing } = options;
    this.choice = choice;
    this.#ids = new RequestIds(now, random);
    this.#watched = new WatchedAccounts(uptime);
    this.#limits = limits;
    this.#showing = { ...showing, idOf: (moment) => this.#ids.idOf(moment) };
  }

  /** Bytes of all entries. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns true if successful requests of an account are recorded, too. Called for each request: cheap. */
  readonly wants = (account: string): boolean => this.#watched.has(account);

  /** Called for each request and connection that has ended: cheap unless it is recorded. */
  observe(record: ExchangeRecord): void {
    const { account } = record;
    const isFailure = hasFailed(record);
    if (account === '' || this.choice === 'off' || !(isFailure || this.wants(account))) return;
    this.#add(account, isFailure, lineOf(record, this.#ids.next(), this.choice === 'full'));
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
      const entry = show(kept, this.#showing);
      if (has(entry)) found.push(entry);
    }
    return found;
  }

  find(account: string, id: string): JsonObject | null {
    for (const line of this.#newest(account)) {
      const kept = parseLine(line);
      if (this.#ids.idOf(momentOf(kept)) === id) return show(kept, this.#showing);
    }
    return null;
  }

  #add(account: string, isFailure: boolean, line: string): void {
    const entries = this.#of(account);
    const ring = isFailure ? entries.failures : entries.others;
    const before = ring.bytes;
    if (ring.push(line)) {
      this.#bytes += ring.bytes - before;
      if (this.#bytes > this.#limits.total) this.#evict(account, entries);
    }
    const followers = this.#watched.followers(account);
    if (followers === undefined || followers.size === 0) return;
    const entry = show(parseLine(line), this.#showing);
    for (const follower of followers) follower(entry);
  }

  /** Returns the entries of an account, which is the last one from here on. */
  #of(account: string): OfAccount {
    const known = this.#accounts.get(account);
    if (known === undefined) this.#bytes += ACCOUNT_OBJECTS;
    const { failures, others } = this.#limits;
    const entries = known ?? { failures: new LineRing(failures), others: new LineRing(others) };
    this.#accounts.delete(account);
    this.#accounts.set(account, entries);
    return entries;
  }

  #evict(account: string, entries: OfAccount): void {
    const { total } = this.#limits;
    while (this.#bytes > total) {
      const isBeyond = bytesOf(entries) > total / this.#accounts.size;
      const [oldest = account] = this.#accounts.keys();
      if (isBeyond || oldest === account) this.#forgetOldest(account, entries);
      else this.#forgetOldest(oldest, this.#accounts.get(oldest)!);
    }
  }

  #forgetOldest(account: string, { failures, others }: OfAccount): void {
    this.#bytes -= others.forgetOldest() || failures.forgetOldest();
    if (failures.bytes + others.bytes > 0) return;
    this.#accounts.delete(account);
    this.#bytes -= ACCOUNT_OBJECTS;
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

function bytesOf({ failures, others }: OfAccount): number {
  return failures.bytes + others.bytes;
}

function isLater(one: string, two: string): boolean {
  const [a, b] = [momentOf(parseLine(one)), momentOf(parseLine(two))];
  return a.ms === b.ms ? a.count > b.count : a.ms > b.ms;
}
