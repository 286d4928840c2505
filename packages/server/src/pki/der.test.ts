import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bitString, integer, octetString, oid, time } from './der.ts';

const head = (der: Buffer, bytes: number): string => der.subarray(0, bytes).toString('hex');

test('lengths are as short as they can be', () => {
  assert.equal(head(octetString(Buffer.alloc(127)), 2), '047f');
  assert.equal(head(octetString(Buffer.alloc(128)), 3), '048180');
  assert.equal(head(octetString(Buffer.alloc(256)), 4), '04820100');
  assert.equal(head(octetString(Buffer.alloc(65_536)), 5), '0483010000');
});

test('numbers are positive, whatever their first bit', () => {
  assert.equal(integer(Buffer.of(0x7f)).toString('hex'), '02017f');
  assert.equal(integer(Buffer.of(0x80)).toString('hex'), '02020080');
  assert.equal(bitString(Buffer.of(0x06), 1).toString('hex'), '03020106');
});

test('object identifiers have seven bits a byte', () => {
  assert.equal(oid('2.5.29.15').toString('hex'), '0603551d0f');
  assert.equal(oid('1.2.840.113549.1.1.11').toString('hex'), '06092a864886f70d01010b');
});

test('a year has two digits until 2049, and four from then on', () => {
  assert.equal(time(new Date('2049-12-31T23:59:59.999Z')).toString('latin1', 2), '491231235959Z');
  assert.equal(time(new Date('2050-01-01T00:00:00Z')).toString('latin1', 2), '20500101000000Z');
});
