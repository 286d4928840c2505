import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientAddress, ipOf } from './client-address.ts';

test('an address has one spelling, also when it comes mapped into IPv6', () => {
  assert.equal(clientAddress({ remoteAddress: '192.0.2.7', remotePort: 5000 }), '192.0.2.7:5000');
  assert.equal(clientAddress({ remoteAddress: '::ffff:192.0.2.7', remotePort: 5000 }), '192.0.2.7:5000');
  assert.equal(clientAddress({ remoteAddress: '2001:db8::1', remotePort: 5000 }), '[2001:db8::1]:5000');
  assert.equal(clientAddress({ remoteAddress: undefined, remotePort: undefined }), null);
});

test('the address alone has neither brackets nor port', () => {
  assert.equal(ipOf('192.0.2.7:5000'), '192.0.2.7');
  assert.equal(ipOf('[2001:db8::1]:5000'), '2001:db8::1');
});
