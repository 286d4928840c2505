import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { UnreadBytes } from './unread-bytes.ts';

test('whatever is pushed and taken in between, it comes out once and in order', () => {
  const push = fc.constantFrom(1, 2, 100, 8191, 8192, 16_384);
  fc.assert(
    fc.property(fc.array(fc.option(push), { maxLength: 60 }), (steps) => {
      const unread = new UnreadBytes();
      const pushed: Buffer[] = [];
      const taken: Buffer[] = [];
      for (const [step, size] of steps.entries()) {
        const bytes = size === null ? unread.shift() : Buffer.alloc(size, step);
        if (bytes === undefined) continue;
        (size === null ? taken : pushed).push(bytes);
        if (size !== null) unread.push(bytes);
      }
      for (let bytes = unread.shift(); bytes !== undefined; bytes = unread.shift()) taken.push(bytes);
      assert.ok(Buffer.concat(taken).equals(Buffer.concat(pushed)));
      assert.ok(unread.isEmpty);
    }),
  );
});

test('single bytes are few pieces, and a large one is not copied', () => {
  const unread = new UnreadBytes();
  for (let i = 0; i < 10_000; i += 1) unread.push(Buffer.from('x'));
  const large = Buffer.alloc(16_384);
  unread.push(large);
  assert.equal(unread.shift()?.length, 10_000);
  assert.equal(unread.shift(), large);
});

test('what is thrown away is counted', () => {
  const unread = new UnreadBytes();
  unread.push(Buffer.alloc(10));
  unread.push(Buffer.alloc(20_000));
  assert.equal(unread.clear(), 20_010);
  assert.equal(unread.shift(), undefined);
});
