import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BodyRate } from './body-rate.ts';

const limits = { bodyWindowMs: 100, bodyWindowBytes: 10 };

test('a body that brings too little in a window is too slow, one that brings enough gets another window', () => {
  const rate = new BodyRate(limits);
  rate.begin(1000);
  rate.count(10);
  assert.equal(rate.isTooLow(1100, 0), false);
  assert.equal(rate.isTooLow(1101, 0), false);
  rate.count(9);
  assert.equal(rate.isTooLow(1201, 0), false);
  assert.equal(rate.isTooLow(1202, 0), true);
});

test('a window in which the upstream sent or read something counts for nothing', () => {
  const rate = new BodyRate(limits);
  rate.begin(1000);
  assert.equal(rate.isTooLow(1101, 1001), false);
  assert.equal(rate.isTooLow(1202, 1101), true);
});
