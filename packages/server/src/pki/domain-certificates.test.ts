import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { until } from '../../../../test/harness/index.ts';
import type { Hostname } from '../core/names/hostname.ts';
import type { DocumentStore } from '../documents/index.ts';
import { documentsIn } from '../documents/store.ts';
import { proxy } from '../store/proxy.fixture.ts';
import { openSqliteStore } from '../store/sqlite/store.ts';
import { type JsonObject, StoreUnavailableError } from '../store/store.ts';
import { makeChain, type TestChain } from './certificates.fixture.ts';
import { DomainCertificates } from './domain-certificates.ts';
import { type Leaf, serviceAccount } from './leaf.ts';
import { Sealer } from './seal.ts';
import { keyContext } from './uploaded-certificate.ts';

const local = { name: 'local', cert: 'local', key: 'local' };
const ofService = { name: 'service', cert: 'service', key: 'service' };

/** `service`: names that the operator's certificate covers. */
async function open(t: TestContext, service: readonly string[] = [], limit = 10) {
  const directory = await mkdtemp(join(tmpdir(), 'domain-certificates-'));
  const store = documentsIn(await openSqliteStore({ path: join(directory, 'test.db') }));
  const sealer = new Sealer(randomBytes(32));
  const asked: Leaf[] = [];
  const locals = {
    certificateOf(leaf: Leaf) {
      asked.push(leaf);
      return Promise.resolve(local);
    },
  };
  const shared = 'shared.example' as Hostname;
  const logged: unknown[] = [];
  const log = { error: (fields: unknown) => void logged.push(fields) };
  const start = (parts: { scan?: DocumentStore['scan'] } = {}) =>
    DomainCertificates.start({
      store: proxy(store, parts),
      retryMs: 1,
      sealer,
      service: { certificateOf: (name) => (service.includes(name) ? ofService : null) },
      local: locals,
      shared,
      log,
      limit,
    });
  const source = await start();
  t.after(async () => {
    await source.stop();
    await store.close();
    await rm(directory, { recursive: true });
  });
  const insert = async (prefix: string, kind: string, body: (id: string) => JsonObject): Promise<string> => {
    let id = '';
    await store.write((newId) => {
      id = newId(prefix);
      return [
        { op: 'insert', id, account: 'ac_1', kind, parent: null, body: body(id), links: [], names: [] },
      ];
    });
    return id;
  };
  const revision = async (id: string) => (await store.get(id))!.revision;
  return {
    source,
    start,
    store,
    logged,
    asked,
    certificate: ({ leaf, intermediate, key }: TestChain) =>
      insert('cert', 'tls_certificate', (id) => ({
        certificate_pem: leaf + intermediate,
        private_key_sealed: sealer.seal(key, keyContext(id)),
        not_after: '2040-01-01T00:00:00Z',
      })),
    reserve: (
      domain: string,
      certificate_id: string | null,
      certificate_management_policy: JsonObject | null = null,
    ) => insert('rd', 'reserved_domain', () => ({ domain, certificate_id, certificate_management_policy })),
    async attach(id: string, domain: string, certificate_id: string | null): Promise<void> {
      const at = await revision(id);
      const body = { domain, certificate_id };
      await store.write(() => [{ op: 'replace', id, revision: at, body, links: [], names: [] }]);
    },
    async remove(id: string): Promise<void> {
      const at = await revision(id);
      await store.write(() => [{ op: 'delete', id, revision: at }]);
    },
    served: (hostname: string) => source.certificateFor(hostname as Hostname, 'ac_9'),
  };
}

