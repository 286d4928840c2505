import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hostname } from './hostname.ts';
import { apiNames, connectAddress, connectName, isTcpName, serviceNames, tcpName } from './service-names.ts';

const place = {
  domain: 'shared.test' as Hostname,
  baseUrl: 'https://manage.example.net:8443',
  publicPort: 8443,
};

test('the API is at its public name and below the shared domain, agents connect below it', () => {
  assert.deepEqual(apiNames(place), ['manage.example.net', 'api.shared.test']);
  assert.equal(connectName(place), 'connect.shared.test');
  assert.equal(connectAddress(place), 'connect.shared.test:8443');
});

test('the hosts of reserved addresses are known from domains', () => {
  assert.equal(tcpName(8, 'us', place), '8.tcp.shared.test');
  assert.equal(tcpName(8, 'eu', place), '8.tcp.eu.shared.test');
  for (const name of ['8.tcp.shared.test', 'a.b.tcp.shared.test', '8.tcp.eu.shared.test'])
    assert.ok(isTcpName(name, place), name);
  for (const name of [
    'tcp.shared.test',
    'tcp.eu.shared.test',
    '8.tcp.us.shared.test',
    '8.tcp.x.shared.test',
    'xtcp.shared.test',
    '8.tcp.shared.test.example',
    '8.tcp.example',
  ]) {
    assert.ok(!isTcpName(name, place), name);
  }
});

test('every name that the front door serves itself is kept from users', () => {
  const kept = serviceNames(place);
  for (const name of [...apiNames(place), connectName(place), place.domain]) assert.ok(kept.has(name), name);
});
