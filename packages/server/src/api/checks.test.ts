import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostFits, sourceKey } from './checks.ts';

test('a Host header fits the TLS server name in any spelling of the same name, and no other name fits', () => {
  for (const host of [
    'api.example.com',
    'API.example.COM',
    'api.example.com.',
    'api.example.com:443',
    'api.example.com:8443',
  ]) {
    assert.ok(hostFits(host, 'api.example.com'), host);
    assert.ok(hostFits(host, 'Api.Example.com.'), host);
  }
  for (const host of [
    '',
    'example.com',
    'xapi.example.com',
    'api.example.com.evil.net',
    'api.example.com:',
    'api.example.com@evil.net',
    '10.0.0.1',
    '[::1]:443',
    'api.example.com:443:443',
  ]) {
    assert.ok(!hostFits(host, 'api.example.com'), host);
  }
});

test('failures are counted by IPv4 address and by the network part of IPv6', () => {
  assert.equal(sourceKey('192.0.2.1'), '192.0.2.1');
  assert.equal(sourceKey('2001:db8:1:2::1'), sourceKey('2001:DB8:1:2:ffff::9'));
  assert.notEqual(sourceKey('2001:db8:1:2::1'), sourceKey('2001:db8:1:3::1'));
  assert.equal(sourceKey('fe80::1%eth0'), sourceKey('fe80::2%eth1'));
  assert.equal(sourceKey(''), '');
});
