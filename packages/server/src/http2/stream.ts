/**
 * One stream of a connection: what waits to go out within its window, and what came in and nobody took yet. Never that more waits here
 * than the windows allow, or that the other side may send more before somebody took what it sent.
 */
import { type HeaderField, type HeaderList, MAX_FRAME, MAX_WINDOW } from '@underpass/wire/http2';
import { UnreadBytes } from './unread-bytes.ts';

/** Who uses a stream. */
export interface StreamUser {
  /** A head: of a request, or of an answer, of which there may be interim ones. */
  headers(list: HeaderList, ends: boolean): void;
  data(bytes: Buffer): void;
  /** The other side has said everything; `trailers` are empty, as a rule. */
  ended(trailers: HeaderList): void;
  /** What was written is out. */
  drained(): void;
  /** The other side reset it, or the connection is over. Not called after a reset from this side. */
  lost(code: number): void;
}

/** What a stream needs of its connection. */
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
  /** Of what came in on any stream, so much was taken. */
  taken(bytes: number): void;
  /** It has something to send and may not. */
  waits(stream: Http2Stream): void;
  /** Both sides have ended, or one has reset it. */
  over(stream: Http2Stream): void;
}

export const NO_TRAILERS: HeaderList = { fields: [], isTooLarge: false };
const NOTHING = Buffer.alloc(0);

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
  /** Of answers; a stream that waits for one counts as open, so that nobody asks without end and reads nothing. */
  #heads: UnsentHead[] = [];
  #queue: Buffer[] = [];
  /** Everything that this side says was said; some of it may wait in the queue. */
  #isEnding = false;
  #trailers: readonly HeaderField[] | null = null;
  #isEndSent = false;
  #isPaused = false;
  readonly #unread = new UnreadBytes();
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
    this.#queue.push(bytes);
    if (this.#queue.length === 1) this.#pump();
    if (!this.isBlocked) return true;
    this.#owner.waits(this);
    return false;
  }

  end(trailers: readonly HeaderField[] = []): void {
    if (this.isClosed || this.#isEnding) return;
    this.#isEnding = true;
    if (trailers.length > 0) this.#trailers = trailers;
    if (!this.isBlocked) this.#sendEnd();
  }

  /** Nobody wants what it still brings, or waits for what it should have said. */
  reset(code: number): void {
    if (this.isClosed) {
      this.#drop();
      return;
    }
    this.#owner.sendReset(this.id, code);
    this.#close();
  }

  /** What comes from now on waits here, and with it what the other side may send. */
  pause(): void {
    this.#isPaused = true;
  }

  /** What waits comes in a turn of its own, as from a socket: whoever resumes may not be ready for it yet. */
  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    if (!this.#unread.isEmpty || this.#unreadEnd !== null) process.nextTick(() => this.#deliver());
  }

  #deliver(): void {
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

  // ----- what the connection tells it

  /** `length` of the frame, padding included. False: it is more than was allowed. */
  received(bytes: Buffer, length: number): boolean {
    this.#receiveWindow -= length;
    if (this.#receiveWindow < 0) return false;
    if (bytes.length < length) this.#credit(length - bytes.length);
    if (bytes.length === 0) return true;
    if (this.#isPaused || !this.#unread.isEmpty) {
      this.#unread.push(bytes);
      return true;
    }
    this.user?.data(bytes);
    this.#credit(bytes.length);
    return true;
  }

  receivedEnd(trailers: HeaderList): void {
    this.isRemoteEnded = true;
    const waits = this.#isPaused || !this.#unread.isEmpty;
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
    const next = this.#queue[0];
    if (next === undefined || this.isClosed) return false;
    const size = Math.min(next.length, MAX_FRAME, this.#sendWindow, this.#owner.room);
    if (size <= 0 && next.length > 0) return false;
    const isWhole = size === next.length;
    if (isWhole) this.#queue.shift();
    else this.#queue[0] = next.subarray(size);
    this.#sendWindow -= size;
    const ends = this.#isEnding && this.#queue.length === 0 && this.#trailers === null;
    this.#owner.sendData(this.id, isWhole ? next : next.subarray(0, size), ends);
    if (ends) this.#endSent();
    return true;
  }

  /** Everything that waited is out. */
  drained(): void {
    if (this.#isEnding && !this.#isEndSent && !this.isClosed) this.#sendEnd();
    this.user?.drained();
  }

  /** The other side reset it, or the connection is over. */
  ended(code: number): void {
    if (this.isClosed) return;
    const { user } = this;
    this.#close();
    user?.lost(code);
  }

  #pump(): void {
    while (this.sendOne());
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
    this.#queue = [];
    this.#trailers = null;
    // What came before both sides had ended is still to be taken.
    if (!this.#isEndSent || !this.isRemoteEnded) this.#drop();
    this.#owner.over(this);
  }

  #drop(): void {
    this.#owner.taken(this.#unread.clear());
    this.#unreadEnd = null;
  }
}
