import assert from 'node:assert/strict';
import { test } from 'node:test';
import { causeSentence, dialFault } from './dial-fault.ts';

test('visitors get the cause, and the owner also its detail, cut and on one line', () => {
  const fault = dialFault('tls', `certificate\n\u001b[31m${'x'.repeat(1_000)}`);
  assert.equal(causeSentence(fault), ' Cause: TLS failed.');
  assert.match(fault.text, /^TLS failed \(certificate\\x0a\\x1b\[31mx+…\)$/);
  assert.ok(fault.text.length < 200);
  assert.equal(dialFault('refused').text, 'connection refused');
  assert.equal(causeSentence(dialFault('unknown')), '');
});
