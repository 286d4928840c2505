import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Problem } from '../errors/problem.ts';
import type { OpenStore } from '../store/conformance/index.fixture.ts';
import type { JsonObject } from '../store/store.ts';
import { onBothStores } from './both-stores.fixture.ts';
import type { Principal, StoredKind } from './definition.ts';
import { kindNamed, type Platform, refused, startPlatform } from './engine.fixture.ts';
import { resourceKinds } from './kinds/index.ts';
import { samples } from './samples/index.fixture.ts';
import { otherReferences, type ReferenceSample, referenceSamples } from './samples/references.fixture.ts';
import { nobody } from './samples/sample.fixture.ts';

test('every reference of every kind has a sample', () => {
  const declared = resourceKinds
    .filter((kind) => kind.source === 'stored')
    .flatMap(({ name, references }) => references.map(({ field }) => ({ name, field })))
    .filter(({ field }) => !otherReferences.includes(field))
    .map(({ name, field }) => `${name} ${field}`);
  const sampled = referenceSamples.map(({ kind, field }) => `${kind} ${field}`);
  assert.deepEqual(sampled.sort(), declared.sort());
});

onBothStores((open: OpenStore) => {
  let platform: Platform;
  before(async () => {
    platform = await startPlatform(open);
  });
  after(() => platform.close());
  for (const reference of referenceSamples) {
    describe(`${reference.kind}: ${reference.field}`, () => everyReference(reference, () => platform));
  }
});

function everyReference(reference: ReferenceSample, on: () => Platform): void {
  const stored = kindNamed(reference.kind) as StoredKind;
  const { unknown, wrongPrefix, binding, parent } = stored.references.find(
    ({ field }) => field === reference.field,
  )!;
  const target = kindNamed(reference.target) as StoredKind;

  async function makeTarget(as?: Principal): Promise<string> {
    const platform = on();
    const sample = samples.find(({ kind }) => kind === reference.target)!;
    const body = { ...(await sample.body(platform)), ...reference.targetBody };
    return (await platform.create(reference.target, body, as)).id;
  }

  /** Makes a resource that refers to an id. */
  async function refer(id: string): Promise<JsonObject & { readonly id: string; readonly at?: string }> {
    const platform = on();
    const { kind, patch } = reference;
    const sample = samples.find((one) => one.kind === kind)!;
    const at = await sample.parent?.(platform);
    const body = reference.body(id);
    if (patch !== true) {
      const made = await platform.create(kind, body, platform.admin, at);
      return at === undefined ? made : { ...made, at };
    }
    const made = await platform.create(kind, await sample.body(platform));
    return { ...(await platform.update(kind, made.id, body)), id: made.id };
  }

  test('an id that never was and one of another account are refused alike', async () => {
    const missing = `${target.prefix}_${nobody}`;
    const foreign = await makeTarget(on().stranger);
    const one = await refused(refer(missing), unknown);
    const other = await refused(refer(foreign), unknown);
    const neutral = ({ message, details }: Problem, id: string) =>
      JSON.stringify([message, details]).replaceAll(id, 'ID');
    assert.equal(neutral(one, missing), neutral(other, foreign));
    assert.ok(one.details.field, 'the field is named');
  });

  test('an id of another kind is refused by its prefix', async () => {
    const { details } = await refused(refer(`usr_${nobody}`), wrongPrefix);
    assert.ok(details.field, 'the field is named');
  });

  test(
    binding
      ? 'what is referred to cannot be deleted, and its users are named'
      : 'what is referred to can be deleted',
    async () => {
      const platform = on();
      const id = await makeTarget();
      const user = await refer(id);
      if (!binding) {
        await platform.remove(reference.target, id);
        if (parent === true) await refused(platform.get(reference.kind, user.id), 'resourceNotFound');
        else await platform.get(reference.kind, user.id, platform.admin, user.at);
        return;
      }
      const problem = await refused(platform.remove(reference.target, id), target.inUse!);
      assert.deepEqual(problem.details.used_by, [user.id]);
      await platform.get(reference.target, id);
      await platform.remove(reference.kind, user.id, platform.admin, user.at);
      await platform.remove(reference.target, id);
    },
  );
}
