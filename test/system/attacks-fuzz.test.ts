/** Whatever is sent, of the shape that the document asks for or not, the answer is one that the document describes, and never a fault of the service. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { samples } from '../../packages/server/src/resources/samples/index.fixture.ts';
import { referenceSamples } from '../../packages/server/src/resources/samples/references.fixture.ts';
import type { JsonObject, JsonValue } from '../../packages/server/src/store/store.ts';
import { onBothStores } from './both-stores.fixture.ts';
import { configurations } from './module-configurations.fixture.ts';

/** Text that something on the way may take for something else. */
const texts = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      ' ',
      '\0',
      'a\0b',
      '\ud800',
      '\u202e',
      '💥'.repeat(70),
      'x'.repeat(5000),
      '%00',
      '../..',
      "' OR 1=1 --",
    ],
    ...[
      '*',
      '*.*',
      'bind:*',
      'bind:\0=a',
      '::1',
      '0.0.0.0/0',
      '::/0',
      'a.example.com:443',
      '{field}',
      '\r\nx: y',
    ],
    ...[
      'true',
      'null',
      '9999-12-31T23:59:59Z',
      '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----',
    ],
    ...[
      'ssh-ed25519 AAAA',
      '<a/>',
      'toString',
      '__proto__',
      `ipp_${'0'.repeat(27)}`,
      `bkdhr_${'z'.repeat(27)}`,
      'bkdhr_\0',
      'ipp_\ud800',
      'ca_\0',
      'ed_\0',
      'usr_\0',
      '/\0',
      '/\ud800',
      '/a',
      'ip_policy_created.v0',
    ],
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
);
const numbers = fc.oneof(fc.integer(), fc.constantFrom(0, -1, 1e308, 2 ** 53, 0.5, 2 ** 31, 4_294_967_296));
const anything = fc.oneof(
  texts,
  numbers,
  fc.boolean(),
  fc.constant(null),
  fc.array(texts, { maxLength: 3 }),
  fc.dictionary(texts, texts, { maxKeys: 3 }),
);

// biome-ignore lint/suspicious/noExplicitAny: a schema of the document, looked into keyword by keyword.
type Schema = any;

/** Values of roughly the shape of a schema: now and then a part of it is something else. */
function shaped(schema: Schema, schemas: Schema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 8, arbitrary: exactly(schema, schemas) }, { weight: 1, arbitrary: anything });
}

function exactly(schema: Schema, schemas: Schema): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) return exactly(schemas[schema.$ref.split('/').at(-1)], schemas);
  if (schema.anyOf !== undefined)
    return fc.oneof(...schema.anyOf.map((one: Schema) => exactly(one, schemas)));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'object': {
      if (schema.properties === undefined)
        return fc.dictionary(texts, shaped(schema.additionalProperties ?? {}, schemas), { maxKeys: 4 });
      const fields = Object.entries(schema.properties).map(
        ([name, part]) => [name, shaped(part, schemas)] as const,
      );
      return fc.record(Object.fromEntries(fields), { requiredKeys: [] });
    }
    case 'array':
      return fc.array(shaped(schema.items, schemas), { maxLength: 4 });
    case 'string':
      return texts;
    case 'integer':
    case 'number':
      return numbers;
    case 'boolean':
      return fc.boolean();
    default:
      return anything;
  }
}

/** A good body in which one value, however deep, is something else. */
function spoiled(value: JsonValue): fc.Arbitrary<unknown> {
  if (value === null || typeof value !== 'object') return fc.oneof(texts, texts, anything);
  const entries = Object.entries(value);
  if (entries.length === 0) return anything;
  const choices = entries.map(([key, part]) =>
    spoiled(part).map((other) =>
      Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other },
    ),
  );
  return fc.oneof(...choices);
}

