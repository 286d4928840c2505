/** Memory that frames are built in, and bulk is gathered in. Never that it is filled again while a socket may still have views of it. */
export interface Slab {
  readonly bytes: Uint8Array;
  used: number;
  /** Writes that have views of it and were not taken yet. */
  writes: number;
  isSpare: boolean;
}

/** All that a bulk stream has gathered for one socket write, with its headers: what lies together is not copied once more. */
const SLAB_BYTES = 132_096;
/** Less room than this is not worth handing on. */
const MIN_ROOM = 2048;
const MAX_SPARE = 16;

/** Shared by all sessions: an idle session holds none, and thousands of idle ones cost nothing. */
const spare: Slab[] = [];

/** A slab with room for at least `size` bytes, for one more write. */
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

/** Gives up the slab; its unused rest goes to the next taker. */
export function returnSlab(slab: Slab): void {
  if (slab.bytes.length - slab.used >= MIN_ROOM) keep(slab);
}

/** Reserves `size` more bytes behind `end`; false: others have got them since the slab was returned, or there is no room. */
export function extendSlab(slab: Slab, end: number, size: number): boolean {
  if (!slab.isSpare || slab.used !== end || slab.bytes.length - end < size) return false;
  slab.used += size;
  return true;
}

/** The socket has taken what one write had of it, or never will get it. For sockets that keep no views of what they have taken. */
export function writtenSlab(slab: Slab): void {
  slab.writes--;
  if (slab.writes === 0) keep(slab);
}

function keep(slab: Slab): void {
  if (slab.isSpare || spare.length === MAX_SPARE || slab.bytes.length > SLAB_BYTES) return;
  slab.isSpare = true;
  spare.push(slab);
}
