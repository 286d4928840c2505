/** The request schemas, and so the OpenAPI document, agree with the rules behind them. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { LooseJson as Schema } from '../../../../test/harness/loose-json.ts';
import { idPattern } from '../core/id.ts';
import { Problem } from '../errors/problem.ts';
import type { StoredKind } from './definition.ts';
import { kindNamed, type Platform, startPlatform } from './engine.fixture.ts';
import { resourceKinds } from './kinds/index.ts';
import { samples } from './samples/index.fixture.ts';
import { otherReferences } from './samples/references.fixture.ts';

/** Kinds of which an account gives one field or the other. A list of required fields cannot express that. */
const EITHER: readonly string[] = ['reserved_domain name'];
/** Named by the path or made from other fields, and no ids in a request. */
const NOT_ASKED = otherReferences.filter((field) => field !== 'owner_id');

/** Returns the schema without the null for "not given". */
function given(schema: Schema): Schema {
  return schema?.anyOf?.[0] ?? schema;
}

/** Returns the schema at the path of a reference. */
function schemaAt(schema: Schema, path: string): Schema {
  return path.split('.').reduce((at, step) => {
    if (step === '*') return given(at?.items);
    return given(step === '~' ? at?.propertyNames : at?.properties?.[step]);
  }, schema);
}

async function accepts(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    assert.ok(error instanceof Problem, String(error));
    return false;
  }
}

describe('what a request is asked for', () => {
  let on: Platform;
  before(async () => {
    on = await startPlatform();
  });
  after(() => on.close());

  for (const { kind, body, parent } of samples) {
    const { create } = kindNamed(kind) as StoredKind;

    test(`${kind}: what may be left out can be left out, and nothing else`, async () => {
      for (const name of Object.keys(await body(on))) {
        if (EITHER.includes(`${kind} ${name}`)) continue;
        const { [name]: _left, ...rest } = await body(on);
        const accepted = await accepts(on.create(kind, rest, on.admin, await parent?.(on)));
        assert.equal(accepted, !create.required?.includes(name), name);
      }
    });
  }
});

describe('the ids that a request may have', () => {
  for (const kind of resourceKinds) {
    if (kind.source !== 'stored') continue;
    for (const { field, prefixes } of kind.references) {
      if (NOT_ASKED.includes(field)) continue;
      test(`${kind.name}: ${field} is described by the prefixes of its kinds`, () => {
        const schemas = [kind.create, kind.update].map((schema) => schemaAt(schema, field));
        const patterns = schemas.flatMap((schema: Schema) => schema?.pattern ?? []);
        assert.notEqual(patterns.length, 0);
        for (const pattern of patterns) assert.equal(pattern.replace('|^$', ''), idPattern(prefixes));
      });
    }
  }
});
