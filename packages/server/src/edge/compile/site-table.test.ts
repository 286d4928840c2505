import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import {
  covers,
  type Hostname,
  type HostPattern,
  isFault,
  parseHostname,
} from '../../core/names/hostname.ts';
import type { StoredDocument } from '../../documents/index.ts';
import { documentsIn } from '../../documents/store.ts';
import { tunnelAt } from '../../online/tunnels.fixture.ts';
import { openSqliteStore } from '../../store/sqlite/store.ts';
import {
  addressDocument,
  atEdge,
  backedBy,
  configurationDocument,
  edgeDocument,
  emptyBackends,
  gone,
  groupDocument,
  httpsEdgeDocument,
  proofDocument,
  put,
  reservation,
  responseDocument,
  staticDocument,
} from '../documents.fixture.ts';
import type { Opener, Site } from '../sites/site.ts';
import { SiteTable } from './site-table.ts';

function name(text: string): Hostname {
  const parsed = parseHostname(text);
  assert.ok(!isFault(parsed), text);
  return parsed;
}

const offline = { byName: () => undefined, onNamed: () => {}, heldFor: () => undefined, matching: () => [] };
const group = groupDocument('bkdtg_1', { app: 'web' });

function filled(...edges: readonly ReturnType<typeof edgeDocument>[]): SiteTable {
  const table = new SiteTable({ online: offline });
  table.reset([...edges, group]);
  return table;
}

/** Returns the reason why nothing is served, or the body of the answer that is. */
function reasonOf(site: Site | undefined): string | undefined {
  const route = site?.route('/');
  if (route === undefined) return undefined;
  const picked = route.refusal ?? route.backend.pick(new Set());
  if (typeof picked === 'string') return picked;
  return 'kind' in picked ? picked.body.toString() : picked.id;
}

function backendOf(site: Site | undefined): unknown {
  const route = site?.route('');
  assert.ok(typeof route === 'object');
  return route.backend;
}

function counted(table: SiteTable): () => number {
  let calls = 0;
  table.onChange(() => {
    calls += 1;
  });
  return () => calls;
}

test('an exact name beats a wildcard, and a longer wildcard a shorter one', () => {
  const table = filled(
    edgeDocument('edgtls_1', ['*.example.com']),
    edgeDocument('edgtls_2', ['*.b.example.com', 'x.example.net']),
    edgeDocument('edgtls_3', ['a.b.example.com']),
  );
  assert.equal(table.lookup(name('a.b.example.com'))?.id, 'edgtls_3');
  assert.equal(table.lookup(name('c.b.example.com'))?.id, 'edgtls_2');
  assert.equal(table.lookup(name('d.c.b.example.com'))?.id, 'edgtls_2');
  assert.equal(table.lookup(name('b.example.com'))?.id, 'edgtls_1');
  assert.equal(table.lookup(name('X.EXAMPLE.NET.'))?.id, 'edgtls_2');
  for (const text of [
    'example.com',
    'evil-example.com',
    'xexample.com',
    'example.com.attacker.net',
    'a.example.net',
  ]) {
    assert.equal(table.lookup(name(text)), undefined, text);
  }
});

test('among many edges each spelling of a name finds the same one', () => {
  const edges = Array.from({ length: 250 }, (_, index) =>
    edgeDocument(`edgtls_${index}`, [`n${index}.example.com`]),
  );
  const table = filled(...edges, edgeDocument('edgtls_w', ['*.example.com']));
  for (const index of [0, 99, 100, 101, 249]) {
    for (const spelled of [`n${index}.example.com`, `N${index}.EXAMPLE.com`, `n${index}.Example.Com.`]) {
      assert.equal(table.lookup(name(spelled))?.id, `edgtls_${index}`, spelled);
    }
  }
  assert.equal(table.lookup(name('n250.example.com'))?.id, 'edgtls_w');
});

