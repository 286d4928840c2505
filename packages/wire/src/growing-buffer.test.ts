import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { apart, GrowingBuffer } from './growing-buffer.ts';

test('pieces are joined in their order, and views of what came first stay as they are', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 700 })), (pieces) => {
      const buffer = new GrowingBuffer();
      const views: Buffer[] = [];
      for (const piece of pieces) {
        buffer.append(piece);
        views.push(buffer.bytes);
      }
      const whole = Buffer.concat(pieces);
      assert.ok(buffer.bytes.equals(whole));
      assert.equal(buffer.length, whole.length);
      for (const view of views) assert.ok(view.equals(whole.subarray(0, view.length)));
      assert.ok(buffer.take().equals(whole));
      assert.deepEqual([buffer.length, buffer.capacity], [0, 0]);
    }),
  );
});

test('single bytes take at most twice their number', () => {
  const buffer = new GrowingBuffer({ firstBytes: 16 });
  for (let i = 0; i < 100_000; i += 1) buffer.append(Buffer.from('x'));
  assert.equal(buffer.length, 100_000);
  assert.ok(buffer.capacity <= 200_000, `${buffer.capacity} bytes`);
  assert.equal(buffer.bytes.buffer.byteLength, buffer.capacity);
});

test('no more memory is taken in advance than is expected', () => {
  const buffer = new GrowingBuffer({ mostBytes: 900 });
  buffer.append(Buffer.alloc(800));
  buffer.append(Buffer.alloc(100));
  assert.equal(buffer.capacity, 900);
  buffer.append(Buffer.alloc(1));
  assert.equal(buffer.capacity, 901);
});

test('bytes apart keep no larger buffer alive', () => {
  const large = Buffer.alloc(65_536, 1);
  const alone = apart(large.subarray(5, 6));
  assert.deepEqual([alone.length, alone.buffer.byteLength], [1, 1]);
  assert.equal(apart(large), large);
});
