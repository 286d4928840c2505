import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../../../test/harness/any-character.ts';
import type { Batch } from './batch.ts';
import { pack, unpack } from './packed.ts';

const text = fc.string({ unit: anyCharacter });
const number = fc.nat(Number.MAX_SAFE_INTEGER);
const few = { maxLength: 3 };
const references = {
  links: fc.array(fc.record({ field: text, to: text, binding: fc.boolean() }), few),
  names: fc.array(fc.record({ kind: text, value: text }), few),
};
const operation = fc.oneof(
  fc.record({
    ...{ op: fc.constant('insert' as const), id: text, account: text, kind: text },
    ...{ parent: fc.option(text), body: text, ...references },
  }),
  fc.record(
    {
      ...{ op: fc.constant('replace' as const), id: text, revision: number, body: text, ...references },
      dropped: fc.record({
        links: fc.array(fc.record({ field: text, to: text }), few),
        names: references.names,
      }),
    },
    { requiredKeys: ['op', 'id', 'revision', 'body', 'links', 'names'] },
  ),
  fc.record({ op: fc.constant('rewrite' as const), id: text, revision: number, body: text }),
  fc.record({ op: fc.constant('delete' as const), id: text, revision: number }),
  fc.record({ op: fc.constant('enqueue' as const), account: text, parent: text, text }),
  fc.record({ op: fc.constant('dequeue' as const), positions: fc.array(number, few) }),
  fc.record({ op: fc.constant('clear' as const), most: number }),
  fc.record({
    op: fc.constant('exclude' as const),
    account: text,
    names: fc.array(
      fc.record({ keys: fc.array(text, few), below: fc.option(text), includesOwn: fc.boolean() }),
      few,
    ),
  }),
);
const kind = fc.constantFrom('change' as const, 'use' as const, 'visit' as const);
const ofNotes = fc.oneof(
  fc.record({
    ...{ op: fc.constant('note' as const), kind, account: text, key: text, at: number, text },
    needsDocument: fc.boolean(),
  }),
  fc.record({ op: fc.constant('forget' as const), kind, account: text, key: text }),
  fc.record({ op: fc.constant('expire' as const), kind, before: number, most: number }),
  fc.record({ op: fc.constant('trim' as const), kind, account: text, keep: number, most: number }),
);
const block = fc.record({ account: text, key: text, node: text, step: number, start: number, body: text });
const ofSeries = fc.oneof(
  fc.record({ op: fc.constant('keep_series' as const), rows: fc.array(block, few) }),
  fc.record({ op: fc.constant('drop_series' as const), step: number, before: number, most: number }),
);
const batches: fc.Arbitrary<Batch[]> = fc.array(
  fc.record({ operations: fc.array(fc.oneof(operation, ofNotes, ofSeries), few), lastId: text }),
  few,
);
/** Objects of `fc.record` have no prototype. */
const plain = (of: readonly Batch[]): unknown => JSON.parse(JSON.stringify(of));

test('batches are read as they were sent, whatever is in them', () => {
  fc.assert(
    fc.property(batches, (sent) => {
      assert.deepEqual(plain(unpack(structuredClone(pack(sent)))), plain(sent));
    }),
  );
});

test('what is not packed batches is refused', () => {
  for (const packed of [[1], ['last', 'x'], ['last', 1], ['last', 1, 'unheard'], ['last', 1, 'clear', 'x']])
    assert.throws(() => unpack(packed));
});
