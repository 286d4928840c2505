/** Tests of the selections of certificates. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CERTIFICATES, DOMAINS, listPath } from './choices.ts';

const now = Date.parse('2026-01-10T12:00:00Z');
const filterOf = (path: string) => new URLSearchParams(path.split('?')[1]).get('filter');

test('a selection is a filter of the API, with times in seconds', () => {
  const path = (show: string) => listPath('/tls_certificates', CERTIFICATES, show, '', now);
  assert.equal(path(''), '/tls_certificates?limit=100');
  assert.equal(filterOf(path('ended')), 'not_after < 2026-01-10T12:00:00Z');
  assert.equal(filterOf(path('soon')), 'not_after < 2026-02-09T12:00:00Z');
  assert.equal(filterOf(listPath('/reserved_domains', DOMAINS, '', '', now)), 'cname_target != null');
});

test('an unknown selection of an address is the first one, and a search is encoded', () => {
  assert.equal(
    listPath('/tls_certificates', CERTIFICATES, 'toString', 'a&b', now),
    '/tls_certificates?limit=100&q=a%26b',
  );
});
