/** The audit trail, over every kind. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { changeOperations, MOST_CHANGES, operatorActor } from '../../resources/change-entry.ts';
import type { Principal } from '../../resources/definition.ts';
import { refused, startPlatform } from '../../resources/engine.fixture.ts';
import { resourceSurfaces } from '../../resources/kinds/index.ts';
import { createAccount } from '../../resources/new-account.ts';
import { samples } from '../../resources/samples/index.fixture.ts';
import { createRef } from '../../resources/show.ts';
import type { QueryValues } from '../../resources/standalone/definition.ts';
import type { JsonObject, WriteOperation } from '../../store/store.ts';
import { expireNotes } from '../notes-expiry.ts';
import { listChanges } from './list-changes.ts';

type Field = { field: string; old: string | null; new: string | null; is_secret: boolean };
type Change = JsonObject & {
  readonly id: string;
  readonly kind: string;
  readonly resource_id: string;
  readonly action: string;
  readonly actor: JsonObject;
  readonly fields: readonly Field[];
};
interface Listed {
  readonly changes: readonly Change[];
  readonly next_page_uri: string | null;
}

async function started(t: TestContext) {
  const platform = await startPlatform();
  t.after(() => platform.close());
  const list = async (query: QueryValues = {}, principal: Principal = platform.admin): Promise<Listed> => {
    const { store, settings } = platform;
    const ref = createRef(resourceSurfaces, settings.baseUrl);
    const call = {
      principal,
      query: { limit: 100, ...query },
      path: {},
      body: null,
      baseUrl: 'https://api',
      missing,
    };
    return JSON.parse(JSON.stringify(await listChanges({ store, ref }, call))) as Listed;
  };
  return { platform, list };
}

const missing = () => assert.fail('no daemon is missing');
const fieldOf = ({ fields }: Change, name: string) => fields.find(({ field }) => field === name);

test('each kind: creation, change and deletion have an entry with values, and a write of nothing has none', async (t) => {
  const { platform, list } = await started(t);
  for (const { kind, parent, body, patches } of samples) {
    const above = await parent?.(platform);
    const { id } = await platform.create(kind, await body(platform), platform.admin, above);
    const [[field = '', { send = '' } = {}] = []] = Object.entries(patches);
    await platform.update(kind, id, { [field]: send }, platform.admin, above);
    await platform.update(kind, id, { [field]: send }, platform.admin, above);
    await platform.remove(kind, id, platform.admin, above);
    const { changes } = await list({ resource_id: id });
    assert.deepEqual(
      changes.map(({ action }) => action),
      ['deleted', 'updated', 'created'],
      kind,
    );
    const [deleted, updated] = changes;
    const changed = fieldOf(updated!, field);
    const text = typeof send === 'string' ? send : JSON.stringify(send);
    assert.equal(changed?.new, text, `${kind}: ${JSON.stringify(updated)}`);
    assert.deepEqual(
      updated!.fields.map((one) => one.field),
      [field],
      kind,
    );
    assert.equal(fieldOf(deleted!, field)?.old, text, kind);
    for (const change of changes) assert.equal(change.kind, kind);
  }
});

test('an entry has the actor and the request, and a URL while the resource exists', async (t) => {
  const { platform, list } = await started(t);
  const by = {
    ...platform.admin,
    subject: 'ada@example.com',
    operation: 'ip_policy_create',
    operationId: 'op_1',
  };
  const { id } = await platform.create('ip_policy', { description: 'office' }, by);
  const [change] = (await list()).changes;
  assert.deepEqual(change?.actor, {
    ...{
      type: 'user',
      user_id: by.owner,
      name: 'ada@example.com',
      credential_id: 'ak_0',
      address: '127.0.0.1',
    },
  });
  assert.deepEqual(
    [change.operation, change.operation_id, change.kind, change.resource_id, change.action],
    ['ip_policy_create', 'op_1', 'ip_policy', id, 'created'],
  );
  assert.equal(change.resource_uri, `${platform.settings.baseUrl}/ip_policies/${id}`);
  assert.deepEqual(change.fields, [{ field: 'description', old: null, new: 'office', is_secret: false }]);
  const { revision } = (await platform.store.get(id))!;
  assert.equal(change.revision, revision, 'written with its change');
});

test('no secret is in an entry, and a changed one is known to have changed', async (t) => {
  const { platform, list } = await started(t);
  const key = await platform.create('api_key', {});
  const secret = 'secret-0123456789';
  const target = (api_key: string) => ({ monitoring: { api_key, service: 's' } });
  const made = await platform.create('event_destination', {
    ...{ description: 'd', format: 'json', target: target(secret) },
  });
  await platform.update('event_destination', made.id, { target: target('other-9876543210') });
  const backend = await platform.create('http_response_backend', {
    headers: { Authorization: 'Bearer abc', 'x-seen': 'yes' },
  });
  await platform.update('http_response_backend', backend.id, {
    headers: { Authorization: 'Bearer def', 'x-seen': 'yes' },
  });
  const stored = await platform.store.notes({ kind: 'change', account: platform.admin.account, limit: 99 });
  const text = JSON.stringify(stored);
  assert.doesNotMatch(text, /secret-0123|other-9876|Bearer|_sealed|_hash/);
  assert.ok(!text.includes(String(key.token)));
  const { changes } = await list();
  const [headers, , updated] = changes;
  assert.deepEqual(headers?.fields, [
    { field: 'headers.authorization', old: null, new: null, is_secret: true },
  ]);
  assert.ok(updated?.fields.some(({ field, is_secret }) => field === 'target.secret' && is_secret));
});

test('what goes with another resource has an entry, at most a hundred of a kind', async (t) => {
  const { platform, list } = await started(t);
  const policy = await platform.create('ip_policy', {});
  for (let at = 0; at < 105; at++)
    await platform.create('ip_policy_rule', {
      ip_policy_id: policy.id,
      cidr: `10.0.0.${at}/32`,
      action: 'allow',
    });
  await platform.remove('ip_policy', policy.id);
  const { changes, next_page_uri } = await list({ action: 'deleted', limit: 100 });
  assert.deepEqual(
    changes[0]?.fields.find(({ field }) => field === 'ip_policy_rules'),
    {
      ...{ field: 'ip_policy_rules', old: '105', new: '0', is_secret: false },
    },
  );
  const before_id = new URL(String(next_page_uri)).searchParams.get('before_id')!;
  const rest = await list({ action: 'deleted', before_id });
  assert.equal(changes.length + rest.changes.length, 101);
});

test('an account sees nothing of another one', async (t) => {
  const { platform, list } = await started(t);
  await platform.create('ip_policy', { description: 'theirs' }, platform.stranger);
  const { id } = await platform.create('ip_policy', { description: 'ours' });
  assert.deepEqual(
    (await list()).changes.map(({ resource_id }) => resource_id),
    [id],
  );
  const foreign = await list({}, platform.stranger);
  assert.equal(foreign.changes.length, 1);
  assert.doesNotMatch(JSON.stringify(foreign), /ours/);
});

test('the list is filtered and paged by its URL, and every page has its share', async (t) => {
  const { platform, list } = await started(t);
  const ids: string[] = [];
  for (let at = 0; at < 7; at++) ids.push((await platform.create('ip_policy', { description: `${at}` })).id);
  await platform.create('credential', {}, platform.member);
  const seen: string[] = [];
  let query: QueryValues = { kind: 'ip_policy', limit: 3 };
  for (;;) {
    const { changes, next_page_uri } = await list(query);
    seen.push(...changes.map(({ resource_id }) => resource_id));
    if (next_page_uri === null) break;
    const parameters = Object.fromEntries(new URL(next_page_uri).searchParams);
    assert.equal(parameters.kind, 'ip_policy');
    query = { ...parameters, limit: Number(parameters.limit) };
  }
  assert.deepEqual(seen, ids.toReversed());
  const kinds = async (given: QueryValues) => (await list(given)).changes.map(({ kind }) => kind);
  assert.deepEqual(await kinds({ actor_id: platform.member.owner }), ['credential']);
  assert.deepEqual(await kinds({ actor_type: 'daemon' }), []);
  assert.equal((await kinds({ actor_id: 'ak_0', actor_type: 'user', action: 'created' })).length, 8);
  const hour = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  assert.equal((await kinds({ since: hour(-1), until: hour(1) })).length, 8);
  assert.deepEqual(await kinds({ until: hour(-1) }), []);
  assert.deepEqual(await kinds({ since: hour(1) }), []);
  await refused(list({ since: 'yesterday' }), 'timestampInvalid', { field: 'since' });
});

test('a filter without a match reads a bounded number of entries, and the next page goes on', async (t) => {
  const { platform, list } = await started(t);
  const { store, admin } = platform;
  const entry = {
    ...{ account: admin.account, actor: operatorActor, operation: '', operationId: '', parent: '' },
    ...{ kind: 'thing', id: 'th_1', action: 'created', fields: [] },
  };
  const write = (kind: string, count: number) =>
    store.write((newId) =>
      Array.from({ length: count }, () => changeOperations(newId, { ...entry, kind })).flat(),
    );
  await write('rare', 1);
  await write('thing', 4_100);
  const first = await list({ kind: 'rare' });
  assert.deepEqual(first.changes, []);
  const before_id = new URL(String(first.next_page_uri)).searchParams.get('before_id')!;
  const second = await list({ kind: 'rare', before_id });
  assert.deepEqual([second.changes.length, second.next_page_uri], [1, null]);
});

test('a long value is cut, and an entry has a bounded size', async (t) => {
  const { platform, list } = await started(t);
  const { store, admin } = platform;
  const fields = Array.from({ length: 40 }, (_, at) => ({
    field: `f${at}`,
    old: null,
    new: 'ä'.repeat(5_000),
  }));
  await store.write((newId) =>
    changeOperations(newId, {
      ...{ account: admin.account, actor: operatorActor, operation: '', operationId: '', parent: '' },
      ...{ kind: 'thing', id: 'th_1', action: 'created', fields },
    }),
  );
  const [change] = (await list()).changes;
  assert.ok(JSON.stringify(change).length < 10_000);
  assert.equal(change!.fields.length + Number(change!.fields_left_out), 40);
  assert.match(String(change!.fields[0]?.new), /^ä{1000}…$/);
});

test('commands of the operator and a new account have entries', async (t) => {
  const { platform, list } = await started(t);
  const options = { store: platform.store, name: 'A', email: 'a@example.com', description: '' };
  const { account_id: account } = await createAccount({ ...options, actor: operatorActor });
  const { changes } = await list({}, { ...platform.admin, account });
  assert.deepEqual(changes.map(({ kind }) => kind).sort(), ['account', 'api_key', 'credential', 'user']);
  for (const { actor } of changes) assert.equal(actor.type, 'operator');
  for (const change of changes.filter(({ kind }) => kind === 'api_key' || kind === 'credential'))
    assert.deepEqual(fieldOf(change, 'token'), { field: 'token', old: null, new: null, is_secret: true });
  assert.doesNotMatch(JSON.stringify(changes), /_hash/);
});

test('old entries expire, those of every account', async (t) => {
  const { platform, list } = await started(t);
  await platform.create('ip_policy', {});
  await platform.create('ip_policy', {}, platform.stranger);
  let now = Date.now();
  const notes = { store: platform.store, kept: { change: 1_000 }, now: () => now };
  now -= 10_000;
  assert.equal(await expireNotes(notes), false);
  assert.equal((await list()).changes.length, 1);
  now += 60_000;
  assert.equal(await expireNotes(notes), true);
  assert.equal(await expireNotes(notes), false);
  for (const principal of [platform.admin, platform.stranger])
    assert.deepEqual((await list({}, principal)).changes, []);
});

test('writes of an account remove its entries beyond the limit', async (t) => {
  const { platform } = await started(t);
  t.mock.method(Math, 'random', () => 0);
  let written: readonly WriteOperation[] = [];
  const { store } = platform;
  const build = (newId: (prefix: string) => string) =>
    changeOperations(newId, {
      ...{ account: 'ac_1', actor: operatorActor, operation: '', operationId: '', parent: '' },
      ...{ kind: 'thing', id: 'th_1', action: 'created', fields: [] },
    });
  await store.write((newId) => {
    written = build(newId);
    return written;
  });
  assert.deepEqual(written[1], {
    op: 'trim',
    kind: 'change',
    account: 'ac_1',
    keep: MOST_CHANGES,
    most: 2_000,
  });
});
