/**
 * The frames of the agent protocol (its section 2), written by hand: the judge of the service must not use the
 * service's own codec.
 */

export const FrameType = { rst: 0, data: 1, wndinc: 2, goaway: 3 } as const;
export const Flag = { fin: 1, syn: 2 } as const;

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly streamId: number;
  readonly body: Buffer;
}

const HEADER_BYTES = 8;

export function encodeFrame({ type, flags, streamId, body }: Frame): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUIntBE(body.length, 0, 3);
  header[3] = (type << 4) | flags;
  header.writeUInt32BE(streamId, 4);
  return Buffer.concat([header, body]);
}

/** Cuts what arrives into frames, wherever it was cut on its way. */
export class FrameReader {
  #pending: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): Frame[] {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    const frames: Frame[] = [];
    for (let frame = this.#next(); frame !== null; frame = this.#next()) frames.push(frame);
    return frames;
  }

  #next(): Frame | null {
    const bytes = this.#pending;
    if (bytes.length < HEADER_BYTES) return null;
    const end = HEADER_BYTES + bytes.readUIntBE(0, 3);
    if (bytes.length < end) return null;
    this.#pending = bytes.subarray(end);
    const kind = bytes.readUInt8(3);
    const body = bytes.subarray(HEADER_BYTES, end);
    return { type: kind >> 4, flags: kind & 0xf, streamId: bytes.readUInt32BE(4), body };
  }
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
