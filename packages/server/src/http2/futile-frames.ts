/**
 * Counts frames that cost work and serve nothing: streams that are reset, pings, settings, empty frames, windows that nobody waits for.
 * Never that a peer which uses the protocol as it is meant comes near the bound, or that one which does not is served on beyond it.
 */
import type { Http2Limits } from './limits.ts';

/** Each DATA frame that goes out may be answered by an update of its stream's window and of the connection's, and by halves. */
const UPDATES_PER_FRAME = 4;
const SPARE_UPDATES = 100;

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

  /** One more; true when there are too many. */
  add(): boolean {
    const { futileBurst, futilePerSecond } = this.#limits;
    const now = this.#now();
    this.#count = Math.max(0, this.#count - ((now - this.#countedAt) * futilePerSecond) / 1000) + 1;
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
