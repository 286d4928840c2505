import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resourceTables } from '@underpass/client/operations';
import { resourceOf, verbOf } from './catalogue.ts';
import { applicableFields } from './documents.ts';
import { differencesOf, writableOf } from './shape.ts';

const ref = (id: string) => ({ id, uri: `https://x/${id}` });
const fieldsOf = (kind: string) => applicableFields(resourceOf(kind));
const EDGE = {
  id: 'edgtls_1',
  description: '',
  hostports: ['a.example.com:443'],
  backend: { enabled: true, backend: ref('bkdtg_1') },
  ip_restriction: { enabled: false, ip_policies: [ref('ipp_1'), ref('ipp_2')] },
  mutual_tls: null,
};

test('a resource in the form of a request has ids in place of references', () => {
  assert.deepEqual(writableOf(fieldsOf('tls_edge'), EDGE), {
    description: '',
    hostports: ['a.example.com:443'],
    backend: { enabled: true, backend_id: 'bkdtg_1' },
    ip_restriction: { enabled: false, ip_policy_ids: ['ipp_1', 'ipp_2'] },
    mutual_tls: null,
  });
});

test('defaults, unset values and spellings that mean the same are no differences', () => {
  const paths = (kind: string, body: object, item: object) =>
    differencesOf(fieldsOf(kind), { ...body }, { ...item }).map(({ path }) => path);
  assert.deepEqual(paths('tls_edge', { backend: { backend_id: 'bkdtg_1' }, description: null }, EDGE), []);
  assert.deepEqual(paths('tls_edge', { hostports: ['A.Example.com.:443'], metadata: '' }, EDGE), []);
  assert.deepEqual(paths('tls_edge', { ip_restriction: { ip_policy_ids: ['ipp_2', 'ipp_1'] } }, EDGE), [
    'ip_restriction.enabled',
    'ip_restriction.ip_policy_ids',
  ]);
  assert.deepEqual(paths('tls_edge', { mutual_tls: {} }, EDGE), ['mutual_tls']);
  const response = { status_code: 200, headers: { 'x-a': '1' }, body: 'x' };
  assert.deepEqual(paths('http_response_backend', { status_code: 0, headers: { 'X-A': '1' } }, response), []);
  assert.deepEqual(paths('http_response_backend', { body: '' }, response), ['body']);
  const oidc = { oidc: { issuer: 'https://a', client_id: 'a', client_secret: '', scopes: [] } };
  assert.deepEqual(
    paths('https_edge_route', { oidc: { issuer: 'https://a', client_id: 'a', client_secret: 's' } }, oidc),
    [],
  );
});

test('a field of a reference has the name of what shows it, and _id or _ids', () => {
  for (const resource of resourceTables)
    for (const field of verbOf(resource, 'update')?.fields ?? [])
      if (field.refersTo !== undefined && field.type === 'string') assert.match(field.name, /_id$/);
});
