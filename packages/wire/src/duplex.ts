/** Wraps a mux stream as Node's Duplex. */
import { Duplex } from 'node:stream';
import { ErrorCode } from './codes.ts';
import type { MuxStream } from './mux-stream.ts';
import { streamError } from './wire-error.ts';

type Done = (error?: Error | null) => void;

/**
 * Wraps a MuxStream as a Node Duplex, with half-close and back-pressure. Destroying it resets the stream
 * (streamCancelled). A reset destroys it with a WireError.
 */
export function toDuplex(stream: MuxStream): Duplex {
  return new StreamDuplex(stream);
}

/** The class behind `toDuplex`, for subclasses. */
export class StreamDuplex extends Duplex {
  readonly #stream: MuxStream;
  #written: Done | null = null;

  constructor(stream: MuxStream) {
    // Unread bytes wait in the stream, which joins small pieces.
    super({ allowHalfOpen: true, readableHighWaterMark: 1 });
    this.#stream = stream;
    stream.handler = {
      data: (chunk) => {
        if (!this.push(chunk)) stream.pause();
      },
      end: () => this.push(null),
      drain: () => this.#settle(),
      close: (code) => this.#closed(code),
    };
  }

  override _read(): void {
    this.#stream.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Done): void {
    if (this.#stream.write(chunk)) done();
    else this.#written = done;
  }

  override _final(done: Done): void {
    this.#stream.end();
    done();
  }

  override _destroy(error: Error | null, done: Done): void {
    this.#stream.reset(ErrorCode.streamCancelled);
    // Node settles writes that wait in its buffer, but not the current one.
    this.#settle(error ?? streamError(ErrorCode.streamCancelled));
    done(error);
  }

  /** Completes the write that waits for room, if there is one. */
  #settle(error?: Error): void {
    const done = this.#written;
    this.#written = null;
    done?.(error);
  }

  #closed(code: ErrorCode): void {
    if (code === ErrorCode.none) this.#settle();
    else this.destroy(streamError(code));
  }
}
