import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureOf } from './acme-failure.ts';

const refused = (status: number, type: string) =>
  failureOf({ type: `urn:ietf:params:acme:error:${type}` }, 'refused', { status });

test('types of RFC 8555 errors are final if waiting does not help', () => {
  for (const [status, type, isLasting] of [
    [400, 'badCSR', true],
    [400, 'badPublicKey', true],
    [400, 'badSignatureAlgorithm', true],
    [400, 'invalidContact', true],
    [400, 'unsupportedContact', true],
    [400, 'malformed', true],
    [400, 'rejectedIdentifier', true],
    [400, 'unsupportedIdentifier', true],
    [403, 'externalAccountRequired', true],
    [403, 'userActionRequired', true],
    [400, 'unheardOf', true],
    [400, '', true],
    [404, '', true],
    [400, 'badNonce', false],
    [429, 'rateLimited', false],
    [403, 'rateLimited', false],
    [500, 'serverInternal', false],
    [503, '', false],
    [408, '', false],
    [403, 'unauthorized', false],
    [400, 'dns', false],
    [400, 'connection', false],
    [403, 'caa', false],
    [403, 'orderNotReady', false],
    [0, '', false],
  ] as const)
    assert.equal(refused(status, type).isLasting, isLasting, `${status} ${type}`);
});
