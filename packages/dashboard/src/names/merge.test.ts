/** Tests of pages that are put into a list of names. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdRows, mergePart } from './merge.ts';

const named = (text: string) => [...text].map((name) => ({ name }));
const text = (rows: readonly { readonly name: string }[]) => rows.map(({ name }) => name).join('');

test('a page replaces the names of its range alone', () => {
  const merged = (known: string, after: string, rows: string, to: string | null) =>
    text(mergePart(named(known), { after, rows: named(rows), to }));
  assert.equal(merged('', '', 'abc', 'c'), 'abc');
  assert.equal(merged('abc', 'c', 'def', null), 'abcdef');
  assert.equal(merged('abcdefg', 'b', 'ce', 'e'), 'abcefg');
  assert.equal(merged('abcdefg', 'b', 'c', 'e'), 'abcfg');
  assert.equal(merged('abcdefg', 'b', 'cx', null), 'abcx');
  assert.equal(merged('abcdefg', 'b', '', null), 'ab');
});

test('a held list has the same names, and counts those that came and went', () => {
  const { rows, waiting } = holdRows(named('ace'), named('abe'));
  assert.equal(text(rows), 'ace');
  assert.equal(waiting, 2);
});
