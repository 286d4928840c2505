import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { propertyRuns } from '../../../../test/harness/property-runs.ts';
import type { JsonObject, JsonValue } from '../store/store.ts';
import {
  inOurWords,
  inTheirWords,
  pointerInTheirWords,
  Renaming,
  type Scope,
  scopeAt,
} from './vocabulary.ts';

const word = fc.constantFrom('a', 'b', 'c', 'd', 'e', '__proto__', 'constructor');
/** Any words for any others, in chains and circles too; no word twice on one side. */
const renaming = fc
  .tuple(fc.uniqueArray(word), fc.uniqueArray(word))
  .map(([ours, theirs]) => new Renaming(ours.slice(0, theirs.length).map((one, at) => [one, theirs[at]!])));

function scopeTo(depth: number): fc.Arbitrary<Scope> {
  const step = fc.oneof(word, fc.constant('*'));
  const inner =
    depth === 0 ? fc.constant([]) : fc.array(fc.tuple(step, scopeTo(depth - 1)), { maxLength: 3 });
  return fc.record({ names: renaming, values: renaming, inner: inner.map((entries) => new Map(entries)) });
}
const scope = scopeTo(3);

const { json } = fc.letrec<{ json: JsonValue }>((tie) => ({
  json: fc.oneof(
    { depthIdentifier: 'json', maxDepth: 4 },
    word,
    fc.constantFrom<JsonValue>(null, true, 0, 1.5, ''),
    fc.array(tie('json') as fc.Arbitrary<JsonValue>, { maxLength: 3 }),
    fc
      .array(fc.tuple(word, tie('json') as fc.Arbitrary<JsonValue>), { maxLength: 4 })
      .map((entries): JsonValue => Object.fromEntries(entries)),
  ),
}));

describe('a vocabulary', () => {
  test('gives back what it was given, from either side, for any JSON', () => {
    fc.assert(
      fc.property(scope, json, (words, value) => {
        assert.deepEqual(inOurWords(words, inTheirWords(words, value)), value);
        assert.deepEqual(inTheirWords(words, inOurWords(words, value)), value);
      }),
      { numRuns: propertyRuns(2000) },
    );
  });

  test('says where something of ours is in theirs', () => {
    fc.assert(
      fc.property(scope, json, (words, value) => {
        const theirs = inTheirWords(words, value);
        for (const pointer of pointersIn(value)) {
          const [ours, moved] = [at(value, pointer), at(theirs, pointerInTheirWords(words, pointer))];
          assert.deepEqual(inTheirWords(scopeAt(words, pointer), ours!), moved, pointer);
        }
      }),
      { numRuns: propertyRuns(2000) },
    );
  });

  test('takes a word of theirs and none of ours', () => {
    const words: Scope = {
      names: new Renaming([['stream', 'kinesis']]),
      values: new Renaming([]),
      inner: new Map([
        ['stream', { names: new Renaming([]), values: new Renaming([['on', 'ON']]), inner: new Map() }],
      ]),
    };
    assert.deepEqual(inOurWords(words, { kinesis: 'ON', name: 'stream' }), { stream: 'on', name: 'stream' });
    assert.deepEqual(inOurWords(words, { stream: 'on' }), { kinesis: 'on' });
    assert.deepEqual(inOurWords(words, { kinesis: 'on' }), { stream: 'ON' });
    assert.deepEqual(inOurWords(words, { kinesis: ['ON'] }), { stream: ['ON'] });
    assert.deepEqual(inOurWords(words, null), null);
  });

  test('costs nothing where nothing is called otherwise', () => {
    const value = { a: { b: [1] } };
    assert.equal(inTheirWords(undefined, value), value);
    const words: Scope = { names: new Renaming([['x', 'y']]), values: new Renaming([]), inner: new Map() };
    const { a } = inTheirWords(words, value) as typeof value;
    assert.equal(a, value.a);
  });
});

function pointersIn(value: JsonValue): string[] {
  if (typeof value !== 'object' || value === null) return [''];
  return [
    '',
    ...Object.entries(value).flatMap(([name, inner]) => pointersIn(inner).map((rest) => `/${name}${rest}`)),
  ];
}

function at(value: JsonValue, pointer: string): JsonValue | undefined {
  return pointer
    .split('/')
    .slice(1)
    .reduce<JsonValue | undefined>((inner, step) => {
      const parent = inner as JsonObject;
      return Object.hasOwn(parent, step) ? parent[step] : undefined;
    }, value);
}
