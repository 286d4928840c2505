import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { propertyRuns } from '../../../../test/harness/property-runs.ts';
import type { ErrorName } from '../errors/catalogue.ts';
import { Problem } from '../errors/problem.ts';
import { MAX_DEPTH, parseJson } from './json.ts';

function parse(text: string): unknown {
  return parseJson(Buffer.from(text));
}

function problemOf(bytes: string | Buffer): Problem {
  try {
    parseJson(Buffer.from(bytes as string));
  } catch (error) {
    assert.ok(error instanceof Problem, `${bytes}: ${error}`);
    return error;
  }
  throw new assert.AssertionError({ message: `${bytes} was accepted` });
}

function refuses(bytes: string | Buffer, code: ErrorName): void {
  assert.equal(problemOf(bytes).code, code, String(bytes));
}

test('reads every JSON value as JSON.parse does', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 1, '\t'), (value, space) => {
      const text = JSON.stringify(value, null, space);
      assert.deepEqual(parse(text), JSON.parse(text));
    }),
  );
});

test('accepts no text that JSON.parse refuses, and refuses others only for a stricter rule', () => {
  const pieces = fc.constantFrom(
    ...[
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '"a"',
      '"b"',
      '\\',
      '\\u12',
      '0',
      '01',
      '-',
      '1.5',
      '1.',
      'e5',
      'true',
      'nul',
      'null',
    ],
    ...[' ', '\n', '\u00a0', '\u0000', '\ufeff', '//', "'", 'NaN', '"\\u0041"', '"\t"', 'é'],
  );
  const stricter = new Set<ErrorName>(['fieldRepeated', 'bodyTooDeep']);
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const text = parts.join('');
      let expected: { value: unknown } | null = null;
      try {
        expected = { value: JSON.parse(text) };
      } catch {
        expected = null;
      }
      try {
        const value = parse(text);
        assert.ok(expected !== null, `${text} was accepted`);
        assert.deepEqual(value, expected.value);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        if (expected !== null) assert.ok(stricter.has(error.code), text);
      }
    }),
    { numRuns: propertyRuns(3000) },
  );
});

test('says at which byte the text goes wrong', () => {
  assert.match(problemOf('{"é": }').message, /a value is expected at byte 7\./);
  assert.match(problemOf('').message, /ends early at byte 0\./);
  assert.match(problemOf('{"a":1}x').message, /at byte 7\./);
  for (const text of [
    '{a:1}',
    '{"a" 1}',
    '{"a":1',
    '{"a":1,}',
    '[1,]',
    '[1 2]',
    '"a',
    '"\n"',
    '"\\x"',
    '"\\u00g0"',
    '01',
    '1e999',
    '\ufeff{}',
  ]) {
    refuses(text, 'bodyMalformed');
  }
});

test('a field that stands twice in one object is refused by name, also when it is written with escapes', () => {
  const problem = problemOf('{"a":[{"x":1,"b/~":1,"b\\u002f~":2}]}');
  assert.equal(problem.code, 'fieldRepeated');
  assert.equal(problem.details.field, '/a/0/b~1~0');
  refuses('{"__proto__":1,"__proto__":2}', 'fieldRepeated');
  assert.deepEqual(parse('{"a":{"a":1},"b":{"a":1}}'), { a: { a: 1 }, b: { a: 1 } });
});

test('__proto__ and constructor are fields like any other', () => {
  const value = parse(
    '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":1}',
  ) as object;
  assert.deepEqual(Object.keys(value), ['__proto__', 'constructor', 'toString']);
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
  assert.equal('polluted' in {}, false);
  assert.equal('polluted' in value, false);
});

test('bytes that are not UTF-8 are refused', () => {
  for (const bytes of [
    [0x22, 0xff, 0x22],
    [0x22, 0xc0, 0x80, 0x22],
    [0x22, 0xed, 0xa0, 0x80, 0x22],
    [0xff, 0xfe, 0x7b, 0x00],
  ]) {
    refuses(Buffer.from(bytes), 'bodyNotUtf8');
  }
  refuses('"\\ud800"', 'bodyMalformed');
  refuses('"\\udc00\\ud800"', 'bodyMalformed');
  assert.equal(parse('"\\ud83d\\ude00"'), '😀');
});

test('nesting is bounded', () => {
  assert.doesNotThrow(() => parse('['.repeat(MAX_DEPTH) + ']'.repeat(MAX_DEPTH)));
  refuses('['.repeat(MAX_DEPTH + 1), 'bodyTooDeep');
  refuses('{"a":'.repeat(500_000), 'bodyTooDeep');
});

test('no bytes raise anything but a problem', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      try {
        parseJson(bytes);
      } catch (error) {
        assert.ok(error instanceof Problem);
      }
    }),
  );
});
