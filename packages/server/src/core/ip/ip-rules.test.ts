import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { contains, isCidrFault, parseCidr } from './cidr.ts';
import { parseIpAddress } from './ip-address.ts';
import { admits, decide, type IpRule } from './ip-rules.ts';

function rule(text: string): IpRule {
  const [action, range] = text.split(' ') as ['allow' | 'deny', string];
  const cidr = parseCidr(range);
  assert.ok(!isCidrFault(cidr), range);
  return { action, cidr };
}

function decided(rules: readonly string[], address: string): 'allow' | 'deny' {
  return decide(rules.map(rule), parseIpAddress(address)!);
}

test('an address is allowed when some allow rule matches and no deny rule does', () => {
  assert.equal(decided(['allow 10.0.0.0/8'], '10.1.2.3'), 'allow');
  assert.equal(decided(['allow 10.0.0.0/8'], '::ffff:10.1.2.3'), 'allow');
  assert.equal(decided(['allow 10.0.0.0/8'], '11.0.0.0'), 'deny');
  assert.equal(decided(['allow 0.0.0.0/0', 'deny 10.0.0.0/8'], '10.1.2.3'), 'deny');
  assert.equal(decided(['deny 10.0.0.0/8', 'allow 10.1.2.3/32'], '10.1.2.3'), 'deny');
  assert.equal(decided(['allow 0.0.0.0/0', 'deny 10.0.0.0/8'], '11.0.0.0'), 'allow');
  assert.equal(decided(['allow 0.0.0.0/0'], '::1'), 'deny');
  assert.equal(decided(['allow ::/0'], '127.0.0.1'), 'deny');
});

test('no rules, and deny rules alone, deny everybody', () => {
  for (const address of ['127.0.0.1', '::1', '8.8.8.8']) {
    assert.equal(decided([], address), 'deny');
    assert.equal(decided(['deny 10.0.0.0/8'], address), 'deny');
  }
});

test('whatever the rules and their order, the definition holds', () => {
  const action = fc.constantFrom('allow', 'deny');
  const range = fc.constantFrom('0.0.0.0/0', '10.0.0.0/8', '10.1.0.0/16', '10.1.2.3/32', '::/0', '::1/128');
  const rules = fc.array(
    fc.tuple(action, range).map((parts) => rule(parts.join(' '))),
    { maxLength: 6 },
  );
  const address = fc.constantFrom(
    '10.1.2.3',
    '10.1.0.1',
    '10.9.9.9',
    '9.9.9.9',
    '::1',
    '::2',
    '::ffff:10.1.2.3',
  );
  fc.assert(
    fc.property(rules, address, (all, text) => {
      const visitor = parseIpAddress(text)!;
      const matching = all.filter(({ cidr }) => contains(cidr, visitor)).map((one) => one.action);
      const expected = matching.includes('allow') && !matching.includes('deny') ? 'allow' : 'deny';
      assert.equal(decide(all, visitor), expected);
      assert.equal(decide(all.toReversed(), visitor), expected);
    }),
  );
});

test('an address counts as a socket writes it, and what is none is let in by no rule', () => {
  const everybody = ['allow 0.0.0.0/0', 'allow ::/0'].map(rule);
  for (const ip of ['10.1.2.3', '::ffff:10.1.2.3', '::1', 'fe80::1%eth0'])
    assert.ok(admits(everybody, ip), ip);
  for (const ip of ['', 'localhost', '10.1.2.3:80', '[::1]']) assert.ok(!admits(everybody, ip), ip);
  assert.ok(!admits([], '::1'));
});
