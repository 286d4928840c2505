/**
 * Bytes that are sent on a connection.
 * Invariant: Node holds at most one slice of them, so that a client that does not read uses little memory.
 */
import type { Duplex } from 'node:stream';
import type { Message } from './answer.ts';

/** TLS encrypts all that it is given before the kernel takes any of it, so it is given this much at a time. */
const SLICE_BYTES = 64 * 1024;

export class Outgoing {
  readonly #socket: Duplex;
  #rest: Buffer | null = null;
  #whenOut: (() => void) | null = null;

  constructor(socket: Duplex) {
    this.#socket = socket;
    socket.on('drain', () => this.#goOn());
  }

  /** Calls back once it is out, but for what fits into Node's own buffer: now, or later. Not again before that. */
  write({ head, body }: Message, whenOut: () => void): void {
    if (body === null && this.#socket.write(head, 'latin1')) {
      whenOut();
      return;
    }
    this.#whenOut = whenOut;
    if (body === null) return;
    this.#rest = body;
    this.#socket.cork();
    this.#socket.write(head, 'latin1');
    this.#goOn();
    this.#socket.uncork();
  }

  #goOn(): void {
    while (this.#rest !== null) {
      const slice = this.#rest.subarray(0, SLICE_BYTES);
      this.#rest = slice.length === this.#rest.length ? null : this.#rest.subarray(SLICE_BYTES);
      if (!this.#socket.write(slice)) return;
    }
    const whenOut = this.#whenOut;
    this.#whenOut = null;
    whenOut?.();
  }
}
