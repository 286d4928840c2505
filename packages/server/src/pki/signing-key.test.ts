import assert from 'node:assert/strict';
import { createPrivateKey, sign, verify, X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { makeSigningKey } from './signing-key.ts';

test('the certificate knows the signatures of its key, and is no authority', async () => {
  const now = Date.parse('2030-01-01T00:00:00Z');
  const { certificatePem, privateKeyPem } = await makeSigningKey('idp.example.com', now);
  const certificate = new X509Certificate(certificatePem);
  const key = createPrivateKey(privateKeyPem);
  assert.ok(certificate.checkPrivateKey(key));
  assert.ok(certificate.verify(certificate.publicKey));
  assert.equal(certificate.ca, false);
  assert.equal(certificate.subject, 'CN=idp.example.com');
  assert.equal(certificate.publicKey.asymmetricKeyDetails?.modulusLength, 2048);
  const message = Buffer.from('SAMLRequest=…');
  assert.ok(verify('sha256', message, certificate.publicKey, sign('sha256', message, key)));
  assert.ok(certificate.validFromDate.getTime() <= now);
  assert.ok(certificate.validToDate.getTime() > now + 5 * 365 * 24 * 60 * 60_000);
});

test('no two keys are alike', async () => {
  const [one, two] = [await makeSigningKey('a', 0), await makeSigningKey('a', 0)];
  const [first, second] = [new X509Certificate(one.certificatePem), new X509Certificate(two.certificatePem)];
  assert.notEqual(first.serialNumber, second.serialNumber);
  assert.equal(first.checkPrivateKey(createPrivateKey(two.privateKeyPem)), false);
});
