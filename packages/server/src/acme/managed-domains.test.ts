import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { drained, type EventPlatform, Sink, startEvents } from '../events/events.fixture.ts';
import { makeChain } from '../pki/certificates.fixture.ts';
import { type ManagedDomain, ManagedDomains, managedDomain } from './managed-domains.ts';

const host = 'app.example.com';
let events: EventPlatform;
let keeper: ManagedDomains;
before(async () => {
  events = await startEvents(undefined, { settings: { managedCertificates: { wildcards: false } } });
  await events.startNode();
  const { store, sealer } = events.platform;
  keeper = new ManagedDomains({ store, sealer, audit: events.audit, now: Date.now });
});
after(() => events.close());

async function domainOf(id: string): Promise<ManagedDomain> {
  const document = await events.platform.store.get(id);
  assert.ok(document?.kind === 'reserved_domain');
  return managedDomain(document)!;
}

async function serve(domain: ManagedDomain): Promise<void> {
  const { leaf, intermediate, key } = makeChain(host);
  await keeper.serve(domain, { chain: leaf + intermediate, privateKeyPem: key }, () => Date.now());
}

test('issued and deleted certificates are reported without a user, and one that came too late is not', async () => {
  const sink = new Sink();
  const destination = await events.destination(sink);
  await events.subscribe(['tls_certificate_created.v0', 'tls_certificate_deleted.v0'], [destination]);
  const policy = { certificate_management_policy: { private_key_type: 'ecdsa' } };
  const id = await events.create('reserved_domain', { domain: host, ...policy });
  await serve(await domainOf(id));
  const asked = await domainOf(id);
  await serve(asked);
  const shown = await events.platform.get('tls_certificate', (await domainOf(id)).body.certificate_id ?? '');
  await events.remove('reserved_domain', id);
  await serve(asked);
  await drained(events, destination);
  const told = sink.envelopes().map(({ event_type, principal }) => [event_type, principal === null]);
  assert.deepEqual(told, [
    ['tls_certificate_created.v0', true],
    ['tls_certificate_created.v0', true],
    ['tls_certificate_deleted.v0', true],
    ['tls_certificate_deleted.v0', false],
  ]);
  assert.deepEqual(sink.envelopes()[1]?.object, shown);
});
