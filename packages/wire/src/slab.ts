/**
 * Pooled memory for frames and gathered bulk data.
 * Invariant: memory is not filled again while a socket may still have views of it.
 */
export interface Slab {
  readonly bytes: Uint8Array;
  used: number;
  /** Writes with views of this slab that the socket has not completed. */
  writes: number;
  isSpare: boolean;
}

/** Bytes of a slab: one socket write of a bulk stream, with its headers. Adjacent bytes need no further copy. */
const SLAB_BYTES = 132_096;
/** Unused bytes from which on the rest of a slab is reused. */
const MIN_ROOM = 2048;
const MAX_SPARE = 16;

/** Slabs that all sessions share, so that idle sessions hold none. */
const spare: Slab[] = [];

/** Returns a slab with room for at least `size` bytes, for one more write. */
export function takeSlab(size: number): Slab {
  const slab = spare.pop();
  if (slab !== undefined) {
    slab.isSpare = false;
    if (slab.writes === 0) slab.used = 0;
  }
  const taken =
    slab !== undefined && slab.bytes.length - slab.used >= size
      ? slab
      : { bytes: Buffer.allocUnsafeSlow(Math.max(size, SLAB_BYTES)), used: 0, writes: 0, isSpare: false };
  taken.writes++;
  return taken;
}

/** Releases the slab. Its unused rest goes to the next caller of takeSlab. */
export function returnSlab(slab: Slab): void {
  if (slab.bytes.length - slab.used >= MIN_ROOM) keep(slab);
}

/** Reserves `size` more bytes behind `end`. Returns false if the rest was reused since, or is too small. */
export function extendSlab(slab: Slab, end: number, size: number): boolean {
  if (!slab.isSpare || slab.used !== end || slab.bytes.length - end < size) return false;
  slab.used += size;
  return true;
}

/** Reports that the socket has completed a write, or never will. The socket must not keep views of written bytes. */
export function writtenSlab(slab: Slab): void {
  slab.writes--;
  if (slab.writes === 0) keep(slab);
}

function keep(slab: Slab): void {
  if (slab.isSpare || spare.length === MAX_SPARE || slab.bytes.length > SLAB_BYTES) return;
  slab.isSpare = true;
  spare.push(slab);
}
