/** Texts for properties of what reads files that people write. */
import fc from 'fast-check';
import { anyCharacter } from './any-character.ts';

/** Texts that have a meaning in YAML or for its readers. */
const TOKENS = [
  ...[
    ': ',
    '- ',
    '\n',
    '\n  ',
    '&a ',
    '*a',
    '!!js/function ',
    '!!binary ',
    '<<: *a\n',
    '? ',
    '|\n',
    '>-\n',
    '{',
    '[',
  ],
  ...[
    '"',
    "'",
    '\t',
    ' #',
    '---\n',
    '...\n',
    '%YAML 9\n',
    '\0',
    '\ufeff',
    '~',
    '1e999',
    '__proto__: x\n',
    '\r',
  ],
];

/** The text with a few pieces left out, put in twice or replaced by something else. */
export function altered(text: string): fc.Arbitrary<string> {
  const edit = fc.record({
    at: fc.nat({ max: text.length }),
    length: fc.oneof(fc.constant(0), fc.nat({ max: 20 })),
    piece: fc.oneof(
      fc.constantFrom(...TOKENS),
      fc.string({ unit: anyCharacter, maxLength: 5 }),
      fc.nat({ max: text.length }).map((from) => text.slice(from, from + 30)),
    ),
  });
  return fc
    .array(edit, { minLength: 1, maxLength: 4 })
    .map((edits) =>
      edits.reduce((now, { at, length, piece }) => now.slice(0, at) + piece + now.slice(at + length), text),
    );
}
