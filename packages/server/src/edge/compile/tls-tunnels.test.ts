import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Hostname, isFault, parseHostname } from '../../core/names/hostname.ts';
import type { TunnelTermination } from '../../online/online.ts';
import { factsAt, tunnelOf } from '../../online/tunnels.fixture.ts';
import { configurationDocument, configuredReservation, put } from '../documents.fixture.ts';
import type { Site } from '../sites/site.ts';
import { SiteTable } from './site-table.ts';

const at = hostname('db.example.com');
const own: TunnelTermination = { certificate: null };
const given: TunnelTermination = { certificate: { name: 'digest', cert: 'CERT', key: 'KEY' } };

function hostname(text: string): Hostname {
  const name = parseHostname(text);
  assert.ok(!isFault(name));
  return name;
}

/** The site of a TLS tunnel on a reservation whose endpoint configuration has these modules. */
function siteOf(termination: TunnelTermination | null, modules: object | null = null): Site {
  const tunnel = tunnelOf(factsAt(at, { endpoint: { proto: 'tls' } }), { termination });
  const table = new SiteTable({
    online: {
      byName: (name) => (name === at ? tunnel : undefined),
      onNamed: () => {},
      heldFor: () => undefined,
      matching: () => [],
    },
  });
  if (modules !== null) {
    table.apply([
      put(configurationDocument('ec_1', modules)),
      put(configuredReservation('rd_1', at, 'ec_1')),
    ]);
  }
  const site = table.lookup(at);
  assert.ok(site !== undefined);
  return site;
}

function refusalOf(site: Site): string | null {
  return site.route('').refusal;
}

test('TLS passes through a tunnel without termination, and is ended with the certificate that it asks for', () => {
  for (const [termination, certificate] of [
    [own, undefined],
    [given, given.certificate],
  ] as const) {
    const site = siteOf(termination);
    assert.deepEqual([site.carries, site.edgeType, refusalOf(site)], ['bytes', '0', null]);
    assert.equal(site.tls?.certificate, certificate ?? undefined);
  }
  assert.equal(siteOf(null).tls, null);
  assert.equal(siteOf(null).carries, 'bytes');
  const keys = [siteOf(own), siteOf(given)].map(({ tls }) => tls?.key);
  assert.equal(new Set(keys).size, 2, 'sessions of one are not resumed under the other');
});

test('a configuration that would be without effect on a TLS tunnel refuses traffic', () => {
  const atEdge = { tls_termination: { enabled: true, terminate_at: 'edge', min_version: '1.3' } };
  const atUpstream = { tls_termination: { enabled: true, terminate_at: 'upstream', min_version: '' } };
  const mutual = { mutual_tls: { enabled: true, certificate_authority_ids: [] } };
  const restricted = { ip_restriction: { enabled: true, ip_policy_ids: [] } };
  const effects = 'moduleWithoutEffect';
  for (const [what, modules, passing, ended] of [
    ['nothing', {}, null, null],
    ['a place to end it', atEdge, effects, null],
    ['that it passes', atUpstream, null, effects],
    ['certificates of visitors', mutual, effects, null],
    ['addresses of visitors', restricted, null, null],
    ['compression', { compression: { enabled: true } }, effects, effects],
    ['headers', { request_headers: { enabled: true, add: {}, remove: ['a'] } }, effects, effects],
    ['circuits', { circuit_breaker: breaker }, effects, effects],
    ['conversion', { websocket_tcp_converter: { enabled: true } }, effects, effects],
    ['user agents', { user_agent_filter: { enabled: true, allow: ['a'], deny: [] } }, effects, effects],
  ] as const) {
    assert.equal(refusalOf(siteOf(null, modules)), passing, `${what}, passing`);
    assert.equal(refusalOf(siteOf(own, modules)), ended, `${what}, ended here`);
  }
  assert.equal(siteOf(own, atEdge).tls?.minVersion, 'TLSv1.3');
  assert.deepEqual(siteOf(own, mutual).tls?.clientAuthorities, []);
});

const breaker = {
  enabled: true,
  tripped_duration: 10,
  rolling_window: 10,
  num_buckets: 10,
  volume_threshold: 10,
  error_threshold_percentage: 0.5,
};
