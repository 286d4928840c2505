/**
 * Queries over one TCP connection, each after its length (RFC 7766).
 * Invariant: at most one query is kept. Invariant: a client that sends or reads nothing is closed.
 */
import type { Socket } from 'node:net';

/** A question about a name needs some hundred bytes, with padding some more. */
const maxQueryBytes = 4096;
const lengthBytes = 2;

export interface QueryConnectionOptions {
  /** Null: the connection ends. */
  readonly respond: (query: Buffer) => Buffer | null;
  /** Milliseconds until the first query, and between a response and the next query. */
  readonly idleMs: number;
  /** Called for each query. */
  readonly asked: () => void;
}

export class QueryConnection {
  readonly #socket: Socket;
  readonly #options: QueryConnectionOptions;
  readonly #idle: NodeJS.Timeout;
  #pending: Buffer = Buffer.alloc(0);
  #isFull = false;

  /** The socket must allow half-close: a client that has ended its queries still reads. */
  constructor(socket: Socket, options: QueryConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#idle = setTimeout(() => socket.destroy(), options.idleMs).unref();
    socket.on('error', () => {});
    socket.on('close', () => clearTimeout(this.#idle));
    socket.on('data', (bytes: Buffer) => this.#take(bytes));
    socket.on('drain', () => this.#goOn());
    socket.on('end', () => this.#finish());
  }

  #take(bytes: Buffer): void {
    this.#pending = this.#pending.length === 0 ? bytes : Buffer.concat([this.#pending, bytes]);
    this.#answer();
  }

  #goOn(): void {
    this.#isFull = false;
    this.#answer();
    if (!this.#isFull) this.#socket.resume();
    if (this.#socket.readableEnded) this.#finish();
  }

  /** Ends the connection after the responses to all queries that were read. */
  #finish(): void {
    if (!this.#isFull) this.#socket.end();
  }

  #answer(): void {
    while (!this.#isFull && this.#pending.length >= lengthBytes) {
      const length = this.#pending.readUInt16BE(0);
      if (length > maxQueryBytes) return void this.#socket.destroy();
      if (this.#pending.length < lengthBytes + length) return;
      const query = this.#pending.subarray(lengthBytes, lengthBytes + length);
      this.#pending = this.#pending.subarray(lengthBytes + length);
      const answer = this.#options.respond(query);
      if (answer === null) return void this.#socket.destroy();
      this.#options.asked();
      this.#write(answer);
    }
  }

  #write(answer: Buffer): void {
    const length = Buffer.alloc(lengthBytes);
    length.writeUInt16BE(answer.length);
    this.#idle.refresh();
    this.#isFull = !this.#socket.write(Buffer.concat([length, answer]));
    if (this.#isFull) this.#socket.pause();
  }
}