test('what is looked up is what covers the name best, whatever the patterns', () => {
  const labels = fc.constantFrom('a', 'b', 'c');
  const host = fc
    .array(labels, { minLength: 1, maxLength: 4 })
    .map((parts) => `${parts.join('.')}.example.com`);
  const patterns = fc.uniqueArray(
    fc.tuple(fc.boolean(), host).map(([wild, text]) => (wild ? `*.${text}` : text)),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(patterns, host, (all, text) => {
      const table = filled(...all.map((pattern) => edgeDocument(pattern, [pattern])));
      const fitting = all.filter((pattern) => covers(pattern as HostPattern, name(text)));
      const best = fitting.toSorted(
        (a, b) => Number(b === text) - Number(a === text) || b.length - a.length,
      )[0];
      assert.equal(table.lookup(name(text))?.id, best);
    }),
  );
});

test('an ephemeral endpoint is found by its name while it is online', () => {
  const online = new Map([['abc.underpass.localhost', tunnelAt('abc.underpass.localhost')]]);
  const table = new SiteTable({ online: { ...offline, byName: (hostname) => online.get(hostname) } });
  const target = table.lookup(name('abc.underpass.localhost'));
  assert.deepEqual(target?.tls, { key: 'endpoint/TLSv1.2', minVersion: 'TLSv1.2', clientAuthorities: null });
  assert.equal(target.edgeType, '0');
  assert.equal(target.id, 'ep_1');
  assert.equal(table.lookup(name('abc.underpass.localhost')), target);
  online.clear();
  assert.equal(table.lookup(name('abc.underpass.localhost')), undefined);
});

test('a reserved name without a server has its own error, until an edge, a tunnel or an online wildcard serves it', () => {
  const online = new Map([['*.b.example.com', tunnelAt('*.b.example.com')]]);
  const table = new SiteTable({ online: { ...offline, byName: (hostname) => online.get(hostname) } });
  const changes = counted(table);
  const exact = reservation('rd_1', 'a.example.com');
  const wildcard = reservation('rd_2', '*.b.example.com');
  table.apply([put(exact), put(wildcard), put(reservation('rd_3', 'c.b.example.com'))]);
  assert.equal(changes(), 1);
  const idle = table.lookup(name('a.example.com'));
  assert.deepEqual([idle?.id, idle?.account, idle?.edgeType], ['rd_1', 'ac_1', '0']);
  assert.equal(idle?.tls?.minVersion, 'TLSv1.2');
  assert.equal(reasonOf(idle), 'nothingOnline');
  assert.equal(table.lookup(name('c.b.example.com'))?.id, 'ep_1', 'what is online beats a reservation');
  online.clear();
  assert.equal(table.lookup(name('c.b.example.com'))?.id, 'rd_3');
  assert.equal(table.lookup(name('e.d.b.example.com'))?.id, 'rd_2');
  assert.equal(table.lookup(name('b.example.com')), undefined);

  const edge = edgeDocument('edgtls_1', ['a.example.com']);
  table.apply([put(edge), put(reservation('rd_1', 'a.example.com', 'described'))]);
  assert.equal(table.lookup(name('a.example.com'))?.id, 'edgtls_1');
  table.apply([gone(edge)]);
  assert.equal(table.lookup(name('a.example.com')), idle);
  table.apply([gone(exact)]);
  assert.equal(table.lookup(name('a.example.com')), undefined);
  table.reset([]);
  assert.equal(table.lookup(name('d.b.example.com')), undefined);
});

test('a name that is held for a tunnel which was lost says that nothing is online', () => {
  const held = 'abc.underpass.localhost';
  const table = new SiteTable({
    online: {
      ...offline,
      onNamed: () => {},
      heldFor: (hostname) => (hostname === held ? 'ac_1' : undefined),
    },
  });
  assert.equal(reasonOf(table.lookup(name(held))), 'nothingOnline');
  assert.equal(table.lookup(name('other.underpass.localhost')), undefined);
});

test("a name of the shared domain that is nobody's has one site with all others of its kind, until somebody has it", () => {
  const service = { domain: name('shared.test'), baseUrl: 'https://api.shared.test', consoleHost: null };
  const table = new SiteTable({ online: offline, service });
  const nobodys = table.lookup(name('a.shared.test'));
  assert.deepEqual([nobodys?.id, nobodys?.account, reasonOf(nobodys)], ['', '', 'nothingOnline']);
  assert.equal(table.lookup(name('b.shared.test')), nobodys);
  for (const other of [
    'shared.test',
    'a.b.shared.test',
    'tcp.shared.test',
    'api.shared.test',
    'a.example.com',
  ])
    assert.equal(table.lookup(name(other)), undefined, other);
  let changes = 0;
  table.onChange(() => {
    changes += 1;
  });
  table.apply([put(reservation('rd_1', 'a.shared.test'))]);
  assert.equal(table.lookup(name('a.shared.test'))?.id, 'rd_1');
  assert.equal(changes, 1);
});

