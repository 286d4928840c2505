import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorName } from '../errors/catalogue.ts';
import { makeChain } from '../pki/certificates.fixture.ts';
import type { JsonObject, JsonValue } from '../store/store.ts';
import type { StoredKind } from './definition.ts';
import { kindNamed, type Platform, refused, startPlatform } from './engine.fixture.ts';
import { resourceKinds } from './index.ts';
import { newSshKey } from './ssh-keys.fixture.ts';

let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform.close());

let counter = 0;
const nobody = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';

/** What the table-driven tests need to know of a stored kind. */
interface Sample {
  readonly kind: string;
  /** A body that can be created again and again, with what it refers to made on that platform first. */
  readonly body: (on: Platform) => JsonObject | Promise<JsonObject>;
  /** What reads show of `body()`, apart from id, uri and created_at; undefined: not fixed. */
  readonly shown: Readonly<Record<string, JsonValue | undefined>>;
  /** Each updatable field with a new value, and what reads show then. */
  readonly patches: Readonly<Record<string, { readonly send: JsonValue; readonly shown: JsonValue }>>;
  readonly tooLong: { readonly description: ErrorName; readonly metadata: ErrorName };
  /** A field of the request with a value of a wrong JSON type. */
  readonly wrongTypes: Readonly<Record<string, JsonValue>>;
}

const text = {
  description: { send: 'eine Beschreibung ✓', shown: 'eine Beschreibung ✓' },
  metadata: { send: '{"a":1}', shown: '{"a":1}' },
};
const backendTexts = {
  description: 'backendDescriptionTooLong',
  metadata: 'backendMetadataTooLong',
} as const;
const keyTexts = {
  description: 'credentialDescriptionTooLong',
  metadata: 'credentialMetadataTooLong',
} as const;
const unset = { description: '', metadata: '' };
const chain = makeChain('sample.example.com');

