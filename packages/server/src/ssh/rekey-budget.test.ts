import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  LARGE_BYTES,
  MOST_UNITS,
  MS_PER_UNIT,
  RekeyBudget,
  SMALL_BYTES,
  UNITS_FOR_NOTHING,
} from './rekey-budget.ts';

test('a client has some exchanges at once, more after some bytes, and any number after many', () => {
  let time = 0;
  const budget = new RekeyBudget(() => time);
  const takeAll = (bytes: number): number => {
    let taken = 0;
    while (taken < 1000 && budget.allows(bytes)) taken += 1;
    return taken;
  };
  assert.equal(takeAll(0), MOST_UNITS / UNITS_FOR_NOTHING);
  assert.equal(takeAll(LARGE_BYTES - 1), 0);
  assert.equal(takeAll(LARGE_BYTES), 1000);
  time += MS_PER_UNIT - 1;
  assert.equal(takeAll(SMALL_BYTES), 0);
  time += 1;
  assert.equal(takeAll(SMALL_BYTES), 1);
  time += (UNITS_FOR_NOTHING - 1) * MS_PER_UNIT;
  assert.equal(takeAll(0), 0);
  time += MS_PER_UNIT;
  assert.equal(takeAll(SMALL_BYTES - 1), 1);
  time += 10 * MOST_UNITS * MS_PER_UNIT;
  assert.equal(takeAll(SMALL_BYTES), MOST_UNITS);
});
