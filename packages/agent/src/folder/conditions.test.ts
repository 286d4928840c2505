import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decide } from './conditions.ts';

const DATE = 'Sun, 22 Nov 2026 10:00:00 GMT';
const EARLIER = 'Sun, 22 Nov 2026 09:59:59 GMT';
const version = { etag: '"a"', modified: Date.parse(DATE), size: 100 };

const told = (headers: Readonly<Record<string, string>>, method = 'GET') =>
  decide({ method, headers }, version);

test('a copy that is still right is not sent again', () => {
  for (const [headers, status] of [
    [{}, 200],
    [{ 'if-none-match': '"a"' }, 304],
    [{ 'if-none-match': '"b", W/"a"' }, 304],
    [{ 'if-none-match': '*' }, 304],
    [{ 'if-none-match': '"b"' }, 200],
    [{ 'if-none-match': '"b"', 'if-modified-since': DATE }, 200],
    [{ 'if-modified-since': DATE }, 304],
    [{ 'if-modified-since': EARLIER }, 200],
    [{ 'if-modified-since': 'yesterday' }, 200],
  ] as const) {
    assert.deepEqual(told(headers), { status }, JSON.stringify(headers));
  }
});

test('a request for another version fails', () => {
  for (const [headers, status] of [
    [{ 'if-match': '"a"' }, 200],
    [{ 'if-match': '"b", "a"' }, 200],
    [{ 'if-match': '*' }, 200],
    [{ 'if-match': 'W/"a"' }, 412],
    [{ 'if-match': '"b"', 'if-none-match': '"a"' }, 412],
    [{ 'if-unmodified-since': DATE }, 200],
    [{ 'if-unmodified-since': EARLIER }, 412],
    [{ 'if-unmodified-since': 'nonsense' }, 200],
    [{ 'if-match': '"a"', 'if-unmodified-since': EARLIER }, 200],
  ] as const) {
    assert.deepEqual(told(headers), { status }, JSON.stringify(headers));
  }
});

test('a range of bytes is a part, the end, or what the file does not have', () => {
  for (const [range, start, end] of [
    ['bytes=0-0', 0, 0],
    ['bytes=10-19', 10, 19],
    ['bytes=90-', 90, 99],
    ['bytes=90-1000', 90, 99],
    ['bytes=-10', 90, 99],
    ['bytes=-1000', 0, 99],
    ['BYTES=1-2', 1, 2],
  ] as const) {
    assert.deepEqual(told({ range }), { status: 206, start, end }, range);
  }
  for (const range of ['bytes=100-', 'bytes=100-200', 'bytes=-0', `bytes=${'9'.repeat(400)}-`]) {
    assert.deepEqual(told({ range }), { status: 416 }, range.slice(0, 20));
  }
  for (const range of [
    'bytes=-',
    'bytes=5-4',
    'bytes=0-1,5-6',
    'lines=0-1',
    'bytes=a-b',
    'bytes=0x1-2',
    '',
  ]) {
    assert.deepEqual(told({ range }), { status: 200 }, range);
  }
  assert.deepEqual(told({ range: 'bytes=0-0' }, 'HEAD'), { status: 200 });
});

test('a part of a version that is no more is the whole of the new one', () => {
  const part = { status: 206, start: 0, end: 9 };
  for (const [ifRange, decision] of [
    ['"a"', part],
    [DATE, part],
    ['W/"a"', { status: 200 }],
    ['"b"', { status: 200 }],
    [EARLIER, { status: 200 }],
  ] as const) {
    assert.deepEqual(told({ range: 'bytes=0-9', 'if-range': ifRange }), decision, ifRange);
  }
});
