/** Sizes and numbers of the frame layout (agent protocol, section 2). */
export const HEADER_BYTES = 8;
/** Bytes that a sender may have in flight in one direction of a stream. */
export const INITIAL_WINDOW = 262_144;
/**
 * The same for a narrow stream, an extension of this project's agents. A session of thousands of streams must not cost
 * a full window for each.
 */
export const NARROW_WINDOW = 8_192;
/** The largest window that the protocol allows, in bytes. */
export const MAX_WINDOW = 0x7fffffff;
export const MAX_STREAM_ID = 0x7fffffff;

export const FrameType = { rst: 0, data: 1, windowIncrement: 2, goAway: 3 } as const;
export const Flag = { fin: 0x1, syn: 0x2 } as const;

/** Writes the 8 header bytes at `at`: length (uint24), type and flags (4 bits each), stream id (uint32), big-endian. */
export function writeHeader(
  into: Uint8Array,
  at: number,
  length: number,
  type: number,
  flags: number,
  id: number,
): void {
  into[at] = length >>> 16;
  into[at + 1] = length >>> 8;
  into[at + 2] = length;
  into[at + 3] = (type << 4) | flags;
  writeUint32(into, at + 4, id);
}

export function writeUint32(into: Uint8Array, at: number, value: number): void {
  into[at] = value >>> 24;
  into[at + 1] = value >>> 16;
  into[at + 2] = value >>> 8;
  into[at + 3] = value;
}

export function readUint32(from: Uint8Array, at: number): number {
  return ((from[at]! << 24) | (from[at + 1]! << 16) | (from[at + 2]! << 8) | from[at + 3]!) >>> 0;
}
