/**
 * The newest lines of text, in chunks of bytes. A line costs its bytes and no object.
 * Invariant: a new chunk replaces the oldest ones beyond the limits.
 */
import { CHUNK_BYTES, type Chunks } from './chunks.ts';

export interface RingLimits {
  /** Lines that stay if there is room for their bytes. */
  readonly lines: number;
  readonly chunks: number;
}

interface Chunk {
  readonly buffer: Buffer;
  used: number;
  lines: number;
}

const LINE_END = 0x0a;

export class LineRing {
  readonly #limits: RingLimits;
  readonly #source: Chunks;
  /** Oldest first. */
  readonly #chunks: Chunk[] = [];
  #lines = 0;

  constructor(limits: RingLimits, source: Chunks) {
    this.#limits = limits;
    this.#source = source;
  }

  /** The number of chunks. */
  get size(): number {
    return this.#chunks.length;
  }

  get lines(): number {
    return this.#lines;
  }

  /** Returns true if a line with this number of bytes needs another chunk. */
  needsChunk(bytes: number): boolean {
    const last = this.#chunks.at(-1);
    return last === undefined || CHUNK_BYTES - last.used <= bytes;
  }

  /** Adds a line without a line end. It needs to be shorter than a chunk. */
  push(line: string, bytes: number): void {
    const chunk = this.needsChunk(bytes) ? this.#grow() : this.#chunks.at(-1)!;
    chunk.used += chunk.buffer.write(line, chunk.used);
    chunk.buffer[chunk.used] = LINE_END;
    chunk.used += 1;
    chunk.lines += 1;
    this.#lines += 1;
  }

  /** Forgets the oldest lines. Returns false if nothing is left. */
  forgetOldest(): boolean {
    const chunk = this.#chunks.shift();
    if (chunk === undefined) return false;
    this.#lines -= chunk.lines;
    this.#source.release(chunk.buffer);
    return true;
  }

  /** Lines, newest first. Nothing may be pushed meanwhile. */
  *newest(): Generator<string> {
    for (const { buffer, used } of this.#chunks.toReversed()) {
      const lines = buffer.toString('utf8', 0, used).split('\n');
      for (let at = lines.length - 2; at >= 0; at -= 1) yield lines[at]!;
    }
  }

  #grow(): Chunk {
    const { lines, chunks } = this.#limits;
    while (this.#chunks.length > 0) {
      const isDispensable = this.#lines - this.#chunks[0]!.lines >= lines;
      if (!isDispensable && this.#chunks.length < chunks) break;
      this.forgetOldest();
    }
    const chunk = { buffer: this.#source.take(), used: 0, lines: 0 };
    this.#chunks.push(chunk);
    return chunk;
  }
}
