import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ReceiveBuffer } from './receive-buffer.ts';

test('what went in comes out, in order, also what was put back', () => {
  const step = fc.oneof(
    fc.uint8Array({ maxLength: 3000 }).map((bytes) => ({ push: Buffer.from(bytes) })),
    fc.integer({ min: 8192, max: 20_000 }).map((size) => ({ push: Buffer.alloc(size, size) })),
    fc.constant({ back: true }),
    fc.constant({ back: false }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const buffer = new ReceiveBuffer();
      const expected: Buffer[] = [];
      const out: Buffer[] = [];
      for (const one of steps) {
        if ('push' in one) {
          buffer.push(one.push);
          expected.push(one.push);
        } else {
          const chunk = buffer.shift();
          if (chunk === undefined) assert.equal(buffer.length, 0);
          else if (one.back) buffer.unshift(chunk);
          else out.push(chunk);
        }
      }
      for (let chunk = buffer.shift(); chunk !== undefined; chunk = buffer.shift()) out.push(chunk);
      assert.equal(buffer.length, 0);
      assert.deepEqual(Buffer.concat(out), Buffer.concat(expected));
    }),
  );
});

test('a window of single bytes is kept in a few blocks, and no network buffer is pinned', () => {
  const buffer = new ReceiveBuffer();
  const network = Buffer.alloc(65_536, 1);
  for (let i = 0; i < 262_144; i++) buffer.push(network.subarray(i % 65_536, (i % 65_536) + 1));
  let blocks = 0;
  let memory = 0;
  for (let chunk = buffer.shift(); chunk !== undefined; chunk = buffer.shift()) {
    assert.notEqual(chunk.buffer, network.buffer);
    blocks++;
    memory += chunk.buffer.byteLength;
  }
  assert.ok(blocks < 16, `${blocks} blocks`);
  assert.ok(memory < 400_000, `${memory} bytes`);
});

test('a large chunk is kept without a copy if it fills enough of its memory, as its owner says', () => {
  const pool = Buffer.alloc(65_600);
  const frame = pool.subarray(0, 16_384);
  for (const [ratio, isKept] of [
    [2, false],
    [5, true],
  ] as const) {
    const buffer = new ReceiveBuffer(ratio);
    buffer.push(frame);
    assert.equal(buffer.shift()?.buffer === pool.buffer, isKept);
  }
});

test('what was cleared is gone', () => {
  const buffer = new ReceiveBuffer();
  buffer.push(Buffer.alloc(10));
  buffer.push(Buffer.alloc(20_000));
  buffer.clear();
  assert.deepEqual([buffer.length, buffer.shift()], [0, undefined]);
});