const samples: readonly Sample[] = [
  {
    kind: 'http_response_backend',
    body: () => ({}),
    shown: { ...unset, body: '', headers: null, status_code: 200 },
    patches: {
      ...text,
      body: { send: 'hi', shown: 'hi' },
      headers: { send: { 'X-One': '1', location: '/' }, shown: { 'x-one': '1', location: '/' } },
      status_code: { send: 503, shown: 503 },
    },
    tooLong: backendTexts,
    wrongTypes: { body: 5, headers: ['a'], status_code: '200', description: ['x'], metadata: {} },
  },
  {
    kind: 'tunnel_group_backend',
    body: () => ({ labels: { app: 'web' } }),
    shown: { ...unset, labels: { app: 'web' }, tunnels: [] },
    patches: { ...text, labels: { send: { app: 'api', zone: 'ü' }, shown: { app: 'api', zone: 'ü' } } },
    tooLong: backendTexts,
    wrongTypes: { labels: 'app=web', description: 1, metadata: true },
  },
  {
    kind: 'tls_edge',
    body: () => ({}),
    shown: {
      ...unset,
      hostports: [],
      backend: null,
      ip_restriction: null,
      mutual_tls: null,
      tls_termination: null,
    },
    patches: {
      ...text,
      tls_termination: {
        send: { terminate_at: 'edge', min_version: '1.3' },
        shown: { enabled: true, terminate_at: 'edge', min_version: '1.3' },
      },
    },
    tooLong: { description: 'edgeDescriptionTooLong', metadata: 'edgeMetadataTooLong' },
    wrongTypes: { hostports: 'a.example.com:443', backend: [], tls_termination: 'edge', mutual_tls: true },
  },
  {
    kind: 'reserved_domain',
    body: () => ({ name: `sample-${++counter}` }),
    shown: {
      ...unset,
      domain: undefined,
      region: 'us',
      cname_target: null,
      http_endpoint_configuration: null,
      https_endpoint_configuration: null,
      certificate: null,
      certificate_management_policy: null,
      certificate_management_status: null,
      acme_challenge_cname_target: null,
    },
    patches: { ...text, region: { send: 'us', shown: 'us' } },
    tooLong: { description: 'domainDescriptionTooLong', metadata: 'domainMetadataTooLong' },
    wrongTypes: { name: 1, region: [], certificate_management_policy: 'public_ca' },
  },
  {
    kind: 'credential',
    body: () => ({}),
    shown: { ...unset, token: null, acl: [], owner_id: undefined },
    patches: { ...text, acl: { send: ['bind:Example.com', '*'], shown: ['bind:Example.com', '*'] } },
    tooLong: keyTexts,
    wrongTypes: { acl: '*', owner_id: 1 },
  },
  {
    kind: 'ip_policy',
    body: () => ({}),
    shown: unset,
    patches: text,
    tooLong: { description: 'ipPolicyDescriptionTooLong', metadata: 'ipPolicyMetadataTooLong' },
    wrongTypes: { description: 1, metadata: [] },
  },
  {
    kind: 'ip_policy_rule',
    body: async ({ create }) => ({
      cidr: '10.0.0.0/8',
      action: 'allow',
      ip_policy_id: (await create('ip_policy', {})).id,
    }),
    shown: { ...unset, cidr: '10.0.0.0/8', action: 'allow', ip_policy: undefined },
    patches: { ...text, cidr: { send: '2001:DB8::/32', shown: '2001:db8::/32' } },
    tooLong: { description: 'ipRuleDescriptionTooLong', metadata: 'ipRuleMetadataTooLong' },
    wrongTypes: { cidr: 8, ip_policy_id: ['ipp'], action: true },
  },
  {
    kind: 'certificate_authority',
    body: () => ({ ca_pem: chain.root }),
    shown: { ...unset, ca_pem: chain.root, subject_common_name: 'Test Root' },
    patches: text,
    tooLong: { description: 'caDescriptionTooLong', metadata: 'caMetadataTooLong' },
    wrongTypes: { ca_pem: [chain.root] },
  },
  {
    kind: 'tls_certificate',
    body: () => ({ certificate_pem: chain.leaf, private_key_pem: chain.key }),
    shown: { ...unset, certificate_pem: chain.leaf, private_key_type: 'ecdsa', issued_at: null },
    patches: text,
    tooLong: { description: 'certificateDescriptionTooLong', metadata: 'certificateMetadataTooLong' },
    wrongTypes: { certificate_pem: 1, private_key_pem: {} },
  },
  {
    kind: 'api_key',
    body: () => ({}),
    shown: { ...unset, token: null, owner_id: undefined },
    patches: text,
    tooLong: keyTexts,
    wrongTypes: { description: 1, owner_id: {} },
  },
  {
    kind: 'ssh_credential',
    body: () => ({ public_key: newSshKey() }),
    shown: { ...unset, acl: [], owner_id: undefined },
    patches: { ...text, acl: { send: ['bind:Example.com', '*'], shown: ['bind:Example.com', '*'] } },
    tooLong: keyTexts,
    wrongTypes: { acl: '*', owner_id: 1, public_key: ['ssh-ed25519'] },
  },
  {
    kind: 'ssh_certificate_authority',
    body: () => ({}),
    shown: { ...unset, key_type: 'ed25519' },
    patches: text,
    tooLong: { description: 'sshAuthorityDescriptionTooLong', metadata: 'sshAuthorityMetadataTooLong' },
    wrongTypes: { key_size: '2048', private_key_type: 1, elliptic_curve: {} },
  },
  {
    kind: 'ssh_host_certificate',
    body: sshSubject,
    shown: { ...unset, key_type: 'ed25519', principals: [] },
    patches: text,
    tooLong: { description: 'sshHostDescriptionTooLong', metadata: 'sshHostMetadataTooLong' },
    wrongTypes: { principals: 'host.example.com', valid_after: 0, valid_until: [], public_key: {} },
  },
  {
    kind: 'ssh_user_certificate',
    body: sshSubject,
    shown: {
      ...unset,
      key_type: 'ed25519',
      principals: [],
      critical_options: {},
      extensions: { 'permit-pty': '', 'permit-user-rc': '' },
    },
    patches: text,
    tooLong: { description: 'sshUserDescriptionTooLong', metadata: 'sshUserMetadataTooLong' },
    wrongTypes: { extensions: ['permit-pty'], critical_options: '', valid_until: 1, principals: {} },
  },
];

async function sshSubject(on: Platform): Promise<JsonObject> {
  const { id } = await on.create('ssh_certificate_authority', {});
  return { ssh_certificate_authority_id: id, public_key: newSshKey() };
}

test('every stored kind has a sample', () => {
  const stored = resourceKinds.filter((kind) => kind.source === 'stored').map((kind) => kind.name);
  assert.deepEqual(samples.map((sample) => sample.kind).sort(), stored.sort());
});

test('names, prefixes and paths of kinds are unique', () => {
  for (const key of ['name', 'prefix', 'path'] as const) {
    assert.equal(new Set(resourceKinds.map((kind) => kind[key])).size, resourceKinds.length, key);
  }
});

