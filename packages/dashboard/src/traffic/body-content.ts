/** The content of a recorded body, decompressed if that is possible. */
import type { RecordedBody } from '@underpass/client';

export interface BodyContent {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Content-Type; '' for none. */
  readonly type: string;
  /** Compression that the bytes still have; '' for none. */
  readonly encoding: string;
  /** Bytes of the whole body, as it was sent. */
  readonly size: number;
  readonly isCut: boolean;
}

const FORMATS: Readonly<Record<string, CompressionFormat>> = { gzip: 'gzip', deflate: 'deflate' };
/** Bytes of a decompressed body that are read: a small one may become very large. */
const MOST = 1_000_000;

export async function contentOf(body: RecordedBody): Promise<BodyContent> {
  const { content, content_type: type, content_encoding: encoding, size } = body;
  const bytes = body.encoding === 'base64' ? fromBase64(content) : new TextEncoder().encode(content);
  const format = FORMATS[encoding.toLowerCase()];
  const plain = format === undefined ? null : await decompressed(bytes, format);
  const isCut = body.is_truncated || plain?.isCut === true;
  return { bytes: plain?.bytes ?? bytes, type, encoding: plain === null ? encoding : '', size, isCut };
}

/** Returns as much as can be read; null if it is nothing. */
async function decompressed(bytes: Uint8Array<ArrayBuffer>, format: CompressionFormat) {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format)).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  let isCut = false;
  try {
    for (let part = await reader.read(); !part.done && !isCut; part = await reader.read()) {
      parts.push(part.value);
      length += part.value.length;
      isCut = length > MOST;
    }
    if (isCut) await reader.cancel();
  } catch {
    // Only the beginning was recorded, or it is not in this format.
    isCut = true;
  }
  return length === 0 ? null : { bytes: new Uint8Array(await new Blob(parts).arrayBuffer()), isCut };
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
