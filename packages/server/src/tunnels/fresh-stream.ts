/**
 * A stream of a new tunnel. Agents know a tunnel some time after they read the response to its bind, and end earlier
 * streams without a byte (agent protocol, section 6). Such a stream is retried with the sent bytes.
 * Invariant: no retry after a byte of a response, or after more bytes than are kept.
 */
import {
  type BudgetShare,
  ErrorCode,
  GrowingBuffer,
  noopHandler,
  type StreamHandler,
  shareOfReplays,
} from '@underpass/wire';
import type { ByteStream } from '../online/online.ts';

/** Bytes that are kept of the sent data: a request and the beginning of its body. */
const keptBytes = 64 * 1024;
const firstPauseMs = 10;
const longestPauseMs = 250;

export interface FreshStreamParts {
  readonly stream: ByteStream;
  /** Another stream to the same agent; null when there is none to be had. */
  readonly open: () => ByteStream | null;
  /** True if the agent may still not know the tunnel. */
  readonly isFresh: () => boolean;
}

export class FreshStream implements ByteStream {
  handler: StreamHandler = noopHandler;
  readonly #open: () => ByteStream | null;
  readonly #isFresh: () => boolean;
  /** Null while the next one is waited for. */
  #stream: ByteStream | null = null;
  /** Null when it can no longer be sent again. */
  #sent: GrowingBuffer | null = new GrowingBuffer();
  #sentBytes = 0;
  readonly #share: BudgetShare;
  #hasEnded = false;
  #isPaused = false;
  #owesDrain = false;
  #isClosed = false;
  #pauseMs = firstPauseMs;

  constructor({ stream, open, isFresh }: FreshStreamParts) {
    this.#open = open;
    this.#isFresh = isFresh;
    this.#share = shareOfReplays(() => this.#gaveWay());
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
    this.#sentBytes += chunk.length;
    const stream = this.#stream;
    if (stream !== null) {
      if (this.#sent !== null && (this.#sentBytes > keptBytes || !this.#isFresh())) this.#forget();
      this.#keep(chunk);
      return stream.write(chunk);
    }
    this.#keep(chunk);
    this.#owesDrain ||= this.writableNeedDrain;
    return !this.writableNeedDrain;
  }

  #keep(chunk: Uint8Array): void {
    if (this.#sent === null) return;
    this.#sent.append(chunk);
    this.#share.keep(this.#sent.capacity);
  }

  #forget(): void {
    this.#sent = null;
    this.#share.keep(0);
  }

  /** Others need the memory. What goes to no stream at the moment is lost with it. */
  #gaveWay(): void {
    this.#sent = null;
    if (this.#stream === null) this.#close(ErrorCode.acceptQueueFull);
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
        if (this.#sent !== null) this.#forget();
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
      // Same code as for a stream that the agent did not begin, so that another tunnel may be tried.
      this.#close(ErrorCode.streamRefused);
      return;
    }
    this.#use(stream);
    let hasRoom = true;
    if (this.#sent !== null && this.#sent.length > 0) hasRoom = stream.write(this.#sent.bytes);
    if (this.#sentBytes > keptBytes) this.#forget();
    if (this.#hasEnded) stream.end();
    if (this.#isPaused) stream.pause();
    if (!hasRoom || !this.#owesDrain) return;
    this.#owesDrain = false;
    this.handler.drain();
  }

  #close(code: ErrorCode): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#forget();
    this.handler.close(code);
  }
}
