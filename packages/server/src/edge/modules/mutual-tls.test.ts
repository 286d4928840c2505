import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testConnection } from '../sites/connection-facts.fixture.ts';
import type { ClientCertificate, ConnectionFacts, RequestFacts } from '../sites/facts.ts';
import { mutualTlsParts } from './mutual-tls.ts';

const on = { enabled: true, certificate_authority_ids: ['ca_1'] };
const ada = { commonName: 'Ada', dnsNames: ['a', 'b'], emailAddresses: [], serialNumber: '0a' };

function connection(clientCertificate: ClientCertificate | null): ConnectionFacts {
  return testConnection({ tls: { version: 'TLSv1.3', cipher: '', clientCertificate } });
}

function verdict(facts: ConnectionFacts): unknown {
  const [guard] = mutualTlsParts(on).guards ?? [];
  assert.ok(guard?.reads === 'connection');
  return guard.check(facts);
}

function fields(facts: ConnectionFacts): unknown {
  const request: RequestFacts = {
    connection: facts,
    method: 'GET',
    target: '/',
    values: () => [],
    decisions: new Map(),
    admittedBy: () => null,
  };
  return mutualTlsParts(on).requestEdits?.flatMap((edit) => edit.add(request, null));
}

test('the module does nothing while it is off', () => {
  assert.deepEqual(mutualTlsParts(null), {});
  assert.deepEqual(mutualTlsParts({ ...on, enabled: false }), {});
});

test('who comes without a certificate is refused, on whatever way', () => {
  assert.equal(verdict(connection(ada)), null);
  assert.equal(verdict(connection(null)), 'clientCertificateMissing');
  assert.equal(verdict({ ...connection(null), tls: null }), 'clientCertificateMissing');
});

test('what the certificate says becomes fields, and what it does not say does not', () => {
  assert.deepEqual(fields(connection(ada)), [
    ['underpass-mtls-subject-cn', 'Ada'],
    ['underpass-mtls-subject-alt-name-dns', 'a,b'],
    ['underpass-mtls-serial-number', '0a'],
  ]);
  assert.deepEqual(fields(connection(null)), []);
});
