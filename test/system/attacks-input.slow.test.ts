/** A2 and A7: repeated and misplaced values are rejected, and every page parameter has its own error, over the whole API. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startUpstream, type Upstream } from '../harness/index.ts';
import { rowsOf } from '../harness/property-runs.ts';
import { Account, documentOf, neverWas, type Operation } from './account.fixture.ts';
import { startTwoAccounts, type TwoAccounts } from './attacks.fixture.ts';
import { ELEMENT, Inventory, unknownIn } from './inventory.fixture.ts';

let world: TwoAccounts;
let upstream: Upstream;
let operations: readonly Operation[];
let account: Account;
let abroad: Account;
let things: Inventory;

before(async () => {
  [world, upstream] = await Promise.all([
    startTwoAccounts(),
    startUpstream((_request, response) => response.end('ok')),
  ]);
  const { platform, other } = world;
  ({ operations } = await documentOf(platform));
  account = new Account(operations, platform.bootstrap.api_key, platform);
  abroad = new Account(operations, other.api_key, platform);
  await platform.agent(['http', String(upstream.port)]);
  things = await Inventory.make(account, operations);
});
after(async () => {
  await world.platform.stop();
  await upstream.stop();
});

async function refused(code: number, method: string, path: string, body?: string): Promise<void> {
  const answer = await account.call(method, path, body);
  const what = `${method} ${path} ${body ?? ''}: ${answer.text}`;
  assert.equal(answer.status, 400, what);
  assert.equal(answer.json.error_code, `ERR_SERVICE_${code}`, what);
}

test('a body that is no object, says a field twice or has a field of the language is refused by every operation', async () => {
  const takers = operations.filter(({ body }) => body !== null);
  assert.ok(takers.length > 70);
  const before = await things.read(account);
  for (const { method, path } of rowsOf(takers)) {
    const at = things.fill(path);
    for (const body of ['[{}]', 'null']) await refused(60100, method, at, body);
    await refused(60004, method, at, '{"a":{"b":1,"\\u0062":2}}');
    for (const name of ['__proto__', 'constructor'])
      await refused(214, method, at, `{"${name}":{"description":"x"}}`);
  }
  assert.deepEqual(await things.read(account), before);
});

test('an id in the body or the query is the one in the path, or the request is refused', async () => {
  const before = await things.read(account);
  for (const { method, path, parameters, body } of rowsOf(operations)) {
    const at = things.fill(path);
    // The series of traffic have such a parameter.
    if (path !== '/traffic/series')
      await refused(231, method, `${at}?id=${neverWas('cr_')}`, body === null ? undefined : '{}');
    if (body === null) continue;
    for (const name of ['id', 'edge_id', 'subscription_id']) {
      const inPath = parameters.includes(name);
      // A subscription's own path calls it id; a rule has its policy in the body, a route its edge in the path.
      await refused(inPath ? 60105 : 214, method, at, JSON.stringify({ [name]: neverWas('cr_') }));
      if (inPath) await refused(60105, method, at, JSON.stringify({ [name]: [at.split('/').at(-1)] }));
    }
    if (parameters.includes('type')) {
      await refused(60105, method, at, '{"type":"ip_policy_updated.v0"}');
      assert.equal((await account.call(method, at, JSON.stringify({ type: ELEMENT }))).status, 200);
    }
  }
  assert.deepEqual(await things.read(account), before);
});

test('what is only read or deleted takes no body', async () => {
  for (const { method, path } of rowsOf(operations)) {
    // Its query is checked first, and has parameters that it needs.
    if (path === '/traffic/recent') continue;
    if (method === 'GET' || method === 'DELETE') await refused(211, method, things.fill(path), '{}');
  }
});

test('an id of another kind is refused by its prefix, wherever it stands in a path', async () => {
  for (const { method, path, parameters, body } of rowsOf(operations)) {
    for (const [index, name] of parameters.entries()) {
      if (name === 'type') continue;
      let seen = -1;
      const foreign = `usrx_${'0'.repeat(27)}`;
      const wrong = things
        .fill(path, (collection) => (++seen === index ? foreign : things.of(collection)))
        .replace(unknownIn(path.slice(0, path.indexOf('/{'))) ?? '', (unknown) =>
          unknown === '' ? '' : foreign,
        );
      const answer = await account.call(method, wrong, body === null ? undefined : '{}');
      assert.equal(answer.status, 400, `${method} ${wrong}: ${answer.text}`);
      assert.equal(answer.json.error_code, 'ERR_SERVICE_227', `${method} ${wrong}`);
      assert.equal(answer.json.details.field, name, `${method} ${wrong}`);
    }
  }
});

/** Prefixes of ids in lists of what is no resource. */
const entries = {
  '/changes': 'chg',
  '/console/sessions': 'cs',
  '/traffic/recordings': 'rec',
  '/traffic/requests': 'req',
  '/visitor_logins': 'vl',
};

test('every list refuses every bad page parameter with its own error', async () => {
  const pages = new Map([...things.ids].map(([path, id]) => [path, id.split('_')[0]]));
  for (const [path, prefix] of Object.entries(entries)) pages.set(path, prefix);
  // Names are no resources, and have no ids.
  const lists = operations.filter(({ id, path }) => id.endsWith('_list') && path !== '/names');
  assert.ok(lists.length >= 32);
  for (const { path } of rowsOf(lists.filter(({ path }) => !path.includes('{')))) {
    const prefix = pages.get(path);
    assert.ok(prefix !== undefined, path);
    const other = prefix === 'usr' ? 'cr' : 'usr';
    for (const [query, code] of [
      ['limit=0', 233],
      ['before_id=%00', 227],
      ['limit=101', 233],
      ['limit=-1', 233],
      ['limit=1e2', 244],
      ['limit=0x10', 244],
      ['limit=1&limit=1', 232],
      ['Limit=1', 231],
      ['limit[]=1', 231],
      ['limit=%zz', 230],
      [`before_id=${other}_${'0'.repeat(27)}`, 227],
      [`before_id=${prefix}_short`, 60012],
      [`before_id=${prefix}_${'0'.repeat(26)}%00`, 60012],
    ] as const) {
      await refused(code, 'GET', `${path}?${query}`);
    }
  }
});

test('every list pages on from an id that is gone, foreign or never was, and shows its own only', async () => {
  for (const { id, path } of rowsOf(operations.filter((one) => one.id.endsWith('_list')))) {
    const collection = things.ids.has(path);
    if (!collection || !operations.some(({ id: other }) => other === id.replace(/_list$/, '_create')))
      continue;
    const kind = id.replace(/_list$/, '');
    const { id: oldest } = await account.make(kind);
    const { id: gone, path: goneAt } = await account.make(kind);
    assert.equal((await account.call('DELETE', goneAt)).status, 204, kind);
    const page = await account.call('GET', `${path}?limit=1&before_id=${gone}`);
    assert.equal(page.status, 200, kind);
    const [first] = Object.values<readonly { readonly id: string }[]>(page.json).find(Array.isArray) ?? [];
    assert.equal(first?.id, oldest, kind);
    const next = `${world.platform.bootstrap.base_url}${path}?before_id=${oldest}&limit=1`;
    assert.equal(page.json.next_page_uri, next, kind);
    const foreign = await abroad.call('GET', `${path}?before_id=${gone}`);
    assert.equal(foreign.status, 200);
    assert.ok(!foreign.text.includes(oldest), kind);
    const end = await account.call('GET', `${path}?before_id=${neverWas(gone)}`);
    assert.deepEqual(Object.values(end.json).find(Array.isArray), [], kind);
    assert.equal(end.json.next_page_uri, null);
  }
});
