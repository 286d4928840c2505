import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { OpenStore } from '../../store/conformance/index.fixture.ts';
import { openOnSqlite } from '../../store/sqlite/open.fixture.ts';
import type { JsonObject } from '../../store/store.ts';
import { onBothStores } from '../both-stores.fixture.ts';
import type { Principal, StoredKind } from '../definition.ts';
import { collection, kindNamed, type Platform, refused, startPlatform } from '../engine.fixture.ts';
import { resourceKinds, resourceSurfaces } from '../kinds/index.ts';
import { samples } from '../samples/index.fixture.ts';
import { nobody, type Sample } from '../samples/sample.fixture.ts';

/** Calls by the kind of a sample, below one parent when the kind lives below another. */
async function callsOf(sample: Sample, on: Platform) {
  const { kind } = sample;
  const parent = await sample.parent?.(on);
  return {
    body: async () => sample.body(on),
    make: async (extra: JsonObject = {}) =>
      on.create(kind, { ...(await sample.body(on)), ...extra }, on.admin, parent),
    create: (body: unknown, as?: Principal) => on.create(kind, body, as, parent),
    get: (id: string, as?: Principal) => on.get(kind, id, as, parent),
    update: (id: string, body: unknown, as?: Principal) => on.update(kind, id, body, as, parent),
    remove: (id: string, as?: Principal) => on.remove(kind, id, as, parent),
    parent,
  };
}

test('every stored kind has a sample', () => {
  const stored = resourceKinds.filter((kind) => kind.source === 'stored').map((kind) => kind.name);
  assert.deepEqual(samples.map((sample) => sample.kind).sort(), stored.sort());
});

test('names, prefixes and paths of kinds are unique', () => {
  for (const key of ['name', 'prefix', 'path'] as const) {
    assert.equal(new Set(resourceSurfaces.map((kind) => kind[key])).size, resourceSurfaces.length, key);
  }
});

onBothStores((open) => everyKind(open, open === openOnSqlite ? samples : ofEachShape()));

/**
 * All samples if CI is set; elsewhere the first sample of each shape. Kinds of one shape call the store alike:
 * tests on SQLite try what is different in them.
 */
function ofEachShape(): readonly Sample[] {
  if (process.env.CI === 'true') return samples;
  const shapeOf = ({ kind }: Sample): string => {
    const { path, operations, references, elements, guard, deletedWith, inUse } = kindNamed(
      kind,
    ) as StoredKind;
    const parts = [elements, guard, deletedWith, inUse].map((part) => part !== undefined);
    return JSON.stringify([path.includes('{'), operations, references.length > 0, parts]);
  };
  return [...Map.groupBy(samples, shapeOf).values()].map(([first]) => first!);
}

