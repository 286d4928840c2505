/**
 * Limits key exchanges by a client: an exchange costs the server a signature and a key agreement, and the client
 * nearly nothing.
 */

/** An exchange after so many bytes, in both directions, costs nothing: what they cost is more. */
export const LARGE_BYTES = 256 * 1024;
/** OpenSSH exchanges keys as often as this if it is given a limit of a few hundred KiB. */
export const SMALL_BYTES = 32 * 1024;
/** Units that a client has at first, and at most. */
export const MOST_UNITS = 256;
/** An exchange after at least SMALL_BYTES costs one unit, an earlier one so many. */
export const UNITS_FOR_NOTHING = 16;
/** Milliseconds until one more unit is there. */
export const MS_PER_UNIT = 500;

export class RekeyBudget {
  readonly #now: () => number;
  #units = MOST_UNITS;
  #since: number;

  /** `now`: milliseconds of a clock that never goes back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#since = now();
  }

  /** Returns true if the client may replace keys that were used for so many bytes, and charges the client for it. */
  allows(bytes: number): boolean {
    if (bytes >= LARGE_BYTES) return true;
    const earned = Math.floor((this.#now() - this.#since) / MS_PER_UNIT);
    this.#since += earned * MS_PER_UNIT;
    this.#units = Math.min(MOST_UNITS, this.#units + earned);
    const cost = bytes >= SMALL_BYTES ? 1 : UNITS_FOR_NOTHING;
    if (this.#units < cost) return false;
    this.#units -= cost;
    return true;
  }
}
