/**
 * Detects passed-through connections that return to the front door. An agent that forwards to the service repeats the
 * same ClientHello. Other clients never repeat one, because its random bytes are new each time (RFC 8446, section
 * 4.1.2).
 * Invariant: such a loop has at most a few connections.
 */
import type { Hostname } from '../../core/names/hostname.ts';

/** Concurrent connections with the same hello. It is more than two, because some devices have bad random numbers. */
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
