/**
 * A visitor's stream with recorded requests, for servers in this program.
 * Invariant: no byte is changed or delayed.
 */
import { type ErrorCode, type MuxStream, noopHandler, type StreamHandler } from '@underpass/wire';
import type { ConnectionLog } from './http-log.ts';

export class WatchedStream implements MuxStream {
  readonly #stream: MuxStream;
  readonly #log: ConnectionLog;
  #handler: StreamHandler = noopHandler;

  constructor(stream: MuxStream, log: ConnectionLog) {
    this.#stream = stream;
    this.#log = log;
  }

  get id(): number {
    return this.#stream.id;
  }

  get closed(): boolean {
    return this.#stream.closed;
  }

  get writableNeedDrain(): boolean {
    return this.#stream.writableNeedDrain;
  }

  get handler(): StreamHandler {
    return this.#handler;
  }

  set handler(handler: StreamHandler) {
    const log = this.#log;
    this.#handler = handler;
    this.#stream.handler = {
      data: (chunk) => {
        log.request(chunk);
        handler.data(chunk);
      },
      end: () => handler.end(),
      drain: () => handler.drain(),
      close: (code) => {
        log.close();
        handler.close(code);
      },
    };
  }

  write(chunk: Uint8Array): boolean {
    this.#log.response(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    return this.#stream.write(chunk);
  }

  writeCopy(chunk: Uint8Array): boolean {
    this.#log.response(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    return this.#stream.writeCopy(chunk);
  }

  end(): void {
    this.#log.responseEnd();
    this.#stream.end();
  }

  reset(code: ErrorCode): void {
    this.#stream.reset(code);
  }

  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    this.#stream.resume();
  }

  acknowledge(): void {
    this.#stream.acknowledge();
  }

  detach(unread: Buffer): void {
    this.#stream.detach(unread);
  }
}
