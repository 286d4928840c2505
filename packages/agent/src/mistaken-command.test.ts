import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidInput } from './address.ts';
import { checkFirstWord } from './mistaken-command.ts';

test('a command of the daemon, an address and a resource are refused with the command that is meant', async () => {
  for (const [word, meant] of [
    ['serve', '"underpassd serve"'],
    ['ca', '"underpassd ca"'],
    ['3000', '"underpass http 3000"'],
    ['localhost:3000', '"underpass http localhost:3000"'],
    ['reserved-domains', '"underpass api reserved-domains"'],
    ['http://localhost:3000', '"underpass http http://localhost:3000"'],
  ] as const)
    await assert.rejects(
      checkFirstWord(word, ['http']),
      (error) => error instanceof InvalidInput && error.message.includes(meant),
      word,
    );
});

test('other words are left to the parser', async () => {
  for (const word of ['http', 'serve', '--help', '', 'htpt']) await checkFirstWord(word, ['http', 'serve']);
});
