/** Renewals of managed certificates that a caller orders. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ManagedCertificate } from '../documents/index.ts';
import { createEngine } from './engine/engine.ts';
import { collection, refused, startPlatform } from './engine.fixture.ts';

const MINUTE_MS = 60_000;

async function started(t: TestContext) {
  const platform = await startPlatform(undefined, { managedCertificates: { wildcards: false } });
  t.after(() => platform.close());
  const clock = { now: Date.parse('2030-01-01T00:00:00Z') };
  const { store, settings, online, sealer, admin } = platform;
  const engine = createEngine({ store, settings, online, sealer, now: () => clock.now });
  const domains = collection('reserved_domain');
  const { id } = await engine.create(domains, admin, {
    ...{ domain: 'renewed.example.com', certificate_management_policy: { private_key_type: 'ecdsa' } },
  });
  const managed = async (): Promise<ManagedCertificate> => {
    const document = await store.get(String(id));
    assert.ok(document?.kind === 'reserved_domain' && document.body.certificate_management_policy);
    return document.body.certificate_management_policy;
  };
  /** Stores a state as the provisioner would. */
  const become = async (state: Partial<ManagedCertificate>, certificate_id: string | null = null) => {
    const document = await store.get(String(id));
    assert.ok(document?.kind === 'reserved_domain');
    const policy = { ...(await managed()), ...state };
    const body = { ...document.body, certificate_id, certificate_management_policy: policy };
    await store.write(() => [{ op: 'rewrite', id: document.id, revision: document.revision, body }]);
  };
  const renew = (of = String(id), as = admin) => engine.act(domains, as, of, 'renew');
  return { platform, engine, clock, id: String(id), managed, become, renew };
}

test('a renewal becomes due at once, keeps the order, and is refused while it is under way', async (t) => {
  const { platform, clock, managed, become, renew } = await started(t);
  await refused(renew(), 'renewalUnderWay');
  const renews_at = clock.now + 30 * 24 * 60 * MINUTE_MS;
  await become({ job: null, renews_at });
  const before = await managed();
  clock.now += MINUTE_MS;
  const status = await renew();
  const job = status?.provisioning_job as { readonly started_at: string } | null | undefined;
  assert.equal(job?.started_at, '2030-01-01T00:01:00Z');
  const after = await managed();
  assert.deepEqual(after, { ...before, job: { started_at: clock.now, failure: null } });
  await refused(renew(), 'renewalUnderWay');
  const [entry] = await platform.store.notes({ kind: 'change', account: platform.admin.account, limit: 1 });
  assert.equal(entry?.body.action, 'updated');
});

test('a certificate of the last hour is not renewed, and a failed order is not repeated early', async (t) => {
  const { platform, clock, become, renew } = await started(t);
  const { store, admin } = platform;
  const body = {
    ...{
      description: '',
      metadata: '',
      certificate_pem: '',
      private_key_sealed: '',
      private_key_type: 'ecdsa',
    },
    issued_at: clock.now,
  };
  let certificate = '';
  await store.write((newId) => {
    certificate = newId('cert');
    const row = { id: certificate, account: admin.account, kind: 'tls_certificate', parent: null };
    return [{ op: 'insert', ...row, body, links: [], names: [] }];
  });
  await become({ job: null }, certificate);
  clock.now += 50 * MINUTE_MS;
  const early = await refused(renew(), 'renewalTooSoon');
  assert.equal(early.retryAfter, 600);
  clock.now += 10 * MINUTE_MS;
  await renew();

  const failure = { msg: '', attempts: 1, retries_at: clock.now + 5 * MINUTE_MS };
  const failed = (error_code: 'INTERNAL_ERROR' | 'DNS_ERROR') =>
    become({ job: { started_at: clock.now, failure: { ...failure, error_code } } });
  await failed('INTERNAL_ERROR');
  assert.equal((await refused(renew(), 'renewalTooSoon')).retryAfter, 300);
  await failed('DNS_ERROR');
  assert.equal((await refused(renew(), 'renewalTooSoon')).retryAfter, 60);
  clock.now += MINUTE_MS;
  await renew();
});

test('without a policy, and for another account, nothing is renewed', async (t) => {
  const { platform, engine, id, renew } = await started(t);
  const plain = await engine.create(collection('reserved_domain'), platform.admin, {
    domain: 'b.example.com',
  });
  await refused(renew(String(plain.id)), 'renewalNoPolicy');
  await refused(renew(id, platform.stranger), 'resourceNotFound');
});
