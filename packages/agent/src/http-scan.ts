/**
 * Finds the beginning and end of HTTP/1.1 messages in a stream of bytes.
 * Invariant: at most one head is kept.
 */
import { afterEmptyLines, headEnd, MessageFault } from '@underpass/wire/http1';
import { CHUNKED, HEAD_MAX, INTERIM, OPAQUE, UNTIL_END } from './http-head.ts';

export interface ScanHandler {
  /** A whole head lies in `bytes` from `start` to `end` (after the last line's end). Returns how the body is delimited. */
  head(bytes: Buffer, start: number, end: number): number;
  /** The next piece of the body lies in `bytes` from `start` to `end`, without what delimits it. */
  body(bytes: Buffer, start: number, end: number): void;
  /** The message is complete. */
  complete(): void;
  /** The bytes from `start` on are not understood. The following chunks are not reported. */
  rest(bytes: Buffer, start: number): void;
  /** The message is faulty or was cut: it is not understood from here on. */
  faulty(fault: MessageFault): void;
}

const SIZE_LINE_MAX = 4_096;
const BAD_CHUNK = 'a chunk that is not valid';
const BLANK_LINE = Buffer.from('\r\n\r\n');
const LF = 0x0a;
const CR = 0x0d;

const State = {
  head: 0,
  body: 1,
  chunkSize: 2,
  chunkData: 3,
  trailer: 4,
  untilEnd: 5,
  opaque: 6,
  chunkEnd: 7,
} as const;
type State = (typeof State)[keyof typeof State];

/**
 * Scans one direction of an HTTP/1.1 connection: reports each head whole, and skips bodies by their length. It keeps
 * only a head that came in pieces. The cuts between chunks make no difference.
 */
export class MessageScanner {
  readonly #handler: ScanHandler;
  readonly #isFirstByte: (byte: number) => boolean;
  /** Lines may end with LF alone, as recipients of responses take them. */
  readonly #isLoose: boolean;
  #state: State = State.head;
  /** Bytes of the body or chunk still to skip. */
  #left = 0;
  /** The beginning of a head whose end has not come yet. */
  #held: Buffer | null = null;
  #heldLength = 0;
  #size = 0;
  #digits = 0;
  #inExtension = false;
  #lineLength = 0;
  #totalLength = 0;

  constructor(handler: ScanHandler, isFirstByte: (byte: number) => boolean, isLoose = false) {
    this.#handler = handler;
    this.#isFirstByte = isFirstByte;
    this.#isLoose = isLoose;
  }

  get isOpaque(): boolean {
    return this.#state === State.opaque;
  }

