/**
 * Cuts a peer's bytes into HTTP/2 frames.
 * Invariant: at most one frame is kept here, and no byte is copied more than once.
 */
import { FRAME_HEADER, type FrameHead, MAX_FRAME, readFrameHead } from './frames.ts';

export interface FrameSink {
  /** Receives a frame. Returns false to stop reading. */
  frame(head: FrameHead, payload: Buffer): boolean;
  /** Reports a frame that is longer than this side accepts. */
  frameTooLong(): void;
}

export class FrameReader {
  readonly #sink: FrameSink;
  /** The incomplete frame, and the number of its bytes that have arrived. */
  #partial: Buffer | null = null;
  #filled = 0;
  #head: FrameHead | null = null;

  constructor(sink: FrameSink) {
    this.#sink = sink;
  }

  read(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) {
      if (this.#partial !== null) at = this.#readOn(bytes, at);
      else if (bytes.length - at < FRAME_HEADER) at = this.#begin(bytes, at);
      else at = this.#readWhole(bytes, at);
      if (at === -1) return;
    }
  }

  /** Reads a frame that has arrived whole, the usual case. Returns -1 to stop reading. */
  #readWhole(bytes: Buffer, at: number): number {
    const head = readFrameHead(bytes, at);
    if (head.length > MAX_FRAME) return this.#tooLong();
    const start = at + FRAME_HEADER;
    const end = start + head.length;
    if (end <= bytes.length) return this.#sink.frame(head, bytes.subarray(start, end)) ? end : -1;
    this.#head = head;
    this.#partial = Buffer.allocUnsafe(head.length);
    this.#filled = 0;
    return this.#readOn(bytes, start);
  }

  #begin(bytes: Buffer, at: number): number {
    this.#partial = Buffer.allocUnsafe(FRAME_HEADER);
    this.#filled = 0;
    return this.#readOn(bytes, at);
  }

  #readOn(bytes: Buffer, at: number): number {
    const partial = this.#partial!;
    const size = bytes.copy(partial, this.#filled, at, at + partial.length - this.#filled);
    this.#filled += size;
    if (this.#filled < partial.length) return at + size;
    return this.#complete(partial) ? at + size : -1;
  }

  #complete(partial: Buffer): boolean {
    const head = this.#head;
    if (head !== null) {
      this.#head = null;
      this.#partial = null;
      return this.#sink.frame(head, partial);
    }
    const begun = readFrameHead(partial, 0);
    if (begun.length > MAX_FRAME) return this.#tooLong() !== -1;
    this.#head = begun;
    this.#partial = Buffer.allocUnsafe(begun.length);
    this.#filled = 0;
    return begun.length > 0 || this.#complete(this.#partial);
  }

  #tooLong(): number {
    this.#sink.frameTooLong();
    return -1;
  }
}
