/** A8 and A9: of writers at once, on whatever daemon, one gets the name; nothing points at what is gone; what is in use stays. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { samples } from '../../packages/server/src/resources/samples/index.fixture.ts';
import { newSshKey } from '../../packages/server/src/resources/ssh-keys.fixture.ts';
import type { JsonObject } from '../../packages/server/src/store/store.ts';
import type { Account } from './account.fixture.ts';
import { onBothStores } from './both-stores.fixture.ts';
import { configurations } from './module-configurations.fixture.ts';
import { answersOf, label, oneOf, references, referrer, times, won } from './writers.fixture.ts';

onBothStores((world) => {
  test('a name goes to one account, in whatever spelling and from wherever it is asked for', async () => {
    const { home, abroad } = world();
    const name = label();
    const full = `${name.toUpperCase()}.underpass.localhost.`;
    await oneOf(
      times(12, (n) =>
        n % 2 === 0
          ? home.call('POST', '/reserved_domains', { name })
          : abroad.call('POST', '/reserved_domains', { name: full }),
      ),
      '413|414',
    );
    const owners = times(6, (n) => [home, abroad][n % 2] as Account);
    const wild = `${label()}.example.com`;
    const answers = await answersOf(
      owners.map((account, n) =>
        account.call('POST', '/reserved_domains', { name: n < 3 ? `*.${wild}` : `a.${wild}` }),
      ),
      201,
      409,
    );
    const uris = new Set(won(answers).map(({ json }) => json.domain));
    assert.equal(uris.size, won(answers).length, 'no name twice');
    const lists = await Promise.all([home, abroad].map((account) => account.list('reserved_domain')));
    const holders = lists.filter(({ items }) => items.some(({ domain }) => String(domain).endsWith(wild)));
    assert.equal(holders.length, 1, 'a wildcard and the names below it are of one account');
  });

  test('a hostport goes to one edge, of whatever kind', async () => {
    const { home } = world();
    const { domain } = await home.create('reserved_domain', { name: label() });
    const hostports = [`${String(domain)}:443`];
    const edges = times(10, (n) =>
      home.call('POST', n % 2 === 0 ? '/edges/tls' : '/edges/https', { hostports }),
    );
    const edge = await oneOf(edges, '7122');
    const { path: other } = await home.make('tls_edge');
    const { path: another } = await home.make('https_edge');
    const claims = times(6, (n) => home.call('PATCH', n % 2 === 0 ? other : another, { hostports }));
    await answersOf(claims, 409);
    const { pathname } = new URL(String(edge.uri));
    const moved = [
      home.call('DELETE', pathname),
      ...times(6, (n) => home.call('PATCH', n % 2 === 0 ? other : another, { hostports })),
    ];
    await answersOf(moved, 200, 204, 409);
    const now = await Promise.all([other, another].map((path) => home.call('GET', path)));
    assert.ok(now.filter(({ json }) => json.hostports.length > 0).length <= 1, 'never on two edges');

    const { addr } = await home.create('reserved_addr', {});
    await oneOf(
      times(8, () => home.call('POST', '/edges/tcp', { hostports: [addr] })),
      '7122',
    );
  });

  test('addresses that are reserved at once are different ones', async () => {
    const { home, abroad } = world();
    const calls = times(12, (n) => (n % 2 === 0 ? home : abroad).call('POST', '/reserved_addrs', {}));
    const addresses = (await answersOf(calls, 201)).map(({ json }) => json.addr);
    assert.equal(new Set(addresses).size, 12);
  });

  test('what may be there once in an account, a policy or an edge is there once', async () => {
    const { home, abroad } = world();
    const policy = await home.create('ip_policy', {});
    const rule = (cidr: string) => ({ ip_policy_id: policy.id, action: 'allow', cidr });
    const edge = (await home.make('https_edge')).id;
    const key = newSshKey();
    const restriction = { type: 'dashboard', ip_policy_ids: [policy.id] };
    const person = label();
    const once: readonly (readonly [string, string, (n: number) => JsonObject])[] = [
      [`/edges/https/${edge}/routes`, '7126', () => ({ match_type: 'path_prefix', match: '/once' })],
      ['/ip_policy_rules', '1408', (n) => rule(n % 2 === 0 ? '2001:db8::/32' : '2001:0DB8:0::/32')],
      ['/bot_users', '4112', () => ({ name: person })],
      [
        '/users',
        '60620',
        (n) => ({ name: 'x', email: n % 2 === 0 ? `${person}@example.com` : `${person}@EXAMPLE.com` }),
      ],
      ['/ip_restrictions', '1802', () => restriction],
    ];
    for (const [path, code, body] of once) {
      const { id } = await oneOf(
        times(8, (n) => home.call('POST', path, body(n))),
        code,
      );
      const claims = [
        home.call('DELETE', `${path}/${id}`),
        ...times(4, (n) => home.call('POST', path, body(n))),
      ];
      assert.ok(won(await answersOf(claims, 201, 204, 409)).length <= 1, `${path}: free again, once`);
    }
    const { items } = await home.list('ip_restriction');
    for (const { id } of items) await home.remove('ip_restriction', String(id));
    await oneOf(
      times(8, (n) => (n % 2 === 0 ? home : abroad).call('POST', '/ssh_credentials', { public_key: key })),
      '609|610',
    );
  });

  test('of patches and deletions at once none is lost: one deletion wins, and every field changed before it is there', async () => {
    const { home } = world();
    for (const { kind, patches } of samples) {
      const { path } = await home.make(kind);
      const fields = Object.entries(patches);
      await answersOf(
        fields.map(([field, { send }]) => home.call('PATCH', path, { [field]: send })),
        200,
      );
      const { json } = await home.call('GET', path);
      for (const [field, { shown }] of fields) assert.deepEqual(json[field], shown, `${kind} ${field}`);
      const ends = times(3, () => home.call('DELETE', path));
      const late = fields.map(([field, { send }]) => home.call('PATCH', path, { [field]: send }));
      const answers = await answersOf([...late, ...ends], 200, 204, 404);
      assert.equal(answers.filter(({ status }) => status === 204).length, 1, kind);
      assert.equal((await home.call('GET', path)).status, 404, kind);
    }
  });

  test('modules of one resource that are written at once are all there; one that is removed meanwhile is there or not', async () => {
    const { home, operations } = world();
    const bodies = await configurations(home);
    for (const kind of ['tls_edge', 'https_edge', 'https_edge_route', 'tcp_edge', 'endpoint_configuration']) {
      const modules = operations
        .filter(({ id, method }) => method === 'PUT' && id.startsWith(`${kind}_`))
        .map(({ path }) => path.split('/').at(-1) ?? '')
        .filter((name) => operations.some(({ id }) => id === `${kind}_${name}_put`))
        // Users log in by one module alone, which is saml here.
        .filter((name) => name !== 'oauth' && name !== 'oidc');
      const { path } = await home.make(kind);
      // An HTTPS edge takes no terminate_at: it always ends TLS itself.
      const ended = kind === 'https_edge' ? {} : { terminate_at: 'edge' };
      const put = (name: string) =>
        home.call('PUT', `${path}/${name}`, name === 'tls_termination' ? ended : bodies[name]);
      // The end of TLS decides which other modules are possible.
      if (modules.includes('tls_termination')) await answersOf([put('tls_termination')], 200);
      await answersOf([...modules.map(put), home.call('PATCH', path, { metadata: 'raced' })], 200);
      const { json } = await home.call('GET', path);
      assert.equal(json.metadata, 'raced', kind);
      for (const name of modules) assert.notEqual(json[name], null, `${kind} ${name}`);
      const [first = '', ...others] = modules.filter((name) => name !== 'tls_termination');
      const removals = times(3, () => home.call('DELETE', `${path}/${first}`));
      await answersOf(
        [...others.map(put), ...removals, home.call('PATCH', path, { metadata: 'again' })],
        200,
        204,
        404,
      );
      const { json: left } = await home.call('GET', path);
      assert.equal(left[first], null, `${kind} ${first}`);
      for (const name of others) assert.notEqual(left[name], null, `${kind} ${name}`);
    }
  });

  test('what is deleted while others begin to use it is either kept, or used by nobody', async () => {
    const { home } = world();
    for (const reference of references.filter(({ binding }) => binding)) {
      const { id, path } = await home.make(reference.target, reference.targetBody);
      const users = await Promise.all(times(3, () => referrer(home, reference)));
      const [first, ...others] = users.map(
        ({ refer }) =>
          () =>
            refer(id),
      );
      const calls = [
        first?.(),
        home.call('DELETE', path),
        ...others.map((refer) => refer()),
        home.call('DELETE', path),
      ];
      const answers = await answersOf(
        calls.filter((call) => call !== undefined),
        200,
        201,
        204,
        400,
        404,
        409,
      );
      const what = `${reference.kind} ${reference.field}`;
      const used = answers.filter(({ status }) => status === 200 || status === 201);
      const gone = answers.filter(({ status }) => status === 204);
      assert.ok(used.length === 0 || gone.length === 0, what);
      assert.equal((await home.call('GET', path)).status, gone.length > 0 ? 404 : 200, what);
      for (const { json } of used) await home.call('DELETE', new URL(json.uri).pathname);
    }
  });

  test('what is made below a parent that is deleted at that moment is deleted with it', async () => {
    const { home } = world();
    for (const [parent, kind, body] of [
      [
        'https_edge',
        'https_edge_route',
        (_id: string, n: number) => ({ match_type: 'exact_path', match: `/${n}` }),
      ],
      [
        'ip_policy',
        'ip_policy_rule',
        (id: string, n: number) => ({ ip_policy_id: id, action: 'deny', cidr: `10.0.${n}.0/24` }),
      ],
    ] as const) {
      const { id, path } = await home.make(parent);
      const collection = home.path(kind, id);
      const children = times(6, (n) => home.call('POST', collection, body(id, n)));
      const [deleted, ...made] = await answersOf(
        [home.call('DELETE', path), ...children],
        201,
        204,
        400,
        404,
      );
      assert.equal(deleted?.status, 204);
      for (const { json } of won(made))
        assert.equal((await home.call('GET', `${collection}/${json.id}`)).status, 404, kind);
    }
  });

  test('what is in use is not deleted, and its user is named', async () => {
    const { home } = world();
    for (const reference of references) {
      const { kind, field, target, targetBody, binding } = reference;
      const what = `${kind} ${field}`;
      const { id, path } = await home.make(target, targetBody);
      const { refer, path: pathOf, done } = await referrer(home, reference);
      const user = await refer(id);
      assert.equal(user.status, done, `${what}: ${user.text}`);
      const deletion = await home.call('DELETE', path);
      if (binding) {
        assert.equal(deletion.status, 409, what);
        assert.equal(deletion.json.details.used_by, user.json.id, what);
        assert.equal((await home.call('DELETE', pathOf(user.json.id))).status, 204, what);
        assert.equal((await home.call('DELETE', path)).status, 204, what);
      } else {
        assert.equal(deletion.status, 204, `${what}: ${deletion.text}`);
      }
    }
  });

  test('reservations with an edge on them, and users who own something, are in use as well', async () => {
    const { home } = world();
    const domain = await home.create('reserved_domain', { name: label() });
    const address = await home.create('reserved_addr', {});
    const user = await home.create('user', { name: 'Ada', email: `${label()}@example.com` });
    for (const [target, kind, body] of [
      [domain, 'tls_edge', { hostports: [`${String(domain.domain)}:443`] }],
      [domain, 'https_edge', { hostports: [`${String(domain.domain)}:443`] }],
      [address, 'tcp_edge', { hostports: [String(address.addr)] }],
      [user, 'credential', { owner_id: user.id }],
      [user, 'api_key', { owner_id: user.id }],
      [user, 'ssh_credential', { owner_id: user.id, public_key: newSshKey() }],
    ] as const) {
      const { id } = await home.create(kind, body);
      const path = new URL(String(target.uri)).pathname;
      const refused = await home.call('DELETE', path);
      assert.equal(refused.status, 409, kind);
      assert.equal(refused.json.details.used_by, id, kind);
      await home.remove(kind, id);
    }
    for (const { uri } of [domain, address, user])
      assert.equal((await home.call('DELETE', new URL(String(uri)).pathname)).status, 204);
  });
});
