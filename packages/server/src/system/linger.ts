/**
 * Reads and discards what a client still sends after its last response. Unread bytes would reset the connection, and the client would lose
 * the response.
 *
 * Invariant: it keeps no bytes, and ends after a time, a silence or a low rate. Few connections of an address, and of all addresses, read more
 * than a first amount.
 */

export interface LingerLimits {
  /** Milliseconds in all. */
  readonly lingerMs: number;
  /** Milliseconds between two pieces. */
  readonly lingerSilenceMs: number;
  /** Bytes a second, on average, from the time on that a silence may last. */
  readonly lingerRate: number;
  /** Bytes that are read without one of the places. */
  readonly lingerBytes: number;
  /** Connections that read more, of all addresses. */
  readonly lingerPlaces: number;
}

export const LINGER_LIMITS: LingerLimits = {
  lingerMs: 30_000,
  lingerSilenceMs: 5_000,
  lingerRate: 16 * 1024,
  lingerBytes: 1024 * 1024,
  lingerPlaces: 512,
};

/** Divisor of the places: one address has at most a sixteenth. */
const SHARE = 16;

/** The places of one listener's connections. */
export class LingerPlaces {
  readonly #total: number;
  readonly #bySource = new Map<string, number>();
  #taken = 0;

  constructor(total: number) {
    this.#total = total;
  }

  /** Addresses that have some. */
  get size(): number {
    return this.#bySource.size;
  }

  /** `source` as `sourceKey` returns it. False: no place is free for it. */
  enter(source: string): boolean {
    const count = this.#bySource.get(source) ?? 0;
    if (this.#taken >= this.#total || count >= Math.ceil(this.#total / SHARE)) return false;
    this.#taken += 1;
    this.#bySource.set(source, count + 1);
    return true;
  }

  /** Once for each time that `enter` was true. */
  leave(source: string): void {
    this.#taken -= 1;
    const left = (this.#bySource.get(source) ?? 0) - 1;
    if (left > 0) this.#bySource.set(source, left);
    else this.#bySource.delete(source);
  }
}

/** One connection, or one stream, after its last response. Times are milliseconds of one clock. */
export class Linger {
  readonly #limits: LingerLimits;
  readonly #places: LingerPlaces;
  readonly #source: string;
  #since: number;
  #lastRead: number;
  #bytes = 0;
  #hasPlace = false;

  constructor(limits: LingerLimits, places: LingerPlaces, source: string, now: number) {
    this.#limits = limits;
    this.#places = places;
    this.#source = source;
    this.#since = this.#lastRead = now;
  }

  /** The response is out: times count from now. */
  begin(now: number): void {
    this.#since = now;
  }

  /** Counts bytes that came. False: no more is read. */
  read(bytes: number, now: number): boolean {
    this.#bytes += bytes;
    this.#lastRead = now;
    if (this.#bytes <= this.#limits.lingerBytes || this.#hasPlace) return true;
    this.#hasPlace = this.#places.enter(this.#source);
    return this.#hasPlace;
  }

  isOver(now: number): boolean {
    const { lingerMs, lingerSilenceMs, lingerRate } = this.#limits;
    const passed = now - this.#since;
    if (now - Math.max(this.#since, this.#lastRead) > lingerSilenceMs || passed > lingerMs) return true;
    return passed > lingerSilenceMs && this.#bytes < (lingerRate * passed) / 1000;
  }

  /** Once, or more often. */
  end(): void {
    if (this.#hasPlace) this.#places.leave(this.#source);
    this.#hasPlace = false;
  }
}
