/**
 * Scans the frames of one direction of an HTTP/2 connection.
 * Invariant: at most the head of a frame and one header block are kept.
 */
import { Flag, FRAME_HEADER, type FrameHead, FrameType, readFrameHead } from '@underpass/wire/http2';

export interface FrameHandler {
  /** The next piece of a body lies in `bytes` from `start` to `end`. */
  data(stream: number, bytes: Buffer, start: number, end: number): void;
  /** The stream ends with the data that came. */
  dataEnd(stream: number): void;
  /** A frame of a header block, with its payload; valid until this returns. False: no more is wanted. */
  block(head: FrameHead, payload: Buffer): boolean;
  /** Any other frame. False: no more is wanted. */
  other(head: FrameHead): boolean;
}

/** Longer frames of header blocks are skipped. */
const BLOCK_MAX = 65_536;

export class FrameWalk {
  readonly #handler: FrameHandler;
  readonly #headBytes = Buffer.alloc(FRAME_HEADER);
  #filled = 0;
  /** Head of the frame whose payload comes next; null until it is complete. */
  #head: FrameHead | null = null;
  /** Bytes of the payload that did not come yet, the last of them padding of data. */
  #left = 0;
  #padding = 0;
  /** The first byte is the length of the padding. */
  #isPaddingNext = false;
  #block: Buffer | null = null;

  constructor(handler: FrameHandler) {
    this.#handler = handler;
  }

  /** False: these are no frames, or no more are wanted; not to be called again. */
  read(bytes: Buffer): boolean {
    let at = 0;
    while (at < bytes.length) {
      at = this.#head === null ? this.#readHead(bytes, at) : this.#readPayload(this.#head, bytes, at);
      if (at < 0) return false;
    }
    return true;
  }

  #readHead(bytes: Buffer, at: number): number {
    let head: FrameHead;
    let next: number;
    if (this.#filled === 0 && bytes.length - at >= FRAME_HEADER) {
      head = readFrameHead(bytes, at);
      next = at + FRAME_HEADER;
    } else {
      const copied = bytes.copy(this.#headBytes, this.#filled, at, at + FRAME_HEADER - this.#filled);
      this.#filled += copied;
      if (this.#filled < FRAME_HEADER) return at + copied;
      this.#filled = 0;
      head = readFrameHead(this.#headBytes, 0);
      next = at + copied;
    }
    return this.#begin(head) ? next : -1;
  }

  #begin(head: FrameHead): boolean {
    this.#head = head;
    this.#left = head.length;
    this.#padding = 0;
    this.#isPaddingNext = head.type === FrameType.data && (head.flags & Flag.padded) !== 0;
    if (isBlock(head) && head.length > BLOCK_MAX) return false;
    return head.length > 0 || this.#end(head, NOTHING);
  }

  #readPayload(head: FrameHead, bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#left);
    if (head.type === FrameType.data && !this.#readData(head.stream, bytes, at, end)) return -1;
    const before = head.length - this.#left;
    this.#left -= end - at;
    if (!isBlock(head)) return this.#left > 0 || this.#end(head, NOTHING) ? end : -1;
    if (this.#left === 0 && this.#block === null) return this.#end(head, bytes.subarray(at, end)) ? end : -1;
    this.#block ??= Buffer.allocUnsafe(head.length);
    bytes.copy(this.#block, before, at, end);
    if (this.#left > 0) return end;
    const block = this.#block;
    this.#block = null;
    return this.#end(head, block) ? end : -1;
  }

  /** False: there is more padding than data. */
  #readData(stream: number, bytes: Buffer, from: number, end: number): boolean {
    let start = from;
    if (this.#isPaddingNext) {
      this.#isPaddingNext = false;
      this.#padding = bytes[start++]!;
      if (this.#padding > this.#left - 1) return false;
    }
    // Padding is what is last of what is left.
    const dataEnd = Math.min(end, from + this.#left - this.#padding);
    if (dataEnd > start) this.#handler.data(stream, bytes, start, dataEnd);
    return true;
  }

  #end(head: FrameHead, payload: Buffer): boolean {
    this.#head = null;
    if (isBlock(head)) return this.#handler.block(head, payload);
    if (head.type !== FrameType.data) return this.#handler.other(head);
    if (this.#isPaddingNext) return false;
    if ((head.flags & Flag.endStream) !== 0) this.#handler.dataEnd(head.stream);
    return true;
  }
}

const NOTHING = Buffer.alloc(0);

function isBlock({ type }: FrameHead): boolean {
  return type === FrameType.headers || type === FrameType.continuation;
}
