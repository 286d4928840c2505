/**
 * Writes to a socket and says when it is full: in bytes, as the socket itself does, and in pieces, of which each takes up memory of its own
 * and keeps the buffer that it came in. Never that somebody who sends single bytes to one who does not read makes a byte cost hundreds.
 */
import type { Writable } from 'node:stream';

/** Pieces that a socket may have of one user; with pieces of honest sizes its bytes are full before. */
const MOST_PIECES = 64;

export class BoundedWrites {
  readonly #socket: Writable;
  readonly #drained: () => void;
  #pieces = 0;
  #isFull = false;

  /** `drained`: there is room again, after a write that returned false; not called when the socket is lost. */
  constructor(socket: Writable, drained: () => void) {
    this.#socket = socket;
    this.#drained = drained;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  /** False: nothing more is wanted until `drained`; the bytes are queued all the same. `taken`: the socket has done with them. */
  write(chunk: Uint8Array, taken?: () => void): boolean {
    this.#pieces += 1;
    const written =
      taken === undefined
        ? this.#written
        : (error?: Error | null): void => {
            taken();
            this.#written(error);
          };
    if (!this.#socket.write(chunk, written) || this.#pieces >= MOST_PIECES) this.#isFull = true;
    return !this.#isFull;
  }

  readonly #written = (error?: Error | null): void => {
    this.#pieces -= 1;
    if (this.#pieces > 0 || !this.#isFull) return;
    this.#isFull = false;
    if (!error) this.#drained();
  };
}
