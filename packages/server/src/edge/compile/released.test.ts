/** Checks that a table of sites keeps nothing of removed tunnels, edges, reservations and rules, whatever their number. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { until } from '../../../../../test/harness/until.ts';
import type { Hostname } from '../../core/names/hostname.ts';
import type { TunnelHandle, TunnelPool } from '../../online/online.ts';
import { tunnelAt } from '../../online/tunnels.fixture.ts';
import {
  atEdge,
  backedBy,
  edgeDocument,
  gone,
  put,
  reservation,
  ruleDocument,
  staticDocument,
  tcpEdgeDocument,
} from '../documents.fixture.ts';
import type { Site } from '../sites/site.ts';
import { Derived } from './derived.ts';
import { DocumentIndex, type DocumentKey } from './document-index.ts';
import { PolicyRules } from './policy-rules.ts';
import { SiteTable } from './site-table.ts';

const MANY = 1000;
/** Objects of the last round to which the JavaScript engine may still refer. */
const LEFT = 8;

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

/** Waits until nothing refers to any of these. The table lives on meanwhile. */
async function collected(references: readonly WeakRef<object>[], table: SiteTable): Promise<void> {
  assert.ok(typeof collect === 'function');
  await until(() => {
    collect();
    return references.filter((one) => one.deref() !== undefined).length <= LEFT;
  });
  assert.equal(table.exists(''), false);
}

const named = (at: number) => `n${at}.example.com` as Hostname;
const offline = { byName: () => undefined, onNamed: () => {}, heldFor: () => undefined, matching: () => [] };

/** A table, and the tunnels that are online by their names. */
function tableOf(options: Partial<ConstructorParameters<typeof SiteTable>[0]> = {}) {
  const online = new Map<string, TunnelHandle>();
  const byName = (name: string) => online.get(name);
  const table = new SiteTable({ online: { ...offline, byName }, ...options });
  return { table, online };
}

function siteAt(table: SiteTable, name: Hostname): Site {
  const site = table.lookup(name);
  assert.ok(site !== undefined, name);
  return site;
}

test('nothing is kept of tunnels that are closed, nor of their sites', async () => {
  const { table, online } = tableOf();
  const references: WeakRef<object>[] = [];
  for (let at = 0; at < MANY; at++) {
    const closing = new AbortController();
    const tunnel = tunnelAt(named(at), { closed: closing.signal });
    online.set(named(at), tunnel);
    references.push(new WeakRef(tunnel), new WeakRef(siteAt(table, named(at))));
    online.delete(named(at));
    closing.abort();
  }
  await collected(references, table);
});

test('nothing is kept of a tunnel that is looked up after it was closed', async () => {
  const { table, online } = tableOf();
  const references: WeakRef<object>[] = [];
  for (let at = 0; at < MANY; at++) {
    const tunnel = tunnelAt(named(at), { closed: AbortSignal.abort() });
    online.set(named(at), tunnel);
    references.push(new WeakRef(tunnel), new WeakRef(siteAt(table, named(at))));
    online.delete(named(at));
  }
  await collected(references, table);
});

test('a site of tunnels in a pool stays with the last of them, and is not kept after it', async () => {
  const { table, online } = tableOf();
  const references: WeakRef<object>[] = [];
  for (let at = 0; at < MANY; at++) {
    const members: TunnelHandle[] = [];
    const pool: TunnelPool = { id: `pool_${at}`, tunnels: members };
    const closing = [new AbortController(), new AbortController()];
    const [first, second] = closing.map(({ signal }) => tunnelAt(named(at), { closed: signal, pool }));
    assert.ok(first && second);
    members.push(first, second);
    online.set(named(at), first);
    const site = siteAt(table, named(at));
    members.shift();
    online.set(named(at), second);
    closing[0]?.abort();
    // In every other round, no visitor comes meanwhile.
    if (at % 2 === 0) assert.equal(siteAt(table, named(at)), site, 'its connections go on');
    references.push(new WeakRef(first), new WeakRef(second), new WeakRef(site));
    members.shift();
    online.delete(named(at));
    closing[1]?.abort();
  }
  await collected(references, table);
});

test('a tunnel that stays keeps no site of reservations that come and go', async () => {
  const { table, online } = tableOf();
  online.set('*.example.com', tunnelAt('*.example.com'));
  const references: WeakRef<object>[] = [];
  for (let at = 0; at < MANY; at++) {
    const one = reservation(`rd_${at}`, named(at));
    table.apply([put(one)]);
    references.push(new WeakRef(siteAt(table, named(at))));
    if (at % 2 === 0) table.apply([gone(one)]);
    else table.reset([]);
  }
  assert.equal(siteAt(table, named(0)), siteAt(table, named(1)), 'it is still served');
  await collected(references, table);
});

test('nothing is kept of sites whose edges and reservations are gone, proven or not', async () => {
  for (const requireProof of [false, true]) {
    const { table } = tableOf({ requireProof });
    const references: WeakRef<object>[] = [];
    for (let at = 0; at < MANY; at++) {
      const one = reservation(`rd_${at}`, named(at));
      const backend = staticDocument(`bkdsc_${at}`, 'x.example.com', 1);
      const modules = { backend: backedBy(backend.id), tls_termination: atEdge };
      const edge = edgeDocument(`edgtls_${at}`, [`e${at}.example.com`], modules);
      table.apply([put(one), put(edge), put(backend)]);
      const sites = [siteAt(table, named(at)), siteAt(table, `e${at}.example.com` as Hostname)];
      references.push(...sites.map((site) => new WeakRef(site)), new WeakRef(one), new WeakRef(edge));
      table.apply([gone(one), gone(edge), gone(backend)]);
      assert.equal(table.exists(one.id) || table.exists(edge.id) || table.exists(backend.id), false);
    }
    await collected(references, table);
  }
});

