/** One stream of a session: its windows, half-closes and resets. */
import { ErrorCode } from './codes.ts';
import { Flag, INITIAL_WINDOW, MAX_WINDOW, NARROW_WINDOW } from './frame.ts';
import type { MuxStream, StreamHandler } from './mux-stream.ts';
import type { Outbound, Waiting } from './outbound.ts';
import { ReceiveBuffer } from './receive-buffer.ts';
import { WireError } from './wire-error.ts';

/** Functions of the session that a stream needs. */
export interface StreamOwner {
  readonly outbound: Outbound;
  /** True if the bytes of a read are valid only during the call. */
  readonly isReadIntoOneBuffer: boolean;
  /** Streams whose receive window is not narrow. Each stream counts itself from its beginning to its end. */
  wide: number;
  /** The number of wide streams up to which a narrow one may become wide. */
  readonly mostWide: number;
  /** The stream is closed, and its id is forgotten. */
  release(stream: Stream): void;
}

/** Bytes of a bulk write in one frame, and in one turn if several streams wait. */
const FRAME_BYTES = 32_768;
/** Bytes that a stream may send before the peer has acknowledged it, if the peer acknowledges streams. */
const UNACKNOWLEDGED_BYTES = 32 * 1024;
const EMPTY = new Uint8Array(0);

/** A stream with its two windows, its queues in both directions, and its half-closes. */
export class Stream implements MuxStream, Waiting {
  readonly id: number;
  readonly #owner: StreamOwner;
  readonly #out: Outbound;
  #handler: StreamHandler | null;
  #closed = false;
  #closeCode: ErrorCode = ErrorCode.none;
  #closeTold = false;

  #sendWindow = INITIAL_WINDOW;
  #queue: Uint8Array[] = [];
  /** Bytes of the first queued chunk that were sent. */
  #queueFrom = 0;
  #needDrain = false;
  #ending = false;
  #finSent = false;
  /** Bytes that may be sent before the peer acknowledges the stream; null for any number. */
  #unacknowledged: number | null = null;

  /** Bytes that the peer may have sent and the owner has not read. */
  #window = INITIAL_WINDOW;
  /** Bytes that the peer may still send. */
  #receiveWindow = INITIAL_WINDOW;
  #unread: ReceiveBuffer | null = null;
  #paused = false;
  #remoteEnded = false;
  #endTold = false;
  #wakeScheduled = false;

  constructor(id: number, owner: StreamOwner, handler: StreamHandler | null) {
    this.id = id;
    this.#owner = owner;
    this.#out = owner.outbound;
    this.#handler = handler;
    owner.wide++;
  }

