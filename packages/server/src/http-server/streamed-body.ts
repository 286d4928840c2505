/**
 * Sends the body of a response piece by piece, for as long as its writer likes.
 * Invariant: a client that does not read delays its writer, and no piece waits here.
 */
import type { Duplex } from 'node:stream';

/** Receives pieces of a body. */
export interface BodyOutput {
  /** Writes a piece that is not empty. False: write no more until `drained`. */
  write(text: string): boolean;
  /** Ends the body. The connection may serve further requests. */
  end(): void;
}

/** The writer of a body. */
export interface BodyWriter {
  /** Called when there is room again. */
  drained(): void;
  /** Called once when nothing more can be written: the client has gone. Not called after `end`. */
  gone(): void;
}

/** Begins a body. Called once, after the head was written. */
export type StreamedBody = (output: BodyOutput) => BodyWriter;

const LAST_CHUNK = '0\r\n\r\n';

/** The body of one response on its connection. */
export class OpenBody implements BodyOutput {
  readonly #socket: Duplex;
  readonly #isChunked: boolean;
  readonly #ended: () => void;
  #writer: BodyWriter | null = null;
  #isOver = false;

  /** `isChunked`: false for a body that ends with its connection. `ended`: called once, at the end of the body. */
  constructor(socket: Duplex, isChunked: boolean, ended: () => void) {
    this.#socket = socket;
    this.#isChunked = isChunked;
    this.#ended = ended;
  }

  begin(body: StreamedBody): void {
    const writer = body(this);
    if (!this.#isOver) this.#writer = writer;
  }

  write(text: string): boolean {
    if (this.#isOver) return false;
    const size = this.#isChunked ? Buffer.byteLength(text).toString(16) : '';
    return this.#socket.write(this.#isChunked ? `${size}\r\n${text}\r\n` : text);
  }

  end(): void {
    if (this.#isOver) return;
    this.#close();
    if (this.#isChunked) this.#socket.write(LAST_CHUNK);
    this.#ended();
  }

  /** There is room again. */
  drained(): void {
    this.#writer?.drained();
  }

  /** The client reads no more. */
  gone(): void {
    const writer = this.#close();
    writer?.gone();
  }

  #close(): BodyWriter | null {
    const writer = this.#writer;
    this.#isOver = true;
    this.#writer = null;
    return writer;
  }
}