test('a name that needs a proof is served from the proof on, and one of the shared domain without', () => {
  const service = { domain: name('shared.test'), baseUrl: 'https://api.shared.test', consoleHost: null };
  const table = new SiteTable({ online: offline, service, requireProof: true });
  const changes = counted(table);
  table.apply([put(reservation('rd_1', 'a.example.com')), put(reservation('rd_2', 'a.shared.test'))]);
  const before = changes();
  assert.equal(reasonOf(table.lookup(name('a.example.com'))), 'domainNotProven');
  assert.equal(reasonOf(table.lookup(name('a.shared.test'))), 'nothingOnline');
  table.apply([put(proofDocument('dp_1', 'rd_1', null))]);
  assert.equal(reasonOf(table.lookup(name('a.example.com'))), 'domainNotProven');
  table.apply([put(proofDocument('dp_1', 'rd_1', 'text'))]);
  assert.equal(reasonOf(table.lookup(name('a.example.com'))), 'nothingOnline');
  assert.equal(changes(), before + 2, 'open connections are checked again');
});

test('the configuration of an address is that of the tunnel on its port, from its reservation on', () => {
  const tunnel = tunnelAt('1.tcp.example.com');
  const withoutTls = {
    ...{ ports: new Set([2001]), byPlainName: () => undefined, onPorts: () => {} },
    byPort: (port: number) => (port === 2001 ? tunnel : undefined),
  };
  const table = new SiteTable({ online: offline, withoutTls });
  const changes = counted(table);
  const open = table.atPort(2001);
  assert.equal(open?.route('').refusal, null);
  assert.equal(table.atPort(2001), open);
  table.apply([put(configurationDocument('ec_1', { compression: { enabled: true } }))]);
  assert.equal(changes(), 0);
  table.apply([put(addressDocument('ra_1', 2001, 'ec_1'))]);
  assert.equal(changes(), 1);
  assert.equal(table.atPort(2001)?.route('').refusal, 'moduleWithoutEffect');
  table.apply([gone(addressDocument('ra_1', 2001, 'ec_1'))]);
  assert.equal(table.atPort(2001)?.route('').refusal, null);
});

test('a name that comes online is announced if a wildcard above it is served, by an edge or a tunnel', () => {
  const listeners: ((pattern: HostPattern) => void)[] = [];
  const byName = (hostname: string) => (hostname === '*.y.com' ? tunnelAt(hostname) : undefined);
  const byPlainName = (hostname: string) => (hostname === '*.z.com' ? tunnelAt(hostname) : undefined);
  const table = new SiteTable({
    online: { ...offline, byName, onNamed: (listener) => listeners.push(listener) },
    withoutTls: { byPlainName, ports: new Set(), byPort: () => undefined, onPorts() {} },
  });
  table.apply([put(edgeDocument('edgtls_1', ['*.x.com']))]);
  const announced: (string | null)[] = [];
  table.onChange((pattern) => announced.push(pattern));
  for (const one of ['a.x.com', 'a.y.com', 'a.z.com', 'a.w.com'])
    for (const listener of listeners) listener(name(one));
  assert.deepEqual(announced, ['a.x.com', 'a.y.com', 'a.z.com']);
});

