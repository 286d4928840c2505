import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTimestamp } from './timestamp.ts';

test('times are read in any offset, to whole seconds', () => {
  for (const [text, seconds] of [
    ['1970-01-01T00:00:00Z', 0],
    ['2030-06-01T12:00:00Z', 1_906_545_600],
    ['2030-06-01T12:00:00.999Z', 1_906_545_600],
    ['2030-06-01t12:00:00z', 1_906_545_600],
    ['2030-06-01T14:30:00+02:30', 1_906_545_600],
    ['2030-06-01T06:00:00-06:00', 1_906_545_600],
    ['2028-02-29T00:00:00Z', 1_835_395_200],
  ] as const) {
    assert.equal(parseTimestamp(text), seconds, text);
  }
});

test('what is no time is refused', () => {
  for (const text of [
    '',
    'now',
    '2030-06-01',
    '2030-06-01T12:00:00',
    '2030-06-01 12:00:00Z',
    '2030-06-01T12:00Z',
    '2030-02-29T00:00:00Z',
    '2030-13-01T00:00:00Z',
    '2030-06-01T24:00:00Z',
    '2030-06-01T12:60:00Z',
    '2030-06-01T12:00:60Z',
    '2030-06-01T12:00:00+24:00',
    '2030-06-01T12:00:00+01:60',
    '0050-06-01T12:00:00Z',
    '1969-12-31T23:59:59Z',
    '1970-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    ' 2030-06-01T12:00:00Z',
    '2030-06-01T12:00:00Z\n',
  ]) {
    assert.equal(parseTimestamp(text), null, JSON.stringify(text));
  }
});
