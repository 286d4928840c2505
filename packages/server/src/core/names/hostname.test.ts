import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../../../test/harness/any-character.ts';
import { propertyRuns } from '../../../../../test/harness/property-runs.ts';
import {
  covers,
  type Hostname,
  type HostPattern,
  isFault,
  isWildcard,
  overlaps,
  parentOf,
  parentPatterns,
  parseHostname,
  parseHostPattern,
} from './hostname.ts';

function name(text: string): Hostname {
  const parsed = parseHostname(text);
  assert.ok(!isFault(parsed), `${text}: ${JSON.stringify(parsed)}`);
  return parsed;
}

function pattern(text: string): HostPattern {
  const parsed = parseHostPattern(text);
  assert.ok(!isFault(parsed), `${text}: ${JSON.stringify(parsed)}`);
  return parsed;
}

const label = fc
  .stringMatching(/^[a-z0-9]([a-z0-9]{0,8}-?[a-z0-9]{1,8})?$/)
  .filter((text) => !text.startsWith('--', 2));
const topLevel = fc.constantFrom('com', 'example', 'localhost', 'xn--p1ai', 'io');
const hostname = fc
  .tuple(fc.array(label, { minLength: 1, maxLength: 6 }), topLevel)
  .map(([labels, top]) => [...labels, top].join('.'));
const nasty = fc.string({
  unit: fc.constantFrom(
    ...'aAzZ09-._*:[]%/\\@# \t\n\0',
    '。',
    'ａ',
    '１',
    '\u00ad',
    'ß',
    'ü',
    'é',
    '℀',
    'İ',
    'K',
    '\u200d',
    '\ud800',
    'xn--',
    '0x',
  ),
  maxLength: 40,
});

test('spellings of one name become one name', () => {
  for (const [text, canonical] of [
    ['example.com', 'example.com'],
    ['EXAMPLE.com', 'example.com'],
    ['eXample.COM.', 'example.com'],
    ['underpass.localhost', 'underpass.localhost'],
    ['localhost', 'localhost'],
    ['münchen.de', 'xn--mnchen-3ya.de'],
    ['MÜNCHEN.de.', 'xn--mnchen-3ya.de'],
    ['XN--MNCHEN-3YA.de', 'xn--mnchen-3ya.de'],
    ['example。com', 'example.com'],
    ['ｅxample.com', 'example.com'],
    ['faß.de', 'xn--fa-hia.de'],
    ['xn--p1ai.xn--p1ai', 'xn--p1ai.xn--p1ai'],
    ['1.a', '1.a'],
    ['0-0.example.com', '0-0.example.com'],
  ] as const) {
    assert.equal(parseHostname(text), canonical, text);
  }
});

test('what is no name is refused for its own reason', () => {
  const long = Array.from({ length: 26 }, () => 'abcdefghi').join('.');
  for (const [text, fault] of [
    ['', 'empty'],
    ['\u00ad', 'character'],
    ['.', 'empty'],
    ['.example.com', 'first'],
    ['example..com', 'double-dot'],
    ['example.com..', 'double-dot'],
    ['a\u00ad.\u00ad.com', 'double-dot'],
    ['-example.com', 'first'],
    ['a.-b.com', 'first'],
    ['example-.com', 'last'],
    ['ab--cd.com', 'double-hyphen'],
    ['a_b.com', 'underscore'],
    ['_acme-challenge.example.com', 'underscore'],
    ['exam ple.com', 'character'],
    ['example.com\n', 'character'],
    ['example.com\0', 'character'],
    ['a%2eb.com', 'character'],
    ['％２ｅ.com', 'character'],
    ['℀.com', 'character'],
    ['a/b.com', 'character'],
    ['a/é.com', 'character'],
    ['user@example.com', 'character'],
    ['example.com:443', 'character'],
    ['example.com:', 'character'],
    [`${'x'.repeat(64)}.com`, 'label-length'],
    [`${long}.com`, 'length'],
    ['x'.repeat(10_000), 'length'],
    ['xn--.com', 'punycode'],
    ['xn--a.com', 'punycode'],
    ['xn--ab-.com', 'punycode'],
    ['xn--example.com', 'punycode'],
    ['xn--faß.de', 'punycode'],
    ['xn--xn---epa.com', 'punycode'],
    ['com', 'tld'],
    ['__proto__', 'underscore'],
    ['constructor', 'tld'],
    ['example.1', 'tld'],
    ['example.0x1', 'tld'],
    ['example.1st', 'tld'],
    ['*.example.com', 'wildcard'],
    ['*', 'wildcard'],
    ['1.2.3.4', 'ip-address'],
    ['1.2.3.4.', 'ip-address'],
    ['１.2.3.4', 'ip-address'],
    ['127.1', 'ip-address'],
    ['2130706433', 'ip-address'],
    ['0x7f000001', 'ip-address'],
    ['0x7f.1', 'ip-address'],
    ['::1', 'ip-address'],
    ['[::1]', 'ip-address'],
    ['[::1]:443', 'ip-address'],
    ['::ffff:10.0.0.1', 'ip-address'],
    ['fe80::1%eth0', 'ip-address'],
  ] as const) {
    assert.deepEqual(parseHostname(text), { fault }, JSON.stringify(text.slice(0, 60)));
  }
});

