import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientAddress, ipOf, networkKey, networkOf, sourceKey } from './client-address.ts';

test('an address has one spelling, also when it comes mapped into IPv6', () => {
  assert.equal(clientAddress({ remoteAddress: '192.0.2.7', remotePort: 5000 }), '192.0.2.7:5000');
  assert.equal(clientAddress({ remoteAddress: '::ffff:192.0.2.7', remotePort: 5000 }), '192.0.2.7:5000');
  assert.equal(clientAddress({ remoteAddress: '2001:db8::1', remotePort: 5000 }), '[2001:db8::1]:5000');
  assert.equal(clientAddress({ remoteAddress: undefined, remotePort: undefined }), null);
});

test('the address alone has neither brackets nor port', () => {
  assert.equal(ipOf('192.0.2.7:5000'), '192.0.2.7');
  assert.equal(ipOf('[2001:db8::1]:5000'), '2001:db8::1');
});

test('a source is an IPv4 address, or the network part of one of IPv6', () => {
  assert.equal(sourceKey('192.0.2.1'), '192.0.2.1');
  assert.equal(sourceKey('2001:db8:1:2::1'), sourceKey('2001:DB8:1:2:ffff::9'));
  assert.notEqual(sourceKey('2001:db8:1:2::1'), sourceKey('2001:db8:1:3::1'));
  assert.equal(sourceKey('fe80::1%eth0'), sourceKey('fe80::2%eth1'));
  assert.equal(sourceKey(''), '');
});

test('a network is 48 bits of IPv6, or an IPv4 address', () => {
  const networkOf = (ip: string) => networkKey(sourceKey(ip));
  assert.equal(networkOf('192.0.2.1'), '192.0.2.1');
  assert.equal(networkOf('2001:db8:1:2::1'), networkOf('2001:DB8:1:ffff::9'));
  assert.notEqual(networkOf('2001:db8:1:2::1'), networkOf('2001:db8:2:2::1'));
  assert.equal(networkOf(''), '');
});

test('the network of an address leaves out what names one visitor', () => {
  for (const [ip, network] of [
    ['203.0.113.9', '203.0.113.0/24'],
    ['2001:db8:1:2::3', '2001:db8:1::/48'],
    ['::1', '::/48'],
    ['fe80::1%eth0', 'fe80::/48'],
    ['', ''],
    ['localhost', ''],
    ['1.2.3', ''],
  ] as const)
    assert.equal(networkOf(ip), network, ip);
});
