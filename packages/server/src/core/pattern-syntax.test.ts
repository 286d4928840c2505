import assert from 'node:assert/strict';
import { test } from 'node:test';
import { patternFault } from './pattern-syntax.ts';

test('usual patterns can be used', () => {
  const usual = [
    '',
    'curl',
    '(?i)googlebot',
    '(?i:bot)/\\d+',
    '^Mozilla/5\\.0 \\(.*\\)$',
    '[\\](?=)]+',
    '[\\\\1]',
    '\\\\1',
    '\\((?:a|b)*',
    '(?<name>a{2,3})',
    '\\p{L}{1,40}',
    '\\u{1F600}',
    '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}',
    '💩+',
    'a{5,}',
  ];
  for (const pattern of usual) assert.equal(patternFault(pattern), null, pattern);
});

test('what is no regular expression is said to be none, and why', () => {
  assert.equal(patternFault('('), 'unterminated group');
  assert.equal(patternFault('a**'), 'nothing to repeat');
  assert.equal(patternFault('[z-a]'), 'range out of order in character class');
  assert.equal(patternFault('(?i)('), 'unterminated group');
  for (const pattern of ['a{', '*', '\\', '[', 'a(?i)b', '(?P<n>a)', '\\q']) {
    assert.notEqual(patternFault(pattern), null, pattern);
  }
});

test('patterns that cannot be matched in linear time are refused', () => {
  for (const pattern of ['(a)\\1', '(?<n>a)\\k<n>', '(?i)(a+)\\1']) {
    assert.equal(patternFault(pattern), 'it refers back to a group', pattern);
  }
  for (const pattern of ['a(?=b)', 'a(?!b)', '(?<=a)b', '(?<!a)b', '((?!x).)*']) {
    assert.equal(patternFault(pattern), 'it looks ahead or behind', pattern);
  }
});

test('counts that would make a huge automaton are refused, also when they nest', () => {
  assert.equal(patternFault('(a{100}){100}'), null);
  for (const pattern of ['a{10001}', '((a{22}){22}){22}', 'a{4294967296}', 'a{1,99999}', 'a{20000,}']) {
    assert.equal(patternFault(pattern), 'its counts multiply to more than 10000', pattern);
  }
});

test('any text is judged quickly and without an exception', () => {
  const alphabet = '\\()[]{}?*+|^$.,:=!<>-kpu12ia\n\u{10FFFF}\uD800';
  let seed = 1;
  for (let round = 0; round < 20_000; round++) {
    let text = '';
    for (let length = round % 24; length > 0; length--) {
      seed = (seed * 48271) % 0x7fffffff;
      text += alphabet[seed % alphabet.length];
    }
    const fault = patternFault(text);
    assert.ok(fault === null || fault.length > 0);
  }
});
