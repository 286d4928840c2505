/** Certificates and keys in the texts that openssl, Windows, editors and configuration files make of them. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { missingPrograms } from '../../../../test/harness/missing.ts';
import { plainPem, readCertificates } from './certificate-texts.ts';
import { makeChain, traditionalKey } from './certificates.fixture.ts';
import { readAuthority } from './uploaded-authority.ts';
import { isCertificateFault, readCertificate } from './uploaded-certificate.ts';

const opensslMissing = missingPrograms('openssl');
const made = makeChain('a.example.com');
const { root, intermediate, leaf, key } = made;
const bundle = leaf + intermediate + root;
const base64Of = (pem: string) => pem.replace(/-----.*-----|\s/g, '');

function openssl(args: readonly string[], input: string): string {
  return execFileSync('openssl', [...args], { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] });
}

/** Returns the certificates as PKCS #7, in the form that Windows exports. */
function pkcs7(pem: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'underpass-pkcs7-'));
  try {
    const file = join(folder, 'certificates.pem');
    writeFileSync(file, pem);
    return openssl(['crl2pkcs7', '-nocrl', '-certfile', file], '');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function subjects(text: string): readonly string[] {
  const read = readCertificates(text);
  assert.ok(typeof read !== 'string', `${read}: ${text.slice(0, 100)}`);
  return read.certificates.map(({ subject }) => subject.replace('CN=', ''));
}

/** Returns one PEM text in the forms that users have. */
function surroundings(pem: string): readonly string[] {
  return [
    pem.trim(),
    pem.replaceAll('\n', '\r\n'),
    pem.replaceAll('\n', '\r'),
    `\uFEFF${pem}`,
    pem.replaceAll(/^/gm, '      '),
    pem.replaceAll('\n', '\\n'),
    JSON.stringify(pem),
    pem.replaceAll('\n', ' '),
    `Bag Attributes\n    friendlyName: x\nsubject=CN = x\n${pem}after`,
  ];
}

test('an authority is read, and stored as PEM that every program reads', () => {
  for (const text of surroundings(root)) {
    const read = readAuthority(text);
    assert.ok(typeof read !== 'string', `${read}: ${text}`);
    assert.equal(read.facts.subject_common_name, 'Test Root');
    assert.equal(new X509Certificate(read.pem).subject, 'CN=Test Root');
    assert.match(read.pem, /^-----BEGIN CERTIFICATE-----\r?\n/m);
  }
  for (const text of [
    base64Of(root),
    `${base64Of(root)}\r\n`,
    root.replaceAll('CERTIFICATE', 'X509 CERTIFICATE'),
  ]) {
    const read = readAuthority(text);
    assert.ok(typeof read !== 'string', `${read}: ${text}`);
    assert.equal(read.pem, new X509Certificate(root).toString());
  }
});

test('what every program reads is stored as it was sent', () => {
  const certificates = [new X509Certificate(root)];
  for (const text of [root, `about it\n${root}\nafter`, root.replaceAll('\n', '\r\n'), root + root])
    assert.equal(plainPem(text, certificates), text);
});

test('what openssl prints of an authority is read', { skip: opensslMissing }, () => {
  for (const text of [
    openssl(['x509', '-trustout', '-addtrust', 'serverAuth', '-setalias', 'an alias'], root),
    openssl(['x509', '-text'], root),
    pkcs7(root),
    pkcs7(root).replaceAll('PKCS7', 'CMS'),
    base64Of(pkcs7(root)),
  ]) {
    const read = readAuthority(text);
    assert.ok(typeof read !== 'string', `${read}: ${text}`);
    assert.equal(new X509Certificate(read.pem).fingerprint256, new X509Certificate(root).fingerprint256);
  }
  for (const text of [root + intermediate, pkcs7(bundle)]) assert.equal(readAuthority(text), 'caPemSeveral');
  assert.equal(readAuthority(openssl(['pkey', '-pubout'], key)), 'caPemType');
});

test('a certificate and its key are read in each of these forms', () => {
  const keys = [...surroundings(key), ...surroundings(traditionalKey(key, 'sec1')), base64Of(key)];
  const parameters = '-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n';
  for (const text of [
    ...keys,
    parameters + traditionalKey(key, 'sec1'),
    base64Of(traditionalKey(key, 'sec1')),
  ])
    assert.ok(!isCertificateFault(readCertificate(leaf, text)), text);
  for (const text of surroundings(bundle)) {
    const read = readCertificate(text, key);
    assert.ok(!isCertificateFault(read), text);
    assert.deepEqual(subjects(read.certificatePem), ['a.example.com', 'Test Intermediate', 'Test Root']);
  }
});

test('the certificates of PKCS#7, which is a set, are put in order', { skip: opensslMissing }, () => {
  for (const text of [bundle, root + leaf + intermediate, intermediate + root + leaf]) {
    const read = readCertificate(pkcs7(text), key);
    assert.ok(!isCertificateFault(read), JSON.stringify(read));
    assert.deepEqual(subjects(read.certificatePem), ['a.example.com', 'Test Intermediate', 'Test Root']);
    assert.match(read.certificatePem, /^-----BEGIN CERTIFICATE-----\n/);
  }
});

test('bytes that are no certificate are refused', () => {
  const cut = base64Of(root).slice(0, 400);
  for (const text of ['', 'hello', cut, 'AAAA', `MIIB${'A'.repeat(400)}`, 'a,b'])
    assert.equal(readCertificates(text), 'missing');
  for (const label of ['PKCS7', 'CMS', 'TRUSTED CERTIFICATE', 'X509 CERTIFICATE'])
    for (const content of ['', 'QUJD', 'MIIB', cut])
      assert.ok(
        ['missing', 'malformed'].includes(
          String(readCertificates(`-----BEGIN ${label}-----\n${content}\n-----END ${label}-----\n`)),
        ),
      );
});
