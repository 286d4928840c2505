import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDialAddress, isDialAddressFault, parseDialAddress } from './dial-address.ts';

function shown(text: string): string {
  const parsed = parseDialAddress(text);
  return isDialAddressFault(parsed) ? parsed.fault : formatDialAddress(parsed);
}

test('names and addresses get their canonical form', () => {
  for (const [text, canonical] of [
    ['Example.COM.:443', 'example.com:443'],
    ['bücher.example:80', 'xn--bcher-kva.example:80'],
    ['localhost:1', 'localhost:1'],
    ['1.2.3.4:65535', '1.2.3.4:65535'],
    ['[2001:DB8:0::1]:80', '[2001:db8::1]:80'],
    ['[::ffff:1.2.3.4]:80', '1.2.3.4:80'],
    ['[::ffff:102:304]:80', '1.2.3.4:80'],
    ['[::1.2.3.4]:80', '[::102:304]:80'],
  ] as const) {
    assert.equal(shown(text), canonical);
    assert.equal(shown(canonical), canonical);
  }
});

test('only addresses are known to be some', () => {
  for (const [text, bytes] of [
    ['1.2.3.4:80', 4],
    ['[::ffff:127.0.0.1]:80', 4],
    ['[::1]:80', 16],
  ] as const) {
    const parsed = parseDialAddress(text);
    assert.ok(!isDialAddressFault(parsed));
    assert.equal(parsed.ip?.length, bytes);
  }
  const named = parseDialAddress('example.com:80');
  assert.ok(!isDialAddressFault(named) && named.ip === null);
});

test('no other spelling of an address passes for a name', () => {
  for (const host of [
    '0x7f000001',
    '0x7f.0.0.1',
    '2130706433',
    '127.1',
    '127.0.1',
    '0177.0.0.1',
    '010.0.0.1',
    '127.0.0.1.',
    '１２７.0.0.1',
    '127。0。0。1',
    '127%2e0.0.1',
    '::1',
    '[127.0.0.1]',
    '[::1%lo]',
    '[fe80::1%25eth0]',
    '[::1',
    '::1]',
    '[]',
    '',
    'a@127.0.0.1',
    'http://example.com',
    'example.com/x',
    'a_b.example.com',
    '*.example.com',
    'a b.example.com',
    'example.com\n',
    'db',
  ]) {
    assert.equal(shown(`${host}:80`), 'host', host);
  }
});

test('a port is needed, in digits, from 1 to 65535', () => {
  for (const text of [
    'example.com',
    'example.com:',
    'example.com:0',
    'example.com:080',
    'example.com:65536',
    'example.com:http',
    'example.com:+80',
    '[::1]',
    '1.2.3.4:',
  ]) {
    assert.equal(shown(text), 'port', text);
  }
});
