/**
 * What goes out on a session: one socket write a turn, streams served in turn. Never that one stream keeps the others
 * waiting.
 */
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { BoundedWrites } from './bounded-writes.ts';
import type { BudgetShare, ByteBudget } from './byte-budget.ts';
import type { ErrorCode } from './codes.ts';
import { FrameType, HEADER_BYTES, writeHeader, writeUint32 } from './frame.ts';
import { returnSlab, type Slab, takeSlab, writtenSlab } from './slab.ts';

/** Payloads up to this size are copied next to their header; larger ones go to the socket as they are. */
export const COPY_BYTES = 4096;
/** Streams wait once this much is gathered for the next socket write, so that a bulk stream cannot hoard memory. */
const GATHER_BYTES = 131_072;
/** Up to here frames are taken that go before those who wait. */
const FIRST_BYTES = 2 * GATHER_BYTES;
/** A peer that takes nothing off a full socket for this long is gone. */
const STALL_MS = 60_000;

/** A stream that has something to send, or an owner to wake, as soon as there is room. */
export interface Waiting {
  /** Sends at most one frame; joins again when there is more. */
  serve(): void;
}

/**
 * The sending half of a session: gathers the frames of one turn of the event loop into one socket write and shares
 * the socket among streams in turn. A stream writes directly while `open`; otherwise it joins the queue.
 */
export class Outbound {
  readonly #socket: Duplex;
  readonly #writes: BoundedWrites;
  readonly #stalled: (why: string) => void;
  readonly #waiting = new Set<Waiting>();
  #pieces: Uint8Array[] = [];
  #slab: Slab | null = null;
  /** All that the next write has pieces of. */
  #slabs: Slab[] = [];
  #pieceStart = 0;
  #gathered = 0;
  #scheduled = false;
  #awaitingDrain = false;
  #serving = false;
  #ended = false;
  #stallTimer: NodeJS.Timeout | null = null;
  #queue: BudgetShare;

  /** `queued` counts what the peer does not read; `stalled` is called when the peer has to be given up. */
  constructor(socket: Duplex, queued: ByteBudget, stalled: (why: string) => void) {
    this.#socket = socket;
    this.#writes = new BoundedWrites(socket, () => this.#drained());
    this.#stalled = stalled;
    this.#queue = this.#shareOf(queued);
  }

  /** Has what the peer does not read counted elsewhere from now on. */
  countIn(queued: ByteBudget): void {
    const { bytes } = this.#queue;
    this.#queue.keep(0);
    this.#queue = this.#shareOf(queued);
    this.#queue.keep(bytes);
  }

  #shareOf(queued: ByteBudget): BudgetShare {
    return queued.open(() => this.#stalled('the peer does not read what it asks for'));
  }

  /** A stream may send without waiting for its turn. */
  get open(): boolean {
    return !this.full && this.#waiting.size === 0;
  }

  /** Nothing more is wanted before the socket has taken what there is. */
  get full(): boolean {
    return this.#awaitingDrain || this.#gathered >= GATHER_BYTES || this.#ended;
  }

  /**
   * A frame of this size may go before those who wait: a small answer would else wait for a large frame of each bulk stream. That
   * a stream which did so waits for its turn from then on is the caller's.
   */
  mayGoFirst(length: number): boolean {
    return length <= COPY_BYTES && this.#gathered < FIRST_BYTES && !this.#ended;
  }

  join(stream: Waiting): void {
    this.#waiting.add(stream);
  }

  leave(stream: Waiting): void {
    this.#waiting.delete(stream);
  }

