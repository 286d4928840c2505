/**
 * Reads the frames that a WebSocket client sends (RFC 6455, section 5), however they are cut, and makes those of a server.
 *
 * Invariant: no more of a frame is kept than its head and a control frame's few bytes. Data is handed on at the end of its read, joined.
 */
import { GrowingBuffer } from '@underpass/wire';

/** Reason why a connection is closed (RFC 6455, section 7.4.1, and IANA's registry). */
export const CloseCode = {
  normal: 1000,
  protocolError: 1002,
  noStatus: 1005,
  invalidPayload: 1007,
  tooBig: 1009,
  badGateway: 1014,
} as const;

const Opcode = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

const MAX_HEAD = 14;
const MAX_CONTROL = 125;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Receiver of parsed frames. */
export interface FrameSink {
  /** Receives a piece of a message, unmasked, in memory of its own. The encoding of a text is not checked here. */
  content(bytes: Buffer): void;
  ping(payload: Buffer): void;
  /** The client's last frame; nothing after it is read. */
  closed(code: number): void;
  /** The input breaks the protocol or a limit: nothing after it is read. */
  faulty(code: number): void;
}

export class FrameReader {
  readonly #sink: FrameSink;
  /** The head of the frame that is being read. */
  readonly #head = Buffer.alloc(MAX_HEAD);
  #have = 0;
  /** Bytes of the payload that have not arrived, and that have. */
  #left = 0;
  #seen = 0;
  #isInPayload = false;
  #control = Buffer.alloc(0);
  /** A message has begun whose last frame has not. */
  #isInMessage = false;
  #isDone = false;
  /** Contents of the read under way: the first piece as it is, and joined from the second one on. */
  #first: Buffer | null = null;
  readonly #joined = new GrowingBuffer();

  constructor(sink: FrameSink) {
    this.#sink = sink;
  }

  read(chunk: Buffer): void {
    let pos = 0;
    while (pos < chunk.length && !this.#isDone) {
      pos = this.#isInPayload ? this.#readPayload(chunk, pos) : this.#readHead(chunk, pos);
    }
    this.#giveContent();
  }

  #keepContent(bytes: Buffer): void {
    if (bytes.length === 0) return;
    if (this.#first === null && this.#joined.length === 0) {
      this.#first = bytes;
      return;
    }
    if (this.#first !== null) this.#joined.append(this.#first);
    this.#first = null;
    this.#joined.append(bytes);
  }

