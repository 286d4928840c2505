import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { propertyRuns } from '../../../../../test/harness/property-runs.ts';
import { asciiLower, comparableAddress, comparableDomain, isEmailAddress } from './email-address.ts';

test('R16: an address has exactly one @, text on both sides and no white space', () => {
  for (const text of ['a@b', 'Ada@Example.com', "o'neil+x@example.com", 'ä@example.com'])
    assert.equal(isEmailAddress(text), true, text);
  const wrong = [
    '',
    '@',
    'a',
    'a@',
    '@b',
    'a@b@c',
    'a@@b',
    '"a@b"@c',
    'a b@c',
    'a@b c',
    'a@b\n',
    '\u00a0a@b',
  ];
  for (const text of wrong) {
    assert.equal(isEmailAddress(text), false, JSON.stringify(text));
    assert.equal(comparableAddress(text), null, JSON.stringify(text));
  }
});

test('R16: only ASCII letters lose their case', () => {
  assert.equal(asciiLower('ADA@Example.COM'), 'ada@example.com');
  for (const text of ['\u212a', '\u0130', '\u0131', '\u017f', 'É', 'Σ', 'ẞ'])
    assert.equal(asciiLower(text), text);
  const ada = comparableAddress('kai@example.com')?.address;
  assert.equal(comparableAddress('KAI@EXAMPLE.COM')?.address, ada);
  for (const text of ['\u212aai@example.com', 'ka\u0131@example.com', 'ka\u0130@example.com'])
    assert.notEqual(comparableAddress(text)?.address, ada, text);
});

test('R16: both forms of an internationalized domain are one, and what IDNA would map is none', () => {
  const ascii = 'xn--bcher-kva.example';
  assert.equal(comparableDomain('bücher.example'), ascii);
  assert.equal(comparableDomain('XN--Bcher-KVA.Example'), ascii);
  assert.equal(comparableAddress('Ada@bücher.example')?.address, `ada@${ascii}`);
  for (const text of [
    ...['example.com.', '.example.com', 'example..com', '.', '', 'a b', 'a@b'],
    // The Kelvin sign, a long s, full width, a full stop of another script, a soft hyphen, a zero width space, two code
    // points for one letter.
    ...['example\u212a.com', 'example.\u017fe', 'ｅxample.com', 'example。com', 'exam\u00adple.com'],
    ...['example\u200b.com', 'bu\u0308cher.example', 'BÜCHER.example'],
  ])
    assert.equal(comparableDomain(text), null, JSON.stringify(text));
});

test('a comparable domain is comparable with itself, and is ASCII', () => {
  fc.assert(
    fc.property(fc.oneof(fc.domain(), fc.string({ unit: 'grapheme', maxLength: 20 })), (text) => {
      const domain = comparableDomain(text);
      if (domain === null) return;
      assert.match(domain, /^[\x21-\x7e]+$/);
      assert.equal(comparableDomain(domain), domain);
    }),
    { numRuns: propertyRuns(500) },
  );
});
