/** A stream as its owner sees it. */
import type { ErrorCode } from './codes.ts';

/** What a stream's owner is told. Called synchronously from the read loop; must not throw. */
export interface StreamHandler {
  /**
   * Bytes in order. The chunk is a view of a network buffer: it stays valid, but pins a larger buffer, so copy what you
   * keep. Credit goes back to the peer automatically unless the stream is paused.
   */
  data(chunk: Buffer): void;
  /** True: `data` has copied or forgotten a chunk when it returns, which need not stay valid then. */
  readonly keepsNoChunk?: boolean;
  /** The peer half-closed: no more data. */
  end(): void;
  /** write() returned false before; there is room again. */
  drain(): void;
  /**
   * Last call, exactly once: both directions ended (code 0), or the stream was reset by either side or lost with its
   * session (any other code).
   */
  close(code: ErrorCode): void;
}

/** Takes everything and does nothing with it. */
export const noopHandler: StreamHandler = { data() {}, end() {}, drain() {}, close() {} };

/** One stream of a session. Light: no EventEmitter, no Duplex. */
export interface MuxStream {
  readonly id: number;
  /** Set once, at once after open or accept (data that came before is kept until then). May be replaced. */
  handler: StreamHandler;
  /**
   * Queues bytes (the buffer must not change afterwards). False: the window or the socket is full, wait for drain();
   * the bytes are queued all the same. Once closed, bytes are dropped and the answer is true: no drain will come.
   */
  write(chunk: Uint8Array): boolean;
  /** As write; the buffer may change as soon as this returns. */
  writeCopy(chunk: Uint8Array): boolean;
  /** Half-close after what was written. */
  end(): void;
  /** Drops both directions: RST with the code. Idempotent. */
  reset(code: ErrorCode): void;
  /** Stops data() and end(); unread bytes stay in the receive window and no credit is returned. */
  pause(): void;
  resume(): void;
  /** Returns the credit for what was read so far, however little: the peer may wait for a sign that the stream was passed on. */
  acknowledge(): void;
  /**
   * Hands the stream on: `unread` goes back in front of what comes next, and everything is kept until a handler is set.
   */
  detach(unread: Buffer): void;
  readonly closed: boolean;
  /** True when write() would return false. */
  readonly writableNeedDrain: boolean;
}
