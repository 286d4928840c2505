import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { OpenStore } from '../store/conformance/index.fixture.ts';
import type { JsonObject } from '../store/store.ts';
import { onBothStores } from './both-stores.fixture.ts';
import type { Principal } from './definition.ts';
import { collection, type Platform, refused, startPlatform } from './engine.fixture.ts';
import { resourceSurfaces } from './kinds/index.ts';
import { Selection, type SelectionText, selectedFields } from './selection.ts';

/** The ids of all pages of a list, and the number of the pages. */
async function listed(
  on: Platform,
  kind: string,
  text: SelectionText,
  { limit = 100, as = on.admin, parent = undefined as string | undefined } = {},
): Promise<{ ids: readonly string[]; pages: number }> {
  const of = collection(kind, parent);
  const selection = new Selection(text, selectedFields(of.kind.read));
  const ids: string[] = [];
  let before: { before?: string } = {};
  for (let pages = 1; ; pages++) {
    const { items, next } = await on.engine.list(of, as, { limit, selection, ...before });
    assert.ok(items.length <= limit);
    ids.push(...items.map(({ id }) => String(id)));
    if (next === null) return { ids, pages };
    before = { before: next };
  }
}

async function edgeAt(on: Platform, domain: string) {
  await on.create('reserved_domain', { domain });
  return await on.create('https_edge', { hostports: [`${domain}:443`] });
}

async function ids(on: Platform, kind: string, text: SelectionText, as?: Principal) {
  return (await listed(on, kind, text, as === undefined ? {} : { as })).ids;
}

onBothStores((open: OpenStore) => {
  let on: Platform;
  before(async () => {
    on = await startPlatform(open);
  });
  after(() => on.close());

  test('pages of any size have the selected resources in the order of the list', async () => {
    const made: (JsonObject & { id: string })[] = [];
    for (let at = 0; at < 25; at++)
      made.unshift(
        await on.create('http_response_backend', {
          description: at % 3 === 0 ? `Shop ${at}` : `other ${at}`,
          status_code: at % 2 === 0 ? 200 : 404,
        }),
      );
    const expected = made
      .filter(({ description, status_code }) => /shop/i.test(String(description)) && status_code === 404)
      .map(({ id }) => id);
    assert.equal(expected.length, 4);
    const filter = 'description contains shop and status_code >= 400';
    for (const limit of [1, 2, 3, 4, 5, 100]) {
      const found = await listed(on, 'http_response_backend', { filter }, { limit });
      assert.deepEqual(found.ids, expected, String(limit));
    }
    assert.deepEqual(
      await ids(on, 'http_response_backend', { filter: 'status_code = 404', q: 'sHOP' }),
      expected,
    );
    assert.deepEqual(await ids(on, 'http_response_backend', { q: made[3]!.id }), [made[3]!.id]);
    assert.deepEqual(await ids(on, 'http_response_backend', { q: 'api.underpass' }), []);
    assert.deepEqual(await ids(on, 'http_response_backend', { filter }, on.stranger), []);
  });

  test('a list below a parent, one with an alias and one of what is online are selected alike', async () => {
    const edge = await edgeAt(on, 'selected.example.com');
    const other = await edgeAt(on, 'another.example.com');
    const routes = [];
    for (const match of ['/a', '/b', '/ab'])
      routes.unshift(
        await on.create('https_edge_route', { match_type: 'path_prefix', match }, on.admin, edge.id),
      );
    const found = await listed(on, 'https_edge_route', { filter: 'match contains b' }, { parent: edge.id });
    assert.deepEqual(found.ids, [routes[0]!.id, routes[1]!.id]);
    assert.deepEqual(await ids(on, 'https_edge', { filter: 'routes.match = "/ab"' }), [edge.id]);
    assert.deepEqual(await ids(on, 'https_edge', { q: 'SELECTED.example' }), [edge.id]);
    assert.deepEqual(await ids(on, 'https_edge', { filter: 'mutual_tls = null' }), [other.id, edge.id]);

    const names = ['robot one', 'robot two', 'service'];
    for (const name of names) await on.create('bot_user', { name });
    const services = await listed(on, 'service_user', { q: 'robot' }, { limit: 1 });
    assert.equal(services.ids.length, 2);
    assert.ok(services.ids.every((id) => id.startsWith(`${collection('service_user').kind.prefix}_`)));

    const tunnels = [];
    for (const at of [1, 2, 3])
      tunnels.unshift(await on.tunnel(on.admin.account, { name: `live${at}.example.com` }));
    await on.tunnel(on.stranger.account, { name: 'live2.example.org' });
    assert.deepEqual(await ids(on, 'tunnel', { q: 'live2' }), [tunnels[1]!.id]);
    const online = await listed(
      on,
      'tunnel',
      { filter: 'proto = https and public_url != null' },
      { limit: 2 },
    );
    assert.deepEqual(online, { ids: tunnels.map(({ id }) => id), pages: 2 });
    assert.deepEqual(await ids(on, 'endpoint', { filter: 'host = live3.example.com' }), [
      tunnels[0]!.endpoint!.id,
    ]);
  });

  test('members select among what they may see, and no secret is found', async () => {
    const mine = await on.create('api_key', { description: 'mine' }, on.member);
    const theirs = await on.create('api_key', { description: 'theirs' });
    const filter = 'description != ""';
    assert.deepEqual(await ids(on, 'api_key', { filter }, on.member), [mine.id]);
    assert.deepEqual(await ids(on, 'api_key', { filter }), [theirs.id, mine.id]);
    const secret = String(theirs.token).split('_').at(-1) ?? '';
    assert.deepEqual(await ids(on, 'api_key', { q: secret }), []);
    assert.deepEqual(await ids(on, 'api_key', { filter: `token = "${theirs.token}"` }), []);
    await refused(ids(on, 'api_key', { filter: 'token_hash != null' }), 'filterFieldUnknown');
  });
});

