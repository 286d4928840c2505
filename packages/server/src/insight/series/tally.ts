/**
 * Counts the traffic of this daemon by key, second after second.
 * Invariant: the number of keys is bounded, per account and in total. Traffic of further keys is in the account's series.
 */
import type { ExchangeRecord } from '../../edge/sites/exchange-record.ts';
import type { SeriesRow } from '../../store/store.ts';
import { ACCOUNT, keyOf, keysOfPlace, resourceOf } from './keys.ts';
import { bucketOf } from './latency.ts';
import { CellPool, Series } from './series.ts';
import { blockAt, MINUTES, SECONDS, type Step } from './steps.ts';

/** Keys of one account, and of all, with traffic in the last hour. */
export const MOST_OF_ACCOUNT = 1_000;
export const MOST_KEYS = 10_000;
/** Keys of an account for which there is room, however many accounts there are. */
const LEAST_OF_ACCOUNT = 20;
/** Places whose series are found without their keys. */
const MOST_PLACES = 10_000;
/** Seconds by which a clock may be set back without effect. */
const LARGEST_STEP_BACK = 60;
/** Keys whose resources are looked up in one turn. */
const MOST_LOOKED_UP = 1_000;
/** Seconds without traffic after which a key leaves the memory. */
const IDLE = MINUTES.block;

/** Series of one place of an account. */
interface Place {
  readonly site: string;
  readonly backend: string;
  readonly account: string;
  readonly series: readonly Series[];
}

export interface TallyOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Name of this life of the daemon in the database, unique among all daemons. */
  readonly node: string;
  /** Called with complete blocks that are not saved. */
  readonly finished: (rows: readonly SeriesRow[]) => void;
  /** Called after each minute with traffic in it or before it. */
  readonly minute?: () => void;
}

export class SeriesTally {
  readonly #options: TallyOptions;
  readonly #pool = new CellPool();
  readonly #accounts = new Map<string, Map<string, Series>>();
  /** Keys that are still to be looked up in this round. */
  #unchecked: Iterator<Series> | null = null;
  #size = 0;
  #made = 0;
  #second = 0;
  #open: Series[] = [];
  #openMinute: Series[] = [];
  readonly #places = new Map<string, Place>();
  readonly #credentials = new Map<string, Series | null>();

  constructor(options: TallyOptions) {
    this.#options = options;
  }

  /** Keys in memory. */
  get size(): number {
    return this.#size;
  }

