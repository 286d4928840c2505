/** The examples of the OpenAPI document, unchanged, on a new daemon. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { JsonObject, JsonValue } from '../../packages/server/src/store/store.ts';
import { Platform } from '../harness/index.ts';
import type { LooseJson as Schema } from '../harness/loose-json.ts';
import { Account, type ApiDocument, documentOf, type ExampleId, type Operation } from './account.fixture.ts';

/** A new daemon, and what the examples of creations made there. */
class Examples {
  readonly platform: Platform;
  readonly document: ApiDocument;
  readonly account: Account;
  /** Created resources by the kind's name. */
  readonly made = new Map<
    string,
    { readonly id: string; readonly path: string; readonly shown: JsonObject }
  >();

  private constructor(platform: Platform, document: ApiDocument) {
    this.platform = platform;
    this.document = document;
    this.account = new Account(document.operations, platform.bootstrap.api_key, platform);
  }

  static async start(): Promise<Examples> {
    const platform = await Platform.shared();
    return new Examples(platform, await documentOf(platform));
  }

  get creations(): readonly Operation[] {
    return this.document.operations.filter(({ id }) => {
      const [, kind = ''] = /^(.*)_create$/.exec(id) ?? [];
      return Object.hasOwn(this.document.kinds, kind);
    });
  }

  /** Creates the kind's own example, once. */
  async make(kind: string): Promise<{ readonly id: string; readonly path: string }> {
    const known = this.made.get(kind);
    if (known !== undefined) return known;
    const operation = this.document.operations.find(({ id }) => id === `${kind}_create`);
    assert.ok(operation?.example !== undefined, `${kind} has no example of a creation`);
    const path = await this.fill(operation.path);
    const { status, text, json } = await this.account.call('POST', path, await this.withIds(operation));
    assert.equal(status, 201, `${operation.id}: ${text}`);
    const created = { id: json.id, path: `${path}/${json.id}`, shown: json };
    this.made.set(kind, created);
    return created;
  }

  /** The path with the ids of what examples made; of an element its key as the document has it. */
  async fill(path: string): Promise<string> {
    const segments = await Promise.all(
      path.split('/').map(async (segment, at, all) => {
        if (!segment.startsWith('{')) return segment;
        const collection = all.slice(0, at).join('/');
        const [kind] =
          Object.entries(this.document.kinds).find(([, it]) => it.collection === collection) ?? [];
        return kind === undefined ? 'ip_policy_updated.v0' : (await this.make(kind)).id;
      }),
    );
    return segments.join('/');
  }

  async withIds({
    example = null,
    exampleIds,
  }: Pick<Operation, 'example' | 'exampleIds'>): Promise<JsonValue> {
    let body = example;
    for (const place of exampleIds)
      body = replaced(body, place, (await this.make(place['refers-to'][0] ?? '')).id);
    return body;
  }
}

function replaced(value: JsonValue, { pointer, key }: ExampleId, id: string): JsonValue {
  const copy = structuredClone(value) as JsonValue;
  const steps = pointer.split('/').slice(1);
  const last = steps.pop() ?? '';
  const parent = steps.reduce(
    (part, step) => (part as Record<string, JsonValue>)[step] ?? null,
    copy,
  ) as Record<string, JsonValue>;
  assert.match(String(key ? last : parent[last]), /^[a-z]+_0{27}$/, 'an id that nothing has stands there');
  if (!key) parent[last] = id;
  else {
    parent[id] = parent[last] ?? null;
    delete parent[last];
  }
  return copy;
}

let world: Examples;
before(async () => {
  world = await Examples.start();
});
after(() => world.platform.stop());

test('every operation with a body has an example', () => {
  const without = world.document.operations.filter(
    ({ body, example }) => body !== null && example === undefined,
  );
  assert.deepEqual(
    without.map(({ id }) => id),
    [],
  );
});

