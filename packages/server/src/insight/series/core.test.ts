/** Tests of the pure parts of series: percentiles, cells, blocks. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { propertyRuns } from '../../../../../test/harness/property-runs.ts';
import { visit } from '../../edge/sites/exchange-record.fixture.ts';
import type { ExchangeRecord } from '../../edge/sites/exchange-record.ts';
import { Block, cellsOf, cellsOfText } from './block.ts';
import { Cell } from './cell.ts';
import { BUCKETS, bucketOf, durationOf, percentile } from './latency.ts';

const records = fc.array(
  fc.record({
    kind: fc.constantFrom('http' as const, 'bytes' as const),
    status: fc.constantFrom(0, 101, 200, 304, 404, 502, 599, 999),
    bytesIn: fc.nat({ max: 2 ** 46 }),
    bytesOut: fc.nat({ max: 2 ** 40 }),
    durationMs: fc.double({ min: 0, max: 1e7, noNaN: true }),
    error: fc.constantFrom(null, 'nothingOnline' as const, 'sourceRefused' as const),
  }),
  { maxLength: 40 },
);

function cellWith(all: readonly Partial<ExchangeRecord>[]): Cell {
  const cell = new Cell();
  for (const one of all) {
    const record = { ...visit, ...one };
    cell.count(record, bucketOf(record.durationMs));
  }
  return cell;
}

function shown(cell: Cell | undefined) {
  if (cell === undefined) return null;
  return [[...cell.counts], [...cell.buckets], [...(cell.errors ?? [])].sort()];
}

test('a percentile is at most 4.4 % away from the exact one, by nearest rank', () => {
  const durations = fc.array(fc.double({ min: 0.126, max: 262_000, noNaN: true }), {
    minLength: 1,
    maxLength: 200,
  });
  fc.assert(
    fc.property(durations, fc.constantFrom(0.5, 0.95, 0.99), (all, share) => {
      const buckets = new Uint32Array(BUCKETS);
      for (const duration of all) buckets[bucketOf(duration)]! += 1;
      const exact = all.toSorted((one, other) => one - other)[Math.ceil(share * all.length) - 1]!;
      const found = percentile(buckets, share)!;
      assert.ok(Math.abs(found - exact) <= 0.044 * exact, `${found} for ${exact}`);
    }),
    { numRuns: propertyRuns(500) },
  );
});

test('durations outside the buckets are in the first and the last one', () => {
  assert.equal(percentile(new Uint32Array(BUCKETS), 0.5), null);
  for (const [duration, bucket] of [
    [0, 0],
    [-1, 0],
    [Number.NaN, 0],
    [0.125, 0],
    [1e9, BUCKETS - 1],
    [Number.POSITIVE_INFINITY, BUCKETS - 1],
  ] as const)
    assert.equal(bucketOf(duration), bucket, String(duration));
  for (let bucket = 1; bucket < BUCKETS - 1; bucket += 1) assert.equal(bucketOf(durationOf(bucket)), bucket);
});

test('cells of parts add up to the cell of the whole', () => {
  fc.assert(
    fc.property(records, fc.nat(40), (all, at) => {
      const sum = cellWith(all.slice(0, at));
      sum.add(cellWith(all.slice(at)));
      assert.deepEqual(shown(sum), shown(cellWith(all)));
    }),
    { numRuns: propertyRuns(300) },
  );
});

test('a block returns what was added, also twice to one slot, and as text', () => {
  const parts = fc.array(fc.tuple(fc.nat({ max: 2 }), records), { maxLength: 15 });
  fc.assert(
    fc.property(parts, (all) => {
      const block = new Block();
      const expected = new Map<number, ExchangeRecord[]>();
      let slot = 0;
      for (const [distance, some] of all) {
        slot += distance;
        block.add(slot, cellWith(some));
        expected.set(slot, [...(expected.get(slot) ?? []), ...some.map((one) => ({ ...visit, ...one }))]);
      }
      const wanted = [...expected].map(([at, some]) => [at, shown(cellWith(some))]);
      assert.deepEqual(
        Array.from(cellsOf(block.bytes), ([at, cell]) => [at, shown(cell)]),
        wanted,
      );
      assert.deepEqual(
        Array.from(cellsOfText(block.text()), ([at, cell]) => [at, shown(cell)]),
        wanted,
      );
    }),
    { numRuns: propertyRuns(200) },
  );
});

test('a text of another format, and one that is cut, has no cell of its own', () => {
  assert.deepEqual([...cellsOfText('2AAAA')], []);
  assert.deepEqual([...cellsOfText('')], []);
  const block = new Block();
  block.add(3, cellWith([{}, { status: 500 }]));
  for (let length = 1; length < block.text().length; length += 1)
    for (const [slot] of cellsOfText(block.text().slice(0, length))) assert.ok(slot <= 60);
});

test('a switched connection has no latency, and many error codes are counted together', () => {
  assert.equal(percentile(cellWith([{ status: 101 }]).buckets, 0.5), null);
  const cell = new Cell();
  for (let number = 1; number <= 40; number += 1) cell.addError(number, 2);
  assert.equal(cell.errors?.size, 17);
  assert.equal(cell.errors?.get(0), 48);
});
