/** Zero values of each field's type, which generated clients send for "not given" (open points, decision 5). */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { LooseJson as Schema } from '../../../../test/harness/loose-json.ts';
import { oauthProviders } from '../core/modules/oauth-providers.ts';
import { Problem } from '../errors/problem.ts';
import { openInMemory } from '../store/memory.fixture.ts';
import type { JsonObject, JsonValue } from '../store/store.ts';
import type { StoredKind } from './definition.ts';
import { collection, kindNamed, type Platform, refused, startPlatform } from './engine.fixture.ts';
import { resourceKinds } from './kinds/index.ts';
import { type FullSample, fullSamples, neverGiven } from './samples/full.fixture.ts';

/** Fields whose zero value means something, by their last name, with the name under which reads show it. */
const TAKEN: ReadonlyMap<string, string> = new Map([
  ...[
    ...['description', 'metadata', 'enabled', 'active', 'enforced', 'hostports', 'acl', 'email'],
    ...['body', 'headers', 'resolves_to', 'tags', 'service', 'site', 'sources', 'principals'],
    ...['critical_options', 'extensions', 'add', 'remove', 'allow', 'deny'],
    ...['options_passthrough', 'force_authn', 'allow_idp_initiated', 'cookie_prefix', 'authorized_groups'],
    'group_attributes',
    ...['inactivity_timeout', 'maximum_duration', 'tripped_duration', 'rolling_window', 'num_buckets'],
    ...['volume_threshold', 'error_threshold_percentage', 'realm', 'allow_options'],
  ].map((name): [string, string] => [name, name]),
  ['certificate_authority_ids', 'certificate_authorities'],
  ['destination_ids', 'destinations'],
  ['certificate_id', 'certificate'],
  ['endpoint_configuration_id', 'endpoint_configuration'],
  ['http_endpoint_configuration_id', 'http_endpoint_configuration'],
  ['https_endpoint_configuration_id', 'https_endpoint_configuration'],
]);

/** Objects that may be empty, which sets everything in them to its default. */
const DEFAULTED: readonly string[] = [
  ...['compression', 'request_headers', 'response_headers', 'circuit_breaker', 'mutual_tls'],
  ...['websocket_tcp_converter', 'user_agent_filter', 'basic_auth', 'tls', 'tls_termination'],
];

/** A termination that no longer ends TLS leaves other modules of the same body without a meaning. */
const LEAN_ON_TERMINATION = ['tlsNotTerminated', 'configurationNotTerminated', 'mutualTlsNotTerminated'];

/** An empty provider counts as named: the operator's application is looked up, and there is none here. */
const NAMED = ['oauthClientMissing', 'oauthProviderSeveral'];

const MODULES: ReadonlySet<string> = new Set(
  resourceKinds.flatMap(({ modules }) => modules.map(({ name }) => name)),
);

/** Made anew for each resource, or drawn. */
const DRAWN = [
  'created_at',
  'token',
  'addr',
  'cname_target',
  'request_signing_certificate_pem',
  'certificate',
];

