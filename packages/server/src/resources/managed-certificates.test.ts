/** Tests of requests and responses with managed certificates. Issuing has tests of its own. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Settings } from '../core/settings.ts';
import { keptChain } from '../pki/kept-chain.fixture.ts';
import { createEngine } from './engine/engine.ts';
import { collection, type Platform, refused, startPlatform } from './engine.fixture.ts';

let platform: Platform;
before(async () => {
  platform = await startPlatform(undefined, { managedCertificates: { wildcards: false } });
});
after(() => platform.close());

const chain = keptChain('e.example.com');
const policy = { authority: 'public_ca', private_key_type: 'ecdsa' };

function engineWith(managedCertificates: Settings['managedCertificates']) {
  const { store, online, sealer } = platform;
  const settings = { ...platform.settings, managedCertificates };
  return createEngine({ store, settings, online, sealer, now: Date.now });
}

test('the policy is taken with what it leaves out, and the job stands there at once', async () => {
  const given = {
    domain: 'a.example.com',
    certificate_management_policy: { authority: null, private_key_type: 'rsa' },
  };
  const { certificate_management_policy: shown, certificate_management_status: status } =
    await platform.create('reserved_domain', given);
  assert.deepEqual(shown, { authority: 'public_ca', private_key_type: 'rsa' });
  const { provisioning_job: job, renews_at } = status as {
    provisioning_job: Record<string, unknown>;
    renews_at: null;
  };
  assert.equal(renews_at, null);
  assert.deepEqual([job.error_code, job.retries_at], [null, null]);
});

test('the same policy again changes nothing', async () => {
  const { id } = await platform.create('reserved_domain', {
    domain: 'b.example.com',
    certificate_management_policy: policy,
  });
  const before = await platform.store.get(id);
  await platform.update('reserved_domain', id, { certificate_management_policy: policy });
  assert.ok(isDeepStrictEqual(await platform.store.get(id), before));
});

test('what a domain has already may be sent back beside what changes', async () => {
  const upload = { certificate_pem: chain.leaf, private_key_pem: chain.key };
  const { id: certificate_id } = await platform.create('tls_certificate', upload);
  const { id: other } = await platform.create('tls_certificate', upload);
  const { id } = await platform.create('reserved_domain', { domain: 'e.example.com', certificate_id });
  // The former certificate is served until the service has obtained one.
  await platform.update('reserved_domain', id, { certificate_id, certificate_management_policy: policy });
  const { certificate: shownBefore } = await platform.get('reserved_domain', id);
  const all = { certificate_id, certificate_management_policy: policy };
  for (const settings of [{ wildcards: false }, null]) {
    const engine = engineWith(settings);
    const description = `with ${JSON.stringify(settings)}`;
    const domain = await engine.update(collection('reserved_domain'), platform.admin, id, {
      ...all,
      description,
    });
    const { certificate, certificate_management_policy: shown } = domain;
    assert.deepEqual([domain.description, certificate, shown], [description, shownBefore, policy]);
  }
  await refused(
    platform.update('reserved_domain', id, { ...all, certificate_id: other }),
    'domainCertificateAndPolicy',
  );
  await refused(
    platform.update('reserved_domain', id, { certificate_id: other }),
    'domainCertificateManaged',
  );
});

test('beside a policy no certificate is given or taken off, whether the service got the one that is there or not', async () => {
  const upload = { certificate_pem: chain.leaf, private_key_pem: chain.key };
  const { id: certificate_id } = await platform.create('tls_certificate', upload);
  const { id: bare } = await platform.create('reserved_domain', {
    domain: 'f.example.com',
    certificate_management_policy: policy,
  });
  const { id: served } = await platform.create('reserved_domain', {
    domain: 'g.example.com',
    certificate_id,
  });
  await platform.update('reserved_domain', served, { certificate_management_policy: policy });
  for (const refusal of [
    platform.update('reserved_domain', bare, { certificate_id }),
    platform.update('reserved_domain', served, { certificate_id: '' }),
  ])
    await assert.rejects(refusal, {
      code: 'domainCertificateManaged',
      message: /^The service gets the certificates of this domain .* Remove the policy first/,
    });
  const { certificate } = await platform.get('reserved_domain', served);
  assert.equal((certificate as { id: string }).id, certificate_id);
});

test('nothing is got for what can have nothing, and each is refused by its own code', async () => {
  const create = (more: object) =>
    platform.create('reserved_domain', { certificate_management_policy: policy, ...more });
  await refused(create({ name: 'shared' }), 'domainSharedManaged');
  await refused(create({ domain: '*.example.com' }), 'managedWildcardUnavailable');
  await refused(
    create({ domain: 'c.example.com', certificate_id: `cert_${'0'.repeat(27)}` }),
    'domainCertificateAndPolicy',
  );
});

test('without a certificate authority a new policy is refused, and one that stands says why nothing happens', async () => {
  const { id } = await platform.create('reserved_domain', {
    domain: 'd.example.com',
    certificate_management_policy: policy,
  });
  const domains = collection('reserved_domain');
  const without = engineWith(null);
  const { certificate_management_status: status, certificate_management_policy: kept } = await without.get(
    domains,
    platform.admin,
    id,
  );
  assert.deepEqual(kept, policy);
  const { provisioning_job: job } = status as { provisioning_job: Record<string, unknown> };
  assert.equal(job.error_code, 'INTERNAL_ERROR');
  assert.match(String(job.msg), /--acme-directory/);
  const patch = { certificate_management_policy: { private_key_type: 'rsa' } };
  await refused(without.update(domains, platform.admin, id, patch), 'managedCertificateUnavailable');
  await without.update(domains, platform.admin, id, { description: 'as before' });
  await without.detach(domains, platform.admin, id, 'certificate_management_policy');
  assert.equal((await without.get(domains, platform.admin, id)).certificate_management_status, null);
});
