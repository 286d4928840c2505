/** Tests of the filters of the audit trail. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesPath, fieldOfTime, timeOfField } from './filters.ts';

test('only known values that are set become parameters, encoded', () => {
  const values = new Map([
    ['kind', 'https_edge'],
    ['action', ''],
    ['actor_id', 'a&b'],
    ['change', 'x'],
  ]);
  assert.equal(changesPath(values), '/changes?limit=100&kind=https_edge&actor_id=a%26b');
});

test('local times and RFC 3339 convert into each other', () => {
  const text = timeOfField('2026-03-01T12:30');
  assert.match(text, /^2026-0[23]-\d\dT\d\d:\d\d:00Z$/);
  assert.equal(fieldOfTime(text), '2026-03-01T12:30');
  assert.equal(timeOfField(''), '');
  assert.equal(fieldOfTime('soon'), '');
});
