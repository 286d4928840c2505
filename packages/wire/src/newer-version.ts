/** Compares versions of this project (Semantic Versioning 2.0.0, section 11). */

const VERSION = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z.-]{1,64}))?(?:\+[0-9A-Za-z.-]{1,64})?$/;

/** Returns true if `offered` is newer than `own`. A text that is no version is never newer, nor older. */
export function isNewerVersion(offered: string, own: string): boolean {
  const [one, other] = [VERSION.exec(offered), VERSION.exec(own)];
  if (one === null || other === null) return false;
  for (const part of [1, 2, 3] as const) {
    const difference = Number(one[part]) - Number(other[part]);
    if (difference !== 0) return difference > 0;
  }
  return comparePrereleases(one[4], other[4]) > 0;
}

/** A version without a prerelease is newer than its prereleases. */
function comparePrereleases(one: string | undefined, other: string | undefined): number {
  if (one === other) return 0;
  if (one === undefined) return 1;
  if (other === undefined) return -1;
  const [ones, others] = [one.split('.'), other.split('.')];
  for (let at = 0; at < Math.max(ones.length, others.length); at += 1) {
    const difference = compareIdentifiers(ones[at], others[at]);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Numbers are below texts, and fewer identifiers below more. */
function compareIdentifiers(one: string | undefined, other: string | undefined): number {
  if (one === undefined || other === undefined) return one === other ? 0 : one === undefined ? -1 : 1;
  const [isNumber, isOtherNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)];
  if (isNumber && isOtherNumber) return Number(one) - Number(other);
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return one < other ? -1 : one > other ? 1 : 0;
}
