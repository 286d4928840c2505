/**
 * Finds the end of a body and the bytes that are passed on, without copying them.
 * Invariant: a byte is passed on only after it was checked.
 * A chunked body keeps its chunks: other chunks would cost copies and gain nothing. Parts that a later reader might
 * read differently are cut out. They are leading zeros of sizes, chunk extensions, and trailer fields that are not
 * for that reader.
 */
import { CR, HEX, HTAB, LF, SP, VALUE } from './bytes.ts';
import { CHUNKED, type Framing, UNTIL_CLOSE } from './framing.ts';
import { Trailers } from './trailers.ts';

export type BodyFault = 'requestChunkMalformed' | 'requestTrailerMalformed';

const limits = {
  /** Hexadecimal digits of a chunk size. */
  sizeDigits: 16,
  /** Bytes of chunk extensions in a whole body. Their only known use is to hide something. */
  extensionBytes: 4096,
};

const SEMICOLON = 0x3b;
const ZERO = Buffer.from('0');
const LINE_END = Buffer.from('\r\n');
const LF_ALONE = Buffer.from('\n');

const State = {
  size: 0,
  extension: 1,
  sizeLf: 2,
  data: 3,
  dataCr: 4,
  dataLf: 5,
  trailerStart: 6,
  lastLf: 7,
  trailers: 8,
} as const;

export class BodyReader {
  /** The span of the chunk given to `read` that goes on. */
  from = 0;
  to = 0;
  /** Goes on after the span: a trailer section, or a size of zero that had zeros before it. */
  tail: Buffer | null = null;
  done = true;
  fault: BodyFault | null = null;
  /** Something was mended that a strict reader refuses. */
  isMended = false;

  #framing: Framing = 0;
  #remaining = 0;
  #state: number = State.size;
  #digits = 0;
  /** The size so far is zeros that were cut out; unless a digit follows, one of them goes on. */
  #owesZero = false;
  #extensionBytes = 0;
  readonly #trailers: Trailers;

  /** True: takes what RFC 9112 lets a recipient of responses take, and mends it. */
  readonly #isLoose: boolean;

  /** `own`: further field names, in lower case, that only this service may send. */
  constructor(own: readonly string[], isLoose = false) {
    this.#isLoose = isLoose;
    this.#trailers = new Trailers(own, isLoose);
  }

  /** Starts a body. `dropped` holds the lower-case names that the head's Connection field listed. */
  begin(framing: Framing, dropped: ReadonlySet<string> | null): void {
    this.#framing = framing;
    this.#remaining = framing > 0 ? framing : 0;
    this.#state = State.size;
    this.#digits = 0;
    this.#owesZero = false;
    this.#extensionBytes = 0;
    this.done = framing === 0;
    this.fault = null;
    this.isMended = false;
    this.tail = null;
    if (framing === CHUNKED) this.#trailers.begin(dropped);
  }

