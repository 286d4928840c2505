/** Collects the bytes of one JSON value. Never more than its limit. */
import { ErrorCode } from './codes.ts';
import { WireError } from './wire-error.ts';

/** Nesting beyond this is no message of this protocol, and deep values are a trap for whoever walks them. */
const MAX_DEPTH = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Collects bytes until they hold one whole JSON value: RPC openers do not half-close, so its end has to be found in the
 * text. Both methods throw a WireError when it cannot become one.
 */
export class JsonReader {
  readonly #maxBytes: number;
  #held: Buffer = Buffer.alloc(0);
  #used = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #started = false;
  /** A number or a word: it ends at white space or with the stream. */
  #bare = false;
  value: unknown;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes of memory that what has come so far takes. */
  get heldBytes(): number {
    return this.#held.length;
  }

  /** True when `value` is there; bytes after it are ignored. */
  push(chunk: Buffer): boolean {
    const end = this.#scan(chunk);
    const size = end < 0 ? chunk.length : end;
    if (this.#used + size > this.#maxBytes) {
      throw new WireError(ErrorCode.protocol, `JSON value of more than ${this.#maxBytes} bytes`);
    }
    if (end >= 0 && this.#used === 0) return this.#parse(chunk.subarray(0, end));
    this.#keep(chunk, size);
    return end >= 0 && this.#parse(this.#held.subarray(0, this.#used));
  }

  /** The stream ended: what is there has to be the value. */
  finish(): void {
    this.#parse(this.#held.subarray(0, this.#used));
  }

  /** Index after the value's last byte, or -1 when it goes on. */
  #scan(chunk: Buffer): number {
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i]!;
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === BACKSLASH) this.#escaped = true;
        else if (byte === QUOTE) {
          this.#inString = false;
          if (this.#depth === 0) return i + 1;
        }
        continue;
      }
      if (isSpace(byte)) {
        if (this.#bare) return i;
        continue;
      }
      if (this.#bare) continue;
      if (byte === QUOTE) this.#inString = true;
      else if (byte === 0x7b || byte === 0x5b) {
        if (++this.#depth > MAX_DEPTH) throw new WireError(ErrorCode.protocol, 'JSON value nested too deep');
      } else if (byte === 0x7d || byte === 0x5d) {
        if (--this.#depth <= 0) return i + 1;
      } else if (!this.#started) this.#bare = true;
      this.#started = true;
    }
    return -1;
  }

  #keep(chunk: Buffer, size: number): void {
    if (this.#used + size > this.#held.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(1024, (this.#used + size) * 2));
      this.#held.copy(grown, 0, 0, this.#used);
      this.#held = grown;
    }
    chunk.copy(this.#held, this.#used, 0, size);
    this.#used += size;
  }

  #parse(bytes: Buffer): true {
    try {
      this.value = JSON.parse(utf8.decode(bytes));
      return true;
    } catch (error) {
      throw new WireError(ErrorCode.protocol, `malformed JSON: ${(error as Error).message}`);
    }
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