  #giveContent(): void {
    const content = this.#first ?? this.#joined.take();
    this.#first = null;
    if (content.length > 0) this.#sink.content(content);
  }

  #readHead(chunk: Buffer, pos: number): number {
    this.#head[this.#have] = chunk[pos]!;
    this.#have += 1;
    const fault = this.#have === 2 ? this.#faultOfStart() : null;
    if (fault !== null) this.#fail(fault);
    else if (this.#have >= 2 && this.#have === this.#headSize) this.#begin();
    return pos + 1;
  }

  get #opcode(): number {
    return this.#head[0]! & 0x0f;
  }

  get #isFinal(): boolean {
    return (this.#head[0]! & 0x80) !== 0;
  }

  get #isControl(): boolean {
    return this.#opcode >= Opcode.close;
  }

  /** The length in its 7 bits. */
  get #shortLength(): number {
    return this.#head[1]! & 0x7f;
  }

  get #headSize(): number {
    const length = this.#shortLength;
    return 6 + (length === 127 ? 8 : length === 126 ? 2 : 0);
  }

  /** Returns the fault of the first two bytes, before further ones are read. */
  #faultOfStart(): number | null {
    const hasReservedBits = (this.#head[0]! & 0x70) !== 0;
    const isMasked = (this.#head[1]! & 0x80) !== 0;
    if (hasReservedBits || !isMasked) return CloseCode.protocolError;
    switch (this.#opcode) {
      case Opcode.continuation:
        return this.#isInMessage ? null : CloseCode.protocolError;
      case Opcode.binary:
      case Opcode.text:
        return this.#isInMessage ? CloseCode.protocolError : null;
      case Opcode.close:
      case Opcode.ping:
      case Opcode.pong:
        return this.#isFinal && this.#shortLength <= MAX_CONTROL ? null : CloseCode.protocolError;
      default:
        return CloseCode.protocolError;
    }
  }

  /** The length in full; null when it is not written in the shortest way, or is no length. */
  #length(): number | null {
    const short = this.#shortLength;
    if (short < 126) return short;
    if (short === 126) {
      const length = this.#head.readUInt16BE(2);
      return length < 126 ? null : length;
    }
    const length = this.#head.readBigUInt64BE(2);
    return length < 65536n || length >= 1n << 63n ? null : Number(length);
  }

  #begin(): void {
    const length = this.#length();
    if (length === null || length > Number.MAX_SAFE_INTEGER) {
      this.#fail(length === null ? CloseCode.protocolError : CloseCode.tooBig);
      return;
    }
    this.#left = length;
    this.#seen = 0;
    this.#isInPayload = true;
    if (this.#isControl) this.#control = Buffer.alloc(length);
    else this.#isInMessage = !this.#isFinal;
    if (length === 0) this.#end();
  }

  #readPayload(chunk: Buffer, pos: number): number {
    const size = Math.min(this.#left, chunk.length - pos);
    const bytes = this.#unmasked(chunk, pos, size);
    if (this.#isControl) bytes.copy(this.#control, this.#seen);
    this.#left -= size;
    this.#seen += size;
    if (!this.#isControl) this.#keepContent(bytes);
    if (this.#left === 0) this.#end();
    return pos + size;
  }

  #unmasked(chunk: Buffer, pos: number, size: number): Buffer {
    const bytes = Buffer.allocUnsafe(size);
    const mask = this.#have - 4;
    for (let i = 0; i < size; i += 1) {
      bytes[i] = chunk[pos + i]! ^ this.#head[mask + ((this.#seen + i) & 3)]!;
    }
    return bytes;
  }

  #end(): void {
    const opcode = this.#opcode;
    this.#have = 0;
    this.#isInPayload = false;
    if (opcode === Opcode.close) this.#giveContent();
    if (opcode === Opcode.ping) this.#sink.ping(this.#control);
    else if (opcode === Opcode.close) this.#close(this.#control);
  }

  #close(payload: Buffer): void {
    const fault = faultOfClose(payload);
    if (fault !== null) {
      this.#fail(fault);
      return;
    }
    this.#isDone = true;
    this.#sink.closed(payload.length === 0 ? CloseCode.noStatus : payload.readUInt16BE(0));
  }

  #fail(code: number): void {
    this.#giveContent();
    this.#isDone = true;
    this.#sink.faulty(code);
  }
}

function faultOfClose(payload: Buffer): number | null {
  if (payload.length === 0) return null;
  if (payload.length === 1 || !maySay(payload.readUInt16BE(0))) return CloseCode.protocolError;
  return isUtf8(payload.subarray(2)) ? null : CloseCode.invalidPayload;
}

/** Returns true if a Close frame may have the code: not those that stand for its absence. */
function maySay(code: number): boolean {
  return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) || (code >= 3000 && code <= 4999);
}

function isUtf8(bytes: Buffer): boolean {
  try {
    utf8.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Returns the header of a binary message. */
export function binaryHead(length: number): Buffer {
  if (length < 126) return Buffer.from([0x80 | Opcode.binary, length]);
  const head = Buffer.alloc(length < 65536 ? 4 : 10);
  head[0] = 0x80 | Opcode.binary;
  head[1] = length < 65536 ? 126 : 127;
  if (length < 65536) head.writeUInt16BE(length, 2);
  else head.writeBigUInt64BE(BigInt(length), 2);
  return head;
}

export function pongFrame(payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x80 | Opcode.pong, payload.length]), payload]);
}

export function closeFrame(code: number): Buffer {
  if (code === CloseCode.noStatus) return Buffer.from([0x80 | Opcode.close, 0]);
  return Buffer.from([0x80 | Opcode.close, 2, code >> 8, code & 0xff]);
}
