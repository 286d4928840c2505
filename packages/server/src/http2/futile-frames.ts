/**
 * Counts frames that cost work and serve nothing: streams that are reset and what still comes for them, pings, settings, empty frames,
 * windows that no stream waits for.
 *
 * Invariant: a peer that uses the protocol as it is meant stays far below the bound. Any other loses its connection.
 */
import type { Http2Limits } from './limits.ts';

/** Each DATA frame that goes out may be answered by an update of its stream's window and of the connection's, and by halves. */
const UPDATES_PER_FRAME = 4;
const SPARE_UPDATES = 100;
/** DATA of this size that comes for a reset stream was probably under way: an honest peer has a window of it. */
const LATE_BYTES = 512;
const LATE_SHARE = 1 / 4;

export class FutileFrames {
  readonly #limits: Pick<Http2Limits, 'futileBurst' | 'futilePerSecond'>;
  readonly #now: () => number;
  #count = 0;
  #countedAt: number;
  #updates = 0;

  /** `now` in milliseconds. */
  constructor(limits: Pick<Http2Limits, 'futileBurst' | 'futilePerSecond'>, now: () => number) {
    this.#limits = limits;
    this.#now = now;
    this.#countedAt = now();
  }

  /** DATA for a stream that this side has reset, with its bytes; true when there is too much. */
  addLate(bytes: number): boolean {
    return this.add(bytes < LATE_BYTES ? 1 : LATE_SHARE);
  }

  /** One more, or a share of one; true when there are too many. */
  add(share = 1): boolean {
    const { futileBurst, futilePerSecond } = this.#limits;
    const now = this.#now();
    this.#count = Math.max(0, this.#count - ((now - this.#countedAt) * futilePerSecond) / 1000) + share;
    this.#countedAt = now;
    return this.#count > futileBurst;
  }

  /** A window grew; true when that happens too often. */
  addUpdate(): boolean {
    this.#updates += 1;
    return this.#updates > SPARE_UPDATES && this.add();
  }

  dataSent(): void {
    this.#updates = Math.max(0, this.#updates - UPDATES_PER_FRAME);
  }
}
