import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidInput } from './address.ts';
import { checkFirstWord } from './mistaken-command.ts';

test('a command of the daemon and an address alone are refused with the command that is meant', () => {
  for (const [word, meant] of [
    ['serve', '"underpassd serve"'],
    ['ca', '"underpassd ca"'],
    ['3000', '"underpass http 3000"'],
    ['localhost:3000', '"underpass http localhost:3000"'],
    ['http://localhost:3000', '"underpass http http://localhost:3000"'],
  ] as const)
    assert.throws(
      () => checkFirstWord(word),
      (error) => error instanceof InvalidInput && error.message.includes(meant),
      word,
    );
});

test('other words are left to the parser', () => {
  for (const word of ['http', 'config', 'service', '--help', '', 'htpt']) checkFirstWord(word);
});
