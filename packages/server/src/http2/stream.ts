/**
 * One stream of a connection: bytes that wait to go out within its window, and bytes that came in and were not taken yet.
 *
 * Invariant: no more waits here than the windows allow, and the other side may send more only after its bytes were taken.
 * Small pieces that came in one read, or that wait, are joined.
 */
import { ReceiveBuffer } from '@underpass/wire';
import { type HeaderField, type HeaderList, MAX_FRAME, MAX_WINDOW } from '@underpass/wire/http2';

/** The user of a stream. */
export interface StreamUser {
  /** A head: of a request, or of an answer, of which there may be interim ones. */
  headers(list: HeaderList, ends: boolean): void;
  data(bytes: Buffer): void;
  /** The peer has sent everything; `trailers` are usually empty. */
  ended(trailers: HeaderList): void;
  /** Everything that was written has gone out. */
  drained(): void;
  /** The peer reset the stream, or the connection has ended. Not called after a reset from this side. */
  lost(code: number): void;
}

/** Functions of the connection that a stream needs. */
export interface StreamOwner {
  /** Bytes of DATA that may go out now: none while the transport is full. */
  readonly room: number;
  /** The transport is full: nothing may go out that could wait. */
  readonly isBlocked: boolean;
  sendHeaders(id: number, fields: Iterable<HeaderField>, ends: boolean): void;
  sendData(id: number, bytes: Buffer, ends: boolean): void;
  sendReset(id: number, code: number): void;
  /** Lets the other side send so much more. */
  sendCredit(id: number, bytes: number): void;
  /** Reports how many bytes were taken, of those received on any stream. */
  taken(bytes: number): void;
  /** Requests that the bytes which `stream` holds are delivered at the end of this read. */
  holds(stream: Http2Stream): void;
  /** Reports that `stream` has something to send and may not. */
  waits(stream: Http2Stream): void;
  /** Reports that both sides have ended, or that one has reset the stream. */
  over(stream: Http2Stream): void;
}

export const NO_TRAILERS: HeaderList = { fields: [], isTooLarge: false };
const NOTHING = Buffer.alloc(0);
/** DATA below this size is held until the end of the read that it came in: more small pieces may follow. */
const HELD_BYTES = 1024;
/** A DATA frame of the usual size is a bit less than a quarter of Node's pool, in which the next ones lie. */
const KEPT_RATIO = 5;

interface UnsentHead {
  readonly fields: readonly HeaderField[];
  readonly ends: boolean;
}

export class Http2Stream {
  user: StreamUser | null = null;
  readonly id: number;
  isRemoteEnded = false;
  isClosed = false;
  readonly #owner: StreamOwner;
  readonly #window: number;
  #sendWindow: number;
  #receiveWindow: number;
  #uncredited = 0;
  /**
   * Heads that wait to be sent. A stream with a waiting head counts as open. So a client cannot send requests without
   * end and read nothing.
   */
  #heads: UnsentHead[] = [];
  readonly #queue = new ReceiveBuffer(KEPT_RATIO);
  /** This side has written everything. Some of it may wait in the queue. */
  #isEnding = false;
  #trailers: readonly HeaderField[] | null = null;
  #isEndSent = false;
  #isPaused = false;
  /** The only piece so far of those that are held; more of them are in `#unread`. */
  #held: Buffer | null = null;
  readonly #unread = new ReceiveBuffer(KEPT_RATIO);
  #unreadEnd: HeaderList | null = null;

  /** `window`: how much may wait here; `sendWindow`: how much the other side takes. */
  constructor(owner: StreamOwner, id: number, window: number, sendWindow: number) {
    this.#owner = owner;
    this.id = id;
    this.#window = window;
    this.#receiveWindow = window;
    this.#sendWindow = sendWindow;
  }

  /** Something waits to go out. */
  get isBlocked(): boolean {
    return this.#queue.length > 0 || this.#heads.length > 0;
  }

