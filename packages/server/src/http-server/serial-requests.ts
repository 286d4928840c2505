/**
 * A client's connection as node:http reads it: never that a request is parsed before the answer to the one before is with the kernel.
 *
 * Node parses whatever has come of a connection, and answers all of it at once: a client that sends requests and reads nothing
 * chooses how much memory that takes. Here the parser gets the bytes of one request, exactly; what was sent behind it waits,
 * at most what one read brought, and the rest stays with the client.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { EmptyLine } from './empty-line.ts';

/** TLS encrypts all that it is given before the kernel takes any of it, so it is given this much at a time. */
const SLICE_BYTES = 64 * 1024;
const NOTHING = Buffer.alloc(0);

export class SerialRequests extends Duplex {
  readonly #source: Socket;
  readonly #emptyLine = new EmptyLine();
  #request: IncomingMessage | null = null;
  #answered = true;
  /** Of a body whose length was announced: what has not been handed on. */
  #bodyLeft = 0;
  /** Came and was not handed on. */
  #held: Buffer = NOTHING;
  #wanted = false;
  #ended = false;
  #discarding = false;
  readonly #feedLater = (): void => this.#feed();

  /** `source` is this stream's alone from here on. */
  constructor(source: Socket) {
    // With a mark of 1 the stream asks for more only when the parser has taken what it got.
    super({ readableHighWaterMark: 1, decodeStrings: false });
    this.#source = source;
    // The end of its requests is not the end of our answers.
    source.allowHalfOpen = true;
    source.on('data', (chunk: Buffer) => this.#take(chunk));
    source.on('end', () => {
      this.#ended = true;
      this.#feed();
    });
    source.on('timeout', () => this.emit('timeout'));
    // Every error is followed by `close`.
    source.on('error', () => {});
    source.on('close', () => this.destroy());
  }

  /** Called for each request, as the parser finds it; false when it was found too early, which ends the connection. */
  begin(request: IncomingMessage): boolean {
    if (this.#isBusy()) {
      this.destroy();
      return false;
    }
    const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers;
    this.#request = request;
    this.#answered = false;
    this.#bodyLeft = coding === undefined ? Number(length) : 0;
    return true;
  }

  /** Called when the answer to the request has been handed to the kernel. */
  answered(): void {
    this.#answered = true;
    this.#feed();
  }

  /** Throws away whatever comes from here on. */
  discard(): void {
    this.#discarding = true;
    this.#held = NOTHING;
    this.#source.resume();
  }

  /** As a socket has it; node:http asks for it. Milliseconds without a byte in either direction until `timeout`, 0 for never. */
  setTimeout(ms: number): this {
    this.#source.setTimeout(ms);
    return this;
  }

  /** As a socket has it: ends when what was written is out. */
  destroySoon(): void {
    this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', () => this.destroy());
  }

  override _read(): void {
    if (this.#wanted) return;
    this.#wanted = true;
    // The stream asks before it hands on what it has.
    if (this.#held.length > 0 || this.#ended) process.nextTick(this.#feedLater);
  }

  override _write(chunk: string | Buffer, encoding: BufferEncoding, callback: Callback): void {
    if (chunk.length <= SLICE_BYTES) this.#source.write(chunk, encoding, callback);
    else this.#writeSlices(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk, 0, callback);
  }

  override _final(callback: Callback): void {
    this.#source.end(callback);
  }

  override _destroy(error: Error | null, callback: Callback): void {
    this.#held = NOTHING;
    this.#source.destroy();
    callback(error);
  }

  #writeSlices(bytes: Buffer, start: number, callback: Callback): void {
    const end = start + SLICE_BYTES;
    this.#source.write(bytes.subarray(start, end), (error) => {
      if (error || end >= bytes.length) callback(error);
      else this.#writeSlices(bytes, end, callback);
    });
  }

  #take(chunk: Buffer): void {
    if (this.#discarding) return;
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    this.#feed();
    if (this.#held.length > 0) this.#source.pause();
  }

  /** Hands on the next piece, if one is wanted and its turn has come. Of two requests no piece has a part. */
  #feed(): void {
    if (!this.#wanted || this.#mustWait()) return;
    if (this.#held.length > 0) {
      const piece = this.#held.subarray(0, this.#pieceLength());
      this.#held = this.#held.subarray(piece.length);
      this.#wanted = false;
      if (this.#held.length === 0 && this.#source.isPaused()) this.#source.resume();
      this.push(piece);
    } else if (this.#ended) {
      this.#wanted = false;
      this.push(null);
    }
  }

  #pieceLength(): number {
    if (this.#bodyLeft === 0) return this.#emptyLine.endIn(this.#held) ?? this.#held.length;
    const length = Math.min(this.#bodyLeft, this.#held.length);
    this.#bodyLeft -= length;
    return length;
  }

  #mustWait(): boolean {
    return this.#request?.complete === true && !this.#answered;
  }

  #isBusy(): boolean {
    return this.#request !== null && !(this.#request.complete && this.#answered);
  }
}

type Callback = (error?: Error | null) => void;
