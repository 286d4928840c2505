/**
 * Reads the head of a request or response strictly, in its buffer.
 * Invariant: a head that two parsers could read differently is rejected.
 */
import { COLON, CR, HTAB, LF, SP, TARGET, TOKEN, VALUE } from './bytes.ts';
import { FIELD_COUNT, Field, fieldAt, ownNames } from './fields.ts';

/** Results of parsing that are not the end of a head. */
export const INCOMPLETE = -1;
export const FAULTY = -2;

export type HeadFault =
  | 'requestLineMalformed'
  | 'requestTargetMalformed'
  | 'requestHeaderMalformed'
  | 'requestHeadTooLarge'
  | 'requestHeaderCount'
  | 'requestCodingInHttp10'
  | 'httpVersionUnsupported';

/** Longest method; the longest registered one has 17 characters. */
const MAX_METHOD = 32;
const VERSION = Buffer.from('HTTP/');

/**
 * One head, by offsets into `bytes`. Field `i` has its name at `offsets[4i]` to `offsets[4i+1]` and its value (without white
 * space around) at `offsets[4i+2]` to `offsets[4i+3]`. Made once and filled again per message: use it before the next one is read.
 */
export class Head {
  bytes: Buffer = Buffer.alloc(0);
  start = 0;
  /** Offset after the empty line. */
  end = 0;
  count = 0;
  readonly kinds: Uint8Array;
  readonly offsets: Int32Array;
  /** Bit per `Field`: present, and present more than once. */
  seen = 0;
  repeated = 0;
  /** Index of the first occurrence per `Field`; only true where `seen` has its bit. */
  readonly first = new Int32Array(FIELD_COUNT);
  fault: HeadFault = 'requestHeaderMalformed';

  methodEnd = 0;
  targetStart = 0;
  targetEnd = 0;
  /** Status of a response. */
  status = 0;
  minorVersion = 1;
  /** The status line ends right after the code: common with small servers, and repaired before it goes on. */
  lacksSpace = false;

  readonly #maxBytes: number;
  readonly #maxFields: number;
  /** The target of a request has bytes beyond ASCII, which `rewrittenHead` encodes. */
  hasRawTarget = false;

  readonly #own: readonly Uint8Array[];

  /** `own`: further field names, in lower case, that only this service may send. */
  constructor(maxBytes: number, maxFields: number, own: readonly string[]) {
    this.#own = ownNames(own);
    this.#maxBytes = maxBytes;
    this.#maxFields = maxFields;
    this.kinds = new Uint8Array(maxFields);
    this.offsets = new Int32Array(4 * maxFields);
  }

  has(field: Field): boolean {
    return (this.seen & (1 << field)) !== 0;
  }

  hasMany(field: Field): boolean {
    return (this.repeated & (1 << field)) !== 0;
  }

  /** The value of the first field of this kind, which must be there. */
  valueOf(field: Field): string {
    return this.value(this.first[field]!);
  }

  name(index: number): string {
    return this.bytes.toString('latin1', this.offsets[4 * index], this.offsets[4 * index + 1]);
  }

  value(index: number): string {
    return this.bytes.toString('latin1', this.offsets[4 * index + 2], this.offsets[4 * index + 3]);
  }

  lineStart(index: number): number {
    return this.offsets[4 * index]!;
  }

  lineEnd(index: number): number {
    return index + 1 < this.count ? this.offsets[4 * index + 4]! : this.end - 2;
  }

  /** Returns the offset after the head, INCOMPLETE, or FAULTY with `fault` set. */
  parseRequest(bytes: Buffer, start: number, end: number): number {
    this.bytes = bytes;
    this.start = start;
    let pos = start;
    while (pos < end && TOKEN[bytes[pos]!] === 1) pos += 1;
    if (pos - start > MAX_METHOD) return this.#wrong('requestLineMalformed');
    if (pos === end) return this.#needMore(start, end);
    if (pos === start || bytes[pos] !== SP) return this.#wrong('requestLineMalformed');
    this.methodEnd = pos;
    pos += 1;
    this.targetStart = pos;
    while (pos < end && TARGET[bytes[pos]!] === 1) pos += 1;
    this.hasRawTarget = pos < end && bytes[pos]! > LAST_ASCII;
    if (this.hasRawTarget) while (pos < end && isTarget(bytes[pos]!)) pos += 1;
    if (pos === end) return this.#needMore(start, end);
    if (pos === this.targetStart) return this.#wrong('requestLineMalformed');
    if (bytes[pos] !== SP) {
      return this.#wrong(
        bytes[pos] === CR || bytes[pos] === LF ? 'requestLineMalformed' : 'requestTargetMalformed',
      );
    }
    this.targetEnd = pos;
    pos += 1;
    this.minorVersion = 1;
    if (end - pos < 10) return this.#versionSoFar(bytes, pos, end) ? this.#needMore(start, end) : FAULTY;
    if (!this.#versionSoFar(bytes, pos, pos + 10)) return FAULTY;
    const next = this.#parseFields(bytes, pos + 10, end);
    // RFC 9112, section 6.1: transfer codings do not exist in HTTP/1.0, so the framing is faulty.
    const isCoded = this.minorVersion === 0 && next > 0 && this.has(Field.transferEncoding);
    return isCoded ? this.#wrong('requestCodingInHttp10') : next;
  }

