import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { DocumentStore } from '../documents/index.ts';
import { documentsIn } from '../documents/store.ts';
import { LocalAuthority } from '../pki/local-authority.ts';
import { loadMacKey } from '../pki/mac-key.ts';
import { loadMasterKeys, saveMasterKeys } from '../pki/master-key.ts';
import { Sealer } from '../pki/seal.ts';
import { keyContext } from '../pki/uploaded-certificate.ts';
import { proxy } from '../store/proxy.fixture.ts';
import { openSqliteStore } from '../store/sqlite/store.ts';
import { StoreUnavailableError } from '../store/store.ts';
import { OperatorError } from './operator-error.ts';
import { Rotation, type RotationOptions } from './rotation.ts';
import { changeSealed, SEALED_KINDS } from './sealed-fields.ts';

const CERTIFICATES = 120;

interface Place {
  readonly dataDir: string;
  readonly store: DocumentStore;
}

/** Something sealed of three kinds, under the key that the first start makes. */
async function startInstallation(context: TestContext): Promise<Place> {
  const dataDir = await mkdtemp(join(tmpdir(), 'underpass-rotation-'));
  const store = documentsIn(await openSqliteStore({ path: join(dataDir, 'underpass.db') }));
  context.after(async () => {
    await store.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  const sealer = new Sealer(...(await loadMasterKeys({ dataDir, env: {} })));
  await LocalAuthority.load({ store, sealer, now: Date.now, name: 'Test' });
  await loadMacKey({ store, sealer, purpose: 'bind-token' });
  await store.write((newId) =>
    Array.from({ length: CERTIFICATES }, () => {
      const id = newId('cert');
      const body = { private_key_sealed: sealer.seal(`key of ${id}`, keyContext(id)) };
      const names = [{ kind: 'certificate', value: id }];
      return {
        op: 'insert',
        id,
        account: 'ac',
        kind: 'tls_certificate',
        parent: null,
        body,
        links: [],
        names,
      };
    }),
  );
  return { dataDir, store };
}

/** Starts like a new process: with the keys that are in the file. */
async function startRotation(
  { dataDir, store }: Place,
  options: Partial<RotationOptions> = {},
): Promise<Rotation> {
  const sealer = new Sealer(...(await loadMasterKeys({ dataDir, env: {} })));
  const onError = (error: unknown): void => assert.fail(String(error));
  const quiesce = async (): Promise<void> => {};
  return new Rotation({ store, sealer, dataDir, isAlone: true, quiesce, onError, ...options });
}

/** Opens everything with the keys in the file. Answers how much is sealed under the first, and how much under others. */
async function openAll({
  dataDir,
  store,
}: Place): Promise<{ current: number; former: number; keys: number }> {
  const keys = await loadMasterKeys({ dataDir, env: {} });
  const sealer = new Sealer(...keys);
  let [current, former] = [0, 0];
  for (const document of (await store.snapshot(SEALED_KINDS)).documents) {
    changeSealed(document, (sealed, context) => {
      const plain = sealer.open(sealed, context);
      if (document.kind === 'tls_certificate') assert.equal(plain, `key of ${document.id}`);
      if (sealer.isCurrent(sealed)) current += 1;
      else former += 1;
      return sealed;
    });
  }
  return { current, former, keys: keys.length };
}

const ALL = CERTIFICATES + 2;

test('everything is sealed anew, names stay, and the old key is dropped when nothing can need it', async (context) => {
  const place = await startInstallation(context);
  const [old] = await loadMasterKeys({ dataDir: place.dataDir, env: {} });
  const quiet = Promise.withResolvers<void>();
  const rotation = await startRotation(place, { quiesce: () => quiet.promise });
  assert.deepEqual(await rotation.rotate(), { secrets: ALL, former_keys: 1, dropped: true });
  assert.deepEqual(await openAll(place), { current: ALL, former: 0, keys: 2 });
  await assert.rejects(rotation.rotate(), /under way already/);

  // A request that had sealed before the switch is stored now.
  const [document] = (await place.store.snapshot(['tls_certificate'])).documents;
  assert.ok(document);
  const { id, revision } = document;
  const late = { ...document.body, private_key_sealed: new Sealer(old).seal(`key of ${id}`, keyContext(id)) };
  await place.store.write(() => [{ op: 'rewrite', id, revision, body: late }]);
  quiet.resolve();
  await rotation.idle();
  assert.deepEqual(await openAll(place), { current: ALL, former: 0, keys: 1 });
  const [now] = await loadMasterKeys({ dataDir: place.dataDir, env: {} });
  assert.notDeepEqual(now, old);
  assert.equal((await place.store.findName({ kind: 'certificate', value: id }))?.id, id);
  assert.equal((await rotation.rotate()).secrets, ALL, 'and again');
  await rotation.idle();
});

test('interrupted after any number of writes, everything opens, and the next start goes on', async (context) => {
  const place = await startInstallation(context);
  for (const writes of [0, 1, 49, 50, 51, 100, ALL - 1]) {
    let left = writes;
    const { store } = place;
    const failing = proxy(store, {
      write: (build) => {
        left -= 1;
        return left < 0 ? Promise.reject(new StoreUnavailableError('killed')) : store.write(build);
      },
    });
    const interrupted = await startRotation({ ...place, store: failing });
    await assert.rejects(interrupted.rotate(), StoreUnavailableError);
    const { current, former, keys } = await openAll(place);
    // The last of them may be under way still.
    assert.ok(current <= writes && former >= ALL - writes, `${current} and ${former} after ${writes}`);
    assert.deepEqual([current + former, keys], [ALL, 2]);
    const next = await startRotation(place);
    await next.resume();
    assert.deepEqual(await openAll(place), { current: ALL, former: 0, keys: 1 });
  }
});

test('values that change meanwhile are not put back, and those that go are let go', async (context) => {
  const place = await startInstallation(context);
  const { documents } = await place.store.snapshot(['tls_certificate']);
  const [changed, deleted] = documents;
  assert.ok(changed && deleted);
  const sealer = new Sealer(...(await loadMasterKeys({ dataDir: place.dataDir, env: {} })));
  const rotation = await startRotation(place, { sealer });
  const rotating = rotation.rotate();
  const body = { ...changed.body, description: 'new' };
  await Promise.allSettled([
    place.store.write(() => [{ op: 'rewrite', id: changed.id, revision: changed.revision, body }]),
    place.store.write(() => [{ op: 'delete', id: deleted.id, revision: deleted.revision }]),
  ]);
  await rotating;
  await rotation.idle();
  const { former, keys } = await openAll(place);
  assert.deepEqual([former, keys], [0, 1]);
});

test('a start with one key does nothing; where others have the key, too, it says what to do', async (context) => {
  const place = await startInstallation(context);
  const before = await place.store.snapshot(SEALED_KINDS);
  await (await startRotation(place)).resume();
  const shared = await startRotation(place, { isAlone: false });
  await assert.rejects(shared.rotate(), (error) => {
    assert.ok(error instanceof OperatorError);
    return /on each daemon before the next step[\s\S]*Restart/.test(error.message);
  });
  assert.deepEqual(await place.store.snapshot(SEALED_KINDS), before);

  // The steps that the operator gets as instructions.
  const [old] = await loadMasterKeys({ dataDir: place.dataDir, env: {} });
  await saveMasterKeys(place.dataDir, [Buffer.alloc(32, 1), old]);
  const prepared = await startRotation(place, { isAlone: false });
  assert.deepEqual(await prepared.rotate(), { secrets: ALL, former_keys: 1, dropped: false });
  assert.deepEqual(await openAll(place), { current: ALL, former: 0, keys: 2 }, 'nothing is dropped');
});

test('a secret that a newer version has written keeps the key that it needs, until that version has sealed it anew', async (context) => {
  const place = await startInstallation(context);
  const { store, dataDir } = place;
  const [old] = await loadMasterKeys({ dataDir, env: {} });
  const {
    documents: [document],
  } = await store.snapshot(['tls_certificate']);
  const { id, revision } = document!;
  const keep = async (at: number, sealer: Sealer): Promise<number> => {
    const later = { tokens: [{ token_sealed: sealer.seal('token', 'a place') }, { token_sealed: '' }] };
    return store.write(() => [{ op: 'rewrite', id, revision: at, body: { ...document!.body, later } }]);
  };
  await keep(revision, new Sealer(old));
  const said = new RegExp(`${id} has a secret that this version does not know`);
  await assert.rejects((await startRotation(place)).rotate(), said);
  const errors: unknown[] = [];
  await (await startRotation(place, { onError: (error) => errors.push(error) })).resume();
  assert.match(String(errors), said);
  const keys = await loadMasterKeys({ dataDir, env: {} });
  assert.equal(keys.length, 2);
  await keep((await store.get(id))!.revision, new Sealer(...keys));
  await (await startRotation(place)).resume();
  assert.equal((await loadMasterKeys({ dataDir, env: {} })).length, 1);
});
