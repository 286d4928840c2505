import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { anyOf, compilePattern } from './re2-pattern.ts';

const MIB = 1024 * 1024;

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

function faultOf(source: string): string | null {
  const compiled = compilePattern(source);
  return 'fault' in compiled ? compiled.fault : null;
}

function isIn(source: string, text: string): boolean {
  assert.equal(faultOf(source), null, source);
  return anyOf([source])(text);
}

test('usual patterns are found where they should be', () => {
  const found: readonly (readonly [pattern: string, text: string])[] = [
    ['', ''],
    ['', 'anything'],
    ['curl', 'libcurl/8'],
    ['(?i)googlebot', 'Mozilla (GoogleBot/2.1)'],
    ['(?i:bot)/\\d+', 'BOT/12'],
    ['^Mozilla/5\\.0 \\(.*\\)$', 'Mozilla/5.0 (X11)'],
    ['^$', ''],
    ['(?P<name>a{2,3})', 'aa'],
    ['\\p{L}{1,40}', 'ü'],
    ['💩+', 'a💩'],
    ['[0-9a-f]{8}-[0-9a-f]{4}', '0123abcd-ef01'],
  ];
  for (const [pattern, text] of found) assert.equal(isIn(pattern, text), true, pattern);
  assert.equal(isIn('^curl', 'libcurl'), false);
  assert.equal(isIn('Curl', 'curl'), false);
  assert.equal(isIn('^$', ' '), false);
});

test('a text that is no regular expression is refused with the reason', () => {
  assert.equal(faultOf('('), 'missing closing ): `(`');
  assert.equal(faultOf('[z-a]'), 'invalid character class range: `z-a`');
  for (const pattern of ['a**', '*', '\\', '[', '\\q', '(?<n', '\\u0041']) {
    assert.notEqual(faultOf(pattern), null, pattern);
  }
});

test('patterns that cannot be matched in linear time are refused', () => {
  for (const pattern of ['(a)\\1', '(?<n>a)\\k<n>', 'a(?=b)', 'a(?!b)', '(?<=a)b', '(?<!a)b', '((?!x).)*']) {
    assert.notEqual(faultOf(pattern), null, pattern);
  }
  for (const pattern of ['a{1001}', '(a{100}){100}', '((a{22}){22}){22}']) {
    assert.match(faultOf(pattern) ?? '', /^invalid repeat count/, pattern);
  }
});

test('a pattern says how large it is', () => {
  const sizeOf = (source: string) => {
    const compiled = compilePattern(source);
    assert.ok(!('fault' in compiled), source);
    return compiled.size;
  };
  assert.ok(sizeOf('a') < 10);
  assert.ok(sizeOf('a{1000}') >= 1000);
  for (const small of ['[a-z0-9]', '\\w', '(?i)[a-z]', '[^a]', '\\p{Greek}'])
    assert.ok(sizeOf(small) < 10, small);
  for (const large of ['\\pL', '\\PL', '(?i)\\pL', '[\\pL\\pN]']) assert.ok(sizeOf(large) > 40, large);
});

/** Patterns for which each character of a text of these letters leads to a new state. */
const restless = Array.from({ length: 20 }, (_, at) => `[ab]*a[ab]{100}[c${at}]`);
const letters = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 900, maxLength: 1000 });

test('many are found as each of them alone is, also where their texts never lead to the same twice', () => {
  const isIn = anyOf(restless);
  // JavaScript's own engine handles this form without trouble.
  const expected = /a[ab]{100}[c0-9]/;
  fc.assert(
    fc.property(
      letters,
      fc.constantFrom('', 'c', '3', 'd'),
      fc.constantFrom('', 'x', 'b'),
      (text, sign, end) => {
        const whole = `${text}${sign}${end}`;
        assert.equal(isIn(whole), expected.test(whole));
      },
    ),
    { numRuns: 30 },
  );
  assert.equal(anyOf([])('anything'), false);
  for (const [text, found] of [
    ['Curl', true],
    ['CURL', false],
    ['WGET', true],
    ['', false],
  ] as const)
    assert.equal(anyOf(['^[cC]url$', '(?i)wget'])(text), found, text);
});

test('what texts have led to is not kept for ever', () => {
  assert.ok(typeof collect === 'function');
  const filters = [anyOf(restless), anyOf(restless)];
  collect();
  const before = process.memoryUsage().heapUsed;
  const texts = fc.sample(letters, { numRuns: 10, seed: 1 });
  for (const isIn of filters) for (const text of texts) assert.equal(isIn(text), false);
  collect();
  const kept = process.memoryUsage().heapUsed - before;
  assert.ok(kept < 4 * filters.length * MIB, `${kept} bytes`);
});

test('any text is judged without an exception', () => {
  const alphabet = '\\()[]{}?*+|^$.,:=!<>-kpu12ia\n\u{10FFFF}\uD800';
  let seed = 1;
  for (let round = 0; round < 20_000; round++) {
    let text = '';
    for (let length = round % 24; length > 0; length--) {
      seed = (seed * 48271) % 0x7fffffff;
      text += alphabet[seed % alphabet.length];
    }
    const fault = faultOf(text);
    assert.ok(fault === null || fault.length > 0);
  }
});
