/** Tests that a value which is not written as the whole API writes it is found. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkConventions } from './conventions.ts';

const base = 'https://api.example.com';
const id = `t_${'0'.repeat(27)}`;
const uri = `${base}/things/${id}`;
const check = (value: object) => checkConventions(value, base, 'a thing');

test('ids, addresses and times as the API writes them go through, and maps have any keys', () => {
  check({
    id,
    uri,
    created_at: '2030-01-02T03:04:05Z',
    renews_at: null,
    labels: { id: 'x', uri: 'y', x_at: '' },
  });
  check({ things: [{ id, uri }], uri: `${base}/things`, next_page_uri: null, terminate_at: 'edge' });
});

for (const [what, value] of [
  ['an id of another form', { id: 't_1' }],
  ['an id that is null', { id: null }],
  ['an address elsewhere', { uri: 'https://elsewhere.example.com/things' }],
  ['the address of something else', { id, uri: `${base}/things/${id.replace('0', '1')}` }],
  ['a time with fractions', { created_at: '2030-01-02T03:04:05.678Z' }],
  ['a time of a zone', { not_after: '2030-01-02T03:04:05+00:00' }],
  ['any of these further inside', { parts: [{ ref: { id: 'x', uri } }] }],
] as const) {
  test(`is found: ${what}`, () => assert.throws(() => check(value), assert.AssertionError));
}
