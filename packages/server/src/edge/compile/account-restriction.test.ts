import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restrictionDocument } from '../../access/ip-restrictions.fixture.ts';
import type { Hostname } from '../../core/names/hostname.ts';
import type { IpRestrictionDocument } from '../../documents/index.ts';
import {
  backedBy,
  edgeDocument,
  gone,
  groupDocument,
  httpsEdgeDocument,
  put,
  reservation,
  ruleDocument,
  tcpEdgeDocument,
} from '../documents.fixture.ts';
import { testConnection } from '../sites/connection-facts.fixture.ts';
import type { Site } from '../sites/site.ts';
import { type WouldRefuse, wouldRefuseLog } from './account-restriction.ts';
import { SiteTable } from './site-table.ts';

const backend = backedBy('bkdtg_1');
const home = ruleDocument('ipr_1', 'ipp_1', 'allow', '10.0.0.0/8');

/** A name whose tunnel was lost. */
const HELD = 'held.example.com' as Hostname;

function restriction(parts: Partial<IpRestrictionDocument> = {}, account = 'ac_1') {
  const what = { type: 'endpoints', enforced: true, ip_policy_ids: ['ipp_1'], ...parts } as const;
  return restrictionDocument('ipx_1', what, account);
}

function open(...documents: Parameters<SiteTable['reset']>[0]) {
  const told: WouldRefuse[] = [];
  const table = new SiteTable({
    online: {
      byName: () => undefined,
      onNamed: () => {},
      heldFor: (name) => (name === HELD ? 'ac_1' : undefined),
      matching: () => [],
    },
    wouldRefuse: (visitor) => told.push(visitor),
  });
  table.reset([
    groupDocument('bkdtg_1', { app: 'web' }),
    edgeDocument('edgtls_1', ['a.example.com'], { backend }),
    tcpEdgeDocument('edgtcp_1', [20_000], { backend }),
    ...documents,
  ]);
  const verdictAt = (site: Site | undefined, ip: string): unknown => {
    const route = site?.route('');
    assert.ok(typeof route === 'object');
    const facts = testConnection({ clientAddr: `${ip}:1` });
    for (const guard of route.guards) {
      assert.ok(guard.reads === 'connection');
      if (guard.check(facts) !== null) return guard.check(facts);
    }
    return null;
  };
  const says = (ip: string): readonly unknown[] => [
    verdictAt(table.lookup('a.example.com' as Hostname), ip),
    verdictAt(table.atPort(20_000), ip),
  ];
  return { table, told, says, verdictAt };
}

test('every edge of the account lets in only whom the rules allow, and says so at once when they change', () => {
  const { table, says } = open(home, restriction());
  assert.deepEqual(says('10.0.0.1'), [null, null]);
  assert.deepEqual(says('11.0.0.1'), ['sourceRefused', 'sourceRefused']);
  let changes = 0;
  table.onChange(() => {
    changes += 1;
  });
  table.apply([put(ruleDocument('ipr_2', 'ipp_1', 'deny', '10.0.0.1/32'))]);
  assert.deepEqual(says('10.0.0.1'), ['sourceRefused', 'sourceRefused']);
  table.apply([gone(restriction())]);
  assert.deepEqual(says('11.0.0.1'), [null, null]);
  table.apply([put(restriction())]);
  assert.deepEqual(says('11.0.0.1'), ['sourceRefused', 'sourceRefused']);
  assert.equal(changes, 3);
});

test('where nothing serves a name, or a path, it is asked all the same', () => {
  const reserved = reservation('rd_1', 'reserved.example.com');
  const { table, verdictAt } = open(
    home,
    restriction(),
    reserved,
    httpsEdgeDocument('edghts_1', ['b.example.com']),
  );
  for (const name of [HELD, 'reserved.example.com', 'b.example.com'] as Hostname[]) {
    assert.equal(verdictAt(table.lookup(name), '10.0.0.1'), null);
    assert.equal(verdictAt(table.lookup(name), '11.0.0.1'), 'sourceRefused', name);
  }
  table.apply([gone(restriction())]);
  assert.equal(verdictAt(table.lookup('reserved.example.com' as Hostname), '11.0.0.1'), null);
});

test('restrictions of other types and of other accounts are not for visitors', () => {
  for (const type of ['api', 'agent', 'dashboard'] as const)
    assert.deepEqual(open(restriction({ type })).says('11.0.0.1'), [null, null]);
  assert.deepEqual(open(restriction({}, 'ac_2')).says('11.0.0.1'), [null, null]);
});

test('a restriction that is not enforced refuses nobody, and says whom it would', () => {
  const { says, told } = open(home, restriction({ enforced: false }));
  assert.deepEqual(says('10.0.0.1'), [null, null]);
  assert.deepEqual(told, []);
  assert.deepEqual(says('11.0.0.1'), [null, null]);
  assert.deepEqual(told[0], { account: 'ac_1', restriction: 'ipx_1', ip: '11.0.0.1' });
});

test('a restriction that has lost its policy shuts the edges', () => {
  assert.deepEqual(open(restriction()).says('10.0.0.1'), ['sourceRefused', 'sourceRefused']);
});

test('whom it would refuse is logged once a minute, and the lines of a minute are bounded', () => {
  let now = 0;
  const lines: object[] = [];
  const tell = wouldRefuseLog({ log: { warn: (line: object) => lines.push(line) }, now: () => now });
  const visit = (ip: string): void => tell({ account: 'ac_1', restriction: 'ipx_1', ip });
  visit('10.0.0.1');
  visit('10.0.0.1');
  assert.equal(lines.length, 1);
  for (let at = 0; at < 3000; at += 1) visit(`10.1.${at >> 8}.${at & 255}`);
  assert.equal(lines.length, 1000);
  now = 60_000;
  visit('10.0.0.1');
  assert.equal(lines.length, 1001);
});
