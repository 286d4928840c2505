/** Tests of the ends of certificates. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daysUntil, expiryKind, expiryText, soonestFirst } from './expiry.ts';

const now = Date.parse('2026-01-10T12:00:00Z');

test('ends are whole days in words, with a class', () => {
  assert.equal(daysUntil('2026-01-10T11:59:59Z', now), -1);
  assert.equal(daysUntil('2026-01-11T12:00:00Z', now), 1);
  assert.deepEqual([-1, 0, 1, 90].map(expiryText), ['expired', '0 days', '1 day', '90 days']);
  assert.deepEqual([-1, 0, 20, 21].map(expiryKind), [5, 4, 4, 2]);
});

test('the soonest end comes first', () => {
  const rows = ['2026-03-01T00:00:00Z', '2026-01-01T00:00:00Z'].map((not_after) => ({ not_after }));
  assert.equal(soonestFirst(rows)[0]?.not_after, '2026-01-01T00:00:00Z');
});
