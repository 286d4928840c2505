/**
 * Gathers the large pieces of one turn of the event loop into one write, because TLS delivers at most 16 KiB at a time.
 * Invariant: a small piece that comes alone does not wait for the end of the turn.
 */
import type { Writable } from 'node:stream';
import { BoundedWrites } from './bounded-writes.ts';
import { extendSlab, returnSlab, type Slab, takeSlab, writtenSlab } from './slab.ts';

/** A peer that sends pieces of this size usually sends more. */
const LARGE_BYTES = 8192;

export class GatheredWrites {
  readonly #socket: Writable;
  readonly #writes: BoundedWrites;
  #isGathering = false;
  /** Memory with copied bytes that the socket has not got yet. */
  #slab: Slab | null = null;
  #from = 0;
  #to = 0;

  /** `drained` is called when there is room again, after a write that returned false. */
  constructor(socket: Writable, drained: () => void) {
    this.#socket = socket;
    this.#writes = new BoundedWrites(socket, drained);
  }

  /** Returns false if the socket is full. Then wait for `drained`. */
  write(chunk: Uint8Array): boolean {
    this.#gather(chunk.length);
    this.#handOverCopies();
    return this.#writes.write(chunk);
  }

  /** Writes bytes like `write`, but the buffer may change when this returns. The socket must not keep views of written bytes. */
  writeCopy(chunk: Uint8Array): boolean {
    const { length } = chunk;
    this.#gather(length);
    if (this.#slab === null || !extendSlab(this.#slab, this.#to, length)) this.#beginCopies(length);
    this.#slab!.bytes.set(chunk, this.#to);
    this.#to += length;
    return !this.#writes.isFull;
  }

  /** Writes the gathered bytes. Call it before the socket is destroyed, and before it is ended after a copy. */
  flush(): void {
    if (!this.#isGathering) return;
    this.#isGathering = false;
    this.#handOverCopies();
    this.#socket.uncork();
  }

  #gather(length: number): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    this.#socket.cork();
    if (length < LARGE_BYTES) process.nextTick(flush, this);
    else setImmediate(flush, this);
  }

  #beginCopies(length: number): void {
    this.#handOverCopies();
    const slab = takeSlab(length);
    this.#slab = slab;
    this.#from = slab.used;
    this.#to = slab.used;
    slab.used += length;
    // The rest of the slab can be used by other streams, because gathered bytes are usually few.
    returnSlab(slab);
  }

  #handOverCopies(): void {
    const slab = this.#slab;
    if (slab === null) return;
    this.#slab = null;
    this.#writes.write(slab.bytes.subarray(this.#from, this.#to), () => writtenSlab(slab));
  }
}

function flush(writes: GatheredWrites): void {
  writes.flush();
}