/** Puts many backends, or edges, into the account without the engine. */
async function fill(
  on: Platform,
  kind: 'http_response_backend' | 'https_edge',
  count: number,
): Promise<string[]> {
  const of = collection(kind);
  const sample = kind === 'https_edge' ? await edgeAt(on, 'a.example.com') : await on.create(kind, {});
  const { body } = (await on.store.get(sample.id))!;
  const { account } = on.admin;
  const made = [sample.id];
  await on.store.write((newId) =>
    Array.from({ length: count - 1 }, () => {
      const id = newId(of.kind.prefix);
      made.unshift(id);
      return { op: 'insert', id, account, kind, parent: null, body, links: [], names: [] } as const;
    }),
  );
  return made;
}

describe('the work for a page is limited', () => {
  let on: Platform;
  before(async () => {
    on = await startPlatform();
  });
  after(() => on.close());

  test('a page that finds nothing in a thousand resources is empty, and the next one continues', async () => {
    const made = await fill(on, 'http_response_backend', 2500);
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const of = collection('http_response_backend');
    const selection = new Selection({ filter: 'description = none' }, selectedFields(of.kind.read));
    const first = await on.engine.list(of, on.admin, { limit: 5, selection });
    assert.deepEqual(first, { items: [], next: made[999] });
    isOver = true;
    assert.ok(turns >= 9, `${turns} turns of the event loop`);
    const found = await listed(on, 'http_response_backend', { filter: `id <= ${made[2400]}` });
    assert.deepEqual(found, { ids: made.slice(2400), pages: 3 });
  });

  test('a resource whose form needs further reads counts as ten', async () => {
    const made = await fill(on, 'https_edge', 250);
    const of = collection('https_edge');
    const selection = new Selection({ filter: 'description = none' }, selectedFields(of.kind.read));
    const first = await on.engine.list(of, on.admin, { limit: 5, selection });
    assert.deepEqual(first, { items: [], next: made[99] });
    const last = await listed(on, 'https_edge', { q: made[249]! });
    assert.deepEqual(last, { ids: [made[249]], pages: 3 });
  });
});

test('a search finds something in each kind, and never the address of the API', () => {
  for (const kind of resourceSurfaces) {
    const { searched } = selectedFields(kind.read);
    assert.ok(searched.fields.has('id'), kind.name);
    assert.ok(!searched.fields.has('uri'), kind.name);
  }
});
