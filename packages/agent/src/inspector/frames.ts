/**
 * Reads the WebSocket frames (RFC 6455, section 5) of one direction.
 * Invariant: no more of a message is kept than the maximum.
 */
import { KeptBody } from './kept-body.ts';

/** A message, or a control frame. */
export interface Message {
  /** The opcode of its first frame. */
  readonly opcode: number;
  /** An extension compressed it (RFC 7692). */
  readonly isCompressed: boolean;
  /** Unmasked. */
  readonly payload: KeptBody;
}

export interface FrameHandler {
  /** Reports by how many bytes an incomplete message has grown. */
  grown(bytes: number): void;
  message(message: Message): void;
}

const HEAD_MAX = 14;
const MASK_BYTES = 4;
const CONTINUATION = 0;
const CONTROL = 0x8;

export class FrameReader {
  readonly #max: number;
  readonly #handler: FrameHandler;
  readonly #head = Buffer.alloc(HEAD_MAX);
  #headLength = 0;
  #headNeeded = 2;
  /** Bytes of the frame's payload that are still to come. */
  #left = 0;
  #position = 0;
  #isFinal = false;
  /** The message whose frames come; control frames come in between. */
  #data: Message | null = null;
  #current: Message | null = null;
  #isOff = false;

  /** `max`: bytes that are kept of a message. */
  constructor(max: number, handler: FrameHandler) {
    this.#max = max;
    this.#handler = handler;
  }

  feed(chunk: Buffer): void {
    let at = 0;
    while (!this.#isOff && at < chunk.length) {
      at = this.#current === null ? this.#readHead(chunk, at) : this.#readPayload(chunk, at, this.#current);
    }
  }

  #readHead(chunk: Buffer, start: number): number {
    let at = start;
    while (at < chunk.length && this.#headLength < this.#headNeeded) {
      this.#head[this.#headLength++] = chunk[at++]!;
      if (this.#headLength === 2) this.#headNeeded = 2 + lengthBytes(this.#head) + maskBytes(this.#head);
    }
    if (this.#headLength === this.#headNeeded) this.#begin();
    return at;
  }

  #begin(): void {
    const head = this.#head;
    const opcode = head[0]! & 0x0f;
    this.#isFinal = (head[0]! & 0x80) !== 0;
    this.#left = payloadLength(head);
    this.#position = 0;
    const isFirst = opcode !== CONTINUATION;
    // A continuation of nothing, or a message within a message: no WebSocket that could be read.
    if (opcode < CONTROL && isFirst === (this.#data !== null)) {
      this.#isOff = true;
      return;
    }
    const isCompressed = (head[0]! & 0x40) !== 0;
    const message = isFirst ? { opcode, isCompressed, payload: new KeptBody(this.#max) } : this.#data!;
    if (opcode < CONTROL) this.#data = message;
    this.#current = message;
    if (this.#left === 0) this.#frameDone();
  }

  #readPayload(chunk: Buffer, start: number, { payload }: Message): number {
    const end = Math.min(start + this.#left, chunk.length);
    const isRead = payload.isFull || maskBytes(this.#head) === 0;
    const piece = isRead ? chunk.subarray(start, end) : this.#unmasked(chunk, start, end);
    this.#handler.grown(payload.add(piece, 0, piece.length));
    this.#position += end - start;
    this.#left -= end - start;
    if (this.#left === 0) this.#frameDone();
    return end;
  }

  #unmasked(chunk: Buffer, start: number, end: number): Buffer {
    const piece = Buffer.allocUnsafe(end - start);
    const mask = this.#headNeeded - MASK_BYTES;
    for (let at = 0; at < piece.length; at++)
      piece[at] = chunk[start + at]! ^ this.#head[mask + ((this.#position + at) & 3)]!;
    return piece;
  }

  #frameDone(): void {
    const message = this.#current!;
    this.#headLength = 0;
    this.#headNeeded = 2;
    this.#current = null;
    if (!this.#isFinal) return;
    if (message === this.#data) this.#data = null;
    this.#handler.message(message);
  }
}

function lengthBytes(head: Buffer): number {
  const length = head[1]! & 0x7f;
  return length === 127 ? 8 : length === 126 ? 2 : 0;
}

function maskBytes(head: Buffer): number {
  return (head[1]! & 0x80) === 0 ? 0 : MASK_BYTES;
}

function payloadLength(head: Buffer): number {
  const length = head[1]! & 0x7f;
  if (length === 127) return head.readUInt32BE(2) * 0x1_0000_0000 + head.readUInt32BE(6);
  return length === 126 ? head.readUInt16BE(2) : length;
}
