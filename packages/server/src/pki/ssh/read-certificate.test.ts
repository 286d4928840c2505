import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type CertificateContent, issueCertificate } from './certificate.ts';
import { isKeyFault, parsePublicKey } from './public-key.ts';
import { readCertificate, type SshCertificate } from './read-certificate.ts';
import {
  generateSigningKey,
  type KeyChoice,
  openSigningKey,
  type SigningKey,
  signBlob,
} from './signing-key.ts';
import { algorithms, newKeyLine } from './ssh-keygen.fixture.ts';
import { isSignedBy, signatureAlgorithms } from './verify.ts';
import { string } from './wire.ts';

const choices: readonly KeyChoice[] = [
  { type: 'ed25519' },
  { type: 'ecdsa', curve: 'nistp256' },
  { type: 'ecdsa', curve: 'nistp384' },
  { type: 'ecdsa', curve: 'nistp521' },
  { type: 'rsa', bits: 2048 },
];
const content: CertificateContent = {
  role: 'user',
  serial: 0xffff_ffff_ffff_fffen,
  keyId: 'sucrt_1',
  principals: ['one', 'zwei ü'],
  validAfter: 1,
  validBefore: 2 ** 40,
  criticalOptions: { 'force-command': 'http', 'source-address': '192.0.2.0/24' },
  extensions: { 'permit-pty': '', 'note@example.com': 'text' },
};

let authorities: readonly SigningKey[];
before(async () => {
  authorities = (await Promise.all(choices.map(generateSigningKey))).map(openSigningKey);
});

function read(line: string): SshCertificate | { readonly fault: string } {
  const [type = '', base64 = ''] = line.split(' ');
  return readCertificate(Buffer.from(base64, 'base64'), type);
}

describe('a certificate', () => {
  for (const algorithm of algorithms) {
    test(`of a key of the type ${algorithm} is read as it was issued, whatever signed it`, () => {
      const subject = parsePublicKey(newKeyLine(algorithm));
      assert.ok(!isKeyFault(subject));
      for (const authority of authorities) {
        const certificate = read(issueCertificate(subject, content, authority));
        const validity = { validAfter: BigInt(content.validAfter), validBefore: BigInt(content.validBefore) };
        assert.deepEqual(certificate, {
          ...content,
          ...validity,
          key: subject,
          authority: authority.publicKey,
        });
      }
    });
  }

  test('with any byte changed, cut off anywhere, or with more behind it, is none', () => {
    const [authority] = authorities as [SigningKey];
    const [type = '', base64 = ''] = issueCertificate(authority.publicKey, content, authority).split(' ');
    const blob = Buffer.from(base64, 'base64');
    for (let at = 0; at < blob.length; at++) {
      const changed = Buffer.from(blob);
      changed[at] = (changed[at] ?? 0) ^ 1;
      assert.ok('fault' in readCertificate(changed, type), `byte ${at}`);
      assert.ok('fault' in readCertificate(blob.subarray(0, at), type), `cut off at ${at}`);
    }
    assert.ok('fault' in readCertificate(Buffer.concat([blob, Buffer.of(0)]), type));
    for (const other of ['ssh-rsa-cert-v01@openssh.com', 'ssh-ed25519', 'constructor-cert-v01@openssh.com'])
      assert.ok('fault' in readCertificate(blob, other), other);
  });
});

describe('a signature', () => {
  const data = Buffer.from('what is signed');

  test('counts for its key, its algorithm and its data alone', () => {
    for (const key of authorities) {
      const signature = signBlob(key, data);
      const own = signatureAlgorithms.filter((name) => isSignedBy(key.publicKey, name, signature, data));
      assert.equal(own.length, 1);
      const [name = ''] = own;
      assert.equal(isSignedBy(key.publicKey, name, signature, Buffer.from('something else')), false);
      assert.equal(isSignedBy(key.publicKey, name, Buffer.concat([signature, Buffer.of(0)]), data), false);
      assert.equal(isSignedBy(key.publicKey, name, Buffer.alloc(0), data), false);
      for (const other of authorities.filter((one) => one !== key))
        assert.equal(isSignedBy(other.publicKey, name, signature, data), false);
    }
  });

  test('of a name that no algorithm has is none', () => {
    const [key] = authorities as [SigningKey];
    for (const name of ['ssh-rsa', 'ssh-dss', 'toString', '__proto__', ''])
      assert.equal(isSignedBy(key.publicKey, name, Buffer.concat([string(name), string('')]), data), false);
  });
});
