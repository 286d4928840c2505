import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adviceOf, adviceOffline } from './advice.ts';
import { Refused } from './refused.ts';

const ALTNAME = 'ERR_TLS_CERT_ALTNAME_INVALID';

test('of a certificate for other names the host for agents is given, with the port that was dialled', () => {
  const told = (names: string) => adviceOf(new Refused('certificate', names, ALTNAME), 0, 'localhost:8443');
  assert.match(
    told("Host: localhost. is not in the cert's altnames: DNS:*.example.com"),
    / as --server connect\.example\.com:8443\.$/,
  );
  assert.match(told('altnames: DNS:other.example'), / with --server: connect\.DOMAIN\.$/);
});

test('what the service refuses for a while has its own remedy, and no other one', () => {
  const place = { server: 'a:1' };
  const limit = 'The account has 1 agent sessions online. Stop agents.\n\nERR_SERVICE_108';
  assert.equal(adviceOffline({ failures: 9, reason: limit }, place), null);
  assert.match(adviceOffline({ failures: 9, reason: 'connection refused' }, place) ?? '', /diagnose/);
  assert.equal(adviceOffline({ failures: 1, reason: 'connection refused' }, place), null);
});