test('the example of every creation works as it stands, but for ids of what there must be before', async () => {
  for (const { id } of world.creations) await world.make(id.replace(/_create$/, ''));
  const needed = world.creations.filter(
    ({ path, exampleIds }) => path.includes('{') || exampleIds.length > 0,
  );
  assert.deepEqual(
    needed.map(({ id }) => id.replace(/_create$/, '')),
    [
      ...['failover_backend', 'weighted_backend', 'https_edge_route', 'ip_policy_rule', 'ip_restriction'],
      ...['ssh_host_certificate', 'ssh_user_certificate'],
    ],
  );
});

/** A resource has at most one of these modules: each is read and removed before the next one. */
function isLogin(path: string): boolean {
  return /\/(?:saml|oidc|oauth)$/.test(path);
}

test('the examples of all other operations work on what those of the creations made', async () => {
  const { document, account } = world;
  const others = document.operations.filter((one) => one.body !== null && !world.creations.includes(one));
  for (const operation of others) {
    const path = await world.fill(operation.path);
    const { status, text } = await account.call(operation.method, path, await world.withIds(operation));
    assert.ok(status === 200 || status === 201, `${operation.id}: ${status} ${text}`);
    if (!isLogin(path)) continue;
    assert.equal((await account.call('GET', path)).status, 200, path);
    assert.equal((await account.call('DELETE', path)).status, 204, path);
  }
  for (const { id, method, path } of document.operations) {
    // Examples do not create resources that exist only online.
    const isLive = ['/tunnels/{', '/tunnel_sessions/{', '/endpoints/{'].some((start) =>
      path.startsWith(start),
    );
    const isOfNoKind = /^\/(traffic\/(requests\/\{|recent)|stream)/.test(path);
    if (method !== 'GET' || isLive || isLogin(path) || isOfNoKind) continue;
    const { status, text } = await account.call('GET', await world.fill(path));
    assert.equal(status, 200, `${id}: ${text}`);
  }
});

test('what the document calls a default is what a field has that was left out', async (t) => {
  const other = await Examples.start();
  t.after(() => other.platform.stop());
  for (const operation of other.creations) {
    const kind = operation.id.replace(/_create$/, '');
    await other.make(kind);
    const { path } = other.made.get(kind)!;
    const collection = path.slice(0, path.lastIndexOf('/'));
    const given = await other.withIds(operation);
    const { schemas } = other.document;
    const created: JsonObject[] = [];
    for (const body of [
      withDefaults(given, operation.body, schemas, 'left out'),
      withDefaults(given, operation.body, schemas, 'given'),
    ]) {
      const before = `${collection}/${created[0]?.id ?? path.slice(path.lastIndexOf('/') + 1)}`;
      assert.equal((await other.account.call('DELETE', before)).status, 204, before);
      const { status, text, json } = await other.account.call('POST', collection, body);
      assert.equal(status, 201, `${kind}: ${text}`);
      created.push(json);
    }
    const [without, json] = created as [JsonObject, JsonObject & { readonly id: string }];
    const whole = withDefaults(given, operation.body, schemas, 'given') as JsonObject;
    const both = Object.keys(whole).filter((name) => name in json);
    // A resource that shows its own id shows another one.
    const parts = (from: JsonObject) =>
      both.map((name) => `${name}: ${JSON.stringify(from[name]).replaceAll(String(from.id), 'ID')}`);
    assert.deepEqual(parts(json), parts(without), kind);
    other.made.set(kind, { id: json.id, path: `${collection}/${json.id}`, shown: json });
  }
});

/** The value with the default in every field that has one, or without all of these fields. */
function withDefaults(
  value: JsonValue,
  schema: Schema,
  schemas: Schema,
  defaults: 'given' | 'left out',
): JsonValue {
  if (schema.$ref !== undefined)
    return withDefaults(value, schemas[schema.$ref.split('/').at(-1)], schemas, defaults);
  if (schema.anyOf !== undefined) return withDefaults(value, schema.anyOf[0], schemas, defaults);
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const fields: Record<string, JsonValue> = { ...(value as JsonObject) };
  for (const [name, field] of Object.entries<Schema>(schema.properties ?? {})) {
    if (field.default === undefined) {
      if (name in fields) fields[name] = withDefaults(fields[name] ?? null, field, schemas, defaults);
    } else if (defaults === 'given') fields[name] = field.default;
    else delete fields[name];
  }
  return fields;
}
