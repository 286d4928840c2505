/**
 * Gathers the large pieces that come in one turn of the event loop into one write: TLS hands over at most 16 KiB at a time. Never
 * that a small one which comes alone waits for the rest of the turn.
 */
import type { Writable } from 'node:stream';
import { BoundedWrites } from './bounded-writes.ts';
import { extendSlab, returnSlab, type Slab, takeSlab, writtenSlab } from './slab.ts';

/** Who sends pieces of this size has more, as a rule. */
const LARGE_BYTES = 8192;

export class GatheredWrites {
  readonly #socket: Writable;
  readonly #writes: BoundedWrites;
  #isGathering = false;
  /** Where what was copied lies that the socket has not got yet. */
  #slab: Slab | null = null;
  #from = 0;
  #to = 0;

  /** `drained`: there is room again, after a write that returned false. */
  constructor(socket: Writable, drained: () => void) {
    this.#socket = socket;
    this.#writes = new BoundedWrites(socket, drained);
  }

  /** False: the socket is full, wait for `drained`. */
  write(chunk: Uint8Array): boolean {
    this.#gather(chunk.length);
    this.#handOverCopies();
    return this.#writes.write(chunk);
  }

  /** As write; the buffer may change as soon as this returns. For sockets that keep no views of what they have taken. */
  writeCopy(chunk: Uint8Array): boolean {
    const { length } = chunk;
    this.#gather(length);
    if (this.#slab === null || !extendSlab(this.#slab, this.#to, length)) this.#beginCopies(length);
    this.#slab!.bytes.set(chunk, this.#to);
    this.#to += length;
    return !this.#writes.isFull;
  }

  /** Hands over what was gathered: to be called before the socket is destroyed, and before it is ended where something was copied. */
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
    // Others go on behind it: what is gathered is small as a rule, and of many at a time.
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
