import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCidrFault, parseCidr } from './cidr.ts';
import { parseIpAddress } from './ip-address.ts';
import { mayDial } from './special-addresses.ts';

function dialled(text: string, ...allowed: readonly string[]): boolean {
  const address = parseIpAddress(text);
  assert.ok(address !== null, text);
  const ranges = allowed.map((range) => {
    const cidr = parseCidr(range);
    assert.ok(!isCidrFault(cidr), range);
    return cidr;
  });
  return mayDial(address, ranges);
}

test('public addresses may be dialled, up to the edges of the special ranges', () => {
  for (const address of [
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2001:4860:4860::8888',
    '2001:200::1',
    '::ffff:1.1.1.1',
    '64:ff9b::101:101',
  ]) {
    assert.ok(dialled(address), address);
  }
});

test('loopback, private, link-local and every other special address may not', () => {
  for (const address of [
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.0.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fec0::1',
    'ff02::1',
  ]) {
    assert.ok(!dialled(address), address);
  }
});

test('the operator allows ranges, and nothing beyond them', () => {
  assert.ok(dialled('10.1.2.3', '10.1.0.0/16'));
  assert.ok(dialled('::ffff:10.1.2.3', 'fd00::/8', '10.1.0.0/16'));
  assert.ok(!dialled('10.2.0.1', '10.1.0.0/16'));
  assert.ok(dialled('::1', '::1/128'));
  assert.ok(!dialled('127.0.0.1', '::1/128'));
  assert.ok(dialled('1.1.1.1', '10.0.0.0/8'));
});