test('where names need a proof, one that nobody has leads nowhere', () => {
  const { table } = tableOf({ requireProof: true });
  assert.equal(table.lookup(named(0)), undefined);
  assert.equal(table.lookupPlain(named(0)), undefined);
  const one = reservation('rd_1', named(0));
  table.apply([put(one)]);
  assert.equal(table.lookup(named(0))?.route('/').backend.pick(new Set()), 'domainNotProven');
  assert.equal(table.lookup(named(1)), undefined);
  table.apply([gone(one)]);
  assert.equal(table.lookup(named(0)), undefined);
});

test('a port is listened on as long as an edge has it, and listeners are notified of both', () => {
  const { table } = tableOf();
  const seen: number[][] = [];
  table.onPorts(() => seen.push([...table.ports]));
  const edge = tcpEdgeDocument('edgtcp_1', [2001, 2002]);
  table.apply([put(edge)]);
  assert.equal(table.atPort(2001)?.id, edge.id);
  table.apply([put(tcpEdgeDocument('edgtcp_1', [2002]))]);
  table.apply([put(tcpEdgeDocument('edgtcp_1', [2002], { backend: backedBy('bkdtg_1') }))]);
  table.apply([gone(edge)]);
  assert.deepEqual(seen, [[2001, 2002], [2002], []]);
  assert.deepEqual([table.atPort(2001), table.atPort(2002)], [undefined, undefined]);
});

test('ports of tunnels are those that there are now', () => {
  const ports = new Set([3001]);
  let changed = (): void => assert.fail();
  const withoutTls = {
    ports,
    byPlainName: () => undefined,
    byPort: () => undefined,
    onPorts: (listener: () => void) => {
      changed = listener;
    },
  };
  const { table } = tableOf({ withoutTls });
  assert.deepEqual([...table.ports], [3001]);
  ports.delete(3001);
  ports.add(3002);
  changed();
  assert.deepEqual([...table.ports], [3002]);
});

test('an index that was emptied is as it was before the first document', () => {
  const touched: DocumentKey[] = [];
  const index = new DocumentIndex((key) => touched.push(key));
  const none = index.groups.reservationOf.at('never.example.com' as Hostname);
  const documents = Array.from({ length: 10 }, (_, at) => reservation(`rd_${at}`, named(0)));
  for (const document of documents) index.put(document);
  for (const { id } of documents) assert.equal(index.remove(id), true);
  assert.deepEqual([...index.ids], []);
  assert.equal(index.groups.reservationOf.at(named(0)), none, 'the same list as of a group that never was');
  assert.equal(touched.length, 2 * 2 * documents.length);
  assert.equal(index.remove('rd_0'), false);
  assert.equal(index.get('rd_0'), undefined);
});

test('a policy whose rules are gone is as one that never had any', () => {
  const touched: string[] = [];
  const rules = new PolicyRules((key) => touched.push(key));
  const never = rules.view('ipp_never');
  for (let at = 0; at < 10; at++) rules.put(ruleDocument(`ipr_${at}`, 'ipp_1', 'allow', `192.0.2.${at}/32`));
  assert.notEqual(rules.view('ipp_1'), never);
  for (let at = 0; at < 10; at++) assert.equal(rules.remove(`ipr_${at}`), true);
  assert.equal(rules.view('ipp_1'), never);
  assert.deepEqual([...rules.ids], []);
  assert.equal(rules.remove('ipr_0'), false);
  assert.equal(touched.length, 20);
});

test('a rule that moves to another policy is in the old one no more', () => {
  const rules = new PolicyRules(() => {});
  rules.put(ruleDocument('ipr_1', 'ipp_1', 'allow', '192.0.2.1/32'));
  rules.put(ruleDocument('ipr_1', 'ipp_1', 'deny', '192.0.2.2/32'));
  assert.equal(rules.view('ipp_1').rules.size, 1);
});

test('a value that was forgotten reads nothing any more', () => {
  const derived = new Derived<{ readonly one: unknown }>({ read: (_, of) => of });
  derived.value('one', 'one', (read) => [read('one', 'a'), read('one', 'b')]);
  derived.value('one', 'other', (read) => read('one', 'b'));
  derived.forget('one', 'one');
  assert.deepEqual([derived.touch('one', 'a'), derived.touch('one', 'b')], [false, true]);
  derived.forget('one', 'other');
  assert.equal(derived.touch('one', 'b'), false);
  derived.forget('one', 'never');
  assert.equal(derived.size, 0);
});

test('what was made from a forgotten value is made anew when that one would be another', () => {
  const known = new Map<unknown, unknown>([['a', 1]]);
  const derived = new Derived<{ readonly one: unknown }>({ read: (_, of) => known.get(of) });
  derived.value('one', 'one', (read) => Number(read('one', 'a')) * 10);
  const other = () => derived.value('one', 'other', (read) => Number(read('one', 'one')) + 1);
  assert.equal(other(), 11);
  derived.forget('one', 'one');
  known.set('a', 2);
  derived.touch('one', 'a');
  derived.value('one', 'one', (read) => Number(read('one', 'a')) * 10);
  assert.equal(other(), 21);
});
