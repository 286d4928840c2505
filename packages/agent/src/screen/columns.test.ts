import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnsOf, cut, wrap } from './columns.ts';

test('wide characters take two columns, and marks none', () => {
  for (const [text, columns] of [
    ['abc', 3],
    ['', 0],
    ['漢字', 4],
    ['한글', 4],
    ['ｆｕｌｌ', 8],
    ['e\u0301', 1],
    ['ü', 1],
    ['🚀', 2],
    ['𠀀', 2],
    ['a\u200bb', 2],
  ] as const) {
    assert.equal(columnsOf(text), columns, text);
  }
});

test('a text is cut where it does not fit, and no character in two', () => {
  assert.equal(cut('abcdef', 6), 'abcdef');
  assert.equal(cut('abcdef', 4), 'abc>');
  assert.equal(cut('漢字漢字', 4), '漢>');
  assert.equal(cut('漢字', 1), '>');
  assert.equal(cut('abc', 0), '');
});

test('a text is wrapped to lines that fit', () => {
  assert.deepEqual(wrap('abcdef', 4), ['abcd', 'ef']);
  assert.deepEqual(wrap('漢字漢', 5), ['漢字', '漢']);
  assert.deepEqual(wrap('', 5), ['']);
  assert.deepEqual(wrap('漢', 1), ['漢'], 'what never fits is not tried for ever');
  assert.deepEqual(wrap('one two three', 8), ['one two', 'three']);
  assert.deepEqual(wrap('one two three', 7), ['one two', 'three']);
  assert.deepEqual(wrap('a longerthanthat b', 6), ['a', 'longer', 'thanth', 'at b']);
});
