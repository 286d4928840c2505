import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectionAdvice } from './connection-advice.ts';

test('a request without a response has a remedy, unless only another attempt can help', () => {
  for (const [code, remedy] of [
    ['ECONNREFUSED', /^Check that the daemon runs/],
    ['ENOTFOUND', /^Check the name/],
    ['SELF_SIGNED_CERT_IN_CHAIN', /^Give the authority .*--ca FILE.*--ca-fingerprint/],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /^Give the authority/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', /--api-url/],
    ['CERT_NOT_YET_VALID', /clock/],
  ] as const)
    assert.match(connectionAdvice({ code }) ?? '', remedy, code);
  for (const code of ['TIMEOUT', 'ECONNRESET', 'ERR_CA_FINGERPRINT_MISMATCH'])
    assert.equal(connectionAdvice({ code }), null, code);
});
