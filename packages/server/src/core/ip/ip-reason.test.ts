import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Cidr, contains, parseCidr } from './cidr.ts';
import { parseIpAddress } from './ip-address.ts';
import { explainedBySets } from './ip-reason.ts';
import { decideBySets, IpRuleSet } from './ip-rule-set.ts';
import type { IpRule } from './ip-rules.ts';

function rule(action: IpRule['action'], text: string): IpRule {
  return { action, cidr: parseCidr(text) as Cidr };
}

function whyOf(ip: string, ...rules: readonly IpRule[]): string {
  return explainedBySets([{ name: 'the policy ipp_1', rules: new IpRuleSet(rules) }], ip).why;
}

test('the reason names the address, the narrowest range and the policy', () => {
  const office = [rule('allow', '192.0.2.0/24'), rule('allow', '192.0.2.8/29')];
  assert.equal(whyOf('192.0.2.9', ...office), '192.0.2.9 is in 192.0.2.8/29, which the policy ipp_1 allows.');
  const denied = whyOf('192.0.2.9', ...office, rule('deny', '192.0.0.0/16'));
  assert.equal(denied, '192.0.2.9 is in 192.0.0.0/16, which the policy ipp_1 denies.');
  assert.match(whyOf('10.0.0.1', ...office), /^10\.0\.0\.1 is in no range of the policy ipp_1 \(2 rules\), /);
  assert.match(whyOf('10.0.0.1'), /the policy ipp_1 \(no rules\)/);
});

const bytes = fc.tuple(...Array.from({ length: 4 }, () => fc.constantFrom(0, 1, 10, 192, 255)));
const rules = fc.array(
  fc
    .tuple(bytes, fc.integer({ min: 0, max: 32 }), fc.constantFrom('allow' as const, 'deny' as const))
    .map(([network, prefix, action]): IpRule => {
      const parsed = parseCidr(`${network.join('.')}/${prefix}`);
      return {
        action,
        cidr: 'suggestion' in parsed ? (parseCidr(parsed.suggestion) as Cidr) : (parsed as Cidr),
      };
    }),
  { maxLength: 8 },
);

test('the ranges of an address are those of the rules that contain it, and the decision is that of visitors', () => {
  fc.assert(
    fc.property(rules, bytes, (all, address) => {
      const ip = address.join('.');
      const set = new IpRuleSet(all);
      const parsed = parseIpAddress(ip)!;
      const expected = all.filter(({ cidr }) => contains(cidr, parsed)).map(words);
      assert.deepEqual(new Set(set.ranges(parsed).map(words)), new Set(expected));
      const { decision } = explainedBySets([{ name: 'it', rules: set }], ip);
      assert.equal(decision, decideBySets([set], ip));
    }),
  );
});

function words({ action, cidr }: IpRule): string {
  return `${action} ${cidr.text}`;
}
