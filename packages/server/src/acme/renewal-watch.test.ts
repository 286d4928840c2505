/** Renewals that the authority plans, with a small server of this file, because pebble sends no such information. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { Client } from 'acme-client';
import pino from 'pino';
import { eventually, until } from '../../../../test/harness/until.ts';
import type { HostPattern } from '../core/names/hostname.ts';
import { TestClock } from '../events/events.fixture.ts';
import { certificateIdentifier } from '../pki/certificate-identifier.ts';
import { makeChain } from '../pki/certificates.fixture.ts';
import { startPlatform } from '../resources/engine.fixture.ts';
import { AcmeClient } from './acme-client.ts';
import { AcmeFailure } from './acme-failure.ts';
import { type ManagedDomain, ManagedDomains, managedDomain } from './managed-domains.ts';
import { orderCertificate } from './order.ts';
import { RenewalInfoSource, renewalWithin } from './renewal-info.ts';
import { RenewalWatch } from './renewal-watch.ts';

const host = 'app.example.com';
const minute = 60_000;
const hour = 60 * minute;
const { leaf, intermediate, key } = makeChain(host);
const chain = leaf + intermediate;

/** An authority that suggests a window, and its recorded requests. */
async function authority(t: TestContext, renewalInfo = true) {
  const asked: string[] = [];
  const says = { status: 200, window: { start: '', end: '' } };
  const server = createServer(({ url = '' }, answer) => {
    const { port } = server.address() as AddressInfo;
    asked.push(url);
    answer.setHeader('content-type', 'application/json').setHeader('retry-after', String(3 * 60 * 60));
    answer.statusCode = url === '/dir' ? 200 : says.status;
    const directory = renewalInfo ? { renewalInfo: `http://127.0.0.1:${port}/info` } : {};
    answer.end(JSON.stringify(url === '/dir' ? directory : { suggestedWindow: says.window }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => void server.close());
  return { asked, says, directory: `http://127.0.0.1:${(server.address() as AddressInfo).port}/dir` };
}

/** Creates a domain whose certificate is renewed in a day, and a daemon that watches it. */
async function watched(t: TestContext, directory: string) {
  const platform = await startPlatform(undefined, { managedCertificates: { wildcards: false } });
  const { store, sealer } = platform;
  const clock = new TestClock();
  const domains = new ManagedDomains({ store, sealer, now: clock.now, audit: { about: async () => [] } });
  const { id } = await platform.create('reserved_domain', {
    domain: host,
    certificate_management_policy: { private_key_type: 'ecdsa' },
  });
  const read = async (): Promise<ManagedDomain> => {
    const document = await store.get(id);
    const domain = document?.kind === 'reserved_domain' ? managedDomain(document) : null;
    assert.ok(domain);
    return domain;
  };
  const renewsAt = clock.now() + 24 * hour;
  await domains.serve(await read(), { chain, privateKeyPem: key }, () => renewsAt);
  const all = [await read()];
  const client = new AcmeClient({
    directory,
    authorities: [],
    email: null,
    externalAccount: null,
    dnsHook: null,
    serviceNames: false,
    ordersPerHour: 0,
  });
  const source = new RenewalInfoSource(client, directory);
  const log = pino({ level: 'silent' });
  const lease = { isHeld: true };
  const watch = new RenewalWatch({
    lease: { holds: async () => lease.isHeld, release: async () => {} },
    ...{ store, domains, source, log, now: clock.now, after: clock.after },
    all: () => all,
    random: () => 0.5,
  });
  t.after(async () => {
    await watch.stop();
    await platform.close();
  });
  /** Runs the next check to its end. */
  const look = async (ms = 10 * minute): Promise<void> => {
    clock.pass(ms);
    await until(() => clock.nextMs !== null);
  };
  return { clock, lease, look, renewsAt, read, refresh: async () => void all.splice(0, 1, await read()) };
}

const at = (time: number) => new Date(time).toISOString();

test('a renewal moves into the window that the authority gives, and is asked about again when it says', async (t) => {
  const { asked, says, directory } = await authority(t);
  const { clock, look, read, refresh } = await watched(t, directory);
  const start = clock.now() + 10 * hour;
  says.window = { start: at(start), end: at(start + hour) };
  await look();
  await eventually(async () => assert.equal((await read()).managed.renews_at, start + hour / 2));
  assert.deepEqual(asked, ['/dir', `/info/${certificateIdentifier(chain)}`]);
  await refresh();
  await look();
  assert.equal(asked.length, 2);
  says.window = { start: at(start - 2 * hour), end: at(start - hour) };
  await look(3 * hour);
  await eventually(async () => assert.equal((await read()).managed.renews_at, start - 1.5 * hour, 'sooner'));
  assert.equal(asked.length, 3);
});

test('a daemon asks nothing while another one asks for all', async (t) => {
  const { asked, says, directory } = await authority(t);
  const { clock, lease, look } = await watched(t, directory);
  const start = clock.now() + 10 * hour;
  says.window = { start: at(start), end: at(start + hour) };
  lease.isHeld = false;
  await look();
  assert.deepEqual(asked, []);
  lease.isHeld = true;
  await look();
  await eventually(() => assert.equal(asked.length, 2));
});

test('an authority that fails, or says nothing of the kind, changes nothing', async (t) => {
  const failing = await authority(t);
  failing.says.status = 500;
  const one = await watched(t, failing.directory);
  await one.look();
  assert.equal((await one.read()).managed.renews_at, one.renewsAt);
  assert.equal(failing.asked.length, 2);
  const silent = await authority(t, false);
  const other = await watched(t, silent.directory);
  await other.look();
  assert.deepEqual(silent.asked, ['/dir']);
  assert.equal((await other.read()).managed.renews_at, other.renewsAt);
});

test('a time in the window stays, and none is past the end of the certificate, or right after it was issued', () => {
  const window = { start: 100 * hour, end: 200 * hour };
  assert.equal(
    renewalWithin(window, { issuedAt: 0, renewsAt: 150 * hour, notAfter: 300 * hour }, 0),
    150 * hour,
  );
  assert.equal(
    renewalWithin(window, { issuedAt: 0, renewsAt: 250 * hour, notAfter: 300 * hour }, 0),
    100 * hour,
  );
  assert.equal(
    renewalWithin(window, { issuedAt: 0, renewsAt: 50 * hour, notAfter: 99 * hour }, 1),
    98 * hour,
  );
  assert.equal(
    renewalWithin(window, { issuedAt: 196 * hour, renewsAt: 250 * hour, notAfter: 300 * hour }, 0),
    202 * hour,
  );
  assert.equal(
    renewalWithin(window, { issuedAt: 249 * hour, renewsAt: 250 * hour, notAfter: 300 * hour }, 0),
    250 * hour,
  );
});

test('an order says which certificate it replaces, and is made without that where the authority minds', async () => {
  const orders: object[] = [];
  const account = {
    async createOrder(order: object) {
      orders.push(order);
      throw new AcmeFailure('no', { type: orders.length === 1 ? 'alreadyReplaced' : 'serverInternal' });
    },
  };
  const parts = {
    client: { ask: <T>(_: AbortSignal, work: () => Promise<T>) => work() },
    account: account as unknown as Client,
    publish: async () => {},
    ...{ known: null, admit: async () => {}, keep: async () => {}, forget: async () => {} },
    signal: new AbortController().signal,
  };
  const wanted = {
    names: [host as HostPattern],
    keyType: 'rsa',
    challenges: ['http-01'],
    replaces: 'a.b',
  } as const;
  await assert.rejects(orderCertificate(parts, wanted), { type: 'serverInternal' });
  const identifiers = [{ type: 'dns', value: host }];
  assert.deepEqual(orders, [{ identifiers, replaces: 'a.b' }, { identifiers }]);
});
