/** The data of a chunked body, without its framing. Takes only what BodyReader let through, so nothing in it can be wrong. */
import { CR, HEX, LF } from './bytes.ts';

const State = { size: 0, sizeLf: 1, data: 2, end: 3, over: 4 } as const;

export class ChunkData {
  #state: number = State.size;
  #remaining = 0;

  /** The parts of `bytes` that are data, in order. */
  *spans(bytes: Buffer): Iterable<Buffer> {
    let pos = 0;
    // Behind the last chunk are trailers.
    while (pos < bytes.length && this.#state !== State.over) {
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