test('the longest name and label that DNS allows are taken', () => {
  const longest = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`;
  assert.equal(longest.length, 253);
  assert.equal(parseHostname(`${longest}.`), longest);
  assert.deepEqual(parseHostname(`${longest}d`), { fault: 'length' });
});

test('a pattern is a name, or one leading star on a name of two labels', () => {
  assert.equal(parseHostPattern('*.Example.com.'), '*.example.com');
  assert.equal(parseHostPattern('example.com'), 'example.com');
  assert.equal(parseHostPattern('*.münchen.de'), '*.xn--mnchen-3ya.de');
  for (const [text, fault] of [
    ['*', 'wildcard'],
    ['*.', 'wildcard'],
    ['**.example.com', 'wildcard'],
    ['*.*.example.com', 'wildcard'],
    ['a.*.example.com', 'wildcard'],
    ['a*.example.com', 'wildcard'],
    ['*.com', 'tld'],
    ['*.localhost', 'tld'],
    ['*.1.2.3.4', 'ip-address'],
    ['*..com', 'first'],
  ] as const) {
    assert.deepEqual(parseHostPattern(text), { fault }, text);
  }
});

test('a wildcard covers names at any depth below its base and nothing else', () => {
  const wildcard = pattern('*.example.com');
  for (const text of ['a.example.com', 'a.b.example.com', 'x--y.a.b.c.example.com'].filter(
    (text) => !isFault(parseHostname(text)),
  )) {
    assert.ok(covers(wildcard, name(text)), text);
  }
  for (const text of [
    'example.com',
    'evil-example.com',
    'xexample.com',
    'example.com.attacker.net',
    'a.example.com.attacker.net',
  ]) {
    assert.ok(!covers(wildcard, name(text)), text);
    if (text !== 'example.com') assert.ok(!covers(pattern('example.com'), name(text)), text);
  }
});

test('two patterns overlap when there is a name that both stand for', () => {
  const two = (one: string, other: string) =>
    [overlaps(pattern(one), pattern(other)), overlaps(pattern(other), pattern(one))] as const;
  for (const [one, other, expected] of [
    ['a.example.com', 'a.example.com', true],
    ['a.example.com', 'b.example.com', false],
    ['a.example.com', '*.example.com', true],
    ['b.a.example.com', '*.example.com', true],
    ['example.com', '*.example.com', false],
    ['*.example.com', '*.example.com', true],
    ['*.a.example.com', '*.example.com', true],
    ['*.a.example.com', '*.b.example.com', false],
    ['a.example.com', '*.a.example.com', false],
  ] as const)
    assert.deepEqual(two(one, other), [expected, expected], `${one} ${other}`);
});

test('parent patterns are the covering wildcards, longest first', () => {
  assert.deepEqual(parentPatterns(name('a.b.example.com')), ['*.b.example.com', '*.example.com']);
  assert.deepEqual(parentPatterns(name('example.com')), []);
  assert.deepEqual(parentPatterns(name('localhost')), []);
  fc.assert(
    fc.property(hostname, (text) => {
      const host = name(text);
      const patterns = parentPatterns(host);
      assert.equal(patterns.length, Math.max(0, text.split('.').length - 2));
      for (const [index, found] of patterns.entries()) {
        assert.equal(parseHostPattern(found), found);
        assert.ok(isWildcard(found) && covers(found, host));
        assert.ok(index === 0 || found.length < patterns[index - 1]!.length);
      }
    }),
  );
});

test('the parent of a name drops one label and stops above the top-level domain', () => {
  assert.equal(parentOf(name('a.example.com')), 'example.com');
  assert.equal(parentOf(pattern('*.example.com')), 'example.com');
  assert.equal(parentOf(name('underpass.localhost')), 'localhost');
  assert.equal(parentOf(name('example.com')), null);
  assert.equal(parentOf(name('localhost')), null);
});

test('any case and a trailing dot do not change a name', () => {
  fc.assert(
    fc.property(hostname, fc.infiniteStream(fc.boolean()), fc.boolean(), (text, cases, dot) => {
      const spelled = [...text].map((char) => (cases.next().value ? char.toUpperCase() : char)).join('');
      assert.equal(parseHostname(dot ? `${spelled}.` : spelled), text);
    }),
  );
});

test('whatever is accepted is canonical: parsing it again changes nothing', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        nasty,
        fc.string({ unit: anyCharacter, maxLength: 60 }),
        fc.tuple(nasty, hostname).map((parts) => parts.join('.')),
      ),
      (text) => {
        const parsed = parseHostname(text);
        if (isFault(parsed)) return;
        assert.match(parsed, /^[a-z0-9.-]{1,253}$/);
        assert.ok(!parsed.startsWith('.') && !parsed.endsWith('.') && !parsed.includes('..'));
        assert.equal(parseHostname(parsed), parsed);
        assert.equal(parseHostname(parsed.toUpperCase()), parsed);
        assert.equal(new URL(`https://${parsed}/`).hostname, parsed);
      },
    ),
    { numRuns: propertyRuns(2000) },
  );
});
