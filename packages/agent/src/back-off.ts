/**
 * Wait before the next connection to the service, in milliseconds. It is short at first, so that agents are back
 * moments after a restart of the service. Jitter spreads a thousand agents over time.
 */
const STEPS_MS = [0, 200, 500, 1_000, 2_000, 2_000, 3_000] as const;
/** The longest waits in the first minute of an outage, and after it. */
const YOUNG_CEILING_MS = 5_000;
const CEILING_MS = 30_000;
const YOUNG_MS = 60_000;

export interface BackOffSource {
  /** Returns numbers in [0, 1). */
  readonly random: () => number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** The waits of one outage, from its first failure until `reset`. */
export class BackOff {
  readonly #source: BackOffSource;
  #attempt = 0;
  #since: number | null = null;

  constructor(source: BackOffSource) {
    this.#source = source;
  }

  /** Milliseconds to wait before the next attempt: between half of its step and all of it. */
  next(): number {
    const { random, now } = this.#source;
    this.#since ??= now();
    const ceiling = now() - this.#since < YOUNG_MS ? YOUNG_CEILING_MS : CEILING_MS;
    const step = STEPS_MS[this.#attempt++] ?? ceiling;
    return step * (0.5 + random() / 2);
  }

  /** The service is there: the next failure is the first one of another outage. */
  reset(): void {
    this.#attempt = 0;
    this.#since = null;
  }
}
