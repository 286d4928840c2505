import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { propertyRuns } from '../../../../test/harness/property-runs.ts';
import { base64Bytes, dateTimeIn, listIn, trimXml } from './xml-types.ts';

test('only space, tab, carriage return and line feed are white space', () => {
  assert.equal(trimXml(' \t\r\n a b \r\n'), 'a b');
  for (const other of '\u0085\u00a0\u1680\u2003\u2028\u2029\u202f\u3000\ufeff\u200b\v\f') {
    assert.equal(trimXml(`${other}a${other}`), `${other}a${other}`);
    assert.deepEqual(listIn(`a${other}b`), [`a${other}b`]);
    assert.equal(base64Bytes(`QU${other}JD`), null);
    assert.equal(dateTimeIn(`2026-01-01T00:00:00Z${other}`), null);
  }
  assert.deepEqual(listIn(' a\tb\r\n c '), ['a', 'b', 'c']);
  assert.deepEqual(listIn(''), []);
});

test('base64 is that of XML Schema, and nothing that a lenient decoder would take', () => {
  for (const [text, bytes] of [
    ['QUJD', 'ABC'],
    [' Q U\nJ\tD\r\n', 'ABC'],
    ['QUI=', 'AB'],
    ['QQ==', 'A'],
    ['Q Q = =', 'A'],
  ] as const)
    assert.equal(base64Bytes(text)?.toString(), bytes, text);
  for (const text of [
    ...[
      '',
      ' ',
      '=',
      '====',
      'QUJ',
      'QUI',
      'QQ',
      'QQ=',
      'QQ===',
      'QUJD=',
      'QUJDQ',
      'QQ==QQ==',
      'QU=I',
      '=QUI',
    ],
    ...['QUJ-', 'QUJ_', 'QUJD!', 'QUJD%', 'QUJDé', 'QUJ\0', 'data:QUJD', 'QR==', 'QUJ=', 'QUJD,QUJD'],
  ])
    assert.equal(base64Bytes(text), null, JSON.stringify(text));
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1 }), (bytes) =>
      assert.deepEqual(base64Bytes(Buffer.from(bytes).toString('base64')), Buffer.from(bytes)),
    ),
    { numRuns: propertyRuns(500) },
  );
});

test('a time is one of the calendar and of the clock', () => {
  const at = Date.parse('2026-01-01T00:00:00Z');
  for (const [text, time, zone] of [
    ['2026-01-01T00:00:00Z', at, 'Z'],
    [' 2026-01-01T00:00:00Z\n', at, 'Z'],
    ['2026-01-01T00:00:00', at, ''],
    ['2026-01-01T01:00:00.5+01:00', at + 500, '+01:00'],
    ['2026-01-01T00:00:00.1234567Z', at + 123, 'Z'],
    ['2025-12-31T24:00:00Z', at, 'Z'],
    ['2025-12-31T24:00:00.000Z', at, 'Z'],
    ['2024-02-29T00:00:00-14:00', Date.parse('2024-02-29T14:00:00Z'), '-14:00'],
  ] as const)
    assert.deepEqual(dateTimeIn(text), { time, zone }, text);
  for (const text of [
    ...['', '2026-01-01', '2026-01-01 00:00:00Z', '2026-01-01T00:00Z', '2026-01-01T00:00:00z'],
    ...['2026-02-29T00:00:00Z', '2026-02-30T00:00:00Z', '2026-04-31T00:00:00Z', '2026-13-01T00:00:00Z'],
    ...['2026-00-01T00:00:00Z', '2026-01-00T00:00:00Z', '2026-01-01T25:00:00Z', '2026-01-01T00:60:00Z'],
    ...['2026-01-01T00:00:60Z', '2026-01-01T24:00:01Z', '2026-01-01T24:00:00.001Z', '2026-01-01T00:00:00.Z'],
    ...[
      '2026-01-01T00:00:00+14:01',
      '2026-01-01T00:00:00+15:00',
      '2026-01-01T00:00:00+1:00',
      '0000-01-01T00:00:00Z',
    ],
    ...[
      '12026-01-01T00:00:00Z',
      '-2026-01-01T00:00:00Z',
      '26-01-01T00:00:00Z',
      '٢٠٢٦-01-01T00:00:00Z',
      'tomorrow',
    ],
  ])
    assert.equal(dateTimeIn(text), null, JSON.stringify(text));
});
