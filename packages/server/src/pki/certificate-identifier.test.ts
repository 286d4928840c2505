import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { certificateIdentifier, identifierOf } from './certificate-identifier.ts';
import { makeChain } from './certificates.fixture.ts';

test('a certificate is called by the key of its issuer and its number, as in the example of the RFC', () => {
  const expected = 'aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE';
  assert.equal(identifierOf('69885b6b87464041e1b37b847ba0ae2cde01c8d4', '87654321'), expected);
  assert.equal(identifierOf('69885b6b87464041e1b37b847ba0ae2cde01c8d4', '0087654321'), expected);
});

test('of a chain it is the leaf that is called so', () => {
  const { leaf, intermediate } = makeChain('www.example.com');
  const identifier = certificateIdentifier(leaf + intermediate);
  const serial = Buffer.from(identifier?.split('.')[1] ?? '', 'base64url').toString('hex');
  assert.equal(BigInt(`0x${serial}`), BigInt(`0x${new X509Certificate(leaf).serialNumber}`));
});
