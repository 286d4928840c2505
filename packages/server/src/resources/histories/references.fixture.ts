/** How a random history speaks of what it made before: by number, so that it is the same text for every store. */
import fc from 'fast-check';

/** From here on, references mean ids that nothing has: one that never was, one of another kind, one with a NUL. */
export const JUNK = 27;

/** A resource of one of these kinds that the history made before, in whatever account, by its distance from the newest. */
export interface Reference {
  readonly of: readonly string[];
  readonly at: number;
}

export const reference = (...of: string[]): fc.Arbitrary<Reference> =>
  fc.nat(JUNK + 2).map((at) => ({ of, at }));
