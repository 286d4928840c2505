/**
 * A stream of a tunnel that was bound a moment ago: agents know a tunnel only some time after they read the answer to its bind,
 * and end what comes before without a byte (agent protocol, section 6). Such an end is tried again with what was sent. Never
 * after a byte of an answer, and never when more was sent than is kept.
 */
import { ErrorCode, noopHandler, type StreamHandler } from '@underpass/wire';
import type { ByteStream } from '../online/online.ts';

/** What is kept of what was sent, in bytes: a request and the beginning of its body. */
const keptBytes = 64 * 1024;
const firstPauseMs = 10;
const longestPauseMs = 250;

export interface FreshStreamParts {
  readonly stream: ByteStream;
  /** Another stream to the same agent; null when there is none to be had. */
  readonly open: () => ByteStream | null;
  /** Whether the agent may still not know the tunnel. */
  readonly isFresh: () => boolean;
}

export class FreshStream implements ByteStream {
  handler: StreamHandler = noopHandler;
  readonly #open: () => ByteStream | null;
  readonly #isFresh: () => boolean;
  /** Null while the next one is waited for. */
  #stream: ByteStream | null = null;
  /** Null when it can no longer be sent again. */
  #sent: Uint8Array[] | null = [];
  #sentBytes = 0;
  #hasEnded = false;
  #isPaused = false;
  #owesDrain = false;
  #isClosed = false;
  #pauseMs = firstPauseMs;

  constructor({ stream, open, isFresh }: FreshStreamParts) {
    this.#open = open;
    this.#isFresh = isFresh;
    this.#use(stream);
  }

  get closed(): boolean {
    return this.#isClosed;
  }

  get writableNeedDrain(): boolean {
    if (this.#isClosed) return false;
    return this.#stream?.writableNeedDrain ?? this.#sentBytes > keptBytes;
  }

  write(chunk: Uint8Array): boolean {
    if (this.#isClosed || this.#hasEnded) return true;
    this.#sent?.push(chunk);
    this.#sentBytes += chunk.length;
    const stream = this.#stream;
    if (stream === null) {
      this.#owesDrain ||= this.writableNeedDrain;
      return !this.writableNeedDrain;
    }
    if (this.#sentBytes > keptBytes) this.#sent = null;
    return stream.write(chunk);
  }

  end(): void {
    this.#hasEnded = true;
    this.#stream?.end();
  }

  reset(code: ErrorCode): void {
    if (this.#stream !== null) this.#stream.reset(code);
    else this.#close(code === ErrorCode.none ? ErrorCode.streamReset : code);
  }

  pause(): void {
    this.#isPaused = true;
    this.#stream?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#stream?.resume();
  }

  #use(stream: ByteStream): void {
    this.#stream = stream;
    stream.handler = {
      data: (chunk) => {
        this.#sent = null;
        this.handler.data(chunk);
      },
      end: () => {
        if (this.#sent !== null && this.#isFresh()) this.#tryAgain(stream);
        else this.handler.end();
      },
      drain: () => this.handler.drain(),
      close: (code) => {
        if (this.#stream === stream) this.#close(code);
      },
    };
  }

  #tryAgain(stream: ByteStream): void {
    this.#stream = null;
    stream.reset(ErrorCode.streamCancelled);
    setTimeout(() => this.#repeat(), this.#pauseMs).unref();
    this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
  }

  #repeat(): void {
    if (this.#isClosed) return;
    const stream = this.#open();
    if (stream === null) {
      // As if the agent had said that it did not begin: another tunnel may be tried.
      this.#close(ErrorCode.streamRefused);
      return;
    }
    this.#use(stream);
    let hasRoom = true;
    for (const chunk of this.#sent ?? []) hasRoom = stream.write(chunk);
    if (this.#sentBytes > keptBytes) this.#sent = null;
    if (this.#hasEnded) stream.end();
    if (this.#isPaused) stream.pause();
    if (!hasRoom || !this.#owesDrain) return;
    this.#owesDrain = false;
    this.handler.drain();
  }

  #close(code: ErrorCode): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#sent = null;
    this.handler.close(code);
  }
}