test('a reserved domain is served with the certificate that was uploaded for it, as soon as that is answered', async (t) => {
  const platform = await open(t);
  const chain = makeChain('a.example.com');
  assert.equal(await platform.served('a.example.com'), local);
  const certificate = await platform.certificate(chain);
  const domain = await platform.reserve('a.example.com', certificate);
  const served = await platform.served('a.example.com');
  const { leaf, intermediate, key } = chain;
  assert.deepEqual(served, { name: certificate, cert: leaf + intermediate, key });
  const other = await platform.certificate(makeChain('a.example.com'));
  assert.equal(
    await platform.served('a.example.com'),
    served,
    'the same object while nothing changes for the name',
  );

  const later = await platform.start();
  assert.deepEqual(await later.certificateFor('a.example.com' as Hostname, 'ac_9'), served);
  await later.stop();

  await platform.attach(domain, 'a.example.com', other);
  assert.notDeepEqual(await platform.served('a.example.com'), served);
  await platform.attach(domain, 'a.example.com', null);
  assert.equal(await platform.served('a.example.com'), local);
  await platform.attach(domain, 'a.example.com', certificate);
  await platform.remove(domain);
  assert.equal(await platform.served('a.example.com'), local);
});

test('a wildcard reservation serves the names that its certificate is valid for, unless a nearer one has the name', async (t) => {
  const platform = await open(t);
  const names = 'DNS:*.example.com,DNS:deep.x.example.com';
  const certificate = await platform.certificate(makeChain('example.com', { names }));
  await platform.reserve('*.example.com', certificate);
  const served = await platform.served('a.example.com');
  assert.notEqual(served, local);
  assert.equal(await platform.served('b.example.com'), served);
  assert.equal(await platform.served('deep.x.example.com'), served);
  assert.equal(await platform.served('other.x.example.com'), local);
  assert.equal(await platform.served('example.com'), local);
  await platform.reserve('b.example.com', null);
  assert.equal(await platform.served('b.example.com'), local);
  assert.equal(await platform.served('a.example.com'), served);
});

test('a stored certificate with an RSA key that is too large is not served, nor another one in its place, and the log says so once', async (t) => {
  const opened = await open(t);
  const certificate = await opened.certificate(makeChain('a.example.com', { key: 'too large rsa' }));
  const domain = await opened.reserve('a.example.com', certificate);
  for (let n = 0; n < 2; n += 1) await assert.rejects(opened.served('a.example.com'), { message: /larger/ });
  assert.deepEqual(opened.logged, [{ certificate }]);
  assert.equal(await opened.served('b.example.com'), local);
  await opened.attach(domain, 'a.example.com', null);
  assert.equal(await opened.served('a.example.com'), local);
});

test('a name without an uploaded certificate is served with one of the local CA, charged to whom its nearest reservation belongs', async (t) => {
  const opened = await open(t);
  const wide = await opened.reserve('*.example.com', null);
  await opened.reserve('a.example.com', null);
  for (const hostname of ['a.example.com', 'b.example.com', 'x.b.example.com', 'app.shared.example'])
    assert.equal(await opened.served(hostname), local);
  assert.deepEqual(opened.asked, [
    { name: 'a.example.com', owner: 'ac_1', charged: null },
    { name: '*.example.com', owner: 'ac_1', charged: null },
    { name: '*.b.example.com', owner: 'ac_1', charged: { account: 'ac_1', reservation: wide } },
    { name: '*.shared.example', owner: 'service', charged: null },
  ]);
});

test('the certificate that the operator gave stands between the uploaded and the local ones', async (t) => {
  const name = 'app.shared.example';
  const opened = await open(t, [name]);
  assert.equal(await opened.served(name), ofService);
  assert.equal(await opened.served('a.app.shared.example'), local);
  const certificate = await opened.certificate(makeChain(name));
  await opened.reserve(name, certificate);
  assert.equal((await opened.served(name)).name, certificate);
});

test('a name that became one of the service is not served with the certificate of an account', async (t) => {
  const platform = await open(t, ['console.example.com']);
  const certificate = await platform.certificate(makeChain('*.example.com'));
  await platform.reserve('*.example.com', certificate);
  const atService = (name: string) => platform.source.certificateFor(name as Hostname, serviceAccount);
  assert.equal((await platform.served('console.example.com')).name, certificate);
  assert.equal(await atService('console.example.com'), ofService);
  assert.equal(await atService('other.example.com'), local);
});

