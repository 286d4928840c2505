import assert from 'node:assert/strict';
import { test } from 'node:test';
import { preferredCoding } from './accept-encoding.ts';

test('the visitor gets the coding that it likes best', () => {
  for (const [field, coding] of [
    ['', null],
    ['gzip', 'gzip'],
    ['GZip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'gzip'],
    ['br, deflate', 'deflate'],
    ['br;q=0.5, deflate;q=0.5, gzip;q=0.5', 'gzip'],
    ['br, gzip;q=0.9', 'br'],
    ['gzip;q=1.0, br;q=0.9', 'gzip'],
    ['gzip ; Q=0.5 , br;q=0.501', 'br'],
    ['gzip;q=0.001', 'gzip'],
    ['*', 'gzip'],
    ['*, gzip;q=0', 'deflate'],
    ['*, gzip;q=0, deflate;q=0', 'br'],
    ['*;q=0.5, gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['gzip;q=0.5, *', 'deflate'],
    ['identity', null],
    ['identity;q=0.5, gzip;q=0.4', null],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['identity;q=0, gzip;q=0.1', 'gzip'],
    ['deflate, zstd, compress', 'deflate'],
    ['deflate, gzip', 'gzip'],
    ['deflate, gzip;q=0.9', 'deflate'],
    ['zstd, compress', null],
  ] as const) {
    assert.equal(preferredCoding([field]), coding, field);
  }
  assert.equal(preferredCoding([]), null);
  assert.equal(preferredCoding(['zstd', 'gzip;q=0.2']), 'gzip', 'all lines count');
});

test('what is refused, or cannot be read, is not used', () => {
  for (const field of [
    'gzip;q=0',
    'gzip;q=0.000',
    'gzip;q=0, gzip',
    '*;q=0',
    'identity;q=0',
    'gzip;q=2',
    'gzip;q=0.1234',
    'gzip;q=',
    'gzip;q',
    'gzip;level=9',
    'gzip;q=1;q=1',
    'gzipx',
    'x gzip',
  ]) {
    assert.equal(preferredCoding([field]), null, field);
  }
});