test('the name of an HTTPS edge is its own: no wildcard of a TLS edge or tunnel takes it over', () => {
  const online = new Map([['*.example.com', tunnelAt('*.example.com')]]);
  const table = new SiteTable({ online: { ...offline, byName: (hostname) => online.get(hostname) } });
  const changes = counted(table);
  const edge = httpsEdgeDocument('edghts_1', ['a.example.com', 'c.b.example.com', '*.d.b.example.com']);
  table.reset([edgeDocument('edgtls_1', ['*.b.example.com']), edge]);
  for (const served of ['a.example.com', 'c.b.example.com', 'x.d.b.example.com']) {
    const target = table.lookup(name(served));
    assert.equal(target?.id, 'edghts_1', served);
    assert.equal(target.route('/').refusal, 'routeMissing');
    assert.notEqual(target.tls, null);
  }
  assert.equal(table.lookup(name('x.a.example.com'))?.id, 'ep_1');
  assert.equal(table.lookup(name('d.b.example.com'))?.id, 'edgtls_1');
  const strict = { tls_termination: { enabled: true, min_version: '1.3' } } as const;
  table.apply([put(httpsEdgeDocument('edghts_1', ['a.example.com'], strict))]);
  assert.equal(table.lookup(name('a.example.com'))?.tls?.minVersion, 'TLSv1.3');
  table.apply([put(httpsEdgeDocument('edghts_1', ['a.example.com'], { ...strict, description: 'new' }))]);
  assert.equal(changes(), 2, 'a description is nothing to traffic');
  table.apply([put(edgeDocument('edgtls_2', ['a.example.com'])), gone(edge)]);
  assert.equal(table.lookup(name('a.example.com'))?.id, 'edgtls_2');
});

test('an edge follows its backend: set later, changed, and gone', () => {
  const table = new SiteTable({ online: offline });
  const changes = counted(table);
  const edge = edgeDocument('edgtls_1', ['a.example.com'], {
    backend: backedBy('bkdhr_1'),
    tls_termination: atEdge,
  });
  table.apply([put(edge)]);
  assert.equal(reasonOf(table.lookup(name('a.example.com'))), 'edgeWithoutBackend');
  table.apply([put(responseDocument('bkdhr_1', 'one'))]);
  const first = table.lookup(name('a.example.com'));
  assert.equal(reasonOf(first), 'one');
  const second = responseDocument('bkdhr_1', 'two');
  table.apply([put(second)]);
  const changed = table.lookup(name('a.example.com'));
  assert.equal(reasonOf(changed), 'two');
  table.apply([gone(second)]);
  assert.equal(reasonOf(table.lookup(name('a.example.com'))), 'edgeWithoutBackend');
  assert.equal(changes(), 4);
  table.apply([gone(edge)]);
  assert.equal(table.lookup(name('a.example.com')), undefined);
  table.apply([put(second)]);
  assert.equal(changes(), 5);
});

test('a change that does not touch connections keeps the target and notifies no listener', () => {
  const modules = { backend: backedBy('bkdtg_1') };
  const table = filled(edgeDocument('edgtls_1', ['a.example.com'], modules));
  const changes = counted(table);
  const target = table.lookup(name('a.example.com'));
  table.apply([put(edgeDocument('edgtls_1', ['a.example.com'], { ...modules, description: 'new' }))]);
  table.apply([put(groupDocument('bkdtg_1', { app: 'web' }, 'new'))]);
  table.reset([edgeDocument('edgtls_1', ['a.example.com'], modules), group]);
  assert.equal(table.lookup(name('a.example.com')), target);
  assert.equal(changes(), 0);
  table.apply([put(edgeDocument('edgtls_1', ['a.example.com', 'b.example.com'], modules))]);
  assert.equal(backendOf(table.lookup(name('b.example.com'))), backendOf(target));
  assert.equal(changes(), 1);
  table.apply([put(groupDocument('bkdtg_1', { app: 'api' }))]);
  assert.notEqual(backendOf(table.lookup(name('a.example.com'))), backendOf(target));
  assert.equal(changes(), 2);
});

test('a name that moves between edges in one batch is never lost', () => {
  for (const order of ['taker first', 'giver first']) {
    const table = filled(edgeDocument('edgtls_1', ['a.example.com']), edgeDocument('edgtls_2', []));
    const taker = put(edgeDocument('edgtls_2', ['a.example.com']));
    const giver = put(edgeDocument('edgtls_1', []));
    table.apply(order === 'taker first' ? [taker, giver] : [giver, taker]);
    assert.equal(table.lookup(name('a.example.com'))?.id, 'edgtls_2', order);
  }
});

