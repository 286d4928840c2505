/**
 * Writes to a socket and reports when it is full. Bytes and pieces both count, because each piece takes memory of its
 * own and keeps the buffer that it came in.
 * Invariant: a peer that sends single bytes cannot make each byte cost hundreds of bytes of memory.
 */
import type { Writable } from 'node:stream';

/** Pieces that one user of a socket may have queued. Pieces of usual sizes fill the socket's bytes first. */
const MOST_PIECES = 64;

export class BoundedWrites {
  readonly #socket: Writable;
  readonly #drained: () => void;
  #pieces = 0;
  #isFull = false;

  /**
   * `drained` is called when there is room again, after a write that returned false. It is not called if the socket is
   * lost.
   */
  constructor(socket: Writable, drained: () => void) {
    this.#socket = socket;
    this.#drained = drained;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  /**
   * Queues the bytes. Returns false if the caller should wait for `drained`. `taken` is called when the socket no
   * longer needs the bytes.
   */
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
