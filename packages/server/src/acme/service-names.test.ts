/** Certificates of the service's own names in the store: which name has which, over restarts and other options. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pino from 'pino';
import { until } from '../../../../test/harness/until.ts';
import type { Hostname } from '../core/names/hostname.ts';
import type { NameLookup } from '../dns/resolver.ts';
import { makeChain } from '../pki/certificates.fixture.ts';
import { type Platform, startPlatform } from '../resources/engine.fixture.ts';
import { ServiceNames, type ServiceSubject } from './service-names.ts';
import { type ServiceWant, serviceWants } from './service-want.ts';

const domain = 'example.com' as Hostname;
const consoleHost = 'console.example.net' as Hostname;
const below = (label: string) => `${label}.example.com` as Hostname;
const addresses: Record<string, readonly string[]> = { 'connect.example.com': ['192.0.2.1'] };
const lookup: NameLookup = {
  canonicalName: async () => null,
  addresses: async (name) => [...(addresses[name] ?? [])],
  texts: async () => [],
};
let platform: Platform;

before(async () => {
  platform = await startPlatform();
});
after(() => platform.close());

function wantsOf(
  settings: { domain: Hostname; consoleHost: Hostname | null; baseUrl?: string },
  { hasDomain = true, filed = '' } = {},
): readonly ServiceWant[] {
  const files = { certificateOf: (name: Hostname) => (name === filed ? {} : null) };
  const place = { baseUrl: `https://api.${settings.domain}:8443`, ...settings };
  return serviceWants({ settings: place, hasDomain, filed: files, lookup });
}

async function start(wants: readonly ServiceWant[]): Promise<ServiceNames> {
  const { store, sealer } = platform;
  return ServiceNames.start({
    ...{ store, sealer, wants, config: { authorities: [] }, log: pino({ level: 'silent' }) },
    ...{ now: Date.now, changed: () => {} },
  });
}

async function subjectsOf(names: ServiceNames): Promise<ServiceSubject[]> {
  const stored = await platform.store.page({
    ...{ account: 'system', kind: 'service_certificate', limit: 100 },
  });
  return stored.flatMap((document) => names.wanted(document) ?? []);
}

async function serve(names: ServiceNames, host: Hostname, also: readonly string[] = []): Promise<void> {
  const [subject] = (await subjectsOf(names)).filter(({ want }) => want.names.includes(host));
  assert.ok(subject);
  const { leaf, intermediate, key } = makeChain(host, {
    names: [host, ...also].map((name) => `DNS:${name}`).join(),
  });
  const issued = { chain: leaf + intermediate, privateKeyPem: key };
  await names.serve(subject, issued, () => 1_000);
  await until(() => names.certificateOf(host) !== null);
}

test('the domain and the console have a certificate each, for no other names, and without the option none', async () => {
  const names = await start(wantsOf({ domain, consoleHost }));
  assert.deepEqual((await subjectsOf(names)).map(({ label }) => label).sort(), [
    '*.example.com',
    consoleHost,
  ]);
  await serve(names, consoleHost);
  for (const name of [domain, below('api'), `x.${consoleHost}` as Hostname, 'example.net' as Hostname])
    assert.equal(names.certificateOf(name), null, name);
  assert.deepEqual(
    names.expiries().map(({ name }) => name),
    [consoleHost],
  );
  await serve(names, domain, ['*.example.com']);
  assert.notEqual(names.certificateOf(below('api'))?.name, names.certificateOf(consoleHost)?.name);
  assert.deepEqual(
    [domain, below('connect'), consoleHost, below('a.b'), 'example.net' as Hostname].map((name) =>
      names.isWanted(name),
    ),
    [true, true, true, false, false],
  );
  await names.stop();

  const later = await start(wantsOf({ domain, consoleHost: null }));
  assert.equal(later.certificateOf(consoleHost), null);
  assert.notEqual(later.certificateOf(below('api')), null);
  assert.equal((await subjectsOf(later)).length, 1, 'it is no longer renewed');
  await later.stop();
});

test('the certificate of the console is kept over a restart, and renewed as what it replaces', async () => {
  const names = await start(wantsOf({ domain, consoleHost }, { hasDomain: false }));
  assert.notEqual(names.certificateOf(consoleHost), null);
  const [subject, ...others] = await subjectsOf(names);
  assert.ok(subject);
  assert.equal(others.length, 0);
  assert.equal(subject.managed.renews_at, 1_000);
  const { names: wanted, textName, formerChain } = names.subject(subject);
  assert.deepEqual([wanted, textName], [[consoleHost], null]);
  assert.match(formerChain ?? '', /BEGIN CERTIFICATE/);
  await names.stop();
});

test('the certificate of the console is served for the public URL after that moved there', async () => {
  const moved = { domain, consoleHost: null, baseUrl: `https://${consoleHost}:8443` };
  const names = await start(wantsOf(moved, { hasDomain: false }));
  assert.notEqual(names.certificateOf(consoleHost), null);
  assert.equal((await subjectsOf(names)).length, 1, 'nothing is ordered');
  await names.stop();
});

test('a domain that was a console before gets a certificate of its own', async () => {
  const names = await start(wantsOf({ domain: consoleHost, consoleHost: null }));
  assert.equal(names.certificateOf(consoleHost), null);
  const [subject] = await subjectsOf(names);
  assert.deepEqual(subject?.want.names, [consoleHost, `*.${consoleHost}`]);
  await names.stop();
});

test('a host that leads elsewhere, such as to a proxy, is not ordered for, with the record to set', async () => {
  const wants = wantsOf({ domain, consoleHost, baseUrl: 'https://manage.example.org' }, { hasDomain: false });
  assert.equal(wants.length, 2);
  for (const { domain: host, check } of wants) {
    addresses[host] = ['192.0.2.9'];
    const wrong = await check();
    assert.equal(wrong.state, 'wrong');
    assert.equal(wrong.state === 'wrong' && wrong.record.expected, 'connect.example.com');
    addresses[host] = ['192.0.2.1'];
    assert.deepEqual(await check(), { state: 'right', by: 'addresses' });
  }
});

test('a host with a file of the operator is not ordered for', () => {
  const settings = { domain, consoleHost, baseUrl: 'https://manage.example.org' };
  for (const [filed, other] of [
    [consoleHost, 'manage.example.org'],
    ['manage.example.org', consoleHost],
  ] as const)
    assert.deepEqual(namesOf(wantsOf(settings, { hasDomain: false, filed })), [[other]]);
});

test('the host of the public URL gets a certificate of its own only if none of the domain is valid there', () => {
  const at = (baseUrl: string, hasDomain: boolean, host: Hostname | null = null) =>
    namesOf(wantsOf({ domain, consoleHost: host, baseUrl }, { hasDomain }));
  const ofDomain = [domain, `*.${domain}`];
  for (const baseUrl of [
    'https://api.example.com',
    'https://manage.example.com:8443',
    'https://example.com',
  ]) {
    assert.deepEqual(at(baseUrl, true), [ofDomain], baseUrl);
    assert.deepEqual(at(baseUrl, false), [], baseUrl);
  }
  for (const outside of ['manage.example.net', 'a.api.example.com', 'com', 'xexample.com']) {
    assert.deepEqual(at(`https://${outside}:8443`, true), [ofDomain, [outside]]);
    assert.deepEqual(at(`https://${outside}`, false), [[outside]]);
  }
  assert.deepEqual(at(`https://${consoleHost}`, false, consoleHost), [[consoleHost]], 'one for both');
});

function namesOf(wants: readonly ServiceWant[]) {
  return wants.map(({ names }) => names);
}
