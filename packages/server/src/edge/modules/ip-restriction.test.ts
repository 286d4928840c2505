import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCidrFault, parseCidr } from '../../core/cidr.ts';
import type { IpRule } from '../../core/ip-rules.ts';
import { refusesSource } from './ip-restriction.ts';

function allow(range: string): IpRule {
  const cidr = parseCidr(range);
  assert.ok(!isCidrFault(cidr));
  return { action: 'allow', cidr };
}

test('an edge without the module serves everybody, one without rules nobody', () => {
  assert.equal(refusesSource(undefined, '127.0.0.1:1'), false);
  assert.equal(refusesSource([], '127.0.0.1:1'), true);
});

test('the address of the connection decides, in whatever form the socket has it', () => {
  const rules = [allow('127.0.0.0/8'), allow('fe80::/10')];
  for (const address of ['127.0.0.1:1', '127.0.0.2:65535', '[::ffff:127.0.0.1]:1', '[fe80::1%eth0]:1']) {
    assert.equal(refusesSource(rules, address), false, address);
  }
  for (const address of ['128.0.0.1:1', '[::1]:1', '[::127.0.0.1]:1', 'unknown:1', ':1', '']) {
    assert.equal(refusesSource(rules, address), true, address);
  }
});
