import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpsEdgeDocument, TlsEdgeDocument } from '../../documents/index.ts';
import { httpResponseBackend } from '../backends/http-response-backend.ts';
import { unservedBackend } from '../backends/unserved-backend.ts';
import { atEdge, backedBy, edgeDocument, httpsEdgeDocument, responseDocument } from '../documents.fixture.ts';
import type { RouteModuleName } from '../modules/index.ts';
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
  for (const [enabled, refusal] of [
    [true, 'moduleWithoutEffect'],
    [false, null],
  ] as const) {
    const modules = { guard_of_tomorrow: { enabled } } as Partial<HttpsEdgeDocument>;
    const site = siteWith([routeDocument('edghtsrt_1', '/')], modules);
    assert.equal(site.route('/').refusal, refusal);
  }
});

/** Modules as routes have them, and whether each keeps visitors out. */
const modulesOfRoutes = {
  ip_restriction: [{ enabled: true, ip_policy_ids: [] }, true],
  user_agent_filter: [{ enabled: true, allow: [], deny: ['bot'] }, true],
  basic_auth: [{ enabled: true, credentials: [] }, true],
  webhook_verification: [{ enabled: true, provider: 'slack', secret: 'sealed' }, true],
  saml: [{ enabled: true }, true],
  oidc: [{ enabled: true }, true],
  oauth: [{ enabled: true }, true],
  circuit_breaker: [{ enabled: true, error_threshold_percentage: 0.5 }, false],
  websocket_tcp_converter: [{ enabled: true }, false],
  request_headers: [{ enabled: true, add: {}, remove: [] }, false],
  response_headers: [{ enabled: true, add: {}, remove: [] }, false],
  compression: [{ enabled: true }, false],
} as const satisfies Record<RouteModuleName, readonly [object, boolean]>;

function routeDocument(id: string, match: string, modules: object = {}) {
  const body = { match_type: 'path_prefix', match, backend: backedBy(response.id), ...modules };
  return { id, kind: 'https_edge_route', account: 'ac_1', body };
}

function siteWith(routes: readonly object[], modules: Partial<HttpsEdgeDocument> = {}): CompiledSite {
  const group = ((kind: string) => (kind === 'https_edge_route' ? routes : [])) as AccountLook['group'];
  return compileEdge(httpsEdgeDocument('edghts_1', [], modules), { ...look, group }, undefined);
}

test('modules that keep visitors out are the guards that a path must not be read past', () => {
  for (const [name, [config, isGuard]] of Object.entries(modulesOfRoutes)) {
    const site = siteWith([
      routeDocument('edghtsrt_1', '/'),
      routeDocument('edghtsrt_2', '/admin', { [name]: config }),
    ]);
    assert.equal(site.route('/ADMIN').refusal, isGuard ? 'requestPathAmbiguous' : null, name);
    assert.equal(site.route('/admin').id, 'edghtsrt_2', name);
    assert.equal(site.route('/other').isGuarded, isGuard, `${name} on another route`);
    const off = routeDocument('edghtsrt_2', '/admin', { [name]: { ...config, enabled: false } });
    const withoutIt = siteWith([routeDocument('edghtsrt_1', '/'), off]);
    assert.equal(withoutIt.route('/ADMIN').id, 'edghtsrt_1', `${name}, turned off`);
    assert.equal(withoutIt.route('/ADMIN').isGuarded, false, `${name}, turned off`);
  }
});

test('an unknown module counts as a guard, and so does one of the whole edge', () => {
  const tomorrow = { guard_of_tomorrow: { enabled: true } };
  const routes = [routeDocument('edghtsrt_1', '/'), routeDocument('edghtsrt_2', '/admin', tomorrow)];
  assert.equal(siteWith(routes).route('/ADMIN').refusal, 'requestPathAmbiguous');
  const mutual_tls = { enabled: true, certificate_authority_ids: ['ca_1'] };
  const guarded = siteWith([routes[0]!], { mutual_tls });
  assert.equal(guarded.route('/').isGuarded, true);
  assert.equal(siteWith([routes[0]!]).route('/').isGuarded, false);
});

test('the same guard on both routes is no difference, another configuration is one', () => {
  const filter = (deny: string) => ({ user_agent_filter: { enabled: true, allow: [], deny: [deny] } });
  const top = routeDocument('edghtsrt_1', '/', filter('bot'));
  const same = siteWith([top, routeDocument('edghtsrt_2', '/admin', filter('bot'))]);
  assert.equal(same.route('/ADMIN').id, 'edghtsrt_1');
  const other = siteWith([top, routeDocument('edghtsrt_2', '/admin', filter('curl'))]);
  assert.equal(other.route('/ADMIN').refusal, 'requestPathAmbiguous');
});