  feed(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      switch (this.#state) {
        case State.head:
          at = this.#held === null ? this.#wholeHead(chunk, at) : this.#restOfHead(chunk, at);
          break;
        case State.body:
        case State.chunkData:
          at = this.#skip(chunk, at);
          break;
        case State.chunkEnd:
          at = this.#chunkEnd(chunk, at);
          break;
        case State.chunkSize:
          at = this.#chunkSize(chunk, at);
          break;
        case State.trailer:
          at = this.#trailer(chunk, at);
          break;
        case State.untilEnd:
          this.#handler.body(chunk, at, chunk.length);
          return;
        case State.opaque:
          this.#handler.rest(chunk, at);
          return;
        default:
          this.#state satisfies never;
      }
    }
  }

  /** The direction ended: what was delimited by that is complete, as is what lacks only the end of its trailers. */
  end(): void {
    const state = this.#state;
    if (state === State.untilEnd || state === State.trailer) this.#handler.complete();
    else if (state === State.head && this.#held !== null)
      this.#handler.faulty(MessageFault.ofUnfinishedHead(this.#held.subarray(0, this.#heldLength)));
    else if (state !== State.head && state !== State.opaque)
      this.#handler.faulty(new MessageFault('the connection ended before the body was whole', null));
    this.#state = State.opaque;
  }

  #giveUp(chunk: Buffer, fault: MessageFault | null = null): number {
    if (fault !== null) this.#handler.faulty(fault);
    this.#state = State.opaque;
    this.#held = null;
    return chunk.length;
  }

  #wholeHead(chunk: Buffer, start: number): number {
    const at = this.#isLoose ? afterEmptyLines(chunk, start) : start;
    if (at === chunk.length) return at;
    if (!this.#isFirstByte(chunk[at]!))
      return this.#giveUp(chunk, MessageFault.at('no status line of HTTP/1.1', chunk, at));
    const next = this.#endOfHead(chunk, at);
    if (next >= 0) {
      if (next - at > HEAD_MAX) return this.#giveUp(chunk);
      this.#begin(this.#handler.head(chunk, at, linesEnd(chunk, next)));
      return next;
    }
    if (chunk.length - at >= HEAD_MAX) return this.#giveUp(chunk);
    this.#held = Buffer.allocUnsafe(Math.max(1_024, 2 * (chunk.length - at)));
    this.#heldLength = chunk.copy(this.#held, 0, at);
    return chunk.length;
  }

  #restOfHead(chunk: Buffer, at: number): number {
    const before = this.#heldLength;
    const held = this.#hold(chunk, at).subarray(0, this.#heldLength);
    const next = this.#endOfHead(held, Math.max(0, before - 3));
    if (next >= 0) {
      this.#held = null;
      this.#begin(this.#handler.head(held, 0, linesEnd(held, next)));
      return at + next - before;
    }
    return this.#heldLength >= HEAD_MAX ? this.#giveUp(chunk) : chunk.length;
  }

  /** The offset after the empty line; -1: it has not come. */
  #endOfHead(bytes: Buffer, from: number): number {
    if (this.#isLoose) return headEnd(bytes, from);
    const blank = bytes.indexOf(BLANK_LINE, from);
    return blank === -1 ? -1 : blank + BLANK_LINE.length;
  }

  /** Appends what may still belong to the head; doubles the room so that a head in tiny pieces costs no more than its length. */
  #hold(chunk: Buffer, at: number): Buffer {
    let held = this.#held!;
    const length = Math.min(chunk.length - at, HEAD_MAX - this.#heldLength);
    if (this.#heldLength + length > held.length) {
      const larger = Buffer.alloc(Math.max(2 * held.length, this.#heldLength + length));
      held.copy(larger, 0, 0, this.#heldLength);
      held = larger;
      this.#held = larger;
    }
    chunk.copy(held, this.#heldLength, at, at + length);
    this.#heldLength += length;
    return held;
  }

  #begin(framing: number): void {
    if (framing === OPAQUE) this.#state = State.opaque;
    else if (framing === UNTIL_END) this.#state = State.untilEnd;
    else if (framing === CHUNKED) this.#nextChunk();
    else if (framing > 0) {
      this.#state = State.body;
      this.#left = framing;
    } else if (framing !== INTERIM) this.#handler.complete();
  }

  #skip(chunk: Buffer, at: number): number {
    const length = Math.min(this.#left, chunk.length - at);
    this.#handler.body(chunk, at, at + length);
    this.#left -= length;
    if (this.#left === 0) {
      if (this.#state === State.chunkData) this.#state = State.chunkEnd;
      else this.#messageDone();
    }
    return at + length;
  }

  /** The line end after the data of a chunk. */
  #chunkEnd(chunk: Buffer, at: number): number {
    if (chunk[at] === LF) this.#nextChunk();
    else if (chunk[at] !== CR) return this.#giveUp(chunk, MessageFault.at(BAD_CHUNK, chunk, at));
    return at + 1;
  }

  #nextChunk(): void {
    this.#state = State.chunkSize;
    this.#size = 0;
    this.#digits = 0;
    this.#inExtension = false;
    this.#lineLength = 0;
  }

  #messageDone(): void {
    this.#state = State.head;
    this.#handler.complete();
  }

  /** RFC 9112 section 7.1: hexadecimal size, extensions, CRLF. */
  #chunkSize(chunk: Buffer, start: number): number {
    for (let at = start; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (byte === LF) {
        if (this.#digits === 0) return this.#giveUp(chunk, MessageFault.at(BAD_CHUNK, chunk, start));
        this.#afterSize();
        return at + 1;
      }
      const digit = this.#inExtension ? -1 : hexDigit(byte);
      if (digit >= 0) {
        this.#size = this.#size * 16 + digit;
        if (++this.#digits > 12) return this.#giveUp(chunk);
      } else if (this.#inExtension || (this.#digits > 0 && mayFollowSize(byte))) this.#inExtension = true;
      else return this.#giveUp(chunk, MessageFault.at(BAD_CHUNK, chunk, at));
      if (++this.#lineLength > SIZE_LINE_MAX) return this.#giveUp(chunk);
    }
    return chunk.length;
  }

  #afterSize(): void {
    if (this.#size > 0) {
      this.#state = State.chunkData;
      this.#left = this.#size;
      return;
    }
    this.#state = State.trailer;
    this.#lineLength = 0;
    this.#totalLength = 0;
  }

  #trailer(chunk: Buffer, start: number): number {
    for (let at = start; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (++this.#totalLength > HEAD_MAX) return this.#giveUp(chunk);
      if (byte === LF) {
        if (this.#lineLength === 0) {
          this.#messageDone();
          return at + 1;
        }
        this.#lineLength = 0;
      } else if (byte !== CR) this.#lineLength++;
    }
    return chunk.length;
  }
}

/** Position before the empty line that ends at `next`. */
function linesEnd(bytes: Buffer, next: number): number {
  return bytes[next - 2] === CR ? next - 2 : next - 1;
}

/** CR, the beginning of an extension, and white space that some servers pad sizes with. */
function mayFollowSize(byte: number): boolean {
  return byte === CR || byte === 0x3b || byte === 0x20 || byte === 0x09;
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
