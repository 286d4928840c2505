import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { until } from '../../../../test/harness/until.ts';
import { type Cidr, parseCidr } from '../core/ip/cidr.ts';
import type { SamlModule } from '../documents/index.ts';
import { documentsIn } from '../documents/store.ts';
import { CrookedProvider } from '../login/crooked-provider.fixture.ts';
import { idpMetadata } from '../pki/idp-metadata.fixture.ts';
import { openOnSqlite } from '../store/sqlite/open.fixture.ts';
import { IdpMetadataRefresh } from './metadata-refresh.ts';

const allowPrivate = [parseCidr('127.0.0.0/8') as Cidr, parseCidr('::1/128') as Cidr];
const minute = 60_000;
const hour = 60 * minute;
const path = '/metadata';
const first = idpMetadata();
const second = idpMetadata({ entity: 'entityID="https://other.example"' });

async function start(t: TestContext) {
  const opened = await openOnSqlite();
  const store = documentsIn(opened.store);
  const provider = await CrookedProvider.start(t);
  const url = provider.issuer + path;
  const publish = (body: string, status = 200) => void provider.replies.set(path, { status, body });
  publish(first);
  const clock = { now: 0 };
  const logged: string[] = [];
  const note = (_: object, message: string) => void logged.push(message);
  const log = { info: note, warn: note, error: note } as never;
  const daemons: IdpMetadataRefresh[] = [];
  const daemon = async (id: string | null = null) => {
    const refresh = new IdpMetadataRefresh({
      store,
      allowPrivate,
      now: () => clock.now,
      daemon: id,
      uptime: () => clock.now,
      random: () => 0.5,
      log,
    });
    daemons.push(refresh);
    await refresh.start();
    return refresh;
  };
  t.after(async () => {
    for (const refresh of daemons) await refresh.stop();
    await opened.dispose();
  });
  const add = async (saml: Partial<SamlModule>, account = 'ac_1'): Promise<string> => {
    let id = '';
    await store.write((newId) => {
      id = newId('ec');
      const of = { account, kind: 'endpoint_configuration', parent: null };
      return [{ op: 'insert', id, ...of, body: { saml }, links: [], names: [] }];
    });
    return id;
  };
  const change = async (id: string, saml: Partial<SamlModule> | null) => {
    const { revision } = (await store.get(id))!;
    await store.write(() => [{ op: 'rewrite', id, revision, body: { saml } }]);
  };
  const metadataOf = async (id: string) => {
    const document = await store.get(id);
    assert.ok(document?.kind === 'endpoint_configuration');
    return document.body.saml?.idp_metadata;
  };
  const asks = () => provider.asked.length;
  return { provider, url, clock, logged, publish, daemon, add, change, metadataOf, asks };
}

test('metadata is asked for again each hour, and kept where it has changed', async (t) => {
  const { url, clock, publish, daemon, add, metadataOf, asks, logged } = await start(t);
  const id = await add({ idp_metadata: first, idp_metadata_url: url });
  await add({ idp_metadata: first });
  const refresh = await daemon();
  await refresh.pass();
  clock.now += 30 * minute - 1;
  await refresh.pass();
  assert.equal(asks(), 0, 'not all at once when a daemon starts');
  clock.now += 1;
  await refresh.pass();
  assert.equal(asks(), 1);
  assert.deepEqual([await metadataOf(id), logged.length], [first, 0]);
  publish(second);
  clock.now += 1.1 * hour;
  await refresh.pass();
  assert.equal(await metadataOf(id), second);
  assert.deepEqual(logged, ['metadata of an identity provider has changed']);
  await refresh.pass();
  assert.equal(asks(), 2);
});

test('V9: a clock that was a day ahead for a moment lets no metadata grow old', async (t) => {
  const { url, clock, daemon, add, asks } = await start(t);
  await add({ idp_metadata: first, idp_metadata_url: url });
  const refresh = await daemon();
  clock.now = 24 * hour;
  await refresh.pass();
  assert.equal(asks(), 1);
  clock.now = hour;
  await refresh.pass();
  await refresh.pass();
  assert.equal(asks(), 2, 'and once only');
});

