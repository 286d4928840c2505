import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CHUNK_BYTES, Chunks } from './chunks.ts';
import { LineRing, type RingLimits } from './line-ring.ts';

const line = fc.string({ unit: 'grapheme', maxLength: 900 }).map((text) => JSON.stringify(text));

function startRing(limits: Partial<RingLimits>) {
  const chunks = new Chunks();
  const ring = new LineRing({ lines: 10_000, chunks: 10_000, ...limits }, chunks);
  return { chunks, ring, push: (text: string) => ring.push(text, Buffer.byteLength(text)) };
}

test('a ring has the newest lines, as they were pushed', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 200 }), fc.integer({ min: 1, max: 50 }), (texts, most) => {
      const lines = texts.filter((text) => Buffer.byteLength(text) < CHUNK_BYTES);
      const { ring, push } = startRing({ lines: most });
      for (const one of lines) push(one);
      const newest = [...ring.newest()];
      assert.equal(newest.length, ring.lines);
      assert.ok(newest.length >= Math.min(most, lines.length));
      assert.deepEqual(newest, lines.toReversed().slice(0, newest.length));
    }),
    { numRuns: 50 },
  );
});

test('a ring has no more chunks than it may, also with the longest lines', () => {
  const { ring, push, chunks } = startRing({ chunks: 4 });
  for (let index = 0; index < 2_000; index += 1) {
    push('x'.repeat(index % 5 === 0 ? CHUNK_BYTES - 1 : 10));
    assert.ok(ring.size <= 4);
    assert.equal(chunks.used, ring.size);
  }
  assert.ok(ring.lines >= 4);
});

test('a ring that forgets has no chunk left, and others use its chunks', () => {
  const { ring, push, chunks } = startRing({});
  for (let index = 0; index < 1_000; index += 1) push('a line of a request');
  const { size } = ring;
  assert.ok(size > 1);
  while (ring.forgetOldest());
  assert.deepEqual([chunks.used, ring.size, ring.lines, [...ring.newest()]], [0, 0, 0, []]);
  const memory = chunks.take().buffer;
  for (let index = 1; index < size; index += 1) assert.equal(chunks.take().buffer, memory);
});
