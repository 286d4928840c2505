/** References of a random history to earlier resources, by number, so that it is the same text for every store. */
import fc from 'fast-check';

/** References from this number on are ids without a resource: one that never existed, one of another kind, one with a NUL. */
export const JUNK = 27;

/** A resource of one of these kinds that the history made before, in whatever account, by its distance from the newest. */
export interface Reference {
  readonly of: readonly string[];
  readonly at: number;
}

export const reference = (...of: string[]): fc.Arbitrary<Reference> =>
  fc.nat(JUNK + 2).map((at) => ({ of, at }));
