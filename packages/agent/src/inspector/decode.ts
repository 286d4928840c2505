/**
 * Undoes the compression of a kept body.
 * Invariant: a small body never becomes a large one in memory.
 */

import type { Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createInflate,
  createUnzip,
  createZstdDecompress,
  inflateRawSync,
} from 'node:zlib';

export interface Decoded {
  readonly bytes: Buffer;
  /** There is more of it than was kept, or than is decoded. */
  readonly isCut: boolean;
  /** False: `bytes` are as they were sent, because the agent cannot decode them. */
  readonly isDecoded: boolean;
}

/** Options that decode the beginning of a body, because captured ones are often cut. */
const lenient = { finishFlush: constants.Z_SYNC_FLUSH };
const DECODERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', () => createUnzip(lenient)],
  ['x-gzip', () => createUnzip(lenient)],
  ['deflate', () => createInflate(lenient)],
  ['br', () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })],
  ['zstd', () => createZstdDecompress({ finishFlush: constants.ZSTD_e_flush })],
]);
const CODINGS_MAX = 3;

/** `encoding`: the value of Content-Encoding; null none. `max`: bytes of the answer. Never rejects. */
export async function decodeBody(
  body: { readonly bytes: Buffer; readonly isCut: boolean },
  encoding: string | null,
  max: number,
): Promise<Decoded> {
  const codings = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  const decoders = codings.reverse().map((coding) => DECODERS.get(coding));
  const asItWas = { bytes: body.bytes, isCut: body.isCut, isDecoded: false };
  let { bytes, isCut } = asItWas;
  for (const decoder of decoders) {
    if (decoder === undefined || decoders.length > CODINGS_MAX) return asItWas;
    const decoded = await run(decoder(), bytes, max);
    if (decoded === null) return asItWas;
    bytes = decoded.bytes;
    isCut ||= decoded.isCut;
  }
  return { bytes, isCut, isDecoded: true };
}

const TAIL = Buffer.from([0, 0, 0xff, 0xff]);
const WINDOW = 32_768;

/**
 * Undoes the compression of WebSocket messages (RFC 7692), each of which may point back into those before it. `max`: bytes of all together.
 * Null for what cannot be read, and for all after it.
 */
export function inflateMessages(payloads: readonly Buffer[], max: number): (Buffer | null)[] {
  let window: Buffer = Buffer.alloc(0);
  let left = max;
  return payloads.map((payload) => {
    if (left <= 0) return null;
    try {
      const dictionary = window.length === 0 ? {} : { dictionary: window };
      const options = { ...lenient, ...dictionary, maxOutputLength: left };
      const inflated = inflateRawSync(Buffer.concat([payload, TAIL]), options);
      window = Buffer.concat([window, inflated]).subarray(-WINDOW);
      left -= inflated.length;
      return inflated;
    } catch {
      left = 0;
      return null;
    }
  });
}

/** Null: not of this coding. */
function run(
  decoder: Transform,
  bytes: Buffer,
  max: number,
): Promise<{ bytes: Buffer; isCut: boolean } | null> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let length = 0;
    const done = (isCut: boolean) => resolve({ bytes: Buffer.concat(pieces).subarray(0, max), isCut });
    decoder.on('data', (piece: Buffer) => {
      pieces.push(piece);
      length += piece.length;
      if (length <= max) return;
      done(true);
      decoder.destroy();
    });
    decoder.on('end', () => done(false));
    decoder.on('error', () => (length === 0 ? resolve(null) : done(true)));
    decoder.end(bytes);
  });
}
