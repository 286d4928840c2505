import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ChunkData } from './chunk-data.ts';

function chunked(parts: readonly Uint8Array[], trailers = ''): Buffer {
  const chunks = parts.flatMap((part) => [`${part.length.toString(16)}\r\n`, Buffer.from(part), '\r\n']);
  return Buffer.concat([...chunks, `0\r\n${trailers}\r\n`].map((piece) => Buffer.from(piece)));
}

test('parts that are joined are the same data in the same order, whatever the chunks and the reads', () => {
  const part = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 5 }),
    fc.integer({ min: 2000, max: 9000 }).map((size) => new Uint8Array(size).fill(size)),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), fc.integer({ min: 1, max: 20_000 }), (parts, size) => {
      const bytes = chunked(parts, 'a: b\r\n');
      const data = new ChunkData();
      const joined: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += size)
        joined.push(...data.joined(bytes.subarray(at, at + size)));
      assert.ok(Buffer.concat(joined).equals(Buffer.concat(parts)));
      assert.equal(data.trailers?.toString(), 'a: b\r\n\r\n');
    }),
  );
});

test('chunks of a byte are one part, and large ones are not copied', () => {
  const large = Buffer.alloc(5000, 'l');
  const parts = [...Array.from({ length: 1000 }, () => Buffer.from('x')), large, Buffer.from('y'), large];
  const bytes = chunked(parts);
  const joined = [...new ChunkData().joined(bytes)];
  assert.deepEqual(
    joined.map(({ length }) => length),
    [1000, 5000, 1, 5000],
  );
  for (const at of [1, 3]) assert.equal(joined[at]!.buffer, bytes.buffer);
});
