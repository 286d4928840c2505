import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from './any-character.ts';

test('a character is any one of Unicode, and no half of one', () => {
  fc.assert(
    fc.property(anyCharacter, (character) => character.isWellFormed() && [...character].length === 1),
  );
  for (const character of ['\0', 'a', '\u{d7ff}', '\u{e000}', '\u{10ffff}'])
    assert.ok(anyCharacter.canShrinkWithoutContext(character), character);
  for (const other of ['', 'ab', '\ud800', '\udfff'])
    assert.ok(!anyCharacter.canShrinkWithoutContext(other), other);
});

test('texts of it have the strings that are known to be dangerous', () => {
  const text = fc.string({ unit: anyCharacter });
  assert.ok(text.canShrinkWithoutContext('__proto__'));
  assert.ok(fc.sample(text, { numRuns: 20_000, seed: 1 }).some((one) => one.includes('__proto__')));
});
