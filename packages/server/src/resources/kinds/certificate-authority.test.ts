import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { ErrorName } from '../../errors/catalogue.ts';
import { makeChain } from '../../pki/certificates.fixture.ts';
import { type Platform, refused, startPlatform } from '../engine.fixture.ts';

let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform.close());

const { root, leaf, key } = makeChain('a.example.com');
const larger = makeChain('a.example.com', { authorityKey: 'too large rsa' });

test('an uploaded authority is shown with its facts', async () => {
  const created = await platform.create('certificate_authority', { ca_pem: root });
  assert.equal(created.ca_pem, root);
  assert.equal(created.subject_common_name, 'Test Root');
  assert.deepEqual(created.key_usages, ['CertSign', 'CRLSign']);
  assert.deepEqual(created.extended_key_usages, []);
  assert.match(String(created.not_after), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
});

test('an authority in another form is stored as PEM', async () => {
  const plain = new X509Certificate(root).toString();
  const base64 = root.replace(/-----.*-----|\s/g, '');
  const forms = [root.replaceAll('CERTIFICATE', 'X509 CERTIFICATE'), root.replaceAll(/^/gm, '  '), base64];
  for (const ca_pem of forms)
    assert.equal((await platform.create('certificate_authority', { ca_pem })).ca_pem, plain);
});

test('a bundle of several authorities is refused with the command that splits it', async () => {
  const creating = platform.create('certificate_authority', { ca_pem: root + larger.root });
  await assert.rejects(creating, /csplit -z -f ca- FILE/);
});

test('what is not one certificate of an authority is refused', async () => {
  const cases: [object, ErrorName][] = [
    [{}, 'caPemMissing'],
    [{ ca_pem: '' }, 'caPemMissing'],
    [{ ca_pem: 'x' }, 'caPemMalformed'],
    [{ ca_pem: key }, 'caPemType'],
    [{ ca_pem: root + root }, 'caPemSeveral'],
    [{ ca_pem: leaf }, 'caPemNotAuthority'],
    [{ ca_pem: larger.root }, 'caKeyTooLarge'],
    [{ ca_pem: `${root}${'x'.repeat(16 * 1024)}` }, 'pemTooLarge'],
  ];
  for (const [body, error] of cases) {
    await refused(platform.create('certificate_authority', body), error, { field: '/ca_pem' });
  }
  const { id } = await platform.create('certificate_authority', { ca_pem: root });
  await refused(platform.update('certificate_authority', id, { ca_pem: root }), 'fieldUnknown');
});

test('an authority that an edge uses cannot be deleted, and one of another account cannot be used', async () => {
  const { id } = await platform.create('certificate_authority', { ca_pem: root });
  const body = { mutual_tls: { certificate_authority_ids: [id] }, tls_termination: { terminate_at: 'edge' } };
  const edge = await platform.create('tls_edge', body);
  await refused(platform.remove('certificate_authority', id), 'certificateAuthorityInUse', {
    used_by: [edge.id],
  });
  await refused(platform.create('tls_edge', body, platform.stranger), 'certificateAuthorityUnknown');
  await platform.remove('tls_edge', edge.id);
  await platform.remove('certificate_authority', id);
});