describe('the zero value of each field', () => {
  let on: Platform;
  let owner: string;
  before(async () => {
    // A moment that is filled in is the same for both bodies.
    const moment = Date.now();
    on = await startPlatform(openInMemory, {}, () => moment);
    owner = (await on.create('bot_user', { name: 'owner' })).id;
  });
  after(() => on.close());

  test('every field of every stored kind is given somewhere', async () => {
    const stored = resourceKinds.filter((kind) => kind.source === 'stored');
    assert.deepEqual(fullSamples.map(({ kind }) => kind).sort(), stored.map(({ name }) => name).sort());
    for (const sample of fullSamples) {
      const { create, update } = kindNamed(sample.kind) as StoredKind;
      const bodies = await sample.bodies({ ...on, owner });
      const given = new Set(bodies.flatMap((one) => pathsIn({ ...one.create, ...one.update })));
      for (const path of [...pathsOf(create), ...pathsOf(update)]) {
        if (!neverGiven.includes(`${sample.kind} ${path}`))
          assert.ok(given.has(path), `${sample.kind} ${path}`);
      }
    }
  });

  for (const sample of fullSamples) {
    const kind = kindNamed(sample.kind) as StoredKind;

    test(`${sample.kind}: in a creation`, async () => {
      for await (const { parent, create, only } of bodiesOf(sample)) {
        for (const path of pathsOf(kind.create, only)) {
          const [zero, absent] = variants(kind.create, create, path);
          if (zero === null) continue;
          const make = (body: JsonObject) =>
            outcome(sample, parent, () => on.create(kind.name, body, on.admin, parent));
          await compare(`${kind.name} ${path}`, zero, await make(zero), () => make(absent));
        }
      }
    });

    test(`${sample.kind}: in a PATCH`, async () => {
      for await (const { parent, create, update, only } of bodiesOf(sample)) {
        const full = { ...pick(create, Object.keys(kind.update.properties)), ...update };
        for (const path of pathsOf(kind.update, only)) {
          const [top = ''] = path.split('.');
          const [zero, absent] = variants(kind.update, pick(full, [top]), path);
          if (zero === null) continue;
          const patch = (body: JsonObject) =>
            outcome(sample, parent, async () => {
              const { id } = await on.create(kind.name, create, on.admin, parent);
              try {
                if (update !== undefined) await on.update(kind.name, id, update, on.admin, parent);
                return await on.update(kind.name, id, body, on.admin, parent);
              } catch (error) {
                await on.remove(kind.name, id, on.admin, parent);
                throw error;
              }
            });
          await compare(`${kind.name} ${path}`, zero, await patch(zero), () => patch(absent));
        }
      }
    });

    for (const module of kind.modules) {
      test(`${sample.kind}: in a PUT of ${module.name}`, async () => {
        for await (const { parent, create } of bodiesOf(sample)) {
          const config = create[module.name] as JsonObject | undefined;
          if (config === undefined) continue;
          const { id } = await on.create(kind.name, create, on.admin, parent);
          const of = collection(kind.name, parent);
          for (const path of pathsOf(module.write)) {
            const [zero, absent] = variants(module.write, config, path);
            if (zero === null) continue;
            const put = (body: JsonObject) =>
              answerOf(() => on.engine.putModule(of, on.admin, id, module.name, body));
            await compare(`${kind.name} ${path}`, zero, await put(zero), () => put(absent));
          }
          await on.remove(kind.name, id, on.admin, parent);
        }
      });
    }
  }

  async function* bodiesOf(sample: FullSample) {
    const parent = await sample.parent?.(on);
    for (const one of await sample.bodies({ ...on, owner })) yield { parent, ...one };
  }

  /** Returns the response to a creation, and deletes the resource. */
  async function outcome(
    { kind }: FullSample,
    parent: string | undefined,
    make: () => Promise<JsonObject>,
  ): Promise<JsonObject> {
    let id = '';
    const answer = await answerOf(async () => {
      const shown = await make();
      id = String(shown.id);
      return shown;
    });
    if (id !== '') await on.remove(kind, id, on.admin, parent);
    const alike = withoutId(answer, id);
    // The key of an authority is drawn, its type is not.
    return kind === 'ssh_certificate_authority'
      ? { ...alike, public_key: String(alike.public_key).split(' ')[0] ?? '' }
      : alike;
  }

  /** `absent`: the response to the same body without the field. It is requested if the zero value means absent. */
  async function compare(
    what: string,
    sent: JsonObject,
    answer: JsonObject,
    absent: () => Promise<JsonObject>,
  ): Promise<void> {
    const path = what.split(' ')[1]!;
    const name = path.split('.').at(-1)!;
    if (LEAN_ON_TERMINATION.includes(String(answer.problem))) return;
    if (oauthProviders.some((provider) => provider === name) && NAMED.includes(String(answer.problem)))
      return;
    // The subject of given-modules.test.ts: a create or a PATCH refuses a body as its PUT does.
    if (MODULES.has(path) && typeof at(sent, path) === 'object' && answer.problem !== undefined) return;
    if (DEFAULTED.includes(name) && typeof at(sent, path) === 'object') {
      assert.equal(typeof at(answer, path), 'object', what);
      assert.notEqual(at(answer, path), null, what);
      return;
    }
    const shownAs = TAKEN.get(name);
    if (shownAs === undefined) {
      assert.deepEqual(answer, await absent(), what);
      return;
    }
    assert.equal(answer.problem, undefined, what);
    const read = at(answer, [...path.split('.').slice(0, -1), shownAs].join('.'));
    const isZero = ['null', '""', '0', 'false', '[]', '{}'].includes(JSON.stringify(read));
    assert.ok(isZero, `${what} reads ${JSON.stringify(read)}`);
  }
});

