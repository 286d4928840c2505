import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hostname, HostPattern } from './names/hostname.ts';
import { regions } from './names/region.ts';
import {
  apiNames,
  connectAddress,
  connectName,
  consoleUrl,
  isSharedName,
  isTcpName,
  type ServiceAddress,
  serviceNameIn,
  tcpName,
} from './service-names.ts';

const place = {
  domain: 'shared.test' as Hostname,
  baseUrl: 'https://manage.example.net:8443',
  consoleHost: null,
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

const labels = ['api', 'connect', 'cname', 'tcp', 'idp', 'acme', 'internal', ...regions];
const keptBy = (name: string, at: Partial<ServiceAddress> = {}) =>
  serviceNameIn(name as HostPattern, { ...place, ...at });

test("the service's names, all below them and every wildcard over one cannot be reserved", () => {
  for (const name of [...apiNames(place), connectName(place), place.domain]) assert.equal(keptBy(name), name);
  for (const label of labels) {
    const name = `${label}.shared.test`;
    for (const kept of [name, `*.${name}`, `x.${name}`, `a.b.${name}`, `*.b.${name}`])
      assert.equal(keptBy(kept), name, kept);
  }
  assert.equal(keptBy('*.shared.test'), 'shared.test');
  assert.equal(keptBy('*.example.net'), 'manage.example.net');
  assert.equal(keptBy('x.manage.example.net'), 'manage.example.net');
  const deep = { domain: 't.shared.test' as Hostname, baseUrl: 'https://api.t.shared.test' };
  for (const name of ['*.shared.test', '*.t.shared.test']) assert.equal(keptBy(name, deep), 't.shared.test');
});

test("the console has the URL of the API, or a name of its own that is never anybody else's", () => {
  const consoleHost = 'console.example.org' as Hostname;
  assert.equal(consoleUrl(place), 'https://manage.example.net:8443');
  assert.equal(consoleUrl({ ...place, consoleHost }), 'https://console.example.org:8443');
  assert.equal(consoleUrl({ ...place, consoleHost, publicPort: 443 }), 'https://console.example.org');
  const withConsole = { ...place, consoleHost };
  assert.deepEqual(apiNames(withConsole), apiNames(place), 'commands use the first name');
  for (const name of [consoleHost, '*.example.org', 'x.console.example.org', '*.console.example.org'])
    assert.equal(keptBy(name, { consoleHost }), consoleHost, name);
  for (const name of ['example.org', 'x.example.org', '*.x.example.org', 'aconsole.example.org'])
    assert.equal(keptBy(name, { consoleHost }), null, name);
  assert.equal(keptBy('manage.example.net', { consoleHost }), 'manage.example.net');
});

test("what only looks like a name of the service is anybody's", () => {
  for (const name of [
    'x.shared.test',
    'api.x.shared.test',
    '*.x.shared.test',
    'xapi.shared.test',
    'api-x.shared.test',
    'api.shared.test.example',
    'evilshared.test',
    'api.evilshared.test',
    'us.example.net',
    'example.net',
    'test.manage.example',
    '*.other.example',
  ])
    assert.equal(keptBy(name), null, name);
  const above = { domain: 't.example.net' as Hostname, baseUrl: 'https://example.net' };
  assert.equal(
    keptBy('app.t.example.net', above),
    null,
    'an API above the shared domain leaves it to its users',
  );
  assert.equal(keptBy('example.net', above), 'example.net');
});

test("names that one certificate is valid for stand right below the shared domain, and are not the service's own", () => {
  const isShared = (name: string, at = place) => isSharedName(name as Hostname, at);
  for (const name of ['a.shared.test', 'xn--bcher-kva.shared.test', 'apis.shared.test'])
    assert.ok(isShared(name), name);
  for (const label of labels) assert.ok(!isShared(`${label}.shared.test`), label);
  for (const name of ['shared.test', 'a.b.shared.test', 'a.tcp.shared.test', 'a.other.test', 'xshared.test'])
    assert.ok(!isShared(name), name);
  assert.ok(!isShared('a.shared.test', { ...place, baseUrl: 'https://a.shared.test' }));
  assert.ok(!isShared('a.localhost', { ...place, domain: 'localhost' as Hostname }));
});