/** Tests every stored kind on a database. */
function everyKind(open: OpenStore, tried: readonly Sample[]): void {
  let platform: Platform;
  /** A platform for lists: no other test makes anything of a listed kind there. */
  let quiet: Platform;
  before(async () => {
    [platform, quiet] = await Promise.all([startPlatform(open), startPlatform(open)]);
  });
  after(() => Promise.all([platform.close(), quiet.close()]));

  for (const sample of tried) {
    const { kind } = sample;
    const stored = kindNamed(kind) as StoredKind;
    /** A field that takes any text. */
    const label = Object.keys(sample.patches)[0]!;
    const listed = stored.operations.includes('list');

    describe(kind, () => {
      let calls: Awaited<ReturnType<typeof callsOf>>;
      before(async () => {
        calls = await callsOf(sample, platform);
      });

      test('a resource is read as it was created, every field present and in order', async () => {
        const created = await calls.make();
        const read = await calls.get(created.id);
        assert.deepEqual(Object.keys(read), Object.keys(stored.read.properties));
        const again = 'token' in created ? { ...created, token: null } : created;
        assert.deepEqual(again, read);
        assert.match(String(read.created_at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
        const path = stored.path.replace(/\{\w+\}/, calls.parent ?? '');
        assert.equal(read.uri, `https://api.underpass.localhost:8443${path}/${created.id}`);
        for (const [field, value] of Object.entries(sample.shown)) {
          if (value !== undefined) assert.deepEqual(read[field], value, field);
        }
        assert.ok(!JSON.stringify(read).includes('hash'));
      });

      test('null for a field means the same as leaving it out', async () => {
        const body = { [label]: null, ...(await calls.body()) };
        const { id } = await calls.create(body);
        const fields = Object.keys(stored.update.properties);
        const before = await calls.get(id);
        await calls.update(id, Object.fromEntries(fields.map((field) => [field, null])));
        assert.deepEqual(await calls.get(id), before);
      });

      test('each field can be changed alone, and the others stay', async () => {
        for (const [field, { send, shown }] of Object.entries(sample.patches)) {
          const { id } = await calls.make();
          const before = await calls.get(id);
          const updated = await calls.update(id, { [field]: send });
          assert.deepEqual(updated, { ...before, [field]: shown }, field);
          assert.deepEqual(await calls.get(id), updated, field);
        }
      });

      test('what a newer version has stored beside the rest stays when a resource is changed, with its links and names', async () => {
        const { id } = await calls.make();
        const { store } = platform;
        const { id: backend } = await platform.create('http_response_backend', {});
        const { revision, body } = (await store.get(id))!;
        const later = { enabled: true, backend_id: backend };
        const field = 'later.backend_id';
        const name = { kind: 'later', value: id };
        await store.write(() => [
          {
            ...{ op: 'replace', id, revision, body: { ...body, later } },
            ...{ links: [{ field, to: backend, binding: true }], names: [name] },
            dropped: { links: [], names: [] },
          },
        ]);
        const [updated, { send }] = Object.entries(sample.patches).at(-1)!;
        await calls.update(id, { [updated]: send });
        const stays = (await store.get(id))?.body;
        assert.deepEqual(stays && 'later' in stays && stays.later, later);
        assert.deepEqual(await store.linksTo(backend, 10), [{ from: id, field }]);
        assert.equal((await store.findName(name))?.id, id);
      });

      test('an empty patch changes nothing and writes nothing', async () => {
        const { id } = await calls.make();
        const before = await platform.store.get(id);
        await calls.update(id, {});
        await calls.update(id, { id });
        assert.deepEqual(await platform.store.get(id), before);
      });

      test('texts are limited in bytes, not characters', async () => {
        for (const [field, limit] of [
          ['description', 255],
          ['metadata', 4096],
        ] as const) {
          const error = sample.tooLong?.[field];
          if (error === undefined) continue;
          const atLimit = `${'€'.repeat((limit - (limit % 3)) / 3)}${'x'.repeat(limit % 3)}`;
          assert.equal(Buffer.byteLength(atLimit), limit);
          const created = await calls.make({ [field]: atLimit });
          assert.equal(created[field], atLimit);
          const details = { field: `/${field}`, limit };
          await refused(calls.make({ [field]: `${atLimit}x` }), error, details);
          await refused(calls.update(created.id, { [field]: `€${atLimit.slice(1)}x` }), error, details);
        }
      });

      test('unknown fields are refused and the known ones listed', async () => {
        const allowed = Object.keys(stored.create.properties);
        const unknown = { ...(await calls.body()), colour: 'red' };
        await refused(calls.create(unknown), 'fieldUnknown', { field: '/colour', allowed });
        for (const name of ['__proto__', 'constructor', 'toString', 'created_at', 'id', 'uri']) {
          const body = JSON.parse(`{"${name}": "x"}`);
          await refused(calls.create(body), 'fieldUnknown', { field: `/${name}` });
        }
      });

      test('wrong JSON types are refused by field', async () => {
        for (const [field, value] of Object.entries(sample.wrongTypes)) {
          const body = { ...(await calls.body()), [field]: value };
          await refused(calls.create(body), 'valueInvalid', { field: `/${field}` });
        }
        for (const body of [null, [], 'x', 1, true, undefined]) {
          await refused(calls.create(body), 'bodyNotObject');
        }
      });

      test('an id in the body is taken when it is that of the path', async () => {
        const { id } = await calls.make();
        const updated = await calls.update(id, { id, [label]: 'x' });
        assert.equal(updated[label], 'x');
        const other = calls.update(id, { id: `${stored.prefix}_${nobody}` });
        await refused(other, 'pathParameterMismatch', { field: '/id' });
        await refused(calls.update(id, { id: [id] }), 'pathParameterMismatch');
      });

      test('another account sees exactly what it sees of an id that never was', async () => {
        const { id } = await calls.make();
        const missing = `${stored.prefix}_${nobody}`;
        for (const verb of [
          (one: string) => calls.get(one, platform.stranger),
          (one: string) => calls.update(one, { [label]: 'x' }, platform.stranger),
          (one: string) => calls.update(one, { nonsense: 1 }, platform.stranger),
          (one: string) => calls.remove(one, platform.stranger),
        ]) {
          const foreign = await refused(verb(id), 'resourceNotFound');
          const unknown = await refused(verb(missing), 'resourceNotFound');
          assert.deepEqual([foreign.message, foreign.details], [unknown.message, unknown.details]);
        }
        if (listed) {
          const { items } = await platform.list(kind, {}, platform.stranger);
          assert.ok(items.every((item) => item.id !== id));
        }
        await calls.get(id);
      });

      test('ids of another kind are refused by their prefix', async () => {
        const wrong = `ac_${nobody}`;
        await refused(calls.get(wrong), 'idPrefixWrong');
        await refused(calls.update(wrong, {}), 'idPrefixWrong');
        await refused(calls.remove(wrong), 'idPrefixWrong');
        if (listed) await refused(platform.list(kind, { before: wrong }), 'idPrefixWrong');
        await refused(calls.get(stored.prefix), 'idPrefixWrong');
        await refused(calls.get(`${stored.prefix}_`), 'resourceNotFound');
      });

      test('a deleted resource is gone', async () => {
        const { id } = await calls.make();
        await calls.remove(id);
        await refused(calls.get(id), 'resourceNotFound');
        await refused(calls.update(id, {}), 'resourceNotFound');
        await refused(calls.remove(id), 'resourceNotFound');
      });

      test('lists are newest first, in pages, also from an id that is gone', async () => {
        if (!listed) return;
        const ownCalls = await callsOf(sample, quiet);
        const ids: string[] = [];
        const many = sample.most ?? 5;
        // An account has users from the start, and samples of other kinds may need one of this.
        const { items: earlier } = await quiet.list(kind);
        for (let count = 0; count < many; count++) ids.unshift((await ownCalls.make()).id);
        const order = [...ids, ...earlier.map((item) => String(item.id))];
        const all = await quiet.list(kind, { limit: order.length });
        assert.deepEqual(
          all.items.map((item) => item.id),
          order,
        );
        assert.equal(all.next, null);
        const first = await quiet.list(kind, { limit: 2 });
        assert.deepEqual(
          first.items.map((item) => item.id),
          order.slice(0, 2),
        );
        assert.equal(first.next, ids[1]);
        await ownCalls.remove(ids[1]!);
        const second = await quiet.list(kind, { limit: 2, before: ids[1]! });
        assert.deepEqual(
          second.items.map((item) => item.id),
          order.slice(2, 4),
        );
        assert.deepEqual(second.items[0], await ownCalls.get(ids[2]!));
      });

      test('paging while others create and delete shows what stays once, newest first', async () => {
        if (!listed || sample.most !== undefined) return;
        const stay: string[] = [];
        const go: string[] = [];
        for (let count = 0; count < 3; count++) {
          stay.unshift((await calls.make()).id);
          go.push((await calls.make()).id);
        }
        const seen: string[] = [];
        let before: string | undefined;
        for (;;) {
          const { items, next } = await platform.list(kind, { limit: 1, ...(before && { before }) });
          seen.push(...items.map((item) => String(item.id)));
          if (next === null) break;
          before = next;
          const gone = go.pop();
          await Promise.all([calls.make(), gone === undefined ? null : calls.remove(gone)]);
        }
        assert.deepEqual(seen, [...new Set(seen)].sort().reverse());
        assert.deepEqual(
          seen.filter((id) => stay.includes(id)),
          stay,
        );
      });

      test('of patches at once none is lost', async () => {
        const { id } = await calls.make();
        const patches = Object.entries(sample.patches);
        const rounds = Array.from({ length: 20 }, (_, round) => ({ [label]: `round ${round}` }));
        const others = patches.filter(([field]) => field !== label);
        await Promise.all([
          ...rounds.map((patch) => calls.update(id, patch)),
          ...others.map(([field, { send }]) => calls.update(id, { [field]: send })),
        ]);
        const read = await calls.get(id);
        for (const [field, { shown }] of others) assert.deepEqual(read[field], shown, field);
        assert.equal(read[label], 'round 19');
      });

      test('a patch that races with a deletion either lands before it or finds nothing', async () => {
        const { id } = await calls.make();
        const results = await Promise.allSettled([
          calls.update(id, { [label]: 'a' }),
          calls.remove(id),
          calls.update(id, { [label]: 'b' }),
        ]);
        assert.equal(results[1].status, 'fulfilled');
        await refused(calls.get(id), 'resourceNotFound');
      });
    });
  }

  test('a restart in between changes nothing that is read, of any kind', async () => {
    const made = samples.map(async (sample) => {
      const calls = await callsOf(sample, platform);
      const { id } = await calls.make();
      const [label = ''] = Object.keys(sample.patches);
      await calls.update(id, { [label]: 'kept' });
      return { sample, calls, id, before: await calls.get(id) };
    });
    const kept = await Promise.all(made);
    await platform.restart();
    for (const { sample, calls, id, before } of kept) {
      assert.deepEqual(await calls.get(id), before, sample.kind);
      const [field = '', patch] = Object.entries(sample.patches).at(-1)!;
      assert.deepEqual((await calls.update(id, { [field]: patch.send }))[field], patch.shown, sample.kind);
    }
  });

  test('writers of two nodes start over instead of losing a change', async () => {
    const { id } = await platform.create('http_response_backend', {});
    const { createEngine } = await import('./engine.ts');
    const { store, settings, online, sealer, admin } = platform;
    const nodes = Array.from({ length: 4 }, () =>
      createEngine({ store, settings, online, sealer, now: Date.now }),
    );
    const kind = collection('http_response_backend');
    const patches = [{ description: 'd' }, { metadata: 'm' }, { body: 'b' }, { status_code: 404 }];
    await Promise.all(patches.map((patch, index) => nodes[index]!.update(kind, admin, id, patch)));
    const { description, metadata, body, status_code } = await platform.get('http_response_backend', id);
    assert.deepEqual({ description, metadata, body, status_code }, Object.assign({}, ...patches));
  });
}
