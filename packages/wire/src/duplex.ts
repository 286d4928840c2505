/** A mux stream as Node's Duplex. */
import { Duplex } from 'node:stream';
import { ErrorCode } from './codes.ts';
import type { MuxStream } from './mux-stream.ts';
import { streamError } from './wire-error.ts';

type Done = (error?: Error | null) => void;

/**
 * A Node Duplex over a MuxStream, with half-close and back-pressure, for code that needs one. Destroying it resets the
 * stream (streamCancelled); a reset destroys it with a WireError.
 */
export function toDuplex(stream: MuxStream): Duplex {
  return new StreamDuplex(stream);
}

/** What `toDuplex` makes, for a Duplex that is more than that. */
export class StreamDuplex extends Duplex {
  readonly #stream: MuxStream;
  #written: Done | null = null;

  constructor(stream: MuxStream) {
    // What its owner does not read waits in the stream, where small pieces are joined.
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
    // Node settles writes that wait in its buffer, not the one that is under way.
    this.#settle(error ?? streamError(ErrorCode.streamCancelled));
    done(error);
  }

  /** Answers the write that waits for room, if there is one. */
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