  sendHeaders(fields: readonly HeaderField[], ends: boolean): void {
    if (this.isClosed || this.#isEnding) return;
    this.#isEnding = ends;
    this.#heads.push({ fields, ends });
    if (!this.#sendHead()) this.#owner.waits(this);
  }

  /** The oldest of those that wait; true when it could. */
  #sendHead(): boolean {
    const next = this.#heads[0];
    if (next === undefined || this.#owner.isBlocked) return false;
    this.#heads.shift();
    this.#owner.sendHeaders(this.id, next.fields, next.ends);
    if (next.ends) this.#endSent();
    return true;
  }

  /** False: wait for `drained`. */
  write(bytes: Buffer, ends = false): boolean {
    if (this.isClosed || this.#isEnding) return true;
    if (bytes.length === 0 && !ends) return !this.isBlocked;
    this.#isEnding = ends;
    const rest = this.isBlocked ? bytes : this.#sendNow(bytes);
    if (rest !== null) this.#queue.push(rest);
    if (!this.isBlocked) {
      // Nothing but the end waits, which takes up no window.
      if (ends && !this.#isEndSent && !this.isClosed) this.#sendEnd();
      return true;
    }
    this.#owner.waits(this);
    return false;
  }

  /** Sends as much as may go out; returns what has to wait, or null. */
  #sendNow(bytes: Buffer): Buffer | null {
    let rest = bytes;
    while (rest.length > 0) {
      const size = this.#sendable(rest);
      if (size <= 0) return rest;
      const frame = size === rest.length ? rest : rest.subarray(0, size);
      rest = size === rest.length ? NOTHING : rest.subarray(size);
      this.#sendFrame(frame, this.#isEnding && rest.length === 0);
      if (this.isClosed) return null;
    }
    return null;
  }

  #sendable(bytes: Buffer): number {
    return Math.min(bytes.length, MAX_FRAME, this.#sendWindow, this.#owner.room);
  }

  #sendFrame(bytes: Buffer, isLast: boolean): void {
    const ends = isLast && this.#trailers === null;
    this.#sendWindow -= bytes.length;
    this.#owner.sendData(this.id, bytes, ends);
    if (ends) this.#endSent();
  }

  end(trailers: readonly HeaderField[] = []): void {
    if (this.isClosed || this.#isEnding) return;
    this.#isEnding = true;
    if (trailers.length > 0) this.#trailers = trailers;
    if (!this.isBlocked) this.#sendEnd();
  }

  /** Cancels both directions of the stream. */
  reset(code: number): void {
    if (this.isClosed) {
      this.#drop();
      return;
    }
    this.#owner.sendReset(this.id, code);
    this.#close();
  }

  /** Resets a stream after a complete response to a malformed request (RFC 9113, section 8.1.1). */
  refuse(code: number): void {
    if (!this.isClosed) this.reset(code);
    else if (!this.isBlocked) this.#owner.sendReset(this.id, code);
  }

  /** Holds received data back, and with it the sender's window. */
  pause(): void {
    this.#isPaused = true;
  }

  /** Delivers waiting bytes in a later turn, as from a socket. The caller may not be ready for them yet. */
  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    if (this.#hasUnread || this.#unreadEnd !== null) process.nextTick(() => this.deliver());
  }

  get #hasUnread(): boolean {
    return this.#held !== null || this.#unread.length > 0;
  }

  /** Hands over what came in, unless the stream is paused. */
  deliver(): void {
    const held = this.#held;
    this.#held = null;
    if (held !== null && this.#isPaused) {
      this.#unread.push(held);
    } else if (held !== null) {
      this.user?.data(held);
      this.#credit(held.length);
    }
    while (!this.#isPaused) {
      const bytes = this.#unread.shift();
      if (bytes === undefined) break;
      this.user?.data(bytes);
      this.#credit(bytes.length);
    }
    const end = this.#unreadEnd;
    if (end === null || this.#isPaused) return;
    this.#unreadEnd = null;
    this.user?.ended(end);
  }

  // ----- calls of the connection

  /** `length` of the frame, padding included. False: it is more than was allowed. */
  received(bytes: Buffer, length: number): boolean {
    this.#receiveWindow -= length;
    if (this.#receiveWindow < 0) return false;
    if (bytes.length < length) this.#credit(length - bytes.length);
    if (bytes.length === 0) return true;
    if (this.#hasUnread || this.#isPaused) {
      this.#joinUnread(bytes);
    } else if (bytes.length < HELD_BYTES) {
      this.#held = bytes;
      this.#owner.holds(this);
    } else {
      this.user?.data(bytes);
      this.#credit(bytes.length);
    }
    return true;
  }

  #joinUnread(bytes: Buffer): void {
    if (this.#held !== null) this.#unread.push(this.#held);
    this.#held = null;
    this.#unread.push(bytes);
  }

  receivedEnd(trailers: HeaderList): void {
    this.isRemoteEnded = true;
    const waits = this.#isPaused || this.#hasUnread;
    if (waits) this.#unreadEnd = trailers;
    if (this.#isEndSent) this.#close();
    if (!waits) this.user?.ended(trailers);
  }

  /** The other side takes so much more, or less. False: more than there can be. */
  windowGrew(bytes: number): boolean {
    this.#sendWindow += bytes;
    if (this.#sendWindow > MAX_WINDOW) return false;
    if (this.isBlocked) this.#owner.waits(this);
    return true;
  }

  /** Sends one frame of what waits; true when it could. */
  sendOne(): boolean {
    if (this.#heads.length > 0) return this.#sendHead();
    if (this.#sendWindow <= 0 || this.#owner.room <= 0 || this.isClosed) return false;
    const next = this.#queue.shift();
    if (next === undefined) return false;
    const size = this.#sendable(next);
    this.#queue.unshift(next.subarray(size));
    this.#sendFrame(next.subarray(0, size), this.#isEnding && this.#queue.length === 0);
    return true;
  }

  /** Everything that waited is out. */
  drained(): void {
    if (this.#isEnding && !this.#isEndSent && !this.isClosed) this.#sendEnd();
    this.user?.drained();
  }

  /** The peer reset the stream, or the connection has ended. */
  ended(code: number): void {
    if (this.isClosed) return;
    const { user } = this;
    this.#close();
    user?.lost(code);
  }

  #sendEnd(): void {
    if (this.#trailers === null) this.#owner.sendData(this.id, NOTHING, true);
    else this.#owner.sendHeaders(this.id, this.#trailers, true);
    this.#trailers = null;
    this.#endSent();
  }

  #endSent(): void {
    this.#isEndSent = true;
    if (this.isRemoteEnded) this.#close();
  }

  #credit(bytes: number): void {
    this.#owner.taken(bytes);
    if (this.isRemoteEnded || this.isClosed) return;
    this.#uncredited += bytes;
    if (this.#uncredited < this.#window / 2) return;
    this.#receiveWindow += this.#uncredited;
    this.#owner.sendCredit(this.id, this.#uncredited);
    this.#uncredited = 0;
  }

  #close(): void {
    this.isClosed = true;
    this.#heads = [];
    this.#queue.clear();
    this.#trailers = null;
    // After the ends of both sides, data that came before is still to be read.
    if (!this.#isEndSent || !this.isRemoteEnded) this.#drop();
    this.#owner.over(this);
  }

  #drop(): void {
    this.#owner.taken((this.#held?.length ?? 0) + this.#unread.length);
    this.#held = null;
    this.#unread.clear();
    this.#unreadEnd = null;
  }
}