for (const sample of samples) {
  const { kind } = sample;
  const stored = kindNamed(kind) as StoredKind;

  describe(kind, () => {
    test('a resource is read as it was created, every field present and in order', async () => {
      const created = await platform.create(kind, await sample.body(platform));
      const read = await platform.get(kind, created.id);
      assert.deepEqual(Object.keys(read), Object.keys(stored.read.properties));
      const again = 'token' in created ? { ...created, token: null } : created;
      assert.deepEqual(again, read);
      assert.match(String(read.created_at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      assert.equal(read.uri, `https://api.underpass.localhost:8443${stored.path}/${created.id}`);
      for (const [field, value] of Object.entries(sample.shown)) {
        if (value !== undefined) assert.deepEqual(read[field], value, field);
      }
      assert.ok(!JSON.stringify(read).includes('hash'));
    });

    test('null for a field means the same as leaving it out', async () => {
      const body = { description: null, metadata: null, ...(await sample.body(platform)) };
      const { id } = await platform.create(kind, body);
      const fields = Object.keys(stored.update.properties);
      const before = await platform.get(kind, id);
      await platform.update(kind, id, Object.fromEntries(fields.map((field) => [field, null])));
      assert.deepEqual(await platform.get(kind, id), before);
    });

    test('each field can be changed alone, and the others stay', async () => {
      for (const [field, { send, shown }] of Object.entries(sample.patches)) {
        const { id } = await platform.create(kind, await sample.body(platform));
        const before = await platform.get(kind, id);
        const updated = await platform.update(kind, id, { [field]: send });
        assert.deepEqual(updated, { ...before, [field]: shown }, field);
        assert.deepEqual(await platform.get(kind, id), updated, field);
      }
    });

    test('an empty patch changes nothing and writes nothing', async () => {
      const { id } = await platform.create(kind, await sample.body(platform));
      const before = await platform.store.get(id);
      await platform.update(kind, id, {});
      await platform.update(kind, id, { id });
      assert.deepEqual(await platform.store.get(id), before);
    });

    test('texts are limited in bytes, not characters', async () => {
      for (const [field, limit] of [
        ['description', 255],
        ['metadata', 4096],
      ] as const) {
        const atLimit = `${'€'.repeat((limit - (limit % 3)) / 3)}${'x'.repeat(limit % 3)}`;
        assert.equal(Buffer.byteLength(atLimit), limit);
        const created = await platform.create(kind, { ...(await sample.body(platform)), [field]: atLimit });
        assert.equal(created[field], atLimit);
        const error = sample.tooLong[field];
        const details = { field: `/${field}`, limit };
        await refused(
          platform.create(kind, { ...(await sample.body(platform)), [field]: `${atLimit}x` }),
          error,
          details,
        );
        await refused(
          platform.update(kind, created.id, { [field]: `€${atLimit.slice(1)}x` }),
          error,
          details,
        );
      }
    });

    test('unknown fields are refused and the known ones listed', async () => {
      const allowed = Object.keys(stored.create.properties);
      const unknown = { ...(await sample.body(platform)), colour: 'red' };
      await refused(platform.create(kind, unknown), 'fieldUnknown', { field: '/colour', allowed });
      for (const name of ['__proto__', 'constructor', 'toString', 'created_at', 'id', 'uri']) {
        const body = JSON.parse(`{"${name}": "x"}`);
        await refused(platform.create(kind, body), 'fieldUnknown', { field: `/${name}` });
      }
    });

    test('wrong JSON types are refused by field', async () => {
      for (const [field, value] of Object.entries(sample.wrongTypes)) {
        const body = { ...(await sample.body(platform)), [field]: value };
        await refused(platform.create(kind, body), 'valueInvalid', { field: `/${field}` });
      }
      for (const body of [null, [], 'x', 1, true, undefined]) {
        await refused(platform.create(kind, body), 'bodyNotObject');
      }
    });

    test('an id in the body is taken when it is that of the path', async () => {
      const { id } = await platform.create(kind, await sample.body(platform));
      const updated = await platform.update(kind, id, { id, description: 'x' });
      assert.equal(updated.description, 'x');
      const other = platform.update(kind, id, { id: `${stored.prefix}_${nobody}` });
      await refused(other, 'pathParameterMismatch', { field: '/id' });
      await refused(platform.update(kind, id, { id: [id] }), 'pathParameterMismatch');
    });

    test('another account sees exactly what it sees of an id that never was', async () => {
      const { id } = await platform.create(kind, await sample.body(platform));
      const missing = `${stored.prefix}_${nobody}`;
      for (const verb of [
        (one: string) => platform.get(kind, one, platform.stranger),
        (one: string) => platform.update(kind, one, { description: 'x' }, platform.stranger),
        (one: string) => platform.update(kind, one, { nonsense: 1 }, platform.stranger),
        (one: string) => platform.remove(kind, one, platform.stranger),
      ]) {
        const foreign = await refused(verb(id), 'resourceNotFound');
        const unknown = await refused(verb(missing), 'resourceNotFound');
        assert.deepEqual([foreign.message, foreign.details], [unknown.message, unknown.details]);
      }
      const { items } = await platform.list(kind, {}, platform.stranger);
      assert.deepEqual(
        items.filter((item) => item.id === id),
        [],
      );
      await platform.get(kind, id);
    });

    test('ids of another kind are refused by their prefix', async () => {
      const wrong = `usr_${nobody}`;
      await refused(platform.get(kind, wrong), 'idPrefixWrong');
      await refused(platform.update(kind, wrong, {}), 'idPrefixWrong');
      await refused(platform.remove(kind, wrong), 'idPrefixWrong');
      await refused(platform.list(kind, { before: wrong }), 'idPrefixWrong');
      await refused(platform.get(kind, stored.prefix), 'idPrefixWrong');
      await refused(platform.get(kind, `${stored.prefix}_`), 'resourceNotFound');
    });

    test('a deleted resource is gone', async () => {
      const { id } = await platform.create(kind, await sample.body(platform));
      await platform.remove(kind, id);
      await refused(platform.get(kind, id), 'resourceNotFound');
      await refused(platform.update(kind, id, {}), 'resourceNotFound');
      await refused(platform.remove(kind, id), 'resourceNotFound');
    });

    test('lists are newest first, in pages, also from an id that is gone', async () => {
      const own = await startPlatform();
      try {
        const ids: string[] = [];
        for (let count = 0; count < 5; count++)
          ids.unshift((await own.create(kind, await sample.body(own))).id);
        const all = await own.list(kind, { limit: 5 });
        assert.deepEqual(
          all.items.map((item) => item.id),
          ids,
        );
        assert.equal(all.next, null);
        const first = await own.list(kind, { limit: 2 });
        assert.deepEqual(
          first.items.map((item) => item.id),
          ids.slice(0, 2),
        );
        assert.equal(first.next, ids[1]);
        await own.remove(kind, ids[1]!);
        const second = await own.list(kind, { limit: 2, before: ids[1]! });
        assert.deepEqual(
          second.items.map((item) => item.id),
          ids.slice(2, 4),
        );
        assert.deepEqual(second.items[0], await own.get(kind, ids[2]!));
      } finally {
        await own.close();
      }
    });

    test('of patches at once none is lost', async () => {
      const { id } = await platform.create(kind, await sample.body(platform));
      const patches = Object.entries(sample.patches);
      const rounds = Array.from({ length: 20 }, (_, round) => ({ metadata: `round ${round}` }));
      const others = patches.filter(([field]) => field !== 'metadata');
      await Promise.all([
        ...rounds.map((patch) => platform.update(kind, id, patch)),
        ...others.map(([field, { send }]) => platform.update(kind, id, { [field]: send })),
      ]);
      const read = await platform.get(kind, id);
      for (const [field, { shown }] of others) assert.deepEqual(read[field], shown, field);
      assert.equal(read.metadata, 'round 19');
    });

    test('a patch that races with a deletion either lands before it or finds nothing', async () => {
      const { id } = await platform.create(kind, await sample.body(platform));
      const results = await Promise.allSettled([
        platform.update(kind, id, { description: 'a' }),
        platform.remove(kind, id),
        platform.update(kind, id, { description: 'b' }),
      ]);
      assert.equal(results[1].status, 'fulfilled');
      await refused(platform.get(kind, id), 'resourceNotFound');
    });
  });
}

test('writers of two nodes start over instead of losing a change', async () => {
  const { id } = await platform.create('http_response_backend', {});
  const { createEngine } = await import('./engine.ts');
  const { store, settings, online, sealer, admin } = platform;
  const nodes = Array.from({ length: 4 }, () =>
    createEngine({ store, settings, online, sealer, now: Date.now }),
  );
  const kind = kindNamed('http_response_backend');
  const patches = [{ description: 'd' }, { metadata: 'm' }, { body: 'b' }, { status_code: 404 }];
  await Promise.all(patches.map((patch, index) => nodes[index]!.update(kind, admin, id, patch)));
  const { description, metadata, body, status_code } = await platform.get('http_response_backend', id);
  assert.deepEqual({ description, metadata, body, status_code }, Object.assign({}, ...patches));
});
