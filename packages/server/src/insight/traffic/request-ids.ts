/**
 * Ids of recorded requests: time, count and daemon, so that the order of ids is the order of ends over all daemons.
 * Invariant: a later id of one daemon never sorts before an earlier one.
 */
import { BASE62 } from '../../core/id.ts';
import { REQUEST_PREFIX } from '../../resources/standalone/traffic-requests.ts';

/** The time of an id, and its number among those of this time. */
export interface Moment {
  /** Milliseconds since the epoch. */
  readonly ms: number;
  readonly count: number;
}

const MS_DIGITS = 8;
const COUNT_DIGITS = 5;
const DAEMON_DIGITS = 14;

export class RequestIds {
  readonly #daemon: string;
  readonly #now: () => number;
  #ms = 0;
  #count = 0;

  /** `now`: milliseconds since the epoch. `random`: returns that many random bytes. */
  constructor(now: () => number, random: (bytes: number) => Uint8Array) {
    this.#now = now;
    this.#daemon = Array.from(random(DAEMON_DIGITS), (byte) => BASE62[byte % BASE62.length]).join('');
  }

  /** Returns a moment after all earlier ones, also if the clock moves back. */
  next(): Moment {
    const ms = Math.floor(this.#now());
    if (ms > this.#ms) {
      this.#ms = ms;
      this.#count = 0;
    } else this.#count += 1;
    return { ms: this.#ms, count: this.#count };
  }

  idOf({ ms, count }: Moment): string {
    return `${REQUEST_PREFIX}_${digits(ms, MS_DIGITS)}${digits(count, COUNT_DIGITS)}${this.#daemon}`;
  }
}

function digits(value: number, length: number): string {
  let text = '';
  let rest = value;
  while (text.length < length) {
    text = BASE62[rest % BASE62.length] + text;
    rest = Math.floor(rest / BASE62.length);
  }
  return text;
}
