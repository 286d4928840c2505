import assert from 'node:assert/strict';
import { test } from 'node:test';
import { remembered } from './remembered.ts';

test('what was made of a text is handed out again, as the same object', () => {
  let made = 0;
  const listOf = remembered((text: string) => {
    made += 1;
    return [text, made];
  });
  assert.equal(listOf('a'), listOf('a'));
  assert.deepEqual([listOf('a'), listOf('b'), made], [['a', 1], ['b', 2], 2]);
});

test('a source that looks up new names all the time keeps no more than some thousand', () => {
  let made = 0;
  const keyOf = remembered((text: string) => {
    made += 1;
    return `${text} ${made}`;
  });
  for (let at = 0; at < 20_000; at++) keyOf(`name-${at}`);
  assert.equal(keyOf('name-19999'), 'name-19999 20000');
  // The first entry was evicted, and is computed again.
  assert.equal(keyOf('name-0'), 'name-0 20001');
});