  /** No more can come: true when the body may end like this; `tail` is what is missing then. */
  finish(): boolean {
    this.tail = null;
    if (this.#framing === UNTIL_CLOSE) this.done = true;
    // RFC 9112, section 8: the chunk of size zero makes it whole.
    else if (this.#isLoose && !this.done && this.#framing === CHUNKED && this.#state >= State.trailerStart) {
      this.done = true;
      this.isMended = true;
      this.tail = this.#state === State.lastLf ? LF_ALONE : LINE_END;
    }
    return this.done;
  }

  /**
   * Reads on at `pos` and returns the offset up to which it got; call again while that is short of `end` and neither `done` nor
   * `fault` is set. Sets `from`, `to` and `tail`.
   */
  read(bytes: Buffer, pos: number, end: number): number {
    this.from = pos;
    this.tail = null;
    if (this.#framing === CHUNKED) return this.#readChunked(bytes, pos, end);
    if (this.#framing === UNTIL_CLOSE || end - pos < this.#remaining) {
      this.to = end;
      if (this.#framing !== UNTIL_CLOSE) this.#remaining -= end - pos;
      return end;
    }
    this.to = pos + this.#remaining;
    this.#remaining = 0;
    this.done = true;
    return this.to;
  }

  #readChunked(bytes: Buffer, start: number, end: number): number {
    let pos = start;
    while (pos < end) {
      switch (this.#state) {
        case State.data: {
          const available = end - pos;
          if (available < this.#remaining) {
            this.#remaining -= available;
            this.to = end;
            return end;
          }
          pos += this.#remaining;
          this.#state = State.dataCr;
          break;
        }
        case State.size: {
          const byte = bytes[pos]!;
          const digit = HEX[byte]!;
          if (digit === 0 && this.#remaining === 0 && !(pos + 1 < end && bytes[pos + 1] === CR)) {
            return this.#skipZeros(bytes, pos, end);
          }
          if (digit !== 255) {
            this.#owesZero = false;
            this.#remaining = this.#remaining * 16 + digit;
            this.#digits += 1;
            if (this.#digits > limits.sizeDigits || this.#remaining > Number.MAX_SAFE_INTEGER)
              return this.#wrong(pos);
          } else if (this.#digits === 0 || !(byte === CR || byte === SEMICOLON || this.#mayFollow(byte))) {
            return this.#wrong(pos);
          } else if (this.#owesZero) {
            this.#owesZero = false;
            this.to = pos;
            this.tail = ZERO;
            return pos;
          } else if (byte === CR) {
            this.#state = State.sizeLf;
          } else if (byte === LF) {
            this.#sizeDone();
            return this.#mend(pos);
          } else {
            if (byte !== SEMICOLON) this.isMended = true;
            this.#state = State.extension;
            this.to = pos;
            return this.#skipExtension(bytes, pos, end);
          }
          pos += 1;
          break;
        }
        case State.extension:
          this.to = pos;
          return this.#skipExtension(bytes, pos, end);
        case State.sizeLf:
          if (bytes[pos] !== LF) return this.#wrong(pos);
          pos += 1;
          this.#sizeDone();
          break;
        case State.dataCr:
          if (this.#isLoose && bytes[pos] === LF) {
            this.#remaining = 0;
            this.#state = State.size;
            return this.#mend(pos);
          }
          if (bytes[pos] !== CR) return this.#wrong(pos);
          pos += 1;
          this.#state = State.dataLf;
          break;
        case State.dataLf:
          if (bytes[pos] !== LF) return this.#wrong(pos);
          pos += 1;
          this.#remaining = 0;
          this.#state = State.size;
          break;
        case State.trailerStart:
          if (bytes[pos] === CR) {
            pos += 1;
            this.#state = State.lastLf;
            break;
          }
          if (this.#isLoose && bytes[pos] === LF) {
            this.done = true;
            return this.#mend(pos);
          }
          this.#state = State.trailers;
          this.to = pos;
          return this.#readTrailers(bytes, pos, end);
        case State.lastLf:
          if (bytes[pos] !== LF) return this.#wrong(pos);
          this.done = true;
          this.to = pos + 1;
          return this.to;
        default:
          this.to = pos;
          return this.#readTrailers(bytes, pos, end);
      }
    }
    this.to = end;
    return end;
  }

  /** True if `byte` may follow a size in a response. */
  #mayFollow(byte: number): boolean {
    return this.#isLoose && (byte === LF || byte === SP || byte === HTAB);
  }

  #sizeDone(): void {
    this.#digits = 0;
    this.#state = this.#remaining === 0 ? State.trailerStart : State.data;
  }

  /** Has CRLF go on instead of the LF at `pos`. */
  #mend(pos: number): number {
    this.isMended = true;
    this.to = pos;
    this.tail = LINE_END;
    return pos + 1;
  }

  /** Passes over zeros at the beginning of a size. */
  #skipZeros(bytes: Buffer, start: number, end: number): number {
    let pos = start;
    while (pos < end && HEX[bytes[pos]!] === 0) pos += 1;
    this.#digits += pos - start;
    if (this.#digits > limits.sizeDigits) return this.#wrong(start);
    this.#owesZero = true;
    this.to = start;
    return pos;
  }

  /** Passes over `;…` up to the line end, which still goes on. */
  #skipExtension(bytes: Buffer, start: number, end: number): number {
    let pos = start;
    while (pos < end && VALUE[bytes[pos]!] === 1) pos += 1;
    this.#extensionBytes += pos - start;
    if (this.#extensionBytes > limits.extensionBytes) return this.#wrong(start);
    if (pos === end) return end;
    if (bytes[pos] !== CR && !(this.#isLoose && bytes[pos] === LF)) return this.#wrong(start);
    // The line end belongs to the next span, with the state that expects it.
    this.#state = State.size;
    return pos;
  }

  #readTrailers(bytes: Buffer, pos: number, end: number): number {
    const next = this.#trailers.read(bytes, pos, end);
    if (next === -1) {
      this.fault = 'requestTrailerMalformed';
      return pos;
    }
    this.done = this.#trailers.done;
    if (this.#trailers.isMended) this.isMended = true;
    this.tail = this.#trailers.section;
    return next;
  }

  #wrong(pos: number): number {
    this.fault = 'requestChunkMalformed';
    this.to = this.from;
    return pos;
  }
}
