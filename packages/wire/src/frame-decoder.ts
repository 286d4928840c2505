/**
 * Decodes bytes into frames of the agent protocol.
 * Invariant: at most one control frame is kept in memory.
 */
import { ErrorCode } from './codes.ts';
import { FrameType, HEADER_BYTES, MAX_STREAM_ID, readUint32 } from './frame.ts';

/** Receives the decoder's reports, in wire order. May call the decoder's stop(). */
export interface FrameSink {
  /**
   * Reports a piece of a DATA frame whose body has `length` bytes. A body comes in as many pieces as the network cut it
   * into. `first` and `last` mark its ends. An empty body is one empty piece that is both.
   */
  data(id: number, flags: number, length: number, piece: Buffer, first: boolean, last: boolean): void;
  reset(id: number, code: number): void;
  windowIncrement(id: number, increment: number): void;
  goAway(lastId: number, code: number, debug: Buffer): void;
  /** Reports bytes that are no frames. Nothing follows. */
  malformed(code: ErrorCode, what: string): void;
}

const EMPTY = Buffer.alloc(0);
/** Bytes of GOAWAY's text that are kept. The session ends with this frame. */
const MAX_DEBUG_BYTES = 1024;

/**
 * Incremental decoder: takes chunks cut anywhere and reports frames. It keeps at most one control frame, and no DATA
 * body.
 */
export class FrameDecoder {
  readonly #sink: FrameSink;
  /** A header, or the body of a control frame, that arrived in parts. */
  readonly #partial = Buffer.allocUnsafeSlow(HEADER_BYTES);
  #have = 0;
  #inBody = false;
  #stopped = false;
  #type = 0;
  #flags = 0;
  #id = 0;
  #length = 0;
  /** Bytes of a DATA body that have not arrived yet. */
  #left = 0;
  /** The body of a GOAWAY frame so far, if it is longer than the 8 bytes that fit above. */
  #goAway: Buffer = EMPTY;

  constructor(sink: FrameSink) {
    this.#sink = sink;
  }

  /** Ignores all further bytes, including the rest of the current chunk. */
  stop(): void {
    this.#stopped = true;
  }

  /** DATA pieces are views of `chunk`. */
  push(chunk: Buffer): void {
    const end = chunk.length;
    let at = 0;
    while (at < end && !this.#stopped) {
      if (!this.#inBody) at = this.#header(chunk, at, end);
      else if (this.#type === FrameType.data) at = this.#data(chunk, at, end);
      else if (this.#type === FrameType.goAway) at = this.#debug(chunk, at, end);
      else at = this.#word(chunk, at, end);
    }
  }

  #header(chunk: Buffer, start: number, end: number): number {
    if (this.#have === 0 && end - start >= HEADER_BYTES) {
      this.#begin(chunk, start);
      return start + HEADER_BYTES;
    }
    const at = this.#gather(chunk, start, end, HEADER_BYTES);
    if (this.#have === HEADER_BYTES) {
      this.#have = 0;
      this.#begin(this.#partial, 0);
    }
    return at;
  }

  #begin(bytes: Buffer, at: number): void {
    const kind = bytes[at + 3]!;
    this.#type = kind >>> 4;
    this.#flags = kind & 0xf;
    this.#id = readUint32(bytes, at + 4) & MAX_STREAM_ID;
    this.#length = (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!;
    this.#left = this.#length;
    this.#goAway = EMPTY;
    const fault = headerFault(this.#type, this.#id, this.#length);
    if (fault !== null) {
      this.stop();
      this.#sink.malformed(fault.code, fault.what);
    } else if (this.#type === FrameType.data && this.#length === 0) {
      this.#sink.data(this.#id, this.#flags, 0, EMPTY, true, true);
    } else {
      this.#inBody = true;
    }
  }

  #data(chunk: Buffer, at: number, end: number): number {
    const first = this.#left === this.#length;
    const size = Math.min(this.#left, end - at);
    this.#left -= size;
    const last = this.#left === 0;
    if (last) this.#inBody = false;
    this.#sink.data(this.#id, this.#flags, this.#length, chunk.subarray(at, at + size), first, last);
    return at + size;
  }

  #word(chunk: Buffer, start: number, end: number): number {
    const at = this.#gather(chunk, start, end, 4);
    if (this.#have < 4) return at;
    this.#have = 0;
    this.#inBody = false;
    const word = readUint32(this.#partial, 0);
    if (this.#type === FrameType.rst) this.#sink.reset(this.#id, word);
    else this.#sink.windowIncrement(this.#id, word);
    return at;
  }

  #debug(chunk: Buffer, at: number, end: number): number {
    const wanted = Math.min(this.#length, 8 + MAX_DEBUG_BYTES);
    const size = Math.min(wanted - this.#goAway.length, end - at);
    this.#goAway = Buffer.concat([this.#goAway, chunk.subarray(at, at + size)]);
    if (this.#goAway.length === wanted) {
      // The session has ended, so further frames have no meaning.
      this.stop();
      const body = this.#goAway;
      this.#sink.goAway(readUint32(body, 0) & MAX_STREAM_ID, readUint32(body, 4), body.subarray(8));
    }
    return at + size;
  }

  /** Moves bytes into `#partial` until it holds `wanted`. Returns the offset after the last byte read. */
  #gather(chunk: Buffer, start: number, end: number, wanted: number): number {
    const size = Math.min(wanted - this.#have, end - start);
    for (let i = 0; i < size; i++) this.#partial[this.#have + i] = chunk[start + i]!;
    this.#have += size;
    return start + size;
  }
}

/** Returns the fault of a header, or null. Wrong sizes are frameSize errors, all else is a protocol error. */
function headerFault(type: number, id: number, length: number): { code: ErrorCode; what: string } | null {
  if (type > FrameType.goAway) return { code: ErrorCode.protocol, what: `unknown frame type ${type}` };
  if ((id === 0) !== (type === FrameType.goAway)) {
    return { code: ErrorCode.protocol, what: `frame of type ${type} on stream ${id}` };
  }
  if (type === FrameType.goAway && length < 8) {
    return { code: ErrorCode.frameSize, what: `GOAWAY of ${length} bytes, at least 8 needed` };
  }
  if ((type === FrameType.rst || type === FrameType.windowIncrement) && length !== 4) {
    return { code: ErrorCode.frameSize, what: `control frame of ${length} bytes, 4 needed` };
  }
  return null;
}
