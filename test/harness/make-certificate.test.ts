import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isAuthority, makeCertificate, selfSigned } from './make-certificate.ts';
import { missingPrograms } from './missing.ts';

const kinds = ['ec', 'rsa', 'small rsa', 'largest rsa', 'too large rsa', 'ed25519', 'ed448'] as const;

for (const key of kinds) {
  test(`a certificate with the key ${key} is signed by its own and by another key`, () => {
    const authority = makeCertificate({ subject: '/CN=Root', key, extensions: isAuthority });
    const leaf = makeCertificate({ subject: '/C=DE/O=Example/CN=Ada, Müller', key, signer: authority });
    const [root, read] = [new X509Certificate(authority.pem), new X509Certificate(leaf.pem)];
    assert.ok(root.verify(root.publicKey));
    assert.ok(root.ca);
    assert.ok(read.verify(root.publicKey));
    assert.ok(!read.verify(read.publicKey));
    assert.ok(read.checkIssued(root));
    assert.ok(read.checkPrivateKey(createPrivateKey(leaf.key)));
    assert.equal(read.subject, 'C=DE\nO=Example\nCN=Ada\\, Müller');
    assert.equal(read.issuer, 'CN=Root');
  });
}

test('names, uses, dates and the serial number are as they were given', () => {
  const names = 'DNS:a.example,DNS:*.b.example,email:a@b.example,URI:x://y,IP:10.0.0.1,IP:2001:db8::1,IP:::1';
  const { pem } = makeCertificate({
    subject: '/CN=a',
    extensions: [
      `subjectAltName=${names}`,
      'extendedKeyUsage=serverAuth,1.2.3.4',
      'keyUsage=critical,keyAgreement',
    ],
    days: -1,
    serial: '0a0b',
  });
  const read = new X509Certificate(pem);
  assert.equal(
    read.subjectAltName,
    'DNS:a.example, DNS:*.b.example, email:a@b.example, URI:x://y, ' +
      'IP Address:10.0.0.1, IP Address:2001:DB8:0:0:0:0:0:1, IP Address:0:0:0:0:0:0:0:1',
  );
  assert.deepEqual(read.keyUsage, ['1.3.6.1.5.5.7.3.1', '1.2.3.4']);
  assert.equal(read.serialNumber, '0A0B');
  assert.ok(read.validToDate.getTime() < Date.now());
  assert.equal(
    new X509Certificate(selfSigned('x.example', 'y.example').pem).subjectAltName,
    'DNS:x.example, DNS:y.example',
  );
});

test('openssl reads them, strictly', { skip: missingPrograms('openssl') }, (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'underpass-made-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const root = makeCertificate({ subject: '/CN=Root', extensions: isAuthority });
  const { pem } = makeCertificate({
    subject: '/CN=a.example',
    extensions: ['keyUsage=critical,digitalSignature,keyEncipherment', 'subjectAltName=DNS:a.example'],
    signer: root,
  });
  writeFileSync(join(folder, 'root.pem'), root.pem);
  writeFileSync(join(folder, 'leaf.pem'), pem);
  const openssl = (args: string) =>
    execFileSync('openssl', args.split(' '), { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  assert.match(openssl('verify -CAfile root.pem -verify_hostname a.example leaf.pem'), /OK/);
  const said = openssl('x509 -in leaf.pem -noout -text');
  assert.match(said, /Key Usage: critical\s+Digital Signature, Key Encipherment\n/);
  assert.match(openssl('x509 -in root.pem -noout -text'), /Certificate Sign, CRL Sign\n/);
});
