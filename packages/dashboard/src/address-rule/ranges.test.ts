import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNetwork, rangesOf } from './ranges.ts';

const cidrs = (address: string) => rangesOf(address).map(({ cidr }) => cidr);

test('ranges begin with the address alone, and have no bits beyond their length', () => {
  assert.deepEqual(cidrs(' 203.0.113.217 '), [
    '203.0.113.217/32',
    '203.0.113.208/28',
    '203.0.113.0/24',
    '203.0.0.0/16',
  ]);
  assert.deepEqual(cidrs('2001:DB8:0:12ff::1'), [
    '2001:db8:0:12ff::1/128',
    '2001:db8:0:12ff::/64',
    '2001:db8:0:1200::/56',
    '2001:db8::/48',
  ]);
  assert.deepEqual(cidrs('::1').slice(0, 2), ['::1/128', '::/64']);
  assert.equal(cidrs('1:2:3:4:5:6:7:8')[0], '1:2:3:4:5:6:7:8/128');
});

test('other texts and networks have no ranges', () => {
  for (const text of [
    '',
    '203.0.113.0/24',
    '300.1.1.1',
    '1.2.3',
    'example.com',
    ':::',
    '1::2::3',
    '::1]/',
    'fe80::1%1',
  ])
    assert.deepEqual(cidrs(text), [], text);
  assert.ok(isNetwork('203.0.113.0/24'));
  assert.ok(!isNetwork('203.0.113.9'));
});