test('a reset forgets what is no longer there', () => {
  const table = filled(
    edgeDocument('edgtls_1', ['a.example.com']),
    edgeDocument('edgtls_2', ['b.example.com']),
  );
  const changes = counted(table);
  table.reset([edgeDocument('edgtls_2', ['b.example.com']), group]);
  assert.equal(table.lookup(name('a.example.com')), undefined);
  assert.equal(table.lookup(name('b.example.com'))?.id, 'edgtls_2');
  assert.equal(changes(), 1);
});

test('a static backend is one place for all its edges, until it says something else or nobody has it', () => {
  const table = new SiteTable({ online: offline });
  const modules = { backend: backedBy('bkdsc_1'), tls_termination: atEdge };
  const edges = ['a', 'b'].map((label) => edgeDocument(`edgtls_${label}`, [`${label}.example.com`], modules));
  table.reset([...edges, staticDocument('bkdsc_1', 'x.example.com', 1)]);
  const opener = (label: string): Opener => {
    const route = table.lookup(name(`${label}.example.com`))?.route('');
    assert.ok(typeof route === 'object');
    const picked = route.backend.pick(new Set());
    assert.ok(typeof picked === 'object' && 'closed' in picked);
    assert.ok(route.backend.leadsTo(picked));
    assert.equal(typeof route.backend.pick(new Set([picked])), 'string');
    return picked;
  };
  const first = opener('a');
  assert.equal(opener('b'), first);
  table.apply([put(staticDocument('bkdsc_1', 'x.example.com', 1, { description: 'another' }))]);
  assert.equal(opener('a'), first);
  table.apply([put(staticDocument('bkdsc_1', 'x.example.com', 2))]);
  const second = opener('a');
  assert.notEqual(second, first);
  assert.deepEqual([first.closed.aborted, second.closed.aborted], [true, false]);
  opener('b');
  table.apply([gone(edges[0]!)]);
  assert.equal(second.closed.aborted, false);
  table.apply([gone(edges[1]!)]);
  assert.equal(second.closed.aborted, true);
});

async function openStore(t: TestContext) {
  const directory = await mkdtemp(join(tmpdir(), 'table-'));
  const store = documentsIn(await openSqliteStore({ path: join(directory, 'test.db') }));
  t.after(async () => {
    await store.close();
    await rm(directory, { recursive: true });
  });
  const insert = async ({ kind, body }: StoredDocument): Promise<string> => {
    let id = '';
    await store.write((newId) => {
      id = newId(kind === 'tls_edge' ? 'edgtls' : 'bkdhr');
      return [{ op: 'insert', id, account: 'ac_1', kind, parent: null, body, links: [], names: [] }];
    });
    return id;
  };
  return { store, insert };
}

test('an edge serves as soon as its write is answered, and is gone as soon as its deletion is', async (t) => {
  const { store, insert } = await openStore(t);
  const backend = await insert(responseDocument('', 'hello'));
  const early = await insert(edgeDocument('', ['early.example.com']));
  const table = await SiteTable.start({ store, online: offline });
  assert.equal(table.lookup(name('early.example.com'))?.id, early);
  const modules = { backend: backedBy(backend), tls_termination: atEdge };
  const id = await insert(edgeDocument('', ['a.example.com'], modules));
  assert.equal(table.lookup(name('a.example.com'))?.id, id);
  assert.equal(reasonOf(table.lookup(name('a.example.com'))), 'hello');
  const revision = (await store.get(id))!.revision;
  await store.write(() => [{ op: 'delete', id, revision }]);
  assert.equal(table.lookup(name('a.example.com')), undefined);
  await table.stop();
});

test('backends of every kind that an edge may have are followed', async (t) => {
  const { store, insert } = await openStore(t);
  const table = await SiteTable.start({ store, online: offline });
  t.after(() => table.stop());
  const modules = { tls_termination: atEdge };
  for (const document of emptyBackends) {
    const hostname = `${document.id.split('_')[0]}.example.com`;
    const id = await insert(document);
    await insert(edgeDocument('', [hostname], { ...modules, backend: backedBy(id) }));
    const reason = reasonOf(table.lookup(name(hostname)));
    assert.ok(reason === id || reason === 'noBackendAvailable', `${document.kind}: ${reason}`);
  }
});
