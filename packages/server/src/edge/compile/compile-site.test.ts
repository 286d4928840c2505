import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpsEdgeDocument, TlsEdgeDocument } from '../../documents/index.ts';
import { httpResponseBackend } from '../backends/http-response-backend.ts';
import { unservedBackend } from '../backends/unserved-backend.ts';
import { atEdge, backedBy, edgeDocument, httpsEdgeDocument, responseDocument } from '../documents.fixture.ts';
import type { AccountLook } from './account-restriction.ts';
import { type CompiledSite, compileEdge } from './compile-site.ts';

const response = responseDocument('bkdhr_1', 'hello');
const look: AccountLook = {
  wouldRefuse: () => assert.fail(),
  get: ((_kind: string, id: string) => (id === response.id ? response : undefined)) as AccountLook['get'],
  group: () => [],
  rules: () => assert.fail(),
  secret: () => null,
  login: null,
  backend: (id) =>
    id === response.id ? httpResponseBackend(response) : unservedBackend(id, 'edgeWithoutBackend'),
};

function tlsSite(modules: Partial<TlsEdgeDocument>, id = 'edgtls_1'): CompiledSite {
  const backend = backedBy('bkdtg_1');
  return compileEdge(edgeDocument(id, ['a.example.com'], { backend, ...modules }), look, undefined);
}

function refusalOf(site: CompiledSite): string | null {
  return site.route('').refusal;
}

test('an edge without TLS termination passes TLS through', () => {
  assert.equal(tlsSite({}).tls, null);
  assert.equal(tlsSite({ tls_termination: { ...atEdge, enabled: false } }).tls, null);
  assert.equal(tlsSite({ tls_termination: { ...atEdge, terminate_at: 'upstream' } }).tls, null);
  assert.equal(refusalOf(tlsSite({})), null);
});

test('each minimum version has a policy of its own, and so has each edge', () => {
  const keys = new Set<string>();
  for (const [min_version, minVersion] of [
    ['1.0', 'TLSv1'],
    ['1.1', 'TLSv1.1'],
    ['1.2', 'TLSv1.2'],
    ['1.3', 'TLSv1.3'],
  ] as const) {
    const { tls } = tlsSite({ tls_termination: { ...atEdge, min_version } });
    assert.equal(tls?.minVersion, minVersion);
    keys.add(tls.key);
  }
  assert.equal(keys.size, 4);
  assert.equal(tlsSite({ tls_termination: atEdge }).tls?.minVersion, 'TLSv1.2');
  assert.notEqual(
    tlsSite({ tls_termination: atEdge }, 'edgtls_2').tls?.key,
    tlsSite({ tls_termination: atEdge }).tls?.key,
  );
});

test('an edge that is to see certificates and passes TLS through serves nobody', () => {
  const mutual = { enabled: true, certificate_authority_ids: ['ca_1'] };
  assert.equal(refusalOf(tlsSite({ mutual_tls: mutual })), 'moduleWithoutEffect');
  assert.equal(refusalOf(tlsSite({ mutual_tls: { ...mutual, enabled: false } })), null);
  assert.deepEqual(tlsSite({ mutual_tls: mutual, tls_termination: atEdge }).tls?.clientAuthorities, []);
});

test('a fixed response needs an edge that terminates TLS, and makes it one of HTTP', () => {
  const backend = backedBy('bkdhr_1');
  assert.equal(refusalOf(tlsSite({ backend })), 'fixedResponseNotTerminated');
  const served = tlsSite({ backend, tls_termination: atEdge });
  assert.equal(refusalOf(served), null);
  assert.equal(served.carries, 'http');
  assert.equal(tlsSite({ tls_termination: atEdge }).carries, 'bytes');
});

test('an HTTPS edge terminates TLS from its minimum version on', () => {
  for (const [modules, minVersion] of [
    [{}, 'TLSv1.2'],
    [{ tls_termination: { enabled: true, min_version: '' } }, 'TLSv1.2'],
    [{ tls_termination: { enabled: true, min_version: '1.0' } }, 'TLSv1'],
    [{ tls_termination: { enabled: true, min_version: '1.3' } }, 'TLSv1.3'],
    [{ tls_termination: { enabled: false, min_version: '1.3' } }, 'TLSv1.2'],
  ] as const satisfies readonly [Partial<HttpsEdgeDocument>, string][]) {
    const site = compileEdge(httpsEdgeDocument('edghts_1', [], modules), look, undefined);
    assert.deepEqual(site.tls, { key: `edghts_1/${minVersion}`, minVersion, clientAuthorities: null });
    assert.deepEqual([site.id, site.account, site.edgeType, site.carries], ['edghts_1', 'ac_1', '3', 'http']);
    assert.equal(site.route('/').refusal, 'routeMissing');
  }
});

test('an HTTPS edge with a module that came with a later version serves nobody, whichever route', () => {
  const place = { match_type: 'path_prefix', match: '/', backend: backedBy(response.id) };
  const route = { id: 'edghtsrt_1', kind: 'https_edge_route', account: 'ac_1', body: place };
  const withRoute: AccountLook = { ...look, group: (() => [route]) as unknown as AccountLook['group'] };
  for (const [enabled, refusal] of [
    [true, 'moduleWithoutEffect'],
    [false, null],
  ] as const) {
    const modules = { guard_of_tomorrow: { enabled } } as Partial<HttpsEdgeDocument>;
    const site = compileEdge(httpsEdgeDocument('edghts_1', [], modules), withRoute, undefined);
    assert.equal(site.route('/').refusal, refusal);
  }
});
