/**
 * Passed-through connections that come back to the front door: an agent that forwards to the service, itself or over others,
 * repeats the very ClientHello that it was given. Honest clients never send one twice, since its random bytes are new each time
 * (RFC 8446, section 4.1.2). Never that such a loop holds more than a few connections.
 */
import type { Hostname } from '../../core/hostname.ts';

/** Of connections with one hello at a time. More than one or two, because some devices know no good randomness. */
export const maxRepeats = 16;

export class HelloLoops {
  readonly #open = new Map<string, number>();

  /** Counts a connection in; what is answered counts it out. Null: it goes round. */
  enter(hostname: Hostname, random: string): (() => void) | null {
    const key = `${hostname} ${random}`;
    const count = this.#open.get(key) ?? 0;
    if (count >= maxRepeats) return null;
    this.#open.set(key, count + 1);
    return () => this.#leave(key);
  }

  #leave(key: string): void {
    const count = (this.#open.get(key) ?? 0) - 1;
    if (count > 0) this.#open.set(key, count);
    else this.#open.delete(key);
  }
}
