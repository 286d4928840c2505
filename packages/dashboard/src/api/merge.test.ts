import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergePages } from './merge.ts';

const rows = (text: string) => [...text].map((id) => ({ id }));
const page = (text: string, next: string | null) => ({ rows: rows(text), next });
const merged = (shown: string, first: string, next: string | null, gone = '') => {
  const pages = mergePages(page(shown, 'old'), page(first, next), new Set(gone));
  return `${pages.rows.map(({ id }) => id).join('')} ${pages.next}`;
};

test('rows below the first page stay when it is read again, without those that are gone', () => {
  assert.equal(merged('gfedcba', 'gfe', 'e'), 'gfedcba old');
  assert.equal(merged('gfedcba', 'ihg', 'g'), 'ihgfedcba old');
  assert.equal(merged('gfedcba', 'ged', 'd'), 'gedcba old');
  assert.equal(merged('gfedcba', 'gfe', 'e', 'cf'), 'gfedba old');
});

test('a first page that has all rows, or does not reach those below, starts the list again', () => {
  assert.equal(merged('gfedcba', 'gfe', null), 'gfe null');
  assert.equal(merged('gfedcba', 'zyx', 'x'), 'zyx x');
  assert.equal(merged('gfedcba', '', 'x'), ' x');
  assert.equal(merged('gfe', 'gfe', 'e'), 'gfe e');
  const nameless = mergePages({ rows: [1, 2], next: null }, { rows: [1], next: 'x' }, new Set());
  assert.deepEqual(nameless, { rows: [1], next: 'x' });
});
