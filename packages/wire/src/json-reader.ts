/** Collects the bytes of one JSON value, up to a limit. */
import { ErrorCode } from './codes.ts';
import { WireError } from './wire-error.ts';

/**
 * Levels of nesting that are accepted. Messages of this protocol have fewer, and deep values overflow recursive code.
 */
const MAX_DEPTH = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Collects bytes until they hold one whole JSON value. Openers of an RPC do not half-close, so the text itself must
 * show its end. Both methods throw a WireError if the value is malformed or too long.
 */
export class JsonReader {
  readonly #maxBytes: number;
  #held: Buffer = Buffer.alloc(0);
  #used = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #started = false;
  /** The value is a number or a word. White space or the end of the stream ends it. */
  #bare = false;
  value: unknown;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes of memory that the collected bytes take. */
  get heldBytes(): number {
    return this.#held.length;
  }

  /** Returns true when `value` is complete. Bytes after it are ignored. */
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

  /** The stream ended, so the collected bytes must be the whole value. */
  finish(): void {
    this.#parse(this.#held.subarray(0, this.#used));
  }

  /** Returns the index after the value's last byte, or -1 if it is incomplete. */
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
