/** Finds the trailers of gRPC-web in a body with a Content-Encoding. */
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { GrowingBuffer } from '@underpass/wire';
import type { GrpcForm } from './grpc.ts';
import { GrpcWebTrailers } from './grpc-web-trailers.ts';

/** Bytes of a body that is decoded at its end, because decoding delays all traffic of the agent. */
const PACKED_MAX = 64 * 1024;
const UNPACKED_MAX = 1024 * 1024;

/** Throws for a body that is damaged, or too large. */
type Decode = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Buffer;

const CODINGS: Readonly<Record<string, Decode>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

/** Invariant: at most 64 KiB of a body are kept, and decoded to at most 1 MiB. */
export class PackedTrailers {
  readonly #form: GrpcForm;
  readonly #decode: Decode;
  /** Null: the body is too large. */
  #bytes: GrowingBuffer | null = new GrowingBuffer({ mostBytes: PACKED_MAX });

  private constructor(form: GrpcForm, decode: Decode) {
    this.#form = form;
    this.#decode = decode;
  }

  /** Null: the coding is unknown, or one of several. */
  static of(form: GrpcForm, encoding: string): PackedTrailers | null {
    const name = encoding.trim().toLowerCase();
    const decode = Object.hasOwn(CODINGS, name) ? CODINGS[name] : undefined;
    return decode === undefined ? null : new PackedTrailers(form, decode);
  }

  feed(bytes: Buffer, start: number, end: number): void {
    if (this.#bytes === null) return;
    if (this.#bytes.length + end - start > PACKED_MAX) this.#bytes = null;
    else this.#bytes.append(bytes.subarray(start, end));
  }

  /** Header lines with their line ends; null if the body cannot be read. Decodes at each call. */
  get lines(): string | null {
    if (this.#bytes === null) return null;
    try {
      const body = this.#decode(this.#bytes.bytes, { maxOutputLength: UNPACKED_MAX });
      const trailers = new GrpcWebTrailers(this.#form);
      trailers.feed(body, 0, body.length);
      return trailers.lines;
    } catch {
      return null;
    }
  }
}
