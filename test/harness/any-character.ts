/** Characters for properties. Never a table of them all: fast-check's own unit `binary` makes one, which takes a second and 100 MB. */
import fc from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };
const LAST = 0x10ffff;

/** Any character of Unicode, for `fc.string({ unit: anyCharacter })`; no half of a surrogate pair. */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat({ max: LAST - SURROGATES.count })
  .map((place) => String.fromCodePoint(place < SURROGATES.first ? place : place + SURROGATES.count), placeOf);

/** The way back, with which strings that are known to be dangerous are tried, too. */
function placeOf(character: unknown): number {
  const code = typeof character === 'string' ? character.codePointAt(0) : undefined;
  if (code === undefined || String.fromCodePoint(code) !== character || !String(character).isWellFormed())
    throw new Error('it is no single character');
  return code < SURROGATES.first ? code : code - SURROGATES.count;
}
