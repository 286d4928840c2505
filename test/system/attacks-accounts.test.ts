/** A1: every path to a resource of another account returns the same as for an unknown id. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { referenceSamples } from '../../packages/server/src/resources/samples/references.fixture.ts';
import { startUpstream, type Upstream } from '../harness/index.ts';
import { rowsOf } from '../harness/property-runs.ts';
import { Account, documentOf, neverWas, type Operation, sampleOf, shape } from './account.fixture.ts';
import { startTwoAccounts, type TwoAccounts } from './attacks.fixture.ts';
import { Inventory } from './inventory.fixture.ts';

let world: TwoAccounts;
let upstream: Upstream;
let operations: readonly Operation[];
let home: Account;
let abroad: Account;
/** Resources of `home`. */
let things: Inventory;

before(async () => {
  [world, upstream] = await Promise.all([
    startTwoAccounts(),
    startUpstream((_request, response) => response.end('ok')),
  ]);
  const { platform, other } = world;
  ({ operations } = await documentOf(platform));
  home = new Account(operations, platform.bootstrap.api_key, platform);
  abroad = new Account(operations, other.api_key, platform);
  await platform.agent(['http', String(upstream.port)]);
  things = await Inventory.make(home, operations);
});
after(async () => {
  await world.platform.stop();
  await upstream.stop();
});

async function alike(operation: Operation, account: Account, one: string, other: string): Promise<void> {
  const { method, body } = operation;
  for (const sent of body !== null ? ['{}', '{"nonsense":1}'] : [undefined]) {
    const foreign = await account.call(method, one, sent);
    const unknown = await account.call(method, other, sent);
    assert.equal(foreign.status, 404, `${method} ${one}: ${foreign.text}`);
    assert.deepEqual(shape(foreign), shape(unknown), `${method} ${one}`);
  }
}

test('every operation on an id of another account answers byte for byte as on one that never was', async () => {
  const addressed = operations.filter(({ parameters }) => parameters.length > 0);
  const before = await things.read(home);
  for (const operation of rowsOf(addressed)) {
    const { path } = operation;
    const nobodys = things.fill(path, (collection) => neverWas(things.of(collection)));
    await alike(operation, abroad, things.fill(path), nobodys);
  }
  assert.ok(addressed.length > 150 && before.size > 28, 'the whole document was asked');
  assert.deepEqual(await things.read(home), before, 'and nothing changed');
});

test('below another edge, of the account or not, a route is one that never was', async () => {
  const routes = '/edges/https/{edge_id}/routes';
  const below = operations.filter(({ path }) => path.startsWith(`${routes}/{id}`));
  assert.ok(below.length > 25);
  const secondEdge = (await home.make('https_edge')).id;
  const { id: ownRoute, path: ownPath } = await abroad.make('https_edge_route');
  const ownEdge = ownPath.split('/').at(-3) ?? '';
  const edge = things.of('/edges/https');
  const route = things.of(routes);
  const at = (path: string, edgeId: string, routeId: string) =>
    path.replace('{edge_id}', edgeId).replace('{id}', routeId);
  for (const operation of rowsOf(below)) {
    const { path } = operation;
    // The account's own route, below its other edge.
    await alike(operation, home, at(path, secondEdge, route), at(path, secondEdge, neverWas(route)));
    // A foreign route below an own edge, and an own route below a foreign edge.
    await alike(operation, abroad, at(path, ownEdge, route), at(path, ownEdge, neverWas(route)));
    await alike(operation, abroad, at(path, edge, ownRoute), at(path, neverWas(edge), ownRoute));
  }
  assert.equal((await abroad.call('GET', ownPath)).status, 200);
});

test("lists show nothing of another account, not even from another account's id on", async () => {
  for (const { id, path } of operations) {
    if (!id.endsWith('_list') || !things.ids.has(path)) continue;
    for (const query of ['', `?before_id=${things.of(path)}`]) {
      const { text, status } = await abroad.call('GET', `${path}${query}`);
      assert.equal(status, 200);
      assert.ok(!text.includes(things.of(path)), path);
    }
  }
});

test('a reference to what another account has is refused as one to what never was', async () => {
  for (const { kind, field, target, targetBody, body, patch } of rowsOf(referenceSamples)) {
    const { id } = await home.make(target, targetBody);
    const parent = await sampleOf(kind).parent?.(abroad);
    const own = patch === true ? await abroad.make(kind) : null;
    const refer = (to: string) =>
      own === null
        ? abroad.call('POST', abroad.path(kind, parent), body(to))
        : abroad.call('PATCH', own.path, body(to));
    const foreign = await refer(id);
    const unknown = await refer(neverWas(id));
    assert.ok(foreign.status === 400 || foreign.status === 404, `${kind} ${field}: ${foreign.text}`);
    assert.deepEqual(shape(foreign, id), shape(unknown, neverWas(id)), `${kind} ${field}`);
  }
});

test('a member of another account cannot be made an owner', async () => {
  const { user_id } = world.platform.bootstrap;
  const bot = await home.make('bot_user');
  for (const path of ['/credentials', '/api_keys', '/ssh_credentials']) {
    const kind = operations.find((one) => one.path === path)?.id.replace(/_(list|create)$/, '') ?? '';
    const body = await sampleOf(kind).body(abroad);
    for (const owner_id of [user_id, bot.id]) {
      const foreign = await abroad.call('POST', path, { ...body, owner_id });
      const unknown = await abroad.call('POST', path, { ...body, owner_id: neverWas(owner_id) });
      assert.equal(foreign.status, 400, foreign.text);
      assert.deepEqual(shape(foreign, owner_id), shape(unknown, neverWas(owner_id)));
    }
  }
});

test('a member learns nothing of what only admins may change, nor of keys of others', async () => {
  const { id: owner_id } = await home.create('user', { name: 'Mem', email: '', role: 'member' });
  const { token } = await home.create('api_key', { owner_id });
  const member = new Account(operations, String(token), world.platform);
  const before = await things.read(home);
  for (const [collection, status] of [
    ['/users', 403],
    ['/bot_users', 403],
    ['/api_keys', 404],
  ] as const) {
    const id = things.of(collection);
    for (const { path, method } of operations.filter((one) => one.path === `${collection}/{id}`)) {
      if (method === 'GET' && status === 403) continue;
      const sent = method === 'PATCH' ? '{"nonsense":1}' : undefined;
      const standing = await member.call(method, path.replace('{id}', id), sent);
      const unknown = await member.call(method, path.replace('{id}', neverWas(id)), sent);
      assert.equal(standing.status, status, `${method} ${path}: ${standing.text}`);
      assert.deepEqual(shape(standing), shape(unknown), `${method} ${path}`);
    }
    if (status === 403) assert.equal((await member.call('POST', collection, '{"nonsense":1}')).status, 403);
    else assert.ok(!(await member.call('GET', collection)).text.includes(id));
  }
  assert.deepEqual(await things.read(home), before);
});
