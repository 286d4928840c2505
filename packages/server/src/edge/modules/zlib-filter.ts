/**
 * A compressing filter.
 * Invariant: no byte stays in it while the input pauses, so that a visitor receives each piece of a slow response.
 */
import {
  type BrotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createDeflate,
  createGzip,
  type Deflate,
  deflateSync,
  type Gzip,
  gzipSync,
} from 'node:zlib';
import { BoundedWrites } from '@underpass/wire';
import type { ByteFilter } from '../sites/site.ts';
import type { Coding } from './accept-encoding.ts';

const nothing = (): void => {};

/** Levels that cost about as much as what they save to send; windows that keep a stream below a megabyte. */
const deflate = { level: 5, windowBits: 15, memLevel: 8 };
const brotli = {
  [constants.BROTLI_PARAM_QUALITY]: 4,
  [constants.BROTLI_PARAM_LGWIN]: 18,
};

const create = {
  br: () => createBrotliCompress({ params: brotli }),
  gzip: () => createGzip(deflate),
  deflate: () => createDeflate(deflate),
} as const satisfies Record<Coding, () => unknown>;

const whole = {
  br: (body) => brotliCompressSync(body, { params: brotli }),
  gzip: (body) => gzipSync(body, deflate),
  deflate: (body) => deflateSync(body, deflate),
} as const satisfies Record<Coding, (body: Buffer) => Buffer>;

export class ZlibFilter implements ByteFilter {
  onData: (bytes: Buffer) => void = nothing;
  onEnd: () => void = nothing;
  onDrain: () => void = nothing;
  onError: () => void = nothing;
  readonly #stream: Gzip | Deflate | BrotliCompress;
  readonly #writes: BoundedWrites;
  readonly #flush: number;
  /** Writes that the compressor has not yet taken. */
  #writing = 0;
  #isFlushed = true;

  /** `closed` is called once, when the memory is given back. */
  constructor(coding: Coding, closed: () => void) {
    this.#stream = create[coding]();
    this.#writes = new BoundedWrites(this.#stream, () => this.onDrain());
    this.#flush = coding === 'br' ? constants.BROTLI_OPERATION_FLUSH : constants.Z_SYNC_FLUSH;
    this.#stream.on('data', (bytes: Buffer) => bytes.length > 0 && this.onData(bytes));
    this.#stream.on('end', () => this.onEnd());
    this.#stream.on('error', () => this.onError());
    this.#stream.on('close', closed);
  }

  write(bytes: Buffer): boolean {
    this.#isFlushed = false;
    this.#writing += 1;
    return this.#writes.write(bytes, this.#written);
  }

  end(): void {
    this.#isFlushed = true;
    this.#stream.end();
  }

  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    this.#stream.resume();
  }

  /** Ends without further calls. Work on another thread finishes, and its result is dropped. */
  destroy(): void {
    this.onData = this.onEnd = this.onDrain = this.onError = nothing;
    this.#stream.destroy();
  }

  readonly #written = (): void => {
    this.#writing -= 1;
    // Waits for more data of this turn, because each flush costs some bytes.
    if (this.#writing === 0) setImmediate(this.#flushIdle);
  };

  readonly #flushIdle = (): void => {
    if (this.#writing > 0 || this.#isFlushed || this.#stream.destroyed) return;
    this.#isFlushed = true;
    this.#stream.flush(this.#flush);
  };
}

/** A body that is there as a whole, compressed at once: for small ones. */
export function compressed(coding: Coding, body: Buffer): Buffer {
  return whole[coding](body);
}