onBothStores((world) => {
  const runs = { numRuns: Number(process.env.RUNS ?? 10), endOnFailure: true };

  async function send(method: string, path: string, body?: unknown): Promise<void> {
    const { status, text } = await world().home.call(
      method,
      path,
      body === undefined ? undefined : JSON.stringify(body),
    );
    assert.ok(status < 500, `${method} ${path} ${JSON.stringify(body)}: ${text}`);
  }

  test('good bodies of which one value is something else', async () => {
    const { home, operations } = world();
    const modules = await configurations(home);
    for (const { kind, patches, body, parent } of samples) {
      const { path } = await home.make(kind);
      const collection = home.path(kind, await parent?.(home));
      const good = {
        ...(await body(home)),
        ...Object.fromEntries(Object.entries(patches).map(([name, { send: value }]) => [name, value])),
      };
      const property = (method: string, at: string, valid: JsonObject) =>
        fc.assert(
          fc.asyncProperty(spoiled(valid), (spoilt) => send(method, at, spoilt)),
          runs,
        );
      await property('POST', collection, good);
      await property('PATCH', path, good);
      for (const { method, path: template } of operations) {
        const name = template.split('/').at(-1) ?? '';
        if (
          method === 'PUT' &&
          modules[name] !== undefined &&
          template.startsWith(`${operations.find(({ id }) => id === `${kind}_get`)?.path}/`)
        )
          await property(method, `${path}/${name}`, modules[name]);
      }
      for (const reference of referenceSamples.filter((one) => one.kind === kind && one.patch !== true)) {
        const { id } = await home.make(reference.target, reference.targetBody);
        await property('POST', collection, reference.body(id));
      }
    }
  });

  test('paths', async () => {
    const { operations } = world();
    const prefixes = [
      '',
      'bkdhr_',
      'edghts_',
      'edghtsrt_',
      'bot_',
      'usr_',
      'esb_',
      'tn_',
      'ts_',
      'ep_',
      'ec_',
      'rd_',
    ];
    const ids = fc
      .tuple(fc.constantFrom(...prefixes), texts)
      .map(([prefix, text]) => `${prefix}${text.toWellFormed()}`);
    const raw = fc.constantFrom(
      '%00',
      '%ff',
      '%2f',
      '%2e%2e',
      '%',
      '%zz',
      'bot_%00',
      'edghts_%00',
      'esb_%ff',
      '%c0%af',
      ';',
      '~',
      'x'.repeat(9000),
    );
    const segment = fc
      .oneof(ids.map(encodeURIComponent), raw)
      .filter((text) => text !== '' && !/^\.\.?$/.test(text));
    for (const { method, path, body } of operations.filter(({ parameters }) => parameters.length > 0)) {
      await fc.assert(
        fc.asyncProperty(fc.array(segment, { minLength: 3, maxLength: 3 }), async (segments) => {
          let at = 0;
          const url = path.replaceAll(/\{\w+\}/g, () => segments[at++] ?? '');
          await send(method, url, body ? {} : undefined);
        }),
        runs,
      );
    }
  });

  test('bodies of every operation', async () => {
    const { home, daemons } = world();
    const [daemon] = daemons;
    assert.ok(daemon);
    const { json } = await daemon.visit(`https://api.underpass.localhost:${daemon.port}/openapi.json`);
    const { schemas } = json.components;
    for (const { kind } of samples) {
      const { path } = await home.make(kind);
      const collection = path.slice(0, path.lastIndexOf('/'));
      const template = world().operations.find(({ id }) => id === `${kind}_get`)?.path ?? '';
      const bodies: [string, string, Schema][] = [];
      for (const [at, item] of Object.entries<Schema>(json.paths)) {
        if (at !== template && !at.startsWith(`${template}/`) && `${at}/{id}` !== template) continue;
        for (const method of ['post', 'put', 'patch']) {
          const schema = item[method]?.requestBody?.content['application/json'].schema;
          const real = `${at}/{id}` === template ? collection : at.replace(template, path);
          if (schema !== undefined) bodies.push([method.toUpperCase(), real, schema]);
        }
      }
      for (const [method, at, schema] of bodies) {
        await fc.assert(
          fc.asyncProperty(shaped(schema, schemas), async (body) => {
            await send(method, at, body);
          }),
          runs,
        );
      }
    }
  });
});