  /** Counts a record. Runs for each request: no more than two look-ups and some additions. */
  readonly observe = (record: ExchangeRecord): void => {
    const { account, credential } = record;
    if (account === '') return;
    this.advance();
    const bucket = bucketOf(record.durationMs);
    for (const series of this.#placeOf(record).series) this.#count(series, record, bucket);
    if (credential === '') return;
    const ofCredential = this.#credentials.get(credential);
    const series = ofCredential === undefined ? this.#ofCredential(account, credential) : ofCredential;
    if (series !== null) this.#count(series, record, bucket);
  };

  /** Closes seconds and minutes that have passed. */
  advance(): void {
    const second = Math.floor(this.#options.now() / 1000);
    if (second > this.#second) this.#closeTo(second);
    // A little is waited for, so that blocks keep their order.
    else if (second < this.#second - LARGEST_STEP_BACK) this.#beginAgain(second);
  }

  /**
   * Hands over the blocks of deleted edges, routes and backends, and forgets them. Each call covers a part of the keys. Returns true
   * if there were some. `exists`: of an id.
   */
  dropDeleted(exists: (id: string) => boolean): boolean {
    this.#unchecked ??= this.all()[Symbol.iterator]();
    const dropped = new Set<Series>();
    for (let looked = 0; looked < MOST_LOOKED_UP; looked += 1) {
      const { done, value: series } = this.#unchecked.next();
      if (done === true) {
        this.#unchecked = null;
        break;
      }
      const id = resourceOf(series.name.key);
      if (id === null || exists(id)) continue;
      this.#drop(series, id);
      dropped.add(series);
    }
    if (dropped.size === 0) return false;
    const isKept = (series: Series): boolean => !dropped.has(series);
    this.#open = this.#open.filter(isKept);
    this.#openMinute = this.#openMinute.filter(isKept);
    return true;
  }

  #drop(series: Series, id: string): void {
    const { account, key } = series.name;
    this.#options.finished(series.end(this.#second));
    this.#accounts.get(account)?.delete(key);
    this.#size -= 1;
    this.#places.delete(id);
  }

  /** Ends the running second and minute, for the last save. */
  finish(): void {
    this.advance();
    this.#closeSecond();
    this.#closeMinute();
  }

  series(account: string, key: string): Series | undefined {
    return this.#accounts.get(account)?.get(key);
  }

  *all(): Generator<Series, undefined> {
    for (const keys of this.#accounts.values()) yield* keys.values();
  }

  /** Returns blocks of some keys that end after `from`, in seconds since 1970, with the traffic until now. */
  rows(account: string, keys: readonly string[], step: Step, from: number): readonly SeriesRow[] {
    this.advance();
    return keys.flatMap((key) => this.series(account, key)?.rows(step, from, this.#second) ?? []);
  }

  #count(series: Series, record: ExchangeRecord, bucket: number): void {
    if (series.count(record, bucket)) this.#open.push(series);
  }

  #placeOf(record: ExchangeRecord): Place {
    const { site, route, backend, account } = record;
    const id = route || site;
    const known = this.#places.get(id);
    if (known?.site === site && known.backend === backend && known.account === account) return known;
    const keys = [ACCOUNT, ...keysOfPlace(record)];
    const series = keys.flatMap((key) => this.#find(account, key) ?? []);
    const place = { site, backend, account, series };
    if (this.#places.size >= MOST_PLACES) this.#places.clear();
    this.#places.set(id, place);
    return place;
  }

  #ofCredential(account: string, credential: string): Series | null {
    const series = this.#find(account, keyOf('credential', credential));
    if (this.#credentials.size >= MOST_PLACES) this.#credentials.clear();
    this.#credentials.set(credential, series);
    return series;
  }

  /** Returns null if there is no room for a further key. */
  #find(account: string, key: string): Series | null {
    const keys = this.#accounts.get(account) ?? new Map<string, Series>();
    const known = keys.get(key);
    if (known !== undefined) return known;
    if (keys.size >= this.#shareOfAccount() || this.#size >= 2 * MOST_KEYS) return null;
    this.#made += 1;
    const { node } = this.#options;
    const series = new Series({ account, key, node: `${node}.${this.#made}` }, this.#pool);
    keys.set(key, series);
    this.#accounts.set(account, keys);
    this.#size += 1;
    return series;
  }

  #shareOfAccount(): number {
    const share = Math.floor(MOST_KEYS / Math.max(1, this.#accounts.size));
    return Math.min(MOST_OF_ACCOUNT, Math.max(LEAST_OF_ACCOUNT, share));
  }

  #closeTo(second: number): void {
    this.#closeSecond();
    const isSameMinute = blockAt(SECONDS, second) === blockAt(SECONDS, this.#second);
    if (!isSameMinute) this.#closeMinute();
    this.#second = second;
    if (isSameMinute) return;
    this.#forget();
    this.#options.minute?.();
  }

  /** The clock was wrong: all series end where they are, and new ones begin. */
  #beginAgain(second: number): void {
    this.#closeSecond();
    this.#closeMinute();
    for (const series of this.all()) if (series.isUnsaved) this.#options.finished(series.unsaved());
    this.#accounts.clear();
    this.#places.clear();
    this.#credentials.clear();
    this.#size = 0;
    this.#second = second;
  }

  #closeSecond(): void {
    for (const series of this.#open) if (series.closeSecond(this.#second)) this.#openMinute.push(series);
    this.#open = [];
  }

  #closeMinute(): void {
    const start = blockAt(SECONDS, this.#second);
    for (const series of this.#openMinute) {
      const over = series.closeMinute(start);
      if (over.length > 0) this.#options.finished(over);
    }
    this.#openMinute = [];
  }

  /** Drops idle keys and old seconds. New keys may find room again. */
  #forget(): void {
    this.#places.clear();
    this.#credentials.clear();
    for (const [account, keys] of this.#accounts) {
      for (const [key, series] of keys) {
        series.forgetBefore(this.#second - SECONDS.kept);
        if (series.isUnsaved || series.usedAt > this.#second - IDLE) continue;
        keys.delete(key);
        this.#size -= 1;
      }
      if (keys.size === 0) this.#accounts.delete(account);
    }
  }
}
