/**
 * Finds the data of a chunked body, and its trailers, between the framing. Takes only bytes that BodyReader let through, so nothing in them
 * can be wrong.
 */
import { GrowingBuffer } from '@underpass/wire';
import { CR, HEX, LF } from './bytes.ts';

const State = { size: 0, sizeLf: 1, data: 2, end: 3, over: 4 } as const;

/** Parts from this size on are not copied. */
const LARGE_BYTES = 2048;
const EMPTY_LINE = Buffer.from('\r\n');
const SECTION_END = Buffer.from('\r\n\r\n');

export class ChunkData {
  /** Bytes after the last chunk, with the empty line, once they are complete. */
  trailers: Buffer | null = null;
  #state: number = State.size;
  #remaining = 0;
  readonly #behind = new GrowingBuffer();

  /** The parts of `bytes` that are data, in order. */
  *spans(bytes: Buffer): Iterable<Buffer> {
    let pos = 0;
    while (pos < bytes.length) {
      if (this.#state === State.over) {
        this.#keepTrailers(bytes.subarray(pos));
        return;
      }
      if (this.#state === State.data) {
        const end = Math.min(bytes.length, pos + this.#remaining);
        yield pos === 0 && end === bytes.length ? bytes : bytes.subarray(pos, end);
        this.#remaining -= end - pos;
        pos = end;
        if (this.#remaining === 0) this.#state = State.end;
        continue;
      }
      this.#step(bytes[pos]!);
      pos += 1;
    }
  }

  /** The same with small parts that follow each other joined, so that what comes in single bytes goes on in few pieces. */
  *joined(bytes: Buffer): Iterable<Buffer> {
    let waiting: Buffer | null = null;
    let small: GrowingBuffer | null = null;
    for (const span of this.spans(bytes)) {
      const isAlone = waiting === null || (small === null && waiting.length >= LARGE_BYTES);
      if (waiting === null || isAlone || span.length >= LARGE_BYTES) {
        if (waiting !== null) yield small?.take() ?? waiting;
        small = null;
        waiting = span;
      } else {
        if (small === null) {
          small = new GrowingBuffer();
          small.append(waiting);
        }
        small.append(span);
      }
    }
    if (waiting !== null) yield small?.take() ?? waiting;
  }

  #keepTrailers(bytes: Buffer): void {
    this.#behind.append(bytes);
    const section = this.#behind.bytes;
    if (section.equals(EMPTY_LINE) || section.subarray(-SECTION_END.length).equals(SECTION_END)) {
      this.trailers = section;
    }
  }

  #step(byte: number): void {
    if (this.#state === State.end) {
      if (byte === LF) this.#state = State.size;
    } else if (this.#state === State.sizeLf) {
      this.#state = this.#remaining > 0 ? State.data : State.over;
    } else if (byte === CR) {
      this.#state = State.sizeLf;
    } else {
      this.#remaining = this.#remaining * 16 + HEX[byte]!;
    }
  }
}
