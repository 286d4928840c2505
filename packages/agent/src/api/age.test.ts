import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ageText, isTime } from './age.ts';

const NOW = Date.parse('2030-06-01T12:00:00Z');

test('an age has one unit', () => {
  for (const [time, text] of [
    ['2030-06-01T12:00:00Z', '0s'],
    ['2030-06-01T11:59:01Z', '59s'],
    ['2030-06-01T11:59:00Z', '1m'],
    ['2030-06-01T09:00:00Z', '3h'],
    ['2030-05-30T12:00:00Z', '2d'],
    ['2028-07-01T12:00:00Z', '700d'],
    ['2020-06-01T12:00:00Z', '10y'],
    ['2030-06-01T12:00:30Z', '0s'],
    ['2030-08-29T12:00:00Z', 'in 89d'],
  ] as const)
    assert.equal(ageText(time, NOW), text, time);
});

test('only full times are times', () => {
  assert.equal(isTime('2030-06-01T12:00:00Z'), true);
  for (const other of ['2030-06-01', 'at 2030-06-01T12:00:00Z', '', null, 3])
    assert.equal(isTime(other), false);
});