test('of more certificates than are kept each is served, and one that was not asked for lately is read again', async (t) => {
  const opened = await open(t, [], 2);
  const names = ['a.example.com', 'b.example.com', 'c.example.com'];
  const ids: string[] = [];
  for (const name of names) {
    const certificate = await opened.certificate(makeChain(name));
    await opened.reserve(name, certificate);
    ids.push(certificate);
  }
  const served = async () =>
    (await Promise.all(names.map((name) => opened.served(name)))).map(({ name }) => name);
  assert.deepEqual(await served(), ids);
  assert.deepEqual(await served(), ids);
  const later = await opened.start();
  assert.equal((await later.certificateFor('a.example.com' as Hostname, 'ac_9')).name, ids[0]);
  await later.stop();
});

test('it is known when certificates of reserved domains expire, also right after a start, but of those that renew themselves', async (t) => {
  const opened = await open(t);
  const certificate = await opened.certificate(makeChain('a.example.com'));
  const other = await opened.certificate(makeChain('b.example.com'));
  await opened.certificate(makeChain('c.example.com'));
  await opened.reserve('a.example.com', certificate);
  await opened.reserve('b.a.example.com', certificate);
  const known = { name: certificate, notAfterMs: Date.parse('2040-01-01T00:00:00Z') };
  await until(() => [...opened.source.expiries()].length === 1);
  await opened.reserve('b.example.com', other, { authority: 'public_ca' });
  assert.deepEqual([...opened.source.expiries()], [known]);
  const later = await opened.start();
  await later.loaded();
  assert.deepEqual([...later.expiries()], [known]);
  await later.stop();
});

test('a start does not wait for certificates to be looked through, which outlives an outage and knows what came meanwhile', async (t) => {
  const opened = await open(t);
  const certificate = await opened.certificate(makeChain('a.example.com'));
  await opened.reserve('a.example.com', certificate);
  const held = Promise.withResolvers<void>();
  let tries = 0;
  const scan: DocumentStore['scan'] = async function* (kinds) {
    if (!kinds.some((kind) => kind === 'tls_certificate')) return yield* opened.store.scan(kinds);
    tries += 1;
    if (tries === 1) throw new StoreUnavailableError('away');
    yield* opened.store.scan(kinds);
    await held.promise;
  };
  const later = await opened.start({ scan });
  t.after(() => later.stop());
  assert.deepEqual([...later.expiries()], []);
  const served = await later.certificateFor('a.example.com' as Hostname, 'ac_9');
  assert.equal(served.name, certificate);
  await until(() => tries === 2);
  const other = await opened.certificate(makeChain('b.example.com'));
  await opened.reserve('b.example.com', other);
  held.resolve();
  await later.loaded();
  await until(() => [...later.expiries()].length === 2);
  assert.deepEqual(
    [...later.expiries()].map(({ name }) => name),
    [certificate, other],
  );
  assert.equal(await later.certificateFor('a.example.com' as Hostname, 'ac_9'), served);
});

test('looking through more certificates than are kept takes nothing away that a visitor needed meanwhile', async (t) => {
  const opened = await open(t, [], 1);
  const names = ['a.example.com', 'b.example.com', 'c.example.com'];
  for (const name of names) await opened.reserve(name, await opened.certificate(makeChain(name)));
  const began = Promise.withResolvers<void>();
  const scan: DocumentStore['scan'] = async function* (kinds) {
    if (kinds.some((kind) => kind === 'tls_certificate')) await began.promise;
    yield* opened.store.scan(kinds);
  };
  const later = await opened.start({ scan });
  t.after(() => later.stop());
  const served = await later.certificateFor('a.example.com' as Hostname, 'ac_9');
  began.resolve();
  await later.loaded();
  assert.equal(later.expiries().length, 3);
  assert.equal(await later.certificateFor('a.example.com' as Hostname, 'ac_9'), served);
});
