import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hostname } from '../../core/names/hostname.ts';
import {
  atEdge,
  backedBy,
  edgeDocument,
  gone,
  groupDocument,
  put,
  ruleDocument,
} from '../documents.fixture.ts';
import { testConnection } from '../sites/connection-facts.fixture.ts';
import { SiteTable } from './site-table.ts';

const group = groupDocument('bkdtg_1', { app: 'web' });
const ipp = (...ids: string[]) => ({ enabled: true, ip_policy_ids: ids });

function restricted(ip_restriction: ReturnType<typeof ipp> | null, description = '') {
  const modules = { backend: backedBy('bkdtg_1'), tls_termination: atEdge, description };
  return edgeDocument('edgtls_1', ['a.example.com'], { ...modules, ip_restriction });
}

function open(...documents: Parameters<SiteTable['reset']>[0]) {
  const table = new SiteTable({
    online: { byName: () => undefined, onNamed: () => {}, heldFor: () => undefined, matching: () => [] },
  });
  table.reset([...documents, group]);
  let changes = 0;
  table.onChange(() => {
    changes += 1;
  });
  const route = () => {
    const found = table.lookup('a.example.com' as Hostname)?.route('');
    assert.ok(typeof found === 'object');
    return found;
  };
  return {
    table,
    route,
    changes: () => changes,
    says: (address: string) => {
      const { guards } = route();
      if (guards.length === 0) return 'open';
      const clientAddr = address.includes(':') ? `[${address}]:1` : `${address}:1`;
      const facts = testConnection({ clientAddr });
      const refused = guards.some((guard) => guard.reads === 'connection' && guard.check(facts) !== null);
      return refused ? 'deny' : 'allow';
    },
  };
}

test('an edge is open without the module and while it is off, and shut while its policies have no rules', () => {
  const { table, says, route } = open(restricted(null));
  assert.equal(says('127.0.0.1'), 'open');
  table.apply([put(restricted(ipp('ipp_1')))]);
  assert.equal(says('127.0.0.1'), 'deny');
  assert.equal(route().refusal, null);
  table.apply([put(restricted({ ...ipp('ipp_1'), enabled: false }))]);
  assert.equal(says('127.0.0.1'), 'open');
});

test('rules of all policies of the edge count together, whichever came first', () => {
  const allow = ruleDocument('ipr_1', 'ipp_1', 'allow', '127.0.0.0/8');
  const deny = ruleDocument('ipr_2', 'ipp_2', 'deny', '127.0.0.2/32');
  const other = ruleDocument('ipr_3', 'ipp_3', 'allow', '::/0');
  for (const documents of [
    [allow, deny, other, restricted(ipp('ipp_1', 'ipp_2'))],
    [restricted(ipp('ipp_1', 'ipp_2')), other, deny, allow],
  ]) {
    const { says } = open(...documents);
    assert.deepEqual(['127.0.0.1', '127.0.0.2', '::1'].map(says), ['allow', 'deny', 'deny']);
  }
});

test('a rule that is added, changed or removed applies at once, and what serves stays the same', () => {
  const { table, says, route, changes } = open(restricted(ipp('ipp_1')));
  const { backend } = route();
  const rule = ruleDocument('ipr_1', 'ipp_1', 'allow', '127.0.0.0/8');
  table.apply([put(rule)]);
  assert.equal(says('127.0.0.1'), 'allow');
  table.apply([put(ruleDocument('ipr_1', 'ipp_1', 'allow', '10.0.0.0/8'))]);
  assert.equal(says('127.0.0.1'), 'deny');
  assert.equal(says('10.0.0.1'), 'allow');
  assert.equal(changes(), 2);
  table.apply([gone(rule)]);
  assert.equal(says('10.0.0.1'), 'deny');
  assert.equal(changes(), 3);
  assert.equal(route().backend, backend);
});

test('a change that turns no other visitor away keeps the target and notifies no listener', () => {
  const rule = ruleDocument('ipr_1', 'ipp_1', 'allow', '127.0.0.0/8');
  const { table, says, route, changes } = open(rule, restricted(ipp('ipp_1')));
  const before = route();
  table.apply([put(rule), put(ruleDocument('ipr_9', 'ipp_9', 'deny', '0.0.0.0/0'))]);
  table.apply([put(restricted(ipp('ipp_1'), 'described'))]);
  table.reset([restricted(ipp('ipp_1')), rule, group]);
  assert.equal(route(), before);
  assert.equal(changes(), 0);
  table.reset([restricted(ipp('ipp_1')), group]);
  assert.equal(says('127.0.0.1'), 'deny');
});
