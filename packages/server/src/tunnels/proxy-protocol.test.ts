import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeProxyProtocol } from './proxy-protocol.ts';

const signature = '0d0a0d0a000d0a515549540a';
const ipv6 = '20010db8000000000000000000000001';

function text(clientAddr: string, serverAddr: string): string {
  return encodeProxyProtocol(1, { clientAddr, serverAddr }).toString('latin1');
}

function binary(clientAddr: string, serverAddr: string): string {
  return encodeProxyProtocol(2, { clientAddr, serverAddr }).toString('hex');
}

test('a header has the addresses and ports of both sides, in the bytes of either version', () => {
  assert.equal(text('192.0.2.1:8080', '198.51.100.7:443'), 'PROXY TCP4 192.0.2.1 198.51.100.7 8080 443\r\n');
  assert.equal(text('[2001:db8::1]:1', '[::1]:65535'), 'PROXY TCP6 2001:db8::1 ::1 1 65535\r\n');
  assert.equal(binary('192.0.2.1:8080', '198.51.100.7:443'), `${signature}2111000cc0000201c63364071f9001bb`);
  assert.equal(
    binary('[2001:db8::1]:8080', '[2001:db8::1]:443'),
    `${signature}21210024${ipv6}${ipv6}1f9001bb`,
  );
});

test('where the sides are of different families both are written as IPv6', () => {
  assert.equal(
    text('[2001:db8::1]:8080', '192.0.2.1:443'),
    'PROXY TCP6 2001:db8::1 ::ffff:c000:201 8080 443\r\n',
  );
  assert.equal(
    binary('[2001:db8::1]:8080', '192.0.2.1:443'),
    `${signature}21210024${ipv6}00000000000000000000ffffc00002011f9001bb`,
  );
});

test('an address that is none is left out, never written', () => {
  assert.equal(text('192.0.2.1:1', ':0'), 'PROXY UNKNOWN\r\n');
  assert.equal(binary('a b\r\n:1', '192.0.2.1:1'), `${signature}21000000`);
});
