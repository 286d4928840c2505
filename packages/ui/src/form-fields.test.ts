import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { multipartFields, urlEncodedFields } from './form-fields.ts';

const TYPE = 'multipart/form-data; boundary=b0';
const lines = (...all: string[]) => Buffer.from(all.join('\r\n'));
const part = (disposition: string, ...rest: string[]) => [
  '--b0',
  `Content-Disposition: form-data; ${disposition}`,
  ...rest,
];

test('the fields of a URL-encoded form are decoded, in their order', () => {
  const read = urlEncodedFields(
    'a=1&a=2&text=two+words%21&empty=&alone&__proto__=x&bad=%E9%&eq=a=b&gr%C3%BC%C3%9Fe=%E2%82%AC',
  );
  assert.deepEqual(
    read?.fields.map(({ name, value, size }) => [name, value, size]),
    [
      ['a', '1', 1],
      ['a', '2', 1],
      ['text', 'two words!', 10],
      ['empty', '', 0],
      ['alone', '', 0],
      ['__proto__', 'x', 1],
      ['bad', '%E9%', 4],
      ['eq', 'a=b', 3],
      ['grüße', '€', 3],
    ],
  );
  assert.equal(urlEncodedFields('{"a": 1}'), null, 'curl gives JSON this type, too');
});

test('the parts of a form have names, file names, types and sizes', () => {
  const body = lines(
    'preamble',
    ...part('name="title"', '', 'Grüße'),
    ...part('name="file"; filename="a \\"b\\" %22c%22.txt"', 'Content-Type: text/plain', '', 'one', 'two'),
    ...part('name=bin; filename="C:\\dir\\x.bin"', 'content-type: application/octet-stream', '', '\0\x01'),
    ...part(`name="x"; filename="y"; filename*=UTF-8''%e2%82%ac.txt`, '', ''),
    ...part('filename="; name=evil"; name="good"', '', '--b0x', 'no delimiter: --b0'),
    ...['--b0 \t', '', 'a part without a header', '--b0--', 'epilogue', '--b0', '', 'ignored', ''],
  );
  assert.deepEqual(multipartFields(body, TYPE), {
    fields: [
      { name: 'title', fileName: null, type: '', size: 7, value: 'Grüße' },
      { name: 'file', fileName: 'a "b" "c".txt', type: 'text/plain', size: 8, value: 'one\r\ntwo' },
      { name: 'bin', fileName: 'C:\\dir\\x.bin', type: 'application/octet-stream', size: 2, value: null },
      { name: 'x', fileName: '€.txt', type: '', size: 0, value: '' },
      { name: 'good', fileName: '; name=evil', type: '', size: 25, value: '--b0x\r\nno delimiter: --b0' },
      { name: '', fileName: null, type: '', size: 23, value: 'a part without a header' },
    ],
    more: 0,
  });
});

test('line ends of \\n alone and quoted boundaries are read, and what has no parts is none', () => {
  const body = Buffer.from('--a b:c\nContent-Disposition: form-data; name="n"\n\nv\n--a b:c--');
  const read = multipartFields(body, 'Multipart/Form-Data; charset=utf-8; Boundary="a b:c"');
  assert.deepEqual(read?.fields, [{ name: 'n', fileName: null, type: '', size: 1, value: 'v' }]);
  assert.equal(multipartFields(body, 'multipart/form-data'), null);
  assert.equal(multipartFields(body, TYPE), null);
});

test('a form that was cut shows the beginning of its last part', () => {
  const body = lines(...part('name="a"', '', '1'), ...part('name="b"', '', 'begin'));
  assert.deepEqual(
    multipartFields(body, TYPE)?.fields.map(({ name, value }) => [name, value]),
    [
      ['a', '1'],
      ['b', 'begin'],
    ],
  );
  for (let end = '--b0\r\n'.length; end < body.length; end++) {
    const read = multipartFields(body.subarray(0, end), TYPE);
    assert.ok((read?.fields.length ?? 0) >= 1, String(end));
  }
});

test('of many fields the first are listed and the others counted', () => {
  const many = multipartFields(
    lines(
      ...Array<string[]>(2_000)
        .fill(part('name="a"', '', ''))
        .flat(),
      '--b0--',
    ),
    TYPE,
  );
  assert.deepEqual([many?.fields.length, many?.more], [500, 1_500]);
  const pairs = urlEncodedFields('a=1&'.repeat(2_000));
  assert.deepEqual([pairs?.fields.length, pairs?.more], [500, 1_500]);
});

test('no body makes it fail, or gives more than there is', () => {
  const piece = fc.constantFrom(
    '--b0',
    '--',
    '\r\n',
    '\n',
    ': ',
    'Content-Disposition',
    ';',
    '"',
    '=',
    '\\',
    'name',
    '\0',
    'ü',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const body = Buffer.from(pieces.join(''));
      const sizes = multipartFields(body, TYPE)?.fields.map(({ size }) => size) ?? [];
      assert.ok(
        sizes.every((size) => size >= 0) && sizes.reduce((sum, size) => sum + size, 0) <= body.length,
      );
    }),
  );
});
