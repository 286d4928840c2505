/** Memory that frames are built in: filled from the front, never reused, so that a socket may keep views of it. */
export interface Slab {
  readonly bytes: Uint8Array;
  used: number;
}

/** All that a bulk stream has gathered for one socket write, with its headers: what lies together is not copied once more. */
const SLAB_BYTES = 132_096;
/** Less room than this is not worth handing on. */
const MIN_ROOM = 2048;
const MAX_SPARE = 16;

/** Shared by all sessions: an idle session holds none, and thousands of idle ones cost nothing. */
const spare: Slab[] = [];

/** A slab with room for at least `size` bytes. */
export function takeSlab(size: number): Slab {
  const slab = spare.pop();
  if (slab !== undefined && slab.bytes.length - slab.used >= size) return slab;
  return { bytes: Buffer.allocUnsafeSlow(SLAB_BYTES), used: 0 };
}

/** Gives up the slab; its unused rest goes to the next taker. */
export function returnSlab(slab: Slab): void {
  if (slab.bytes.length - slab.used >= MIN_ROOM && spare.length < MAX_SPARE) spare.push(slab);
}
