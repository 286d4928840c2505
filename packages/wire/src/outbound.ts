/**
 * Sends the frames of a session: one socket write a turn, streams served in turn.
 * Invariant: no stream keeps other streams waiting.
 */
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { BoundedWrites } from './bounded-writes.ts';
import type { BudgetShare, ByteBudget } from './byte-budget.ts';
import type { ErrorCode } from './codes.ts';
import { FrameType, HEADER_BYTES, writeHeader, writeUint32 } from './frame.ts';
import { returnSlab, type Slab, takeSlab, writtenSlab } from './slab.ts';

/** Payloads of at most this many bytes are copied next to their header. Larger ones go to the socket as they are. */
export const COPY_BYTES = 4096;
/** Bytes gathered for the next socket write from which on streams wait. A bulk stream cannot occupy more memory. */
const GATHER_BYTES = 131_072;
/** Bytes gathered up to which frames may overtake waiting streams. */
const FIRST_BYTES = 2 * GATHER_BYTES;
/** A peer that reads nothing from a full socket for this long is lost. */
const STALL_MS = 60_000;

/** A stream that waits for room, to send or to wake its owner. */
export interface Waiting {
  /** Sends at most one frame, and joins the queue again if there is more. */
  serve(): void;
}

/**
 * The sending half of a session. It gathers the frames of one turn of the event loop into one socket write, and serves
 * streams in turn. A stream writes directly while `open`; otherwise it joins the queue.
 */
export class Outbound {
  readonly #socket: Duplex;
  readonly #writes: BoundedWrites;
  readonly #stalled: (why: string) => void;
  readonly #waiting = new Set<Waiting>();
  #pieces: Uint8Array[] = [];
  #slab: Slab | null = null;
  /** Memory that the next write has views of. */
  #slabs: Slab[] = [];
  #pieceStart = 0;
  #gathered = 0;
  #scheduled = false;
  #awaitingDrain = false;
  #serving = false;
  #ended = false;
  #stallTimer: NodeJS.Timeout | null = null;
  #queue: BudgetShare;

  /** `queued` counts unread bytes. `stalled` is called if the peer stopped reading and must be disconnected. */
  constructor(socket: Duplex, queued: ByteBudget, stalled: (why: string) => void) {
    this.#socket = socket;
    this.#writes = new BoundedWrites(socket, () => this.#drained());
    this.#stalled = stalled;
    this.#queue = this.#shareOf(queued);
  }

  /** Counts unread bytes in another budget from now on. */
  countIn(queued: ByteBudget): void {
    const { bytes } = this.#queue;
    this.#queue.keep(0);
    this.#queue = this.#shareOf(queued);
    this.#queue.keep(bytes);
  }

  #shareOf(queued: ByteBudget): BudgetShare {
    return queued.open(() => this.#stalled('the peer does not read the data that it requests'));
  }

  /** True if a stream may send without joining the queue. */
  get open(): boolean {
    return !this.full && this.#waiting.size === 0;
  }

  /** True if the socket must drain before more is gathered. */
  get full(): boolean {
    return this.#awaitingDrain || this.#gathered >= GATHER_BYTES || this.#ended;
  }

  /**
   * True if a frame of this size may overtake waiting streams, because a small response should not wait for large
   * frames. The caller must make a stream wait after it overtook once.
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

  /** Serves waiting streams while there is room. */
  serve(): void {
    if (this.#serving) return;
    this.#serving = true;
    // A stream that joins again during the loop is visited again, after all others.
    for (const stream of this.#waiting) {
      if (this.full) break;
      this.#waiting.delete(stream);
      stream.serve();
    }
    this.#serving = false;
  }

  /**
   * Sends a DATA frame with the bytes `from` to `to` of `chunk`, which must not change afterwards. The caller does flow
   * control.
   */
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

  /** The same for a chunk that may change when this returns. */
  copiedData(id: number, flags: number, chunk: Uint8Array, from: number, to: number): void {
    const length = to - from;
    const at = this.#header(HEADER_BYTES + length, length, FrameType.data, flags, id);
    if (length === 0) return;
    this.#slab!.bytes.set(from === 0 && to === chunk.length ? chunk : chunk.subarray(from, to), at);
  }

  /** Sends the SYN frame: the stream's type, then the bytes of `first` up to `to`. */
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

  /** Writes the gathered bytes and ends the socket's writing side. Nothing is sent afterwards. */
  end(): void {
    if (this.#ended) return;
    const { writable } = this.#socket;
    if (writable && this.#gathered > 0) this.#write();
    this.abandon();
    if (writable) this.#socket.end();
  }

  /** Discards the gathered bytes, because the peer does not read. Nothing is sent afterwards. */
  abandon(): void {
    this.#ended = true;
    if (this.#stallTimer !== null) clearTimeout(this.#stallTimer);
    this.#waiting.clear();
    this.#queue.keep(0);
    this.#drop();
  }

  /** Reserves `size` adjacent bytes and writes the header at their start. Returns the offset of the body. */
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
      // The socket would only queue these bytes. Here their size is known exactly.
      this.#queue.keep(this.#gathered);
      return;
    }
    if (!this.#socket.writable) this.#drop();
    else if (!this.#write()) this.#await();
    else this.serve();
  }

  /** Returns false if the socket is full until 'drain'. */
  #write(): boolean {
    this.#seal();
    const pieces = this.#pieces;
    const slabs = this.#clear();
    // A peer in this process may get these very buffers, and keep them.
    const taken = this.#socket instanceof Socket ? () => slabs.forEach(writtenSlab) : undefined;
    const last = pieces.length - 1;
    if (last === 0) return this.#writes.write(pieces[0]!, taken);
    this.#socket.cork();
    for (let at = 0; at < last; at++) this.#writes.write(pieces[at]!);
    const hasRoom = this.#writes.write(pieces[last]!, taken);
    this.#socket.uncork();
    return hasRoom;
  }

  /** Forgets the gathered frames, and returns the memory that they used. */
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
