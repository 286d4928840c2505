/** The interface of a mux stream and of its handler. */
import type { ErrorCode } from './codes.ts';

/** Receives the events of a stream. Methods are called synchronously from the read loop and must not throw. */
export interface StreamHandler {
  /**
   * Receives bytes in order. The chunk is a view of a network buffer: it stays valid but pins that buffer, so copy what
   * you keep. Credit returns to the peer automatically unless the stream is paused.
   */
  data(chunk: Buffer): void;
  /** True if `data` copies or forgets a chunk before it returns. Then the chunk need not stay valid. */
  readonly keepsNoChunk?: boolean;
  /** The peer half-closed: no more data. */
  end(): void;
  /** There is room again, after a write() that returned false. */
  drain(): void;
  /**
   * The last call, exactly once. Code 0: both directions ended. Any other code: the stream was reset by either side, or
   * lost with its session.
   */
  close(code: ErrorCode): void;
}

/** Discards everything. */
export const noopHandler: StreamHandler = { data() {}, end() {}, drain() {}, close() {} };

/** One stream of a session, without EventEmitter and Duplex. */
export interface MuxStream {
  readonly id: number;
  /** Set it directly after open or accept; earlier data is kept until then. May be replaced. */
  handler: StreamHandler;
  /**
   * Queues bytes, which must not change afterwards. Returns false if the window or the socket is full; the bytes are
   * queued anyway, and drain() follows. A closed stream drops the bytes and returns true.
   */
  write(chunk: Uint8Array): boolean;
  /** Writes bytes like `write`, but the buffer may change when this returns. */
  writeCopy(chunk: Uint8Array): boolean;
  /** Half-closes after the queued bytes. */
  end(): void;
  /** Drops both directions and sends RST with the code. Idempotent. */
  reset(code: ErrorCode): void;
  /** Stops data() and end(). Unread bytes stay in the receive window and no credit is returned. */
  pause(): void;
  resume(): void;
  /**
   * Returns the credit for all bytes read so far, however few. The peer may wait for this sign that the stream was
   * passed on.
   */
  acknowledge(): void;
  /** Releases the stream. `unread` is put back in front, and bytes are kept until a new handler is set. */
  detach(unread: Buffer): void;
  readonly closed: boolean;
  /** True if write() would return false. */
  readonly writableNeedDrain: boolean;
}
