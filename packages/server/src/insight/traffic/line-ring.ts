/**
 * The newest lines of text, in chunks of bytes. A line costs its bytes and no object, so that memory is what is counted.
 * Invariant: `bytes` is the memory of all chunks, and a new chunk replaces the oldest ones beyond the limits.
 */

export interface RingLimits {
  /** Lines that stay if there is room for their bytes. */
  readonly lines: number;
  readonly bytes: number;
}

interface Chunk {
  readonly buffer: Buffer;
  used: number;
  lines: number;
}

/** Bytes of the first chunk. Each further one is twice as large as the one before. */
const SMALLEST = 1024;
const LARGEST = 32 * 1024;
/** Bytes of the objects of a chunk. */
const CHUNK_OBJECTS = 320;
const LINE_END = 0x0a;

export class LineRing {
  readonly #limits: RingLimits;
  /** Oldest first. */
  readonly #chunks: Chunk[] = [];
  #bytes = 0;
  #lines = 0;

  constructor(limits: RingLimits) {
    this.#limits = limits;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get lines(): number {
    return this.#lines;
  }

  /** Adds a line without a line end. Returns true if memory grew. */
  push(line: string): boolean {
    const length = Buffer.byteLength(line) + 1;
    const last = this.#chunks.at(-1);
    const isFull = last === undefined || last.buffer.length - last.used < length;
    const chunk = isFull ? this.#grow(length) : last;
    chunk.used += chunk.buffer.write(line, chunk.used);
    chunk.buffer[chunk.used] = LINE_END;
    chunk.used += 1;
    chunk.lines += 1;
    this.#lines += 1;
    if (isFull) this.#shrink();
    return isFull;
  }

  /** Forgets the oldest lines. Returns the bytes that it freed; 0 if nothing is left. */
  forgetOldest(): number {
    const chunk = this.#chunks.shift();
    if (chunk === undefined) return 0;
    this.#lines -= chunk.lines;
    const freed = bytesOf(chunk);
    this.#bytes -= freed;
    return freed;
  }

  /** Lines, newest first. Nothing may be pushed meanwhile. */
  *newest(): Generator<string> {
    for (const { buffer, used } of this.#chunks.toReversed()) {
      const lines = buffer.toString('utf8', 0, used).split('\n');
      for (let at = lines.length - 2; at >= 0; at -= 1) yield lines[at]!;
    }
  }

  #grow(length: number): Chunk {
    const next = Math.min((this.#chunks.at(-1)?.buffer.length ?? SMALLEST / 2) * 2, LARGEST);
    const chunk = { buffer: Buffer.allocUnsafeSlow(Math.max(next, length)), used: 0, lines: 0 };
    this.#chunks.push(chunk);
    this.#bytes += bytesOf(chunk);
    return chunk;
  }

  #shrink(): void {
    const { lines, bytes } = this.#limits;
    while (this.#chunks.length > 1) {
      const isDispensable = this.#lines - this.#chunks[0]!.lines >= lines;
      if (!isDispensable && this.#bytes <= bytes) return;
      this.forgetOldest();
    }
  }
}

function bytesOf({ buffer }: Chunk): number {
  return buffer.length + CHUNK_OBJECTS;
}
