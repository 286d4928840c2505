/**
 * Checks that a request body arrives fast enough to justify a stream of an agent.
 * Invariant: time does not count if the visitor was not read, or if the upstream read or sent something.
 */
import type { HttpLimits } from './limits.ts';

/** Made once per connection, and begun again per body. */
export class BodyRate {
  readonly #limits: Pick<HttpLimits, 'bodyWindowMs' | 'bodyWindowBytes'>;
  #since = 0;
  #bytes = 0;

  constructor(limits: Pick<HttpLimits, 'bodyWindowMs' | 'bodyWindowBytes'>) {
    this.#limits = limits;
  }

  /** A new window. */
  begin(now: number): void {
    this.#since = now;
    this.#bytes = 0;
  }

  count(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Called every second for a body that is being read. `lastHeard` is the upstream's last sign of life. */
  isTooLow(now: number, lastHeard: number): boolean {
    const { bodyWindowMs, bodyWindowBytes } = this.#limits;
    if (now - this.#since <= bodyWindowMs) return false;
    if (this.#bytes < bodyWindowBytes && lastHeard <= this.#since) return true;
    this.begin(now);
    return false;
  }
}