test('metadata that is valid for a time is asked for before its end, and at once where that has passed', async (t) => {
  const { url, clock, publish, daemon, add, asks } = await start(t);
  const until = (time: number) =>
    idpMetadata({ entity: `entityID="https://idp.example" validUntil="${new Date(time).toISOString()}"` });
  publish(until(hour));
  await add({ idp_metadata: until(40 * minute), idp_metadata_url: url });
  const refresh = await daemon();
  const askedAt = async (time: number, count: number) => {
    clock.now = time - 1;
    await refresh.pass();
    assert.equal(asks(), count - 1, 'not before');
    clock.now = time;
    await refresh.pass();
    assert.equal(asks(), count);
  };
  await askedAt(20 * minute, 1);
  await askedAt(40 * minute, 2);
  publish(until(51 * minute));
  await askedAt(50 * minute, 3);
  await askedAt(55.5 * minute, 4);
  clock.now = hour;
  const other = await daemon();
  await other.pass();
  assert.equal(asks(), 5, 'by a daemon that was not there');
});

test('what was good stays while there is nothing better, and the log says so once', async (t) => {
  const { url, clock, publish, daemon, add, metadataOf, logged } = await start(t);
  const id = await add({ idp_metadata: first, idp_metadata_url: url });
  const refresh = await daemon();
  clock.now += hour;
  for (const [body, status] of [
    ['', 500],
    ['<html>', 200],
    [idpMetadata({ keys: '' }), 200],
  ] as const) {
    publish(body, status);
    await refresh.pass();
    assert.equal(await metadataOf(id), first);
    clock.now += 5.5 * minute;
  }
  assert.deepEqual(logged, ['metadata of an identity provider cannot be had; the last good stays']);
  publish(second);
  await refresh.pass();
  assert.equal(await metadataOf(id), second);
});

test('of several daemons one asks, and another one when that is silent', async (t) => {
  const { url, clock, publish, daemon, add, metadataOf, asks, logged } = await start(t);
  const id = await add({ idp_metadata: first, idp_metadata_url: url });
  const [one, other] = [await daemon('one'), await daemon('other')];
  /** Lets both make their passes for some minutes. The first one makes none after its kill. */
  const look = async (minutes: number, isKilled = false) => {
    for (let count = 0; count < 2 * minutes; count += 1) {
      clock.now += minute / 2;
      if (!isKilled) await one.pass();
      await other.pass();
    }
  };
  publish(second);
  await look(59);
  assert.deepEqual([await metadataOf(id), asks()], [second, 1]);
  assert.deepEqual(logged, ['metadata of an identity provider has changed']);
  await look(180);
  const before = asks();
  assert.ok(before >= 3 && before <= 4, `${before}`);
  publish(first);
  await look(75, true);
  assert.equal(await metadataOf(id), first);
  assert.ok(asks() <= before + 2);
});

test('a daemon that stops leaves the requests to another one at once', async (t) => {
  const { url, clock, daemon, add, asks } = await start(t);
  await add({ idp_metadata: first, idp_metadata_url: url });
  const [one, other] = [await daemon('one'), await daemon('other')];
  clock.now += minute;
  await one.pass();
  await other.pass();
  await one.stop();
  clock.now += hour;
  await other.pass();
  assert.equal(asks(), 1);
});

test('a module that was changed or removed meanwhile is left as it is', async (t) => {
  const { provider, url, clock, publish, daemon, add, change, metadataOf, asks } = await start(t);
  const id = await add({ idp_metadata: first, idp_metadata_url: url });
  const gone = await add({ idp_metadata: first, idp_metadata_url: url });
  const refresh = await daemon();
  publish(second);
  clock.now += hour;
  const changed = Promise.withResolvers<void>();
  provider.ready = changed.promise;
  const passing = refresh.pass();
  await until(() => asks() > 0);
  await Promise.all([change(id, { idp_metadata: first, idp_metadata_url: '' }), change(gone, null)]);
  changed.resolve();
  await passing;
  assert.equal(await metadataOf(id), first);
  assert.equal(await metadataOf(gone), undefined);
  const before = asks();
  clock.now += 2 * hour;
  await refresh.pass();
  assert.equal(asks(), before);
});

test('a provider that never answers delays no other account, nor a daemon that ends', async (t) => {
  const { url, clock, publish, daemon, add, metadataOf, logged } = await start(t);
  const silent = createServer();
  t.after(() => silent.close());
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  await add({ idp_metadata: first, idp_metadata_url: `https://127.0.0.1:${port}/` });
  const refresh = await daemon();
  clock.now += hour;
  const waiting = refresh.pass();
  const [socket] = (await once(silent, 'connection')) as [Socket];
  t.after(() => socket.destroy());
  const id = await add({ idp_metadata: first, idp_metadata_url: url }, 'ac_2');
  publish(second);
  clock.now += 1.2 * hour;
  void refresh.pass();
  await until(() => logged.length > 0);
  assert.equal(await metadataOf(id), second);
  await Promise.all([refresh.stop(), waiting]);
  assert.deepEqual(
    logged,
    ['metadata of an identity provider has changed'],
    'the time for an answer is not over',
  );
});
