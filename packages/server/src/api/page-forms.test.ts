import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Control,
  type Field,
  fieldOf,
  fieldsOf,
  textOf,
  valueFrom,
} from '@underpass/ui/form/controls.ts';
import type { Json, OpenApi, Operation, Schema } from '@underpass/ui/form/openapi.ts';
import { getAt, type Steps, setAt } from '@underpass/ui/form/pointer.ts';
import { Reference } from '@underpass/ui/form/reference.ts';
import { changeOf, writableOf } from '@underpass/ui/form/writable.ts';
import fc from 'fast-check';
import { COLLECTIONS } from '../../../dashboard/src/api/collections.ts';
import { resourceSurfaces } from '../resources/kinds/index.ts';
import { standaloneOperations } from '../resources/standalone/index.ts';
import { openApiDocument } from './openapi.ts';

const served = { baseUrl: 'https://x', versionHeaders: ['V'] };
const document = openApiDocument(resourceSurfaces, served, standaloneOperations);
const reference = new Reference(JSON.parse(JSON.stringify(document)) as OpenApi);
const writes: readonly Operation[] = [...reference.operations.values()].filter(({ body }) => body !== null);

/** Values of a schema, patterns aside: absent fields, empty ones and null are some of them. */
function valuesOf(schema: Schema): fc.Arbitrary<Json> {
  const { schema: value, nullable } = reference.given(schema);
  const inner = plainValuesOf(value);
  return nullable ? fc.oneof({ weight: 5, arbitrary: inner }, fc.constant(null)) : inner;
}

function plainValuesOf(value: Schema): fc.Arbitrary<Json> {
  if (value.enum !== undefined) return fc.constantFrom(...value.enum);
  if (value.items !== undefined) return fc.array(valuesOf(value.items), { maxLength: 3 });
  if (value.properties !== undefined) {
    const fields = Object.entries(value.properties).map(([name, one]) => [name, valuesOf(one)] as const);
    return fc.record(Object.fromEntries(fields), {
      requiredKeys: [...(value.required ?? [])],
      noNullPrototype: true,
    });
  }
  if (typeof value.additionalProperties === 'object')
    return fc.dictionary(fc.string(), valuesOf(value.additionalProperties), {
      maxKeys: 3,
      noNullPrototype: true,
    });
  if (value.type === 'boolean') return fc.boolean();
  if (value.type === 'integer')
    return fc.integer({ min: value.minimum ?? 0, max: value.maximum ?? Number.MAX_SAFE_INTEGER });
  return fc.string({ unit: 'grapheme' });
}

/** Puts each value into its control, and reads it back, as a form does when a user types the same again. */
function retyped(fields: readonly Field[], start: Json): Json | undefined {
  let value: Json | undefined = start;
  const visit = (control: Control, steps: Steps): void => {
    const here = getAt(value, steps);
    if (here === undefined || here === null) return;
    if (control.type === 'group')
      for (const { name, control: inner } of control.fields) visit(inner, [...steps, name]);
    else if (control.type === 'list')
      for (const at of (here as Json[]).keys()) visit(control.item.control, [...steps, at]);
    else if (control.type === 'map')
      for (const name of Object.keys(here)) visit(control.value.control, [...steps, name]);
    else value = setAt(value, steps, valueFrom(control, textOf(control, here)));
  };
  for (const { name, control } of fields) visit(control, [name]);
  return value;
}

test('a value of any body of the API survives its form', () => {
  assert.ok(writes.length > 70);
  for (const { id, body } of writes) {
    const { schema } = body!;
    const fields = fieldsOf(reference, schema);
    fc.assert(
      fc.property(valuesOf(schema), (value) => {
        assert.deepEqual(retyped(fields, value), value, id);
      }),
      { numRuns: 20 },
    );
  }
});

test('each value of each body has a control of its own: nothing has to be typed as JSON', () => {
  const typed: string[] = [];
  const visit = (name: string, control: Control): void => {
    if (control.type === 'json') typed.push(name);
    if (control.type === 'group') for (const one of control.fields) visit(`${name}.${one.name}`, one.control);
    if (control.type === 'list') visit(`${name}[]`, control.item.control);
    if (control.type === 'map') visit(`${name}{}`, control.value.control);
  };
  for (const { id, body } of writes) visit(id, fieldOf(reference, '', body!.schema, true).control);
  assert.deepEqual(typed, []);
});

test('the example of each creation is shown by the form that changes it, without a change', () => {
  for (const [name, { collection }] of Object.entries(reference.document['x-kinds'])) {
    const update = reference.operationAt('PATCH', `${collection}/{id}`);
    if (update?.body == null) continue;
    const { schema } = update.body;
    const read = update.answer!;
    fc.assert(
      fc.property(valuesOf(read), (shown) => {
        const before = writableOf(reference, schema, shown);
        assert.deepEqual(changeOf(reference, schema, before, before), { body: {}, removals: [] }, name);
        const known = Object.keys(reference.given(schema).schema.properties ?? {});
        for (const field of Object.keys(before as object))
          assert.ok(known.includes(field), `${name}.${field}`);
      }),
      { numRuns: 10 },
    );
  }
});

test('references are ids in the form, and a module that is switched off is removed by itself', () => {
  const { schema } = reference.operationAt('PATCH', '/edges/https/{edge_id}/routes/{id}')!.body!;
  const shown = {
    ...{ id: 'edghtsrt_1', match_type: 'exact_path', match: '/', compression: { enabled: true } },
    backend: { enabled: true, backend: { id: 'bkdhr_1', uri: 'https://x' } },
    ip_restriction: { enabled: false, ip_policies: [{ id: 'ipp_1', uri: 'https://x' }] },
  };
  const before = writableOf(reference, schema, shown);
  assert.deepEqual(before, {
    ...{ match_type: 'exact_path', match: '/', compression: { enabled: true } },
    backend: { enabled: true, backend_id: 'bkdhr_1' },
    ip_restriction: { enabled: false, ip_policy_ids: ['ipp_1'] },
  });
  const after = setAt(setAt(before, ['compression'], undefined), ['match'], '/admin')!;
  assert.deepEqual(changeOf(reference, schema, before, after), {
    body: { match: '/admin' },
    removals: ['compression'],
  });
});

test('the pages know the list of each kind that an event names', () => {
  const kinds = Object.entries(reference.document['x-kinds']);
  const lists = kinds.map(([name, { collection }]) => [name, collection.replace(/\/\{.*/, '')]);
  assert.deepEqual(COLLECTIONS, Object.fromEntries(lists));
});
