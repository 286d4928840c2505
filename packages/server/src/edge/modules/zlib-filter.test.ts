import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { ZlibFilter } from './zlib-filter.ts';

test('a compressor that is given single bytes is full after some of them, and takes more when they are compressed', async () => {
  const filter = new ZlibFilter('gzip', () => {});
  const parts: Buffer[] = [];
  filter.onData = (bytes) => void parts.push(bytes);
  const room = Promise.withResolvers<void>();
  filter.onDrain = () => room.resolve();
  let written = 1;
  while (filter.write(Buffer.from('x'))) written += 1;
  assert.ok(written <= 64, `${written} pieces wait`);
  await room.promise;
  const ended = Promise.withResolvers<void>();
  filter.onEnd = () => ended.resolve();
  assert.equal(filter.write(Buffer.from('y')), true);
  filter.end();
  await ended.promise;
  assert.equal(gunzipSync(Buffer.concat(parts)).toString(), `${'x'.repeat(written)}y`);
});
