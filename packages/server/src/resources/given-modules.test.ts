/**
 * Every module of every kind in a create, in a PATCH and in both forms of its PUT, with contents that are empty or nearly so
 * (open points, decision 5). A new module is covered by the list of its kind.
 *
 * Invariant: a module that is an object is configured or refused as its PUT is, and never dropped.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Problem } from '../errors/problem.ts';
import type { JsonObject, JsonValue } from '../store/store.ts';
import type { StoredKind, StoredModule } from './definition.ts';
import { collection, kindNamed, type Platform, refused, startPlatform } from './engine.fixture.ts';
import { givenSchema, type Keywords } from './keywords.ts';
import { resourceKinds } from './kinds/index.ts';
import { fullSamples } from './samples/full.fixture.ts';

const withModules = fullSamples.filter(({ kind }) => kindNamed(kind).modules.length > 0);
const moduleNames = new Set(resourceKinds.flatMap(({ modules }) => modules.map(({ name }) => name)));

describe('a module that is an object is given', () => {
  let on: Platform;
  let owner: string;
  before(async () => {
    on = await startPlatform();
    owner = (await on.create('bot_user', { name: 'owner' })).id;
  });
  after(() => on.close());

  for (const sample of withModules) {
    const kind = kindNamed(sample.kind) as StoredKind;
    for (const module of kind.modules) {
      test(`${module.name} of ${kind.name}`, async () => {
        const parent = await sample.parent?.(on);
        const bodies = (await sample.bodies({ ...on, owner })).map(({ create }) => create);
        const body = bodies.find((create) => create[module.name] !== undefined);
        assert.ok(body !== undefined, 'the full sample has it');
        const bare = { ...body, ...Object.fromEntries(kind.modules.map(({ name }) => [name, null])) };
        const of = collection(kind.name, parent);
        for (const content of nearlyEmpty(module, body[module.name] as JsonObject)) {
          const what = JSON.stringify(content);
          // Mutual TLS needs a termination beside it, which other modules of the body must not decide.
          const base = { ...bare, ...beside(kind, module, body) };
          const viaPut = await made(of.kind.name, base, parent, ({ id }) =>
            on.engine.putModule(of, on.admin, id, module.name, content),
          );
          const wrapped = await made(of.kind.name, base, parent, ({ id }) =>
            on.engine.putModule(of, on.admin, id, module.name, { id, module: content }),
          );
          const viaPatch = await made(of.kind.name, base, parent, async ({ id }) => {
            const shown = await on.update(kind.name, id, { [module.name]: content }, on.admin, parent);
            return shown[module.name] as JsonObject;
          });
          const viaCreate = await made(
            of.kind.name,
            { ...base, [module.name]: content },
            parent,
            async (shown) => shown[module.name] as JsonObject,
          );
          assert.ok(viaCreate !== null, `${what} was dropped by the create`);
          assert.ok(viaPatch !== null, `${what} was dropped by the PATCH`);
          const put = inside(viaPut, '');
          assert.deepEqual(inside(wrapped, '/module'), put, what);
          assert.deepEqual(inside(viaCreate, `/${module.name}`), put, what);
          assert.deepEqual(inside(viaPatch, `/${module.name}`), put, what);
        }
        const shown = await made(of.kind.name, { ...bare, [module.name]: null }, parent, async (one) => one);
        assert.equal(shown[module.name], null, 'null is "not given"');
      });
    }

    test(`${kind.name} has no module of another kind`, async () => {
      const parent = await sample.parent?.(on);
      const [{ create }] = (await sample.bodies({ ...on, owner })) as [{ create: JsonObject }];
      const own = new Set(kind.modules.map(({ name }) => name));
      for (const name of [...moduleNames].filter((one) => !own.has(one))) {
        const body = { ...create, [name]: {} };
        const at = { field: `/${name}` };
        await refused(on.create(kind.name, body, on.admin, parent), 'fieldUnknown', at);
        const { id } = await on.create(kind.name, create, on.admin, parent);
        await refused(on.update(kind.name, id, { [name]: {} }, on.admin, parent), 'fieldUnknown', at);
        await on.remove(kind.name, id, on.admin, parent);
      }
    });
  }

  /** The result of `use`, or the problem; the resource is removed. */
  async function made(
    kind: string,
    body: JsonObject,
    parent: string | undefined,
    use: (shown: JsonObject & { readonly id: string }) => Promise<JsonObject>,
  ): Promise<JsonObject> {
    let id = '';
    try {
      const shown = await on.create(kind, body, on.admin, parent);
      id = shown.id;
      const result = await use(shown);
      return JSON.parse(JSON.stringify(result).replaceAll(id, 'ID')) as JsonObject;
    } catch (error) {
      assert.ok(error instanceof Problem, String((error as Error).stack));
      return { problem: error.code, field: error.details.field ?? '' };
    } finally {
      if (id !== '') await on.remove(kind, id, on.admin, parent);
    }
  }
});

/** A refusal, with its field as the PUT of the bare module names it. */
function inside(result: JsonObject, pointer: string): JsonObject {
  const { problem, field = '' } = result;
  if (problem !== undefined) return { problem, field: String(field).replace(pointer, '') };
  // The key of a service provider is drawn.
  return { ...result, request_signing_certificate_pem: '' };
}

/** The termination of the full sample, if another module may need it. */
function beside(kind: StoredKind, module: StoredModule, body: JsonObject): JsonObject {
  const name = 'tls_termination';
  const has = kind.modules.some((one) => one.name === name) && module.name !== name;
  return has ? { [name]: body[name] ?? null } : {};
}

/** `{}`, each field alone with its zero value, all of them, `enabled` alone, and the full module with one field emptied. */
function nearlyEmpty({ write }: StoredModule, full: JsonObject): readonly JsonObject[] {
  const zeros = Object.entries(write.properties).map(([name, field]): [string, JsonValue] => [
    name,
    zeroOf(givenSchema(field as Keywords)),
  ]);
  const nulls = Object.fromEntries(zeros.map(([name]) => [name, null]));
  const ofOne = zeros.flatMap((zero) => [
    Object.fromEntries([zero]),
    { ...full, ...Object.fromEntries([zero]) },
  ]);
  return [{}, nulls, Object.fromEntries(zeros), { enabled: true }, { later: null }, { later: {} }, ...ofOne];
}

function zeroOf({ type = 'string' }: Keywords): JsonValue {
  const zeros = { string: '', integer: 0, number: 0, boolean: false, array: [], object: {}, null: null };
  return zeros[type];
}
