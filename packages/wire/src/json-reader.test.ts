import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ErrorCode } from './codes.ts';
import { JsonReader } from './json-reader.ts';
import { WireError } from './wire-error.ts';

const isProtocolError = (error: unknown): boolean =>
  error instanceof WireError && error.code === ErrorCode.protocol;

test('a value is whole at its last byte, however it is cut, whatever follows', () => {
  const container = fc.jsonValue().map((value) => [value]);
  const cuts = fc.array(fc.nat(), { maxLength: 10 });
  fc.assert(
    fc.property(
      container,
      fc.constantFrom('', ' ', '\n\t'),
      cuts,
      fc.boolean(),
      (value, space, places, indented) => {
        const text = Buffer.from(space + JSON.stringify(value, null, indented ? 2 : 0));
        const input = Buffer.concat([text, Buffer.from('\n{"next":')]);
        const reader = new JsonReader(1_000_000);
        let from = 0;
        for (const to of [...places.map((place) => place % text.length), input.length].sort(
          (a, b) => a - b,
        )) {
          const whole = reader.push(input.subarray(from, to));
          assert.equal(whole, to === input.length, `whole at ${to} of ${text.length}`);
          from = to;
        }
        assert.deepEqual(reader.value, JSON.parse(text.toString()));
      },
    ),
  );
});

test('a value ends with its last byte, not with the byte after it', () => {
  for (const text of ['{}', '[]', '{"a":"}\\""}', '"x"', '"\\\\"', '[{"a":[1,2]}]']) {
    assert.equal(new JsonReader(100).push(Buffer.from(text)), true, text);
    assert.equal(new JsonReader(100).push(Buffer.from(text.slice(0, -1))), false, text);
  }
});

test('numbers and words end at white space or with the stream', () => {
  for (const text of ['12', 'true', 'null', '-1.5e3']) {
    const spaced = new JsonReader(100);
    assert.equal(spaced.push(Buffer.from(text)), false);
    assert.equal(spaced.push(Buffer.from('\n')), true);
    assert.equal(spaced.value, JSON.parse(text));
    const ended = new JsonReader(100);
    ended.push(Buffer.from(text));
    ended.finish();
    assert.equal(ended.value, JSON.parse(text));
  }
});

const refused: readonly [string, Uint8Array | string][] = [
  ['a closing bracket', ']'],
  ['mismatched brackets', '{]'],
  ['words that are not JSON', 'GET / HTTP/1.1'],
  ['a single-quoted object', "{'a':1}"],
  ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
  ['a byte order mark', Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d, 0x20])],
  ['a value nested 65 deep', '['.repeat(65)],
  ['a value of 101 bytes', `"${'x'.repeat(99)}"`],
];
for (const [what, input] of refused) {
  test(`${what} is refused`, () => {
    assert.throws(() => new JsonReader(100).push(Buffer.from(input as string)), isProtocolError);
  });
}

test('half a value is refused when the stream ends', () => {
  for (const text of ['', ' ', '{"a":', '"x', '[1,']) {
    const reader = new JsonReader(100);
    reader.push(Buffer.from(text));
    assert.throws(() => reader.finish(), isProtocolError, text);
  }
});

test('an endless value is refused as soon as it is too long', () => {
  const reader = new JsonReader(1000);
  reader.push(Buffer.from('"'));
  assert.throws(() => {
    for (let i = 0; i < 1001; i++) reader.push(Buffer.from('x'));
  }, isProtocolError);
});
