/**
 * Counts the traffic of this daemon by key, second after second. Passed seconds and minutes are closed some keys at a time.
 * Invariant: a record is in the second and minute of its end, also if its key is not closed yet.
 * Invariant: the number of keys is bounded, per account and in total. Traffic of further keys is in the account's series.
 */
import type { ExchangeRecord } from '../../edge/sites/exchange-record.ts';
import type { SeriesRow } from '../../store/store.ts';
import { ACCOUNT, keyOf, keysOfPlace, resourceOf } from './keys.ts';
import { bucketOf } from './latency.ts';
import { CellPool, Series } from './series.ts';
import { Slices } from './slices.ts';
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
/** Keys that are closed in one turn, which takes a millisecond or two. */
export const MOST_CLOSED = 200;
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
  /** Called after each minute with traffic in it or before it, when all keys of the minute are closed. */
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
  /** Keys with traffic in the running second. */
  #open: Series[] = [];
  /** Keys whose second has passed and is not closed yet, by second, in a minute that runs. */
  #passed: (readonly Series[])[] = [];
  /** A minute has passed, and all keys are still to be closed. */
  #isMinuteOver = false;
  readonly #closing = new Slices({ steps: MOST_CLOSED, work: () => this.#close() });
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

  /** Begins to close seconds and minutes that have passed. */
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
    let dropped = 0;
    for (let looked = 0; looked < MOST_LOOKED_UP; looked += 1) {
      const { done, value: series } = this.#unchecked.next();
      if (done === true) {
        this.#unchecked = null;
        break;
      }
      const id = resourceOf(series.name.key);
      if (id === null || exists(id)) continue;
      this.#drop(series, id);
      dropped += 1;
    }
    return dropped > 0;
  }

  #drop(series: Series, id: string): void {
    const { account, key } = series.name;
    this.#options.finished(series.end());
    this.#accounts.get(account)?.delete(key);
    this.#size -= 1;
    this.#places.delete(id);
  }

  /** Closes at once what has passed. */
  closePassed(): void {
    this.advance();
    this.#closing.finish();
  }

  /** Ends the running second and minute, for the last save. */
  finish(): void {
    this.closePassed();
    for (const series of this.all()) this.#hand(series.close());
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
    return keys.flatMap((key) => {
      const series = this.series(account, key);
      if (series === undefined) return [];
      this.#hand(series.closeBefore(this.#second));
      return series.rows(step, from, this.#second);
    });
  }

  #count(series: Series, record: ExchangeRecord, bucket: number): void {
    this.#hand(series.closeBefore(this.#second));
    if (series.count(record, bucket, this.#second)) this.#open.push(series);
  }

  #hand(rows: readonly SeriesRow[]): void {
    if (rows.length > 0) this.#options.finished(rows);
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
    this.#passed.push(this.#open);
    this.#open = [];
    if (blockAt(SECONDS, second) !== blockAt(SECONDS, this.#second)) {
      // All keys are closed, these too.
      this.#passed = [];
      this.#isMinuteOver = true;
      this.#forgetPlaces();
    }
    this.#second = second;
    this.#closing.begin();
  }

  /** Closes what has passed, key by key. More may pass meanwhile. */
  *#close(): Generator<undefined, void> {
    while (this.#passed.length > 0 || this.#isMinuteOver) {
      for (const series of this.#passed.shift() ?? []) {
        this.#hand(series.closeBefore(this.#second));
        yield;
      }
      if (this.#isMinuteOver) yield* this.#closeMinute();
    }
  }

  *#closeMinute(): Generator<undefined, void> {
    this.#isMinuteOver = false;
    for (const [account, keys] of this.#accounts) {
      for (const [key, series] of keys) {
        this.#hand(series.closeBefore(this.#second));
        series.forgetBefore(this.#second - SECONDS.kept);
        if (series.isIdleSince(this.#second - IDLE)) {
          keys.delete(key);
          this.#size -= 1;
        }
        yield;
      }
      if (keys.size === 0) this.#accounts.delete(account);
    }
    // Keys without room may find some now.
    this.#forgetPlaces();
    this.#options.minute?.();
  }

  /** A place must not lead to a key that is dropped. One that was found later has traffic, and is kept. */
  #forgetPlaces(): void {
    this.#places.clear();
    this.#credentials.clear();
  }

  /** The clock was wrong: all series end where they are, and new ones begin. */
  #beginAgain(second: number): void {
    for (const series of this.all()) this.#hand(series.end());
    this.#closing.cancel();
    this.#open = [];
    this.#passed = [];
    this.#isMinuteOver = false;
    this.#accounts.clear();
    this.#forgetPlaces();
    this.#size = 0;
    this.#second = second;
  }
}
