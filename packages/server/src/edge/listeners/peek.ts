/**
 * Reads a connection's first bytes up to its whole ClientHello, and puts them back.
 * Invariant: no byte is lost.
 */
import type { Socket } from 'node:net';
import { type ClientHello, inspectClientHello } from './client-hello.ts';

export type Peeked = Exclude<ClientHello, { status: 'need-more' }>;

export class Peek {
  readonly #socket: Socket;
  readonly #done: (hello: Peeked, bytes: Buffer) => void;
  /** Grows by doubling, so that a hello in 1-byte segments is not copied for each of them. */
  #buffer: Buffer = Buffer.alloc(0);
  #length = 0;

  constructor(socket: Socket, done: (hello: Peeked, bytes: Buffer) => void) {
    this.#socket = socket;
    this.#done = done;
  }

  start(): void {
    this.#socket.on('data', this.#data);
    // The previous reader has paused it.
    this.#socket.resume();
  }

  #data = (chunk: Buffer): void => {
    this.#append(chunk);
    const bytes = this.#buffer.subarray(0, this.#length);
    const hello = inspectClientHello(bytes);
    if (hello.status === 'need-more') return;
    this.#socket.off('data', this.#data);
    this.#socket.pause();
    this.#socket.unshift(bytes);
    this.#done(hello, bytes);
  };

  #append(chunk: Buffer): void {
    const length = this.#length + chunk.length;
    if (this.#length === 0) {
      // Nearly always the whole hello: nothing to copy.
      this.#buffer = chunk;
    } else if (length <= this.#buffer.length) {
      chunk.copy(this.#buffer, this.#length);
    } else {
      const grown = Buffer.allocUnsafeSlow(length * 2);
      this.#buffer.copy(grown, 0, 0, this.#length);
      chunk.copy(grown, this.#length);
      this.#buffer = grown;
    }
    this.#length = length;
  }
}
