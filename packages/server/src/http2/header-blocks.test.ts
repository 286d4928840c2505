/** Header blocks against the examples of RFC 7541, appendix C, against an encoder and decoder that are not ours, and against malformed ones. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeHuffman, HeaderDecoder } from '@underpass/wire/http2';
import fc from 'fast-check';
import { propertyRuns } from '../../../../test/harness/property-runs.ts';
import { encodeHeaders } from './header-encoder.ts';

function decoded(decoder: HeaderDecoder, hex: string): readonly string[] | null {
  const list = decoder.decode(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
  return list?.fields.map(({ name, value }) => `${name}: ${value}`) ?? null;
}

test('requests with Huffman codes, whose fields build up a table (C.4)', () => {
  const decoder = new HeaderDecoder(4096);
  const usual = [':method: GET', ':scheme: http', ':path: /', ':authority: www.example.com'];
  assert.deepEqual(decoded(decoder, '8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff'), usual);
  assert.deepEqual(decoded(decoder, '8286 84be 5886 a8eb 1064 9cbf'), [...usual, 'cache-control: no-cache']);
  assert.deepEqual(decoded(decoder, '8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf'), [
    ...[':method: GET', ':scheme: https', ':path: /index.html', ':authority: www.example.com'],
    'custom-key: custom-value',
  ]);
});

test('answers whose fields push each other out of a table of 256 bytes (C.6)', () => {
  const decoder = new HeaderDecoder(4096);
  const first = [
    ':status: 302',
    'cache-control: private',
    'date: Mon, 21 Oct 2013 20:13:21 GMT',
    'location: https://www.example.com',
  ];
  const size = '3fe101';
  const block =
    '4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3';
  assert.deepEqual(decoded(decoder, size + block), first);
  assert.deepEqual(decoded(decoder, '4883 640e ffc1 c0bf'), [':status: 307', ...first.slice(1)]);
  assert.deepEqual(decoded(decoder, 'be'), [':status: 307']);
});

test('whatever is written is read as the same fields', () => {
  const text = fc.string({
    unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
    maxLength: 300,
  });
  const field = fc.record({ name: text, value: text }, { noNullPrototype: true });
  fc.assert(
    fc.property(fc.array(field, { maxLength: 20 }), (fields) => {
      const read = new HeaderDecoder(1e6).decode(encodeHeaders(fields))?.fields;
      assert.deepEqual(
        read?.map(({ name, value }) => ({ name, value })),
        fields,
      );
    }),
  );
});

test('the longest codes are those of the RFC', () => {
  for (const [byte, code, bits] of [
    [0, 0x1ff8, 13],
    [1, 0x7fffd8, 23],
    [2, 0xfffffe2, 28],
    [9, 0xffffea, 24],
    [10, 0x3ffffffc, 30],
    [13, 0x3ffffffd, 30],
    [22, 0x3ffffffe, 30],
    [123, 0x7ffe, 15],
    [249, 0xffffffe, 28],
    [255, 0x3ffffee, 26],
  ] as const) {
    const binary = code.toString(2).padStart(bits, '0');
    const padded = binary.padEnd(Math.ceil(bits / 8) * 8, '1');
    const bytes = padded.match(/.{8}/g)!.map((eight) => Number.parseInt(eight, 2));
    assert.equal(decodeHuffman(Buffer.from(bytes), 0, bytes.length), String.fromCharCode(byte), `${byte}`);
  }
});

test('whatever bytes come, they are read or refused', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 6 }), (blocks) => {
      const decoder = new HeaderDecoder(4096);
      for (const block of blocks) if (decoder.decode(Buffer.from(block)) === null) return;
    }),
    { numRuns: propertyRuns(2000) },
  );
});

test('what is malformed is refused', () => {
  for (const [what, hex] of [
    ['index 0', '80'],
    ['an index beyond the tables', 'be'],
    ['a table larger than was allowed', '3fe13f'],
    ['a change of the table behind a field', '8220'],
    ['an integer without an end', 'ffffffffffffffff'],
    ['a string that is cut', '0005 6162'],
    ['padding of more than seven bits', '0001 61 82 1fff'],
    ['padding that is not ones', '0001 61 81 18'],
    ['the end mark in a string', '0001 61 84 ffff ffff'],
  ] as const)
    assert.equal(decoded(new HeaderDecoder(4096), hex), null, what);
});

test('a block of a few bytes that stands for a long list is counted and not kept', () => {
  const decoder = new HeaderDecoder(8192);
  const long = encodeHeaders([{ name: 'x', value: 'y'.repeat(4000) }]);
  long[0] = 0x40;
  assert.equal(decoder.decode(long)?.isTooLarge, false);
  const list = decoder.decode(Buffer.alloc(60_000, 0xbe));
  assert.equal(list?.isTooLarge, true);
  assert.equal(list?.fields.length, 2);
});
