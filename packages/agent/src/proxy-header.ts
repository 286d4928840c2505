/**
 * Finds the end of the PROXY protocol header, which the service puts before a visitor's bytes.
 * Invariant: it keeps no byte.
 */

const LF = 0x0a;
/** Bytes of the fixed part of version 2. Its last two bytes are the length of the rest. */
const FIXED = 16;

export class ProxyHeaderScan {
  readonly #version: 1 | 2;
  #at = 0;
  /** Offset of the header's end, as far as it is known. */
  #end: number;

  constructor(version: 1 | 2) {
    this.#version = version;
    this.#end = version === 1 ? Number.POSITIVE_INFINITY : FIXED;
  }

  /** Returns the part of the next bytes that follows the header. */
  rest(bytes: Buffer): Buffer {
    let from = 0;
    while (from < bytes.length && this.#at < this.#end) this.#look(bytes[from++]!);
    return from === 0 ? bytes : bytes.subarray(from);
  }

  #look(byte: number): void {
    this.#at++;
    if (this.#version === 1) {
      if (byte === LF) this.#end = this.#at;
      return;
    }
    if (this.#at === FIXED - 1) this.#end += byte * 256;
    if (this.#at === FIXED) this.#end += byte;
  }
}