  get handler(): StreamHandler {
    if (this.#handler === null) throw new Error(`stream ${this.id} has no handler yet`);
    return this.#handler;
  }

  set handler(handler: StreamHandler) {
    this.#handler = handler;
    if (this.#hasNews()) this.#scheduleWake();
  }

  get closed(): boolean {
    return this.#closed;
  }

  get writableNeedDrain(): boolean {
    if (this.#closed || this.#ending) return false;
    return this.#queue.length > 0 || this.#sendWindow === 0 || !this.#out.open || this.#isHeld;
  }

  get #isHeld(): boolean {
    return this.#unacknowledged !== null && this.#unacknowledged <= 0;
  }

  write(chunk: Uint8Array): boolean {
    if (this.#closed || this.#ending) return true;
    const sent = this.#sendNow(chunk, false);
    if (sent < chunk.length) this.#queue.push(chunk.subarray(sent));
    return this.#hasRoom();
  }

  writeCopy(chunk: Uint8Array): boolean {
    if (this.#closed || this.#ending) return true;
    const sent = this.#sendNow(chunk, true);
    if (sent < chunk.length) this.#queue.push(Buffer.from(chunk.subarray(sent)));
    return this.#hasRoom();
  }

  #hasRoom(): boolean {
    if (!this.writableNeedDrain) return true;
    this.#needDrain = true;
    this.#wait();
    return false;
  }

  end(): void {
    if (this.#closed || this.#ending) return;
    this.#ending = true;
    if (this.#queue.length === 0) this.#sendFin();
  }

  reset(code: ErrorCode): void {
    if (this.#closed) return;
    this.#out.reset(this.id, code);
    this.lost(code === ErrorCode.none ? ErrorCode.streamReset : code);
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    if (this.#hasNews() || this.#credit() >= this.#creditStep) this.#scheduleWake();
  }

  acknowledge(): void {
    if (!this.#closed && !this.#remoteEnded) this.#sendCredit(this.#credit());
  }

  detach(unread: Buffer): void {
    this.#handler = null;
    if (unread.length === 0) return;
    this.#unread ??= new ReceiveBuffer();
    this.#unread.unshift(unread);
  }

  // The session calls the following methods.

  /** Makes both windows narrow. Both sides must call it before anything but the first bytes is sent. */
  narrow(): void {
    if (this.#closed || this.#window === NARROW_WINDOW) return;
    this.#sendWindow -= INITIAL_WINDOW - NARROW_WINDOW;
    this.#receiveWindow -= INITIAL_WINDOW - NARROW_WINDOW;
    this.#window = NARROW_WINDOW;
    this.#owner.wide--;
  }

  /** Records that the first bytes went out with SYN and used this much of the window. */
  opened(sent: number): void {
    this.#sendWindow -= sent;
  }

  /** Limits what is sent until the peer acknowledges the stream by credit. */
  awaitAcknowledgement(): void {
    this.#unacknowledged = UNACKNOWLEDGED_BYTES;
  }

  #acknowledged(): void {
    this.#unacknowledged = null;
    if (!this.#needDrain) return;
    this.#out.join(this);
    this.#out.serve();
  }

  /** Returns true if a DATA frame of this length is allowed now. Otherwise the stream is reset. */
  admits(length: number): boolean {
    if (this.#remoteEnded) {
      // A repeated FIN is ignored, because some agents close a stream that they have half-closed.
      if (length > 0) this.reset(ErrorCode.streamClosed);
      return false;
    }
    if (length <= this.#receiveWindow) return true;
    this.reset(ErrorCode.flowControl);
    return false;
  }

  /** Returns credit for bytes of the session (the stream's type), not of the owner. */
  consumed(length: number): void {
    this.#receiveWindow -= length;
  }

  receive(chunk: Buffer): void {
    if (this.#unacknowledged !== null) this.#acknowledged();
    this.#receiveWindow -= chunk.length;
    const unread = this.#unread;
    if (this.#paused || this.#handler === null || (unread !== null && unread.length > 0)) {
      this.#unread ??= new ReceiveBuffer();
      this.#unread.push(this.#owner.isReadIntoOneBuffer ? Buffer.from(chunk) : chunk);
      return;
    }
    const mayKeep = this.#handler.keepsNoChunk !== true;
    this.#tellData(mayKeep && this.#owner.isReadIntoOneBuffer ? Buffer.from(chunk) : chunk);
    if (this.#window - this.#receiveWindow >= this.#creditStep) this.#returnCredit();
  }

  receiveEnd(): void {
    if (this.#remoteEnded) return;
    this.#remoteEnded = true;
    if (this.#unacknowledged !== null) this.#acknowledged();
    this.#tellEnd();
  }

  addCredit(increment: number): void {
    if (this.#sendWindow + increment > MAX_WINDOW) {
      this.reset(ErrorCode.flowControl);
      return;
    }
    this.#sendWindow += increment;
    this.#unacknowledged = null;
    if (!this.#needDrain && this.#queue.length === 0) return;
    this.#out.join(this);
    this.#out.serve();
  }

  /** Ends both directions without a frame to the peer. */
  lost(code: ErrorCode): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#closeCode = code;
    this.#queue = [];
    this.#unread = null;
    this.#out.leave(this);
    if (this.#window !== NARROW_WINDOW) this.#owner.wide--;
    this.#owner.release(this);
    this.#tellClose();
  }

  serve(): void {
    if (this.#closed) return;
    if (this.#queue.length > 0 && this.#sendWindow > 0) this.#sendQueued();
    if (this.#queue.length === 0 && this.#ending) {
      this.#sendFin();
    } else if (this.#queue.length > 0 || this.#out.full) {
      this.#wait();
    } else if (this.#needDrain && this.#sendWindow > 0 && !this.#isHeld) {
      this.#needDrain = false;
      this.#tellDrain();
    }
  }

  /**
   * Sends as much as it may before its turn. Returns the number of bytes. `mayChange`: the buffer may change
   * afterwards.
   */
  #sendNow(chunk: Uint8Array, mayChange: boolean): number {
    if (this.#queue.length > 0) return 0;
    const { length } = chunk;
    const goesFirst = this.#mayGoFirst(length);
    let sent = 0;
    while (sent < length && this.#sendWindow > 0 && (goesFirst || this.#out.open))
      sent = this.#sendFrame(chunk, sent, mayChange);
    return sent;
  }

  /**
   * Returns true once, and again after the stream had its turn. A stream that always writes a little then keeps no
   * other waiting.
   */
  #mayGoFirst(length: number): boolean {
    return !this.#needDrain && this.#out.mayGoFirst(length);
  }

  /** Joins the queue for the socket, unless the stream waits for the peer's credit only. */
  #wait(): void {
    if (this.#sendWindow > 0) this.#out.join(this);
  }

  /** Sends one frame of the queue, which is not empty. The window is open. */
  #sendQueued(): void {
    const chunk = this.#queue[0]!;
    const sent = this.#sendFrame(chunk, this.#queueFrom, false);
    if (sent === chunk.length) this.#queue.shift();
    this.#queueFrom = sent === chunk.length ? 0 : sent;
  }

  /** Sends one frame with the chunk's bytes from `from` on. Returns the offset of the next one. The window is open. */
  #sendFrame(chunk: Uint8Array, from: number, mayChange: boolean): number {
    const to = Math.min(chunk.length, from + Math.min(FRAME_BYTES, this.#sendWindow));
    this.#sendWindow -= to - from;
    if (this.#unacknowledged !== null) this.#unacknowledged -= to - from;
    if (mayChange) this.#out.copiedData(this.id, 0, chunk, from, to);
    else this.#out.data(this.id, 0, chunk, from, to);
    return to;
  }

  #sendFin(): void {
    if (this.#finSent) return;
    this.#finSent = true;
    this.#out.data(this.id, Flag.fin, EMPTY, 0, 0);
    this.#closeIfDone();
  }

  #closeIfDone(): void {
    if (this.#finSent && this.#endTold) this.lost(ErrorCode.none);
  }

  #hasNews(): boolean {
    if (this.#closed) return !this.#closeTold;
    return (this.#unread !== null && this.#unread.length > 0) || (this.#remoteEnded && !this.#endTold);
  }

  /** Deferred, so that no owner is called during its own call. */
  #scheduleWake(): void {
    if (this.#wakeScheduled) return;
    this.#wakeScheduled = true;
    queueMicrotask(() => {
      this.#wakeScheduled = false;
      this.#wake();
    });
  }

  #wake(): void {
    const unread = this.#unread;
    while (unread !== null && unread.length > 0 && !this.#paused && this.#handler !== null && !this.#closed) {
      this.#tellData(unread.shift()!);
    }
    this.#returnCredit();
    if (this.#closed) this.#tellClose();
    else if (this.#remoteEnded) this.#tellEnd();
  }

  /** Returns the bytes that the owner has read and the peer has no credit for yet. */
  #credit(): number {
    return this.#window - this.#receiveWindow - (this.#unread?.length ?? 0);
  }

  /** Credit is returned in portions of at least this many bytes. */
  get #creditStep(): number {
    return this.#window / 2;
  }

  /** Makes a narrow stream wide if its bytes are read and there is room for one more. */
  #widen(): void {
    if (this.#window !== NARROW_WINDOW || this.#owner.wide >= this.#owner.mostWide) return;
    this.#window = INITIAL_WINDOW;
    this.#owner.wide++;
  }

  #returnCredit(): void {
    if (this.#paused || this.#closed || this.#remoteEnded) return;
    if (this.#credit() < this.#creditStep) return;
    this.#widen();
    const credit = this.#credit();
    this.#sendCredit(credit);
  }

  #sendCredit(credit: number): void {
    if (credit <= 0) return;
    this.#receiveWindow += credit;
    this.#out.windowIncrement(this.id, credit);
  }

  #tellData(chunk: Buffer): void {
    try {
      this.#handler!.data(chunk);
    } catch (error) {
      this.#broken(error);
    }
  }

  #tellDrain(): void {
    try {
      this.#handler?.drain();
    } catch (error) {
      this.#broken(error);
    }
  }

  #tellEnd(): void {
    if (this.#endTold || this.#paused || this.#handler === null || this.#closed) return;
    if (this.#unread !== null && this.#unread.length > 0) return;
    this.#endTold = true;
    try {
      this.#handler.end();
    } catch (error) {
      this.#broken(error);
    }
    this.#closeIfDone();
  }

  #tellClose(): void {
    if (this.#closeTold || this.#handler === null) return;
    this.#closeTold = true;
    try {
      this.#handler.close(this.#closeCode);
    } catch (error) {
      this.#broken(error);
    }
  }

  /** An owner that throws loses its stream, not the session. */
  #broken(error: unknown): void {
    process.emitWarning(error instanceof Error ? error : new WireError(ErrorCode.internal, String(error)));
    this.reset(ErrorCode.internal);
  }
}
