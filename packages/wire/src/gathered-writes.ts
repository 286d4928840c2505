/**
 * Gathers the large pieces that come in one turn of the event loop into one write: TLS hands over at most 16 KiB at a time. Never
 * that a small one which comes alone waits for the rest of the turn.
 */
import type { Writable } from 'node:stream';
import { BoundedWrites } from './bounded-writes.ts';

/** Who sends pieces of this size has more, as a rule. */
const LARGE_BYTES = 8192;

export class GatheredWrites {
  readonly #socket: Writable;
  readonly #writes: BoundedWrites;
  #isGathering = false;

  /** `drained`: there is room again, after a write that returned false. */
  constructor(socket: Writable, drained: () => void) {
    this.#socket = socket;
    this.#writes = new BoundedWrites(socket, drained);
  }

  /** False: the socket is full, wait for `drained`. */
  write(chunk: Uint8Array): boolean {
    if (!this.#isGathering) {
      this.#isGathering = true;
      this.#socket.cork();
      if (chunk.length < LARGE_BYTES) process.nextTick(flush, this);
      else setImmediate(flush, this);
    }
    return this.#writes.write(chunk);
  }

  /** Hands over what was gathered: to be called before the socket is destroyed, ending it does so by itself. */
  flush(): void {
    if (!this.#isGathering) return;
    this.#isGathering = false;
    this.#socket.uncork();
  }
}

function flush(writes: GatheredWrites): void {
  writes.flush();
}