test('an unknown field passes with a zero value, at every level, and with no other', async (t) => {
  const on = await startPlatform();
  t.after(() => on.close());
  for (const zero of [null, '', [], {}, 0, false]) {
    const { id } = await on.create('static_backend', {
      address: 'example.com:1',
      later: zero,
      tls: { later: zero },
    });
    await on.update('static_backend', id, { later: zero, id: zero });
    const sources = [{ type: 'ip_policy_created.v0', later: zero }];
    await on.create('event_subscription', { sources });
  }
  for (const other of ['x', [0], { a: null }, 1, true]) {
    const top = on.create('static_backend', { address: 'example.com:1', later: other });
    await refused(top, 'fieldUnknown', { field: '/later' });
    const nested = on.create('static_backend', { address: 'example.com:1', tls: { later: other } });
    await refused(nested, 'fieldUnknown', { field: '/tls/later' });
  }
});

function withoutId(answer: JsonObject, id: string): JsonObject {
  return id === '' ? answer : (JSON.parse(JSON.stringify(answer).replaceAll(id, 'ID')) as JsonObject);
}

/** The answer or the problem, without what is drawn anew each time. */
async function answerOf(call: () => Promise<JsonObject>): Promise<JsonObject> {
  try {
    const text = JSON.stringify(await call(), (name, value: JsonValue) =>
      DRAWN.includes(name) ? null : value,
    );
    return JSON.parse(text) as JsonObject;
  } catch (error) {
    assert.ok(error instanceof Problem, String((error as Error).stack));
    return { problem: error.code, field: error.details.field ?? '' };
  }
}

/** A body with the zero value at a path, and one without the field; null when there is no place for it. */
function variants(schema: Schema, body: JsonObject, path: string): [JsonObject | null, JsonObject] {
  const steps = path.split('.');
  const name = steps.pop()!;
  const zero = JSON.parse(JSON.stringify(body));
  const absent = JSON.parse(JSON.stringify(body));
  const [placeOfZero, placeOfAbsent] = [zero, absent].map((one) =>
    steps.reduce((inner, step) => inner?.[step], one),
  );
  if (placeOfZero === undefined) return [null, {}];
  placeOfZero[name] = zeroOf(schemaAt(schema, path));
  delete placeOfAbsent[name];
  return [zero, absent];
}

function zeroOf({ type }: Schema): JsonValue {
  const zeros: Record<string, JsonValue> = {
    string: '',
    integer: 0,
    number: 0,
    boolean: false,
    array: [],
    object: {},
  };
  const zero = zeros[type];
  assert.notEqual(zero, undefined, type);
  return zero!;
}

function given(schema: Schema): Schema {
  return schema?.anyOf?.[0] ?? schema;
}

function schemaAt(schema: Schema, path: string): Schema {
  return path.split('.').reduce((inner, step) => given(inner.properties[step]), schema);
}

/** Every field of a schema, `tls.enabled` after `tls`; `only` one of the top level and what is in it. */
function pathsOf(schema: Schema, only?: string): string[] {
  const fields = Object.entries(schema.properties ?? {}).filter(
    ([name]) => only === undefined || name === only,
  );
  return fields.flatMap(([name, inner]) => [name, ...pathsOf(given(inner)).map((path) => `${name}.${path}`)]);
}

function pathsIn(body: JsonValue): string[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return [];
  return Object.entries(body).flatMap(([name, inner]) => [
    name,
    ...pathsIn(inner).map((path) => `${name}.${path}`),
  ]);
}

function pick(body: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));
}

function at(body: JsonObject, path: string): JsonValue | undefined {
  const find = (from: JsonObject, steps: readonly string[]) =>
    steps.reduce<JsonValue | undefined>((inner, step) => (inner as JsonObject | undefined)?.[step], from);
  // The answer to a PUT is the module alone.
  return find(body, path.split('.'));
}
