/** Tests of the warnings of an account. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { warningCodes } from '../../resources/standalone/warning.ts';
import type { FactName, FactsByKind } from './facts.ts';
import type { AccountFacts } from './inventory.ts';
import { type WarningContext, warningsOf } from './warnings.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 0, 1);
const USUAL: WarningContext = {
  ...{ now: NOW, isOnline: () => true, hasTunnel: () => true, hasAuthority: true, requiresProof: true },
};
type Given = { readonly [Name in FactName]?: Readonly<Record<string, FactsByKind[Name]>> };

function factsOf(given: Given): AccountFacts {
  const table = <Name extends FactName>(name: Name) => new Map(Object.entries(given[name] ?? {}));
  return {
    reserved_domain: table('reserved_domain') as AccountFacts['reserved_domain'],
    reserved_addr: table('reserved_addr') as AccountFacts['reserved_addr'],
    edge: table('edge') as AccountFacts['edge'],
    https_edge_route: table('https_edge_route') as AccountFacts['https_edge_route'],
    tunnel_group_backend: table('tunnel_group_backend') as AccountFacts['tunnel_group_backend'],
    tls_certificate: table('tls_certificate') as AccountFacts['tls_certificate'],
    event_destination: table('event_destination') as AccountFacts['event_destination'],
    event_delivery: table('event_delivery') as AccountFacts['event_delivery'],
    event_subscription: table('event_subscription') as AccountFacts['event_subscription'],
    ip_restriction: table('ip_restriction') as AccountFacts['ip_restriction'],
    domain_proof: table('domain_proof') as AccountFacts['domain_proof'],
  };
}

function found(given: Given, context: Partial<WarningContext> = {}): readonly string[] {
  return warningsOf(factsOf(given), { ...USUAL, ...context }).map(
    ({ code, resource }) => `${code} ${resource?.id}`,
  );
}

const domain = { name: 'a.example.com', isCustom: true, certificate: null, managed: null };
const edge = { kind: 'tls_edge', names: ['a.example.com'], reservations: ['rd_1'], backend: 'bk_1' } as const;

test('an account in order has no warnings', () => {
  const facts: Given = {
    reserved_domain: {
      rd_1: { ...domain, certificate: 'cert_1', managed: { renewsAt: NOW + DAY, failure: null } },
    },
    tls_certificate: { cert_1: { name: 'a.example.com', notAfter: NOW + 60 * DAY } },
    edge: { e_1: edge, e_2: { ...edge, kind: 'https_edge', backend: null } },
    https_edge_route: { r_1: { edge: 'e_2', match: '/', backend: 'bk_2' } },
    tunnel_group_backend: { bk_2: { labels: new Map([['a', 'b']]) } },
    event_destination: { ed_1: { description: '' } },
    event_delivery: { ey_1: { destination: 'ed_1', attempts: 2, error: 'busy' } },
    event_subscription: { es_1: { sources: 1, destinations: 1 } },
    ip_restriction: { ipx_1: { type: 'api', isEnforced: true } },
    domain_proof: { dp_1: { domain: 'rd_1', isProven: true } },
  };
  assert.deepEqual(found(facts), []);
});

test('certificates: the end, the failure and the authority', () => {
  const managed = { renewsAt: null, failure: null };
  const certificate = (days: number, isManaged = false): Given => ({
    reserved_domain: { rd_1: { ...domain, certificate: 'c', managed: isManaged ? managed : null } },
    tls_certificate: { c: { name: 'a', notAfter: NOW + days * DAY } },
  });
  assert.deepEqual(found(certificate(22)), []);
  assert.deepEqual(found(certificate(21)), ['certificate_ends rd_1']);
  assert.deepEqual(found(certificate(0)), ['certificate_ended rd_1']);
  assert.deepEqual(found(certificate(8, true)), []);
  assert.deepEqual(found(certificate(6, true)), ['certificate_ends rd_1']);
  const failure = { code: 'DNS_ERROR', msg: 'there is no CNAME' };
  const failed = { reserved_domain: { rd_1: { ...domain, managed: { renewsAt: null, failure } } } };
  assert.deepEqual(found(failed), ['certificate_failed rd_1']);
  assert.deepEqual(found(failed, { hasAuthority: false }), [
    'certificate_failed rd_1',
    'certificate_without_authority rd_1',
  ]);
  assert.deepEqual(found({ tls_certificate: { c: { name: 'a', notAfter: NOW + 99 * DAY } } }), [
    'certificate_unused c',
  ]);
});

test('names: without an agent, and without a proof', () => {
  const facts: Given = {
    reserved_domain: { rd_1: domain, rd_2: { ...domain, name: 'b.example.com' } },
    reserved_addr: { ra_1: { name: 'tcp.example.com:20000' } },
    domain_proof: { dp_1: { domain: 'rd_1', isProven: false } },
  };
  assert.deepEqual(found(facts), ['domain_not_proven rd_1']);
  assert.deepEqual(found(facts, { requiresProof: false }), []);
  assert.deepEqual(found(facts, { requiresProof: false, isOnline: (name) => name === 'b.example.com' }), [
    'name_without_agent rd_1',
    'name_without_agent ra_1',
  ]);
  const served = { ...facts, edge: { e_1: { ...edge, reservations: ['rd_1', 'rd_2', 'ra_1'] } } };
  assert.deepEqual(found(served, { requiresProof: false, isOnline: () => false }), []);
});

test('edges and routes: without a name, a route, a backend and an agent', () => {
  const facts: Given = {
    edge: {
      e_1: { ...edge, names: [] },
      e_2: { ...edge, backend: null },
      e_3: { ...edge, kind: 'https_edge', backend: null },
      e_4: { ...edge, kind: 'https_edge', backend: null },
    },
    https_edge_route: {
      r_1: { edge: 'e_4', match: '/', backend: null },
      r_2: { edge: 'e_4', match: '/a', backend: 'bk_2' },
    },
    tunnel_group_backend: { bk_2: { labels: new Map([['app', 'web']]) } },
  };
  assert.deepEqual(found(facts, { hasTunnel: () => false }), [
    'backend_without_agent r_2',
    'edge_without_name e_1',
    'edge_without_backend e_2',
    'edge_without_route e_3',
    'route_without_backend r_1',
  ]);
  const [first] = warningsOf(factsOf(facts), { ...USUAL, hasTunnel: () => false });
  assert.deepEqual(
    [first?.resource?.parent, first?.msg],
    ['e_4', 'No agent is online with the labels app=web.'],
  );
});

test('events and restrictions', () => {
  const facts: Given = {
    event_destination: { ed_1: { description: 'audit' } },
    event_delivery: {
      ey_1: { destination: 'ed_1', attempts: 3, error: 'refused' },
      ey_2: { destination: 'ed_gone', attempts: 9, error: 'refused' },
    },
    event_subscription: { es_1: { sources: 0, destinations: 0 } },
    ip_restriction: { ipx_1: { type: 'api', isEnforced: false } },
  };
  assert.deepEqual(found(facts), [
    'event_target_failing ed_1',
    'restriction_not_enforced ipx_1',
    'subscription_without_destination es_1',
    'subscription_without_source es_1',
  ]);
});

test('every sentence ends, and every code has a meaning', () => {
  for (const meaning of Object.values(warningCodes)) assert.match(meaning, /^[A-Z].*\.$/);
});
