/** Finds the empty line that ends a head, and the last chunk of a chunked body (RFC 9112, sections 2.1 and 7.1): pure, over any pieces. */

const MARK = Buffer.from('\r\n\r\n');
const CR = 0x0d;
const LF = 0x0a;

export class EmptyLine {
  /** How much of the mark the bytes so far ended with. */
  #matched = 0;

  /** How many of these bytes there are up to the end of the empty line; null when it does not end in them. */
  endIn(bytes: Buffer): number | null {
    let at = 0;
    while (this.#matched > 0 && at < bytes.length) {
      this.#step(bytes[at]!);
      at += 1;
      if (this.#matched === MARK.length) return this.#found(at);
    }
    const found = bytes.indexOf(MARK, at);
    if (found !== -1) return this.#found(found + MARK.length);
    for (at = Math.max(at, bytes.length - MARK.length + 1); at < bytes.length; at++) this.#step(bytes[at]!);
    return null;
  }

  #found(end: number): number {
    this.#matched = 0;
    return end;
  }

  #step(byte: number): void {
    const expected = this.#matched % 2 === 0 ? CR : LF;
    if (byte === expected) this.#matched += 1;
    else this.#matched = byte === CR ? 1 : 0;
  }
}
