import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Json } from './openapi.ts';
import { getAt, pointerOf, setAt, stepsOf } from './pointer.ts';

test('a value that is set is found at its place, and the original stays', () => {
  const steps = fc.array(fc.string(), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), steps, fc.jsonValue(), (start, path, value) => {
      const before = JSON.stringify(start);
      const after = setAt(start as Json, path, value as Json);
      if (!hasList(start as Json, path)) assert.deepEqual(getAt(after, path), value);
      assert.equal(JSON.stringify(start), before);
    }),
  );
});

function hasList(value: Json, path: readonly string[]): boolean {
  return path.some((_, at) => Array.isArray(getAt(value, path.slice(0, at))));
}

test('undefined removes a field or an element, and its neighbours stay in their order', () => {
  assert.deepEqual(setAt({ a: 1, b: { c: 2, d: 3 } }, ['b', 'c'], undefined), { a: 1, b: { d: 3 } });
  assert.deepEqual(setAt({ a: [1, 2, 3] }, ['a', 1], undefined), { a: [1, 3] });
  assert.deepEqual(Object.keys(setAt({ a: 1, b: 2 }, ['a'], 3) as object), ['a', 'b']);
});

test('a pointer and its steps are the same, with slashes and tildes in them', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom('/', '~', '0', '1', 'a') })), (steps) => {
      assert.deepEqual(stepsOf(pointerOf(steps)), steps);
    }),
  );
});
