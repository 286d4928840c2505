import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TlsEdgeDocument } from '../documents/index.ts';
import {
  atEdge,
  backedBy,
  backendsWithoutEffect,
  edgeDocument,
  groupDocument,
  httpsEdgeDocument,
  responseDocument,
} from './documents.fixture.ts';
import { resolveTarget, type StoredBackend } from './resolve-target.ts';
import type { Target } from './target.ts';

const group = groupDocument('bkdtg_1', { app: 'web', __proto__x: 'y' });
const response = responseDocument('bkdhr_1', 'grüß', { 'content-type': 'text/plain' });

function resolve(modules: Partial<TlsEdgeDocument>, backend: StoredBackend | undefined = group): Target {
  return resolveTarget(
    edgeDocument('edgtls_1', ['a.example.com'], { backend: backedBy('bkdtg_1'), ...modules }),
    backend,
  );
}

test('an edge without TLS termination passes TLS through', () => {
  assert.equal(resolve({}).termination, null);
  assert.equal(resolve({ tls_termination: { ...atEdge, enabled: false } }).termination, null);
  assert.equal(resolve({ tls_termination: { ...atEdge, terminate_at: 'upstream' } }).termination, null);
  assert.equal(resolve({}).refusal, null);
});

test('each minimum version has a termination of its own', () => {
  const keys = new Set<string>();
  for (const [min_version, minVersion] of [
    ['1.0', 'TLSv1'],
    ['1.1', 'TLSv1.1'],
    ['1.2', 'TLSv1.2'],
    ['1.3', 'TLSv1.3'],
  ] as const) {
    const { termination } = resolve({ tls_termination: { ...atEdge, min_version } });
    assert.equal(termination?.minVersion, minVersion);
    keys.add(termination.key);
  }
  assert.equal(keys.size, 4);
  assert.equal(resolve({ tls_termination: atEdge }).termination?.minVersion, 'TLSv1.2');
  const other = resolveTarget(edgeDocument('edgtls_2', [], { tls_termination: atEdge }), undefined);
  assert.notEqual(other.termination?.key, resolve({ tls_termination: atEdge }).termination?.key);
});

test('an edge serves nothing while it carries a module without effect', () => {
  const mutual = { enabled: true, certificate_authority_ids: ['ca_1'] };
  assert.equal(resolve({ mutual_tls: mutual, tls_termination: atEdge }).refusal, 'moduleWithoutEffect');
  assert.equal(resolve({ mutual_tls: mutual, backend: null }).refusal, 'moduleWithoutEffect');
  assert.equal(resolve({ mutual_tls: { ...mutual, enabled: false } }).refusal, null);
});

test('an edge without a backend that could answer says so', () => {
  assert.equal(resolve({ backend: null }).refusal, 'edgeWithoutBackend');
  assert.equal(resolve({ backend: { enabled: false, backend_id: 'bkdtg_1' } }).refusal, 'edgeWithoutBackend');
  const dangling = resolveTarget(edgeDocument('edgtls_1', [], { backend: backedBy('bkdtg_9') }), undefined);
  assert.equal(dangling.refusal, 'edgeWithoutBackend');
  assert.equal(dangling.backend, null);
});

test('an edge whose backend has no effect yet serves nothing, and says why', () => {
  for (const backend of backendsWithoutEffect) {
    for (const tls_termination of [atEdge, null]) {
      const target = resolve({ tls_termination }, backend);
      assert.equal(target.refusal, 'backendWithoutEffect', backend.kind);
      assert.equal(target.backend, null);
    }
    const disabled = resolve({ backend: { ...backedBy('bkdtg_1'), enabled: false } }, backend);
    assert.equal(disabled.refusal, 'edgeWithoutBackend');
  }
});

test('a fixed response needs an edge that terminates TLS', () => {
  assert.equal(resolve({}, response).refusal, 'fixedResponseNotTerminated');
  const served = resolve({ tls_termination: atEdge }, response);
  assert.equal(served.refusal, null);
  assert.deepEqual(served.backend, {
    kind: 'http_response',
    status: 200,
    headers: [['content-type', 'text/plain']],
    body: Buffer.from('grüß', 'utf8'),
  });
});

test('a tunnel group is matched within its own account', () => {
  const { backend, id, account, edgeType } = resolve({});
  assert.deepEqual(backend, {
    kind: 'tunnel_group',
    account: 'ac_1',
    labels: new Map([
      ['app', 'web'],
      ['__proto__x', 'y'],
    ]),
  });
  assert.deepEqual({ id, account, edgeType }, { id: 'edgtls_1', account: 'ac_1', edgeType: '2' });
});

test('an HTTPS edge terminates TLS from its minimum version on, and answers that it carries no traffic', () => {
  const mutual_tls = { enabled: true, certificate_authority_ids: ['ca_1'] };
  for (const [modules, minVersion] of [
    [{}, 'TLSv1.2'],
    [{ mutual_tls }, 'TLSv1.2'],
    [{ tls_termination: { enabled: true, min_version: '' } }, 'TLSv1.2'],
    [{ tls_termination: { enabled: true, min_version: '1.0' } }, 'TLSv1'],
    [{ tls_termination: { enabled: true, min_version: '1.3' } }, 'TLSv1.3'],
    [{ tls_termination: { enabled: false, min_version: '1.3' } }, 'TLSv1.2'],
  ] as const) {
    assert.deepEqual(resolveTarget(httpsEdgeDocument('edghts_1', [], modules), undefined), {
      id: 'edghts_1',
      account: 'ac_1',
      edgeType: '3',
      termination: { key: `edghts_1/${minVersion}`, minVersion },
      refusal: 'httpsEdgeWithoutEffect',
      backend: null,
    });
  }
});
