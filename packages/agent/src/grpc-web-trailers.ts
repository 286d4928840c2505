/** Finds the trailers of gRPC-web, which are the last frame of a response body. */
import type { GrpcForm } from './grpc.ts';

const FRAME_HEAD = 5;
const TRAILERS = 0x80;
const TRAILERS_MAX = 16_384;
const FIELD = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[^\r\n\0]*$/;

/** Invariant: of a body at most one frame of trailers, of 16 KiB, is kept. */
export class GrpcWebTrailers {
  readonly #isText: boolean;
  /** Base64 digits of a group that is not complete. */
  #digits = '';
  readonly #head = Buffer.alloc(FRAME_HEAD);
  #headLength = 0;
  /** Bytes of the frame that are still to come. */
  #left = 0;
  #isTrailers = false;
  #text = '';

  constructor(form: GrpcForm) {
    this.#isText = form === 'web-text';
  }

  feed(bytes: Buffer, start: number, end: number): void {
    if (!this.#isText) {
      this.#frames(bytes.subarray(start, end));
      return;
    }
    const digits = this.#digits + bytes.toString('latin1', start, end).replace(/[\r\n]/g, '');
    const whole = digits.length - (digits.length % 4);
    this.#digits = digits.slice(whole);
    for (const piece of base64Pieces(digits.slice(0, whole))) this.#frames(piece);
  }

  /** Header lines with their line ends, one character a byte; '' none. */
  get lines(): string {
    const lines = this.#text.split(/\r?\n/).filter((line) => FIELD.test(line));
    return lines.map((line) => `${line}\r\n`).join('');
  }

  #frames(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      if (this.#headLength < FRAME_HEAD) {
        this.#head[this.#headLength++] = bytes[at++]!;
        if (this.#headLength === FRAME_HEAD) this.#begin();
        continue;
      }
      const piece = Math.min(this.#left, bytes.length - at);
      if (this.#isTrailers) this.#keep(bytes, at, piece);
      at += piece;
      this.#left -= piece;
      if (this.#left === 0) this.#headLength = 0;
    }
  }

  #begin(): void {
    this.#left = this.#head.readUInt32BE(1);
    this.#isTrailers = this.#head[0] === TRAILERS;
    if (this.#isTrailers) this.#text = '';
    if (this.#left === 0) this.#headLength = 0;
  }

  #keep(bytes: Buffer, at: number, length: number): void {
    const room = TRAILERS_MAX - this.#text.length;
    this.#text += bytes.toString('latin1', at, at + Math.min(length, room));
  }
}

/** Decodes Base64 that may be padded anywhere between its groups. */
export function base64Pieces(text: string): readonly Buffer[] {
  return (text.match(/[^=]+=*/g) ?? []).map((piece) => Buffer.from(piece, 'base64'));
}
