import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { propertyRuns } from '../../../../test/harness/property-runs.ts';
import { isHeaderName, isHeaderValue } from '../core/header-syntax.ts';
import { isCidrFault, parseCidr } from '../core/ip/cidr.ts';
import { isBindRuleFault, parseBindRule } from '../core/names/bind-rule.ts';
import { isDialAddressFault, parseDialAddress } from '../core/names/dial-address.ts';
import { isFault, parseHostname, parseHostPattern } from '../core/names/hostname.ts';
import { isHostPortFault, parseHostPort } from '../core/names/hostport.ts';
import { matchFault } from '../core/names/path-match.ts';
import { parseTimestamp } from '../core/timestamp.ts';
import { patterns } from './patterns.ts';

type Name = keyof typeof patterns;

/** True if the rule behind a pattern takes a text. */
const rules: readonly (readonly [Name, (text: string) => boolean])[] = [
  ['domain', (text) => text.includes('.') && !isFault(parseHostPattern(text))],
  ['hostname', (text) => !isFault(parseHostname(text))],
  ['hostport', (text) => !isHostPortFault(parseHostPort(text))],
  ['address', (text) => !isDialAddressFault(parseDialAddress(text))],
  ['cidr', (text) => !isCidrFault(parseCidr(text))],
  ['bindRule', (text) => !isBindRuleFault(parseBindRule(text))],
  ['path', (text) => matchFault(text, 'path_prefix') === null],
  ['headerName', isHeaderName],
  ['headerValue', isHeaderValue],
  ['time', (text) => parseTimestamp(text) !== null],
];

/** Texts that are nearly right, and those that are. */
const pieces = fc.constantFrom(
  ...[
    'a',
    'Z',
    '9',
    '0',
    '-',
    '--',
    '.',
    ':',
    '::',
    '/',
    '*',
    '=',
    '[',
    ']',
    'ü',
    '_',
    ' ',
    '%2e',
    '\\',
    '?',
    'T',
  ],
  ...[
    'example.com',
    '*.',
    'bind:',
    '443',
    '65535',
    '65536',
    '10.0.0.1',
    '2001:db8::1',
    '/8',
    '/128',
    'localhost',
  ],
  ...['2026-01-31', '23:59:59', 'Z', '+02:00', 'x-a', '\u0000', 'xn--', 'fe80::'],
);
const texts = fc.array(pieces, { maxLength: 6 }).map((parts) => parts.join(''));

test('no pattern refuses what the rule behind it takes', () => {
  for (const [name, takes] of rules) {
    const pattern = new RegExp(patterns[name], 'u');
    fc.assert(
      fc.property(texts, (text) => {
        if (takes(text)) assert.match(text, pattern, `${name}: ${text}`);
      }),
      { numRuns: propertyRuns(2000) },
    );
  }
});

test('what the patterns refuse is what nobody would mean', () => {
  const refused: Readonly<Record<Name, readonly string[]>> = {
    nothing: ['x', ' '],
    domainOrLabel: ['', ' ', '*', '*.com', 'a..b', '-a', 'a-', 'a_b', 'a/b', 'a:1'],
    domain: ['', 'a', '*', '*.com', '1.2.3.4', 'example.com:443', 'a.1'],
    hostname: ['', '*.example.com', 'a', '10.0.0.1'],
    hostport: ['', 'example.com', 'example.com:0', 'example.com:65536', ':443', '[::1]:443'],
    addressHostport: ['', '0.a:1', 'a.tcp.example.com:1', '1.tcp.example.com:0'],
    address: ['', '10.0.0.1', '10.0.0.256:1', '::1:80', '[10.0.0.1]:80', 'example.com:'],
    cidr: [
      '',
      '0',
      '10.0.0.1',
      ':::/8',
      '1::2::3/8',
      '1:2:3:4:5:6:7:8:9/8',
      '10.0.0.0/33',
      '10.0.0/8',
      '::/129',
      'all',
    ],
    bindRule: [
      '',
      'bind:',
      'bind:*',
      'bind',
      'bind:=',
      'bind:a=',
      'bind:a=b=c',
      'bind:a*=b',
      'open:example.com',
    ],
    path: ['a', '//', '/a//b', '/a?b', '/a#b', '/a\\b', '/\u0000'],
    headerName: ['', 'a b', 'a:', 'ü', 'x'.repeat(129)],
    headerValue: ['\n', 'ü', '\u0000'],
    name: ['', ' ', 'a\u0000b', 'a\nb'],
    labelPart: ['', '=', 'a=b'],
    email: ['a', '@', 'a@', '@b', 'a b@c', 'a@b@c'],
    time: ['', 'now', '2026-01-31', '2026-13-01T00:00:00Z', '2026-01-31T24:00:00Z', '2026-01-31T00:00:00'],
    principal: ['', 'a b', 'a,b'],
    sshOptionName: ['', 'a b', 'ü'],
    sshOptionValue: ['\u0000'],
    cookiePrefix: ['a-b', 'a b'],
    secret: ['a b', '\n', 'ü'],
    word: ['', 'a-b'],
    notPath: ['', ' ', '/a', 'a/b', 'a/'],
    objectPrefix: [
      '/',
      '/a',
      'a//',
      '.',
      '..',
      'a/..',
      './a',
      'a/../b',
      ' ',
      'a b',
      'a?',
      'a#',
      'a%2f',
      'a\\b',
      'a\n',
      'ä',
    ],
    plainUri: ['', 'http://a', 'https://', 'https:///a', 'https://a?b', 'https://u@a', 'https://a\\b'],
  };
  for (const [name, examples] of Object.entries(refused)) {
    const pattern = new RegExp(patterns[name as Name], 'u');
    for (const text of examples) assert.doesNotMatch(text, pattern, `${name}: ${JSON.stringify(text)}`);
  }
});
