import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeCertificate } from '../../../../../test/harness/make-certificate.ts';
import type { ErrorName } from '../../errors/catalogue.ts';
import { makeChain } from '../../pki/certificates.fixture.ts';
import { collection, type Platform, refused, startPlatform } from '../engine.fixture.ts';

let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform.close());

const chain = makeChain('a.example.com', { subject: '/C=DE/O=Org/CN=a.example.com' });
const pair = { certificate_pem: chain.leaf + chain.intermediate, private_key_pem: chain.key };
const larger = makeChain('a.example.com', { key: 'too large rsa' });
const secret = chain.key.split('\n')[1]!;

test('an uploaded certificate is shown with its facts, and its key never', async () => {
  const created = await platform.create('tls_certificate', { ...pair, description: 'mine' });
  assert.equal(created.certificate_pem, pair.certificate_pem);
  assert.equal(created.description, 'mine');
  assert.equal(created.subject_common_name, 'a.example.com');
  assert.equal(created.issuer_common_name, 'Test Intermediate');
  assert.equal(created.serial_number, '0a0b');
  assert.equal(created.subject_organization, 'Org');
  assert.equal(created.subject_locality, '');
  assert.equal(created.private_key_type, 'ecdsa');
  assert.equal(created.issued_at, null);
  assert.deepEqual(created.subject_alternative_names, { dns_names: ['a.example.com'], ips: [] });
  assert.deepEqual(await platform.get('tls_certificate', created.id), created);
  const stored = await platform.store.get(created.id);
  for (const seen of [created, stored]) assert.ok(!JSON.stringify(seen).includes(secret));
  await platform.update('tls_certificate', created.id, { description: 'still mine' });
  const updated = await platform.store.get(created.id);
  assert.ok(stored?.kind === 'tls_certificate' && updated?.kind === 'tls_certificate');
  assert.equal(updated.body.private_key_sealed, stored.body.private_key_sealed);
});

test('a certificate that names no host, which no domain is served with, is refused', async () => {
  const { pem, key } = makeCertificate({ subject: '/O=Org' });
  const creating = platform.create('tls_certificate', { certificate_pem: pem, private_key_pem: key });
  await refused(creating, 'certificateNameless', { field: '/certificate_pem' });
});

test('what is missing, swapped, too large or does not fit is refused by field', async () => {
  const { certificate_pem, private_key_pem } = pair;
  const large = `${'x'.repeat(64 * 1024)}\n${certificate_pem}`;
  const cases: [object, ErrorName, string][] = [
    [{ private_key_pem }, 'certificateMissing', '/certificate_pem'],
    [{ certificate_pem }, 'certificateKeyMissing', '/private_key_pem'],
    [{ ...pair, private_key_pem: ' ' }, 'certificateKeyMissing', '/private_key_pem'],
    [
      { certificate_pem: private_key_pem, private_key_pem: certificate_pem },
      'certificateHoldsKey',
      '/certificate_pem',
    ],
    [{ ...pair, private_key_pem: chain.leaf }, 'certificateKeyHoldsCertificate', '/private_key_pem'],
    [
      { certificate_pem: larger.leaf, private_key_pem: larger.key },
      'certificateKeyTooLarge',
      '/private_key_pem',
    ],
    [{ ...pair, certificate_pem: chain.root }, 'certificateKeyMismatch', '/private_key_pem'],
    [{ ...pair, certificate_pem: large }, 'pemTooLarge', '/certificate_pem'],
    [{ ...pair, private_key_pem: large }, 'pemTooLarge', '/private_key_pem'],
  ];
  for (const [body, error, field] of cases) {
    const problem = await refused(platform.create('tls_certificate', body), error, { field });
    assert.ok(!problem.message.includes(secret));
  }
  const { id } = await platform.create('tls_certificate', pair);
  for (const field of ['certificate_pem', 'private_key_pem'] as const) {
    await refused(platform.update('tls_certificate', id, { [field]: pair[field] }), 'fieldUnknown');
  }
});

test('a reserved domain takes a certificate, shows it, changes it and gives it up', async () => {
  const [one, two] = [
    await platform.create('tls_certificate', pair),
    await platform.create('tls_certificate', pair),
  ];
  const body = { name: 'a.example.com', certificate_id: one.id };
  const { id, certificate } = await platform.create('reserved_domain', body);
  const ref = (of: string) => ({
    id: of,
    uri: `https://api.underpass.localhost:8443/tls_certificates/${of}`,
  });
  assert.deepEqual(certificate, ref(one.id));
  await refused(platform.remove('tls_certificate', one.id), 'certificateInUse', { used_by: [id] });
  const patch = async (certificate_id: string | null) =>
    (await platform.update('reserved_domain', id, { certificate_id })).certificate;
  assert.deepEqual(await patch(null), ref(one.id));
  assert.deepEqual(await patch(two.id), ref(two.id));
  await platform.remove('tls_certificate', one.id);
  await refused(patch(one.id), 'certificateUnknown', { field: '/certificate_id' });
  assert.equal(await patch(''), null);
  await patch(two.id);
  const detach = (as = platform.admin) =>
    platform.engine.detach(collection('reserved_domain'), as, id, 'certificate');
  await refused(detach(platform.stranger), 'resourceNotFound');
  await detach();
  assert.equal((await platform.get('reserved_domain', id)).certificate, null);
  await refused(detach(), 'nothingAttached');
  await platform.remove('tls_certificate', two.id);
});

test('a certificate of another account is unknown', async () => {
  const { id } = await platform.create('tls_certificate', pair, platform.stranger);
  const body = { name: 'b.example.com', certificate_id: id };
  await refused(platform.create('reserved_domain', body), 'certificateUnknown', { field: '/certificate_id' });
});
