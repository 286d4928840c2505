import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashToken, tokenOf } from '../access/tokens.ts';
import type { DocumentStore, StoredDocument } from '../documents/index.ts';
import { documentsIn } from '../documents/store.ts';
import { Problem } from '../errors/problem.ts';
import { MemoryStore } from '../store/memory.fixture.ts';
import { proxy } from '../store/proxy.fixture.ts';
import { StoreUnavailableError } from '../store/store.ts';
import { authenticate } from './credentials.ts';
import { FollowedCredentials } from './followed-credentials.ts';

const suffix = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
const token = tokenOf(`cr_${suffix}`, 'x'.repeat(22));

const nothing = documentsIn(new MemoryStore());
const limits = { storeWaitMs: 0 };

function documents(acl: readonly string[]): Map<string, StoredDocument> {
  const row = { account: 'ac_1', parent: null, revision: 1 };
  const described = { description: '', metadata: '' };
  const kept = { ...described, token_hash: hashToken(token), owner_id: 'usr_1', acl };
  const all: StoredDocument[] = [
    { ...row, id: 'ac_1', kind: 'account', body: { name: 'acme' } },
    { ...row, id: 'usr_1', kind: 'user', body: { name: 'u', email: '', role: 'admin', active: true } },
    { ...row, id: `cr_${suffix}`, kind: 'credential', body: kept },
  ];
  return new Map(all.map((document) => [document.id, document]));
}

/** A store in memory with these documents. */
async function storeWith(acl: readonly string[]): Promise<DocumentStore> {
  const store = documentsIn(new MemoryStore());
  await store.write(() =>
    [...documents(acl).values()].map(({ id, account, kind, parent, body }) => {
      return { op: 'insert', id, account, kind, parent, body, links: [], names: [] };
    }),
  );
  return store;
}

/** Calls `change` once, when the account is read: the last read of a first attempt. */
function changing(store: DocumentStore, change: () => Promise<unknown>): DocumentStore {
  let isChanged = false;
  return proxy(store, {
    async get(id) {
      const document = await store.get(id);
      if (id !== 'ac_1' || isChanged) return document;
      isChanged = true;
      await change();
      return document;
    },
  });
}

test('a credential that changes while it is read is read again', async () => {
  let changes = 0;
  const store = await storeWith([]);
  const changed = changing(store, async () => {
    changes += 1;
    const { id, revision } = (await store.get(`cr_${suffix}`))!;
    const { body } = documents(['bind:app.example.com']).get(id)!;
    await store.write(() => [{ op: 'rewrite', id, revision, body }]);
  });
  const context = { credentials: nothing, store: changed, credentialChanges: () => changes, limits };
  const rules = await authenticate(context, token, (grant, name) => [
    name,
    grant.acl.map(({ kind }) => kind),
  ]);
  assert.deepEqual(rules, ['acme', ['name']]);
});

test('a credential that is gone by the time it would be used gives no session', async () => {
  let changes = 0;
  const store = await storeWith([]);
  const changed = changing(store, async () => {
    changes += 1;
    const { id, revision } = (await store.get(`cr_${suffix}`))!;
    await store.write(() => [{ op: 'delete', id, revision }]);
  });
  const context = { credentials: nothing, store: changed, credentialChanges: () => changes, limits };
  const used = authenticate(context, token, () => assert.fail('used'));
  await assert.rejects(used, (error) => error instanceof Problem && error.code === 'authtokenInvalid');
});

test('what is followed lets an agent in and does not ask the store; what is not followed is asked for', async () => {
  const followed = await storeWith([]);
  const away = documentsIn(new MemoryStore());
  await away.close();
  const credentialChanges = () => 0;
  const name = (_grant: unknown, accountName: string) => accountName;

  const inOutage = { credentials: followed, store: away, credentialChanges, limits };
  assert.equal(await authenticate(inOutage, token, name), 'acme');
  const other = tokenOf('cr_0ujtsYcgvSTl8PAuAdqWYSMnLOw', 'x'.repeat(22));
  const refusal = { name: StoreUnavailableError.name };
  await assert.rejects(authenticate(inOutage, other, name), refusal, 'it may have been made elsewhere');
  await assert.rejects(authenticate(inOutage, `${token}x`, name), refusal);

  const justMade = { credentials: nothing, store: followed, credentialChanges, limits };
  assert.equal(await authenticate(justMade, token, name), 'acme');
});

test('a store that is away for a moment is waited for, and what is wrong with it otherwise is not', async () => {
  const store = await storeWith([]);
  const failures: Error[] = [new StoreUnavailableError('away'), new StoreUnavailableError('away')];
  const failing = proxy(store, {
    get: (id) => {
      const failure = failures.shift();
      return failure === undefined ? store.get(id) : Promise.reject(failure);
    },
  });
  const waiting = { storeWaitMs: 60_000 };
  const context = { credentials: nothing, store: failing, credentialChanges: () => 0, limits: waiting };
  assert.equal(await authenticate(context, token, (_grant, accountName) => accountName), 'acme');
  failures.push(new RangeError('a fault'));
  await assert.rejects(
    authenticate(context, token, () => assert.fail('used')),
    { name: 'RangeError' },
  );
});

test('what is followed of credentials: who owns them, what was changed, what is gone', async () => {
  const credentials = new FollowedCredentials();
  credentials.reset([...documents([]).values()]);
  const id = `cr_${suffix}`;
  assert.equal((await credentials.get(id))?.id, id);
  assert.equal(credentials.isInactive(id), false);

  const change = { revision: 2, account: 'ac_1' };
  const owner = documents([]).get('usr_1');
  assert.ok(owner?.kind === 'user');
  const inactive = { ...owner, body: { ...owner.body, active: false } };
  assert.ok(credentials.apply({ ...change, id: 'usr_1', kind: 'user', document: inactive }));
  assert.ok(credentials.isInactive(id));
  assert.ok(!credentials.apply({ ...change, id: 'rd_1', kind: 'reserved_domain', document: null }));
  assert.ok(credentials.apply({ ...change, id, kind: 'credential', document: null }));
  assert.equal(await credentials.get(id), null);
  assert.ok(!credentials.isInactive(id));
});
