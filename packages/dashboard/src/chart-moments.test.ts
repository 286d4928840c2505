import assert from 'node:assert/strict';
import { test } from 'node:test';
import { momentText } from './chart-moments.ts';

const EVENING = new Date(2026, 10, 28, 23, 40, 5).getTime() / 1000;
const MIDNIGHT = new Date(2026, 10, 29).getTime() / 1000;

test('an axis has 24 hours a day, with seconds where steps are that short', () => {
  assert.equal(momentText(EVENING, 300), '23:40');
  assert.equal(momentText(EVENING, 30), '23:40:05');
});

test('midnight and days have the date', () => {
  assert.match(momentText(MIDNIGHT, 3_600), /29/);
  assert.match(momentText(EVENING, 86_400), /28/);
});
