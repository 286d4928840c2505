/** Tests that the shapes of hostports admit what is served, and nothing that is always refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isHostPortFault, parseHostPort } from '../core/names/hostport.ts';
import { domainHostport, patterns } from './patterns.ts';

const matching = (pattern: string): fc.Arbitrary<string> =>
  fc.stringMatching(new RegExp(pattern.replaceAll('[^\\x00-\\x7f]', '[äéß]')), { size: 'xsmall' });

test('each hostport that a shape admits is one, at a port that is served', () => {
  const isOne = (text: string) => !isHostPortFault(parseHostPort(text.trim()));
  fc.assert(fc.property(matching(patterns.addressHostport), isOne));
  fc.assert(
    fc.property(
      matching(domainHostport([443, 8443])),
      (text) => isOne(text) && /:(?:443|8443)\s*$/.test(text),
    ),
  );
});

test('a hostport of a domain has a served port', () => {
  const shape = new RegExp(domainHostport([443, 8443]));
  for (const one of ['shop.example.com:443', ' *.example.com:8443 ', 'ä.example:443', 'LOCALHOST:443'])
    assert.match(one, shape);
  for (const one of [
    '0.a:1',
    'a.example:44',
    'a.example:4430',
    '1.2.3.4:443',
    '[::1]:443',
    'a:443',
    'a.example',
  ])
    assert.doesNotMatch(one, shape);
});

test('a hostport of an address has the name of one', () => {
  const shape = new RegExp(patterns.addressHostport);
  for (const one of [
    '0.tcp.example.com:20000',
    '1.TCP.eu.example.com:1',
    ' 2.tcp.localhost:65535 ',
    '１.tcp.a.b:1',
  ])
    assert.match(one, shape);
  for (const one of ['0.a:1', 'tcp.example.com:1', 'a.tcp.example.com:1', '1.tcp:1', '1.tcp.example.com:0'])
    assert.doesNotMatch(one, shape);
});