  /** Gives those who wait their turn, as far as there is room. */
  serve(): void {
    if (this.#serving) return;
    this.#serving = true;
    // A stream that joins again during the walk is visited again, after all others.
    for (const stream of this.#waiting) {
      if (this.full) break;
      this.#waiting.delete(stream);
      stream.serve();
    }
    this.#serving = false;
  }

  /** A DATA frame with the bytes `from`…`to` of `chunk`, which does not change afterwards; flow control is the caller's. */
  data(id: number, flags: number, chunk: Uint8Array, from: number, to: number): void {
    const length = to - from;
    if (length <= COPY_BYTES) {
      this.copiedData(id, flags, chunk, from, to);
      return;
    }
    this.#header(HEADER_BYTES, length, FrameType.data, flags, id);
    this.#seal();
    this.#pieces.push(from === 0 && to === chunk.length ? chunk : chunk.subarray(from, to));
    this.#gathered += length;
  }

  /** The same, of a chunk that may change as soon as this returns. */
  copiedData(id: number, flags: number, chunk: Uint8Array, from: number, to: number): void {
    const length = to - from;
    const at = this.#header(HEADER_BYTES + length, length, FrameType.data, flags, id);
    if (length === 0) return;
    this.#slab!.bytes.set(from === 0 && to === chunk.length ? chunk : chunk.subarray(from, to), at);
  }

  /** The SYN frame: the stream's type, then the bytes up to `to` of `first`. */
  syn(id: number, type: number, first: Uint8Array, to: number): void {
    const at = this.#header(HEADER_BYTES + 4 + to, 4 + to, FrameType.data, 0x2, id);
    writeUint32(this.#slab!.bytes, at, type);
    if (to > 0) this.#slab!.bytes.set(to === first.length ? first : first.subarray(0, to), at + 4);
  }

  reset(id: number, code: ErrorCode): void {
    const at = this.#header(HEADER_BYTES + 4, 4, FrameType.rst, 0, id);
    writeUint32(this.#slab!.bytes, at, code);
  }

  windowIncrement(id: number, increment: number): void {
    const at = this.#header(HEADER_BYTES + 4, 4, FrameType.windowIncrement, 0, id);
    writeUint32(this.#slab!.bytes, at, increment);
  }

  goAway(lastId: number, code: ErrorCode, debug: string): void {
    const text = Buffer.from(debug.slice(0, 512));
    const length = 8 + text.length;
    const at = this.#header(HEADER_BYTES + length, length, FrameType.goAway, 0, 0);
    writeUint32(this.#slab!.bytes, at, lastId);
    writeUint32(this.#slab!.bytes, at + 4, code);
    this.#slab!.bytes.set(text, at + 8);
  }

  /** Hands what is gathered to the socket and ends its writing side. Nothing is sent afterwards. */
  end(): void {
    if (this.#ended) return;
    const { writable } = this.#socket;
    if (writable && this.#gathered > 0) this.#write();
    this.abandon();
    if (writable) this.#socket.end();
  }

  /** Throws away what is gathered: nobody reads it. Nothing is sent afterwards. */
  abandon(): void {
    this.#ended = true;
    if (this.#stallTimer !== null) clearTimeout(this.#stallTimer);
    this.#waiting.clear();
    this.#queue.keep(0);
    this.#drop();
  }

  /** Reserves `size` bytes that lie together, writes the header at their start; returns where the body goes. */
  #header(size: number, length: number, type: number, flags: number, id: number): number {
    if (this.#slab === null || this.#slab.bytes.length - this.#slab.used < size) {
      this.#seal();
      if (this.#slab !== null) returnSlab(this.#slab);
      this.#slab = takeSlab(size);
      this.#slabs.push(this.#slab);
      this.#pieceStart = this.#slab.used;
    }
    const at = this.#slab.used;
    this.#slab.used = at + size;
    this.#gathered += size;
    writeHeader(this.#slab.bytes, at, length, type, flags, id);
    if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(flush, this);
    }
    return at + HEADER_BYTES;
  }

  #seal(): void {
    const slab = this.#slab;
    if (slab === null || slab.used === this.#pieceStart) return;
    this.#pieces.push(slab.bytes.subarray(this.#pieceStart, slab.used));
    this.#pieceStart = slab.used;
  }

  flush(): void {
    this.#scheduled = false;
    if (this.#ended || this.#gathered === 0) return;
    if (this.#awaitingDrain) {
      // The socket would only queue it: kept here, where its size is exact.
      this.#queue.keep(this.#gathered);
      return;
    }
    if (!this.#socket.writable) this.#drop();
    else if (!this.#write()) this.#await();
    else this.serve();
  }

  /** False: the socket is full until 'drain'. */
  #write(): boolean {
    this.#seal();
    const pieces = this.#pieces;
    const slabs = this.#clear();
    // Within this process the peer may get the very pieces, and keep them.
    const taken = this.#socket instanceof Socket ? () => slabs.forEach(writtenSlab) : undefined;
    const last = pieces.length - 1;
    if (last === 0) return this.#writes.write(pieces[0]!, taken);
    this.#socket.cork();
    for (let at = 0; at < last; at++) this.#writes.write(pieces[at]!);
    const hasRoom = this.#writes.write(pieces[last]!, taken);
    this.#socket.uncork();
    return hasRoom;
  }

  /** Forgets what was gathered, and answers what it lay in. */
  #clear(): readonly Slab[] {
    const slabs = this.#slabs;
    if (this.#slab !== null) returnSlab(this.#slab);
    this.#slab = null;
    this.#slabs = [];
    this.#pieces = [];
    this.#gathered = 0;
    return slabs;
  }

  #drop(): void {
    this.#clear().forEach(writtenSlab);
  }

  #await(): void {
    this.#awaitingDrain = true;
    if (this.#stallTimer === null) {
      this.#stallTimer = setTimeout(() => {
        if (this.#awaitingDrain && !this.#ended)
          this.#stalled(`the peer read nothing for ${STALL_MS / 1000} s`);
      }, STALL_MS);
      this.#stallTimer.unref();
    } else {
      this.#stallTimer.refresh();
    }
  }

  #drained(): void {
    this.#awaitingDrain = false;
    this.#queue.keep(0);
    if (this.#ended) return;
    if (this.#gathered > 0) this.flush();
    else this.serve();
  }
}

function flush(outbound: Outbound): void {
  outbound.flush();
}