  /**
   * Parses the head of a response, with results as for requests. All faults of a response have one code. HTTP/1.0 is
   * accepted, because some upstreams speak it.
   */
  parseResponse(bytes: Buffer, start: number, end: number): number {
    this.bytes = bytes;
    this.start = start;
    for (let i = 0; i < VERSION.length && start + i < end; i += 1) {
      if (bytes[start + i] !== VERSION[i]) return FAULTY;
    }
    if (end - start < 14) return INCOMPLETE;
    // HTTP/1.x SSS reason
    if (bytes[start + 5] !== 0x31 || bytes[start + 6] !== 0x2e || bytes[start + 8] !== SP) return FAULTY;
    this.minorVersion = bytes[start + 7]! - 0x30;
    if (this.minorVersion !== 0 && this.minorVersion !== 1) return FAULTY;
    let status = 0;
    for (let i = 9; i < 12; i += 1) {
      const digit = bytes[start + i]! - 0x30;
      if (digit < 0 || digit > 9) return FAULTY;
      status = status * 10 + digit;
    }
    // Some services use statuses that RFC 9110 does not know, as 999; those from 600 on go on, too.
    if (status < 100) return FAULTY;
    this.status = status;
    let pos = start + 12;
    if (bytes[pos] !== SP && bytes[pos] !== CR) return FAULTY;
    this.lacksSpace = bytes[pos] === CR;
    while (pos < end && VALUE[bytes[pos]!] === 1) pos += 1;
    if (pos === end || pos + 1 === end) return this.#needMore(start, end);
    if (bytes[pos] !== CR || bytes[pos + 1] !== LF) return FAULTY;
    return this.#parseFields(bytes, pos + 2, end);
  }

  /** Field lines and the empty line after them, from `start`: a trailer section. */
  parseTrailers(bytes: Buffer, start: number, end: number): number {
    this.bytes = bytes;
    this.start = start;
    return this.#parseFields(bytes, start, end);
  }

  #parseFields(bytes: Buffer, from: number, end: number): number {
    const { offsets, kinds, first } = this;
    let pos = from;
    let count = 0;
    this.seen = 0;
    this.repeated = 0;
    while (true) {
      if (pos + 1 >= end) return this.#needMore(this.start, end);
      if (bytes[pos] === CR) break;
      const nameStart = pos;
      while (pos < end && TOKEN[bytes[pos]!] === 1) pos += 1;
      if (pos === end) return this.#needMore(this.start, end);
      if (pos === nameStart || bytes[pos] !== COLON) return this.#wrong('requestHeaderMalformed');
      if (count === this.#maxFields) return this.#wrong('requestHeaderCount');
      const nameEnd = pos;
      pos += 1;
      while (pos < end && (bytes[pos] === SP || bytes[pos] === HTAB)) pos += 1;
      const valueStart = pos;
      while (pos < end && VALUE[bytes[pos]!] === 1) pos += 1;
      if (pos + 1 >= end) {
        if (pos < end && bytes[pos] !== CR) return this.#wrong('requestHeaderMalformed');
        return this.#needMore(this.start, end);
      }
      if (bytes[pos] !== CR || bytes[pos + 1] !== LF) return this.#wrong('requestHeaderMalformed');
      let valueEnd = pos;
      while (valueEnd > valueStart && (bytes[valueEnd - 1] === SP || bytes[valueEnd - 1] === HTAB))
        valueEnd -= 1;
      pos += 2;
      const kind = fieldAt(bytes, nameStart, nameEnd, this.#own);
      const bit = 1 << kind;
      if ((this.seen & bit) === 0) {
        this.seen |= bit;
        first[kind] = count;
      } else {
        this.repeated |= bit;
      }
      kinds[count] = kind;
      const at = 4 * count;
      offsets[at] = nameStart;
      offsets[at + 1] = nameEnd;
      offsets[at + 2] = valueStart;
      offsets[at + 3] = valueEnd;
      count += 1;
    }
    if (bytes[pos + 1] !== LF) return this.#wrong('requestHeaderMalformed');
    this.count = count;
    this.end = pos + 2;
    return this.end - this.start > this.#maxBytes ? this.#wrong('requestHeadTooLarge') : this.end;
  }

  /** Returns true if the bytes from `start` to `end` are `HTTP/1.1\r\n` (or 1.0), or a beginning of it; else sets `fault`. */
  #versionSoFar(bytes: Buffer, start: number, end: number): boolean {
    for (let i = 0; i < end - start; i += 1) {
      const byte = bytes[start + i]!;
      if (byte === EXPECTED_VERSION[i]) continue;
      if (i === MINOR_VERSION && byte === ZERO) {
        this.minorVersion = 0;
        continue;
      }
      // RFC 9110, section 15.6.6: another major version is well-formed, only not ours.
      const isOtherMajor = i === MAJOR_VERSION && byte >= ZERO && byte <= NINE;
      this.fault = isOtherMajor ? 'httpVersionUnsupported' : 'requestLineMalformed';
      return false;
    }
    return true;
  }

  #needMore(start: number, end: number): number {
    return end - start > this.#maxBytes ? this.#wrong('requestHeadTooLarge') : INCOMPLETE;
  }

  #wrong(fault: HeadFault): number {
    this.fault = fault;
    return FAULTY;
  }
}

const EXPECTED_VERSION = Buffer.from('HTTP/1.1\r\n');
const MAJOR_VERSION = 5;
const MINOR_VERSION = 7;
const ZERO = 0x30;
const NINE = 0x39;
const LAST_ASCII = 0x7f;

function isTarget(byte: number): boolean {
  return TARGET[byte] === 1 || byte > LAST_ASCII;
}

/** The offset after the empty lines that some clients send before a request line (RFC 9112, section 2.2). */
export function afterEmptyLines(bytes: Buffer, start: number): number {
  let pos = start;
  while (bytes[pos] === CR && bytes[pos + 1] === LF) pos += 2;
  return pos;
}
