/**
 * The first call on a link, from each end: versions, and the incarnation of the daemon.
 * Invariant: a link is used only if both ends speak a common version.
 */

/** The newest version of the link's streams and calls that this daemon speaks. */
export const LINK_VERSION = 1;
/** The oldest version that it speaks: the newest one of the former program. */
export const OLDEST_VERSION = 1;

/** The versions that a daemon speaks, with both ends. */
export interface Versions {
  readonly version: number;
  readonly oldest: number;
}

export interface Hello extends Versions {
  readonly incarnation: number;
}

export const ownVersions: Versions = { version: LINK_VERSION, oldest: OLDEST_VERSION };

export function helloOf(incarnation: number): Hello {
  return { ...ownVersions, incarnation };
}

/** Returns null for a value that is no hello. Fields of newer versions are left out. */
export function parseHello(value: unknown): Hello | null {
  const versions = parseVersions(value);
  const incarnation = (value as Partial<Record<keyof Hello, unknown>> | null)?.incarnation;
  return versions === null || !isCount(incarnation) ? null : { ...versions, incarnation };
}

/** Returns null for a value without versions. */
export function parseVersions(value: unknown): Versions | null {
  if (typeof value !== 'object' || value === null) return null;
  const { version, oldest } = value as Partial<Record<keyof Versions, unknown>>;
  return isCount(version) && isCount(oldest) ? { version, oldest } : null;
}

/** Returns the newest version that both speak; null if there is none. */
export function commonVersion(own: Versions, other: Versions): number | null {
  return mismatch(own, other) === null ? Math.min(own.version, other.version) : null;
}

/** Returns the reason why two daemons have no common version; null: they have one. */
export function mismatch(own: Versions, other: Versions): string | null {
  const both = `it speaks ${rangeOf(other)} of links, and this one ${rangeOf(own)}`;
  if (other.version < own.oldest) return `${both}: upgrade it to the version before this one, or to this one`;
  if (other.oldest > own.version)
    return `${both}: upgrade this one to the version before that one, or to that one`;
  return null;
}

function rangeOf({ version, oldest }: Versions): string {
  return oldest === version ? `version ${version}` : `versions ${oldest} to ${version}`;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
