import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { type ChainOptions, encryptedKey, makeChain, traditionalKey } from './certificates.fixture.ts';
import { isCertificateFault, readCertificate } from './uploaded-certificate.ts';

const chain = makeChain('a.example.com');
const bundle = chain.leaf + chain.intermediate + chain.root;

function fault(certificate: string, key: string): string {
  const read = readCertificate(certificate, key);
  assert.ok(isCertificateFault(read));
  return `${read.field.slice(1)} ${read.error}`;
}

test('the facts of a certificate are read from its leaf, also of one that has expired', () => {
  const made = makeChain('a.example.com', {
    subject: '/C=DE/ST=Bavaria/L=Munich/O=Org/OU=Unit/CN=a.example.com',
    names: 'DNS:a.example.com,DNS:*.b.example.com,IP:10.0.0.1,IP:2001:db8::1',
    isExpired: true,
  });
  const read = readCertificate(made.leaf + made.intermediate, made.key);
  assert.ok(!isCertificateFault(read), JSON.stringify(read));
  assert.equal(read.keyType, 'ecdsa');
  const { validFromDate, validToDate } = new X509Certificate(made.leaf);
  assert.ok(validToDate.getTime() < Date.now());
  const seconds = (time: Date) => `${time.toISOString().slice(0, 19)}Z`;
  assert.deepEqual(read.facts, {
    subject_common_name: 'a.example.com',
    not_before: seconds(validFromDate),
    not_after: seconds(validToDate),
    key_usages: ['DigitalSignature'],
    extended_key_usages: ['ServerAuth', '1.2.3.4'],
    subject_alternative_names: {
      dns_names: ['a.example.com', '*.b.example.com'],
      ips: ['10.0.0.1', '2001:db8::1'],
    },
    issuer_common_name: 'Test Intermediate',
    serial_number: '0a0b',
    subject_organization: 'Org',
    subject_organizational_unit: 'Unit',
    subject_locality: 'Munich',
    subject_province: 'Bavaria',
    subject_country: 'DE',
  });
});

test('keys of each type and format are taken, and kept as PKCS#8', () => {
  const types: [NonNullable<ChainOptions['key']>, string][] = [
    ['ec', 'ecdsa'],
    ['rsa', 'rsa'],
    ['ed25519', 'ed25519'],
  ];
  for (const [key, type] of types) {
    const made = makeChain('a.example.com', { key });
    const forms = [made.key];
    if (key !== 'ed25519') forms.push(traditionalKey(made.key, key === 'rsa' ? 'pkcs1' : 'sec1'));
    if (key === 'ec')
      forms.push(`-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n${forms[1]}`);
    for (const form of forms) {
      const read = readCertificate(made.leaf, form);
      assert.ok(!isCertificateFault(read), `${type} ${JSON.stringify(read)}`);
      assert.equal(read.keyType, type);
      assert.match(read.privateKeyPem, /^-----BEGIN PRIVATE KEY-----\n/);
    }
  }
});

test('what cannot be served is refused, each for its reason', () => {
  const other = makeChain('a.example.com');
  const garbage = (label: string) => `-----BEGIN ${label}-----\nQUJD\n-----END ${label}-----\n`;
  const encrypted = encryptedKey(chain.key, 'pkcs8');
  const oldEncrypted = encryptedKey(chain.key, 'sec1');
  const cases: [string, string, string][] = [
    ['', chain.key, 'certificate_pem certificateMissing'],
    ['text', chain.key, 'certificate_pem certificateMissing'],
    [chain.leaf.slice(0, -30), chain.key, 'certificate_pem certificateMalformed'],
    [garbage('CERTIFICATE'), chain.key, 'certificate_pem certificateMalformed'],
    [chain.leaf + garbage('X509 CRL'), chain.key, 'certificate_pem certificateMalformed'],
    [chain.key, chain.leaf, 'certificate_pem certificateHoldsKey'],
    [chain.leaf + chain.key, chain.key, 'certificate_pem certificateHoldsKey'],
    [chain.leaf, '', 'private_key_pem certificateKeyMissing'],
    [chain.leaf, 'text', 'private_key_pem certificateKeyMalformed'],
    [chain.leaf, garbage('PRIVATE KEY'), 'private_key_pem certificateKeyMalformed'],
    [chain.leaf, chain.key + other.key, 'private_key_pem certificateKeyMalformed'],
    [chain.leaf, garbage('PUBLIC KEY'), 'private_key_pem certificateKeyMalformed'],
    [chain.leaf, chain.leaf, 'private_key_pem certificateKeyHoldsCertificate'],
    [chain.leaf, encrypted, 'private_key_pem certificateKeyEncrypted'],
    [chain.leaf, oldEncrypted, 'private_key_pem certificateKeyEncrypted'],
    [chain.leaf, other.key, 'private_key_pem certificateKeyMismatch'],
    [chain.intermediate + chain.leaf, chain.key, 'certificate_pem certificateChainOrder'],
    [chain.leaf + chain.root + chain.intermediate, chain.key, 'certificate_pem certificateChainOrder'],
    [chain.leaf + other.intermediate, chain.key, 'certificate_pem certificateChainOrder'],
  ];
  for (const [certificate, key, expected] of cases) assert.equal(fault(certificate, key), expected);
  assert.ok(!isCertificateFault(readCertificate(bundle, chain.key)));
});

test('keys that TLS cannot use are refused when they are uploaded, not when a visitor comes', () => {
  const weak = makeChain('a.example.com', { key: 'small rsa' });
  assert.equal(fault(weak.leaf, weak.key), 'certificate_pem certificateUnusable');
  const rare = makeChain('a.example.com', { key: 'ed448' });
  assert.equal(fault(rare.leaf, rare.key), 'private_key_pem certificateKeyTypeInvalid');
});

test('an RSA key of 4096 bits is taken, a larger one is not; larger authorities in the chain cost nobody here', () => {
  const largest = makeChain('a.example.com', { key: 'largest rsa', authorityKey: 'too large rsa' });
  assert.ok(!isCertificateFault(readCertificate(largest.leaf + largest.intermediate, largest.key)));
  const larger = makeChain('a.example.com', { key: 'too large rsa' });
  assert.equal(fault(larger.leaf, larger.key), 'private_key_pem certificateKeyTooLarge');
});
