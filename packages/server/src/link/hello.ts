/**
 * The first call on a link, from each end: versions, and the incarnation of the daemon.
 * Invariant: a link is used only if both ends speak a common version.
 */

/** The newest version of the link's streams and calls that this daemon speaks. */
export const LINK_VERSION = 1;
/** The oldest version that it speaks. */
export const OLDEST_VERSION = 1;

export interface Hello {
  readonly version: number;
  readonly oldest: number;
  readonly incarnation: number;
}

export function helloOf(incarnation: number): Hello {
  return { version: LINK_VERSION, oldest: OLDEST_VERSION, incarnation };
}

/** Returns null for a value that is no hello. */
export function parseHello(value: unknown): Hello | null {
  if (typeof value !== 'object' || value === null) return null;
  const { version, oldest, incarnation } = value as Partial<Record<keyof Hello, unknown>>;
  if (!isCount(version) || !isCount(oldest) || !isCount(incarnation)) return null;
  return { version, oldest, incarnation };
}

/** Returns the reason why two daemons have no common version; null: they have one. */
export function mismatch(own: Hello, other: Hello): string | null {
  if (other.version < own.oldest)
    return `it speaks version ${other.version} of links, and this one ${own.oldest} or later: upgrade it`;
  if (other.oldest > own.version)
    return `it speaks version ${other.oldest} of links or later, and this one ${own.version}: upgrade this one`;
  return null;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
