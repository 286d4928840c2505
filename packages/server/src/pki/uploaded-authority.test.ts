import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { makeChain } from './certificates.fixture.ts';
import { readAuthority } from './uploaded-authority.ts';

const { root, intermediate, leaf, key } = makeChain('a.example.com');

test('the facts of a CA are read from its certificate', () => {
  const { validFromDate, validToDate } = new X509Certificate(root);
  const seconds = (time: Date) => `${time.toISOString().slice(0, 19)}Z`;
  const text = `explanation\r\n${root.replaceAll('\n', '\r\n')}`;
  const facts = {
    subject_common_name: 'Test Root',
    not_before: seconds(validFromDate),
    not_after: seconds(validToDate),
    key_usages: ['CertSign', 'CRLSign'],
    extended_key_usages: [],
  };
  assert.deepEqual(readAuthority(text), { facts, pem: text });
});

test('what is not one certificate of a CA is refused, each for its reason', () => {
  const withHeaders = root.replace('\n', '\nComment: x\n\n');
  const garbage = '-----BEGIN CERTIFICATE-----\nQUJD\n-----END CERTIFICATE-----\n';
  const cases: [string, string][] = [
    ['', 'caPemMissing'],
    [' \n', 'caPemMissing'],
    ['hello', 'caPemMalformed'],
    [root.slice(0, -30), 'caPemMalformed'],
    [garbage, 'caPemMalformed'],
    [key, 'caPemType'],
    [root + key, 'caPemType'],
    [withHeaders, 'caPemHeaders'],
    [root + intermediate, 'caPemSeveral'],
    [leaf, 'caPemNotAuthority'],
  ];
  for (const [pem, error] of cases) assert.equal(readAuthority(pem), error, pem);
});

test('an authority with an RSA key of 4096 bits is taken, one with a larger key is not', () => {
  const largest = makeChain('a.example.com', { authorityKey: 'largest rsa' });
  assert.equal(typeof readAuthority(largest.root), 'object');
  const larger = makeChain('a.example.com', { authorityKey: 'too large rsa' });
  assert.equal(readAuthority(larger.root), 'caKeyTooLarge');
});
