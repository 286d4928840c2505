import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IPRulesVerdict } from '@underpass/client';
import { addedRules, decidingPolicy, isCurrent, isThere, NEW } from './plan.ts';

const deny = { action: 'deny', cidr: '192.0.2.1/32' } as const;
const allow = { action: 'allow', cidr: '192.0.2.1/32' } as const;

test('a new policy that denies an address allows all others', () => {
  assert.deepEqual(
    addedRules(NEW, deny).map(({ action, cidr }) => `${action} ${cidr}`),
    ['deny 192.0.2.1/32', 'allow 0.0.0.0/0', 'allow ::/0'],
  );
  assert.deepEqual(addedRules('ipp_1', deny), [deny]);
  assert.deepEqual(addedRules(NEW, allow), [allow]);
});

test('a plan is for the rules that it was made for, in any order', () => {
  const [first, second] = [
    { id: 'ipr_1', ...allow },
    { id: 'ipr_2', ...deny },
  ];
  const plan = { policy: 'ipp_1', before: [first, second], added: [], description: '' };
  assert.ok(isCurrent(plan, [second, first]));
  assert.ok(!isCurrent(plan, [first]));
  assert.ok(!isCurrent(plan, [first, { ...second, cidr: '192.0.2.0/24' }]));
  assert.ok(isThere(plan.before, deny));
  assert.ok(!isThere([first], deny));
});

test('the deciding policy is that of the rule in the first place that refuses', () => {
  const verdict = (
    outcome: 'allowed' | 'denied',
    deciding: string | null,
    ...ids: string[]
  ): IPRulesVerdict => {
    const ruleOf = (id: string) => ({
      rule_id: `ipr of ${id}`,
      action: 'deny' as const,
      cidr: '192.0.2.0/24',
    });
    return {
      ...{ ip: '192.0.2.1', outcome, rule: deciding === null ? null : ruleOf(deciding), why: '' },
      policies: ids.map((id) => ({
        ...{ ip_policy: { id, uri: '' }, description: '', outcome },
        rule: id === deciding ? ruleOf(id) : null,
      })),
      policies_left_out: 0,
    };
  };
  const allowed = verdict('allowed', 'a', 'b', 'a');
  assert.equal(decidingPolicy([allowed]), 'a');
  assert.equal(decidingPolicy([allowed, verdict('denied', 'd', 'c', 'd'), allowed]), 'd');
  assert.equal(decidingPolicy([verdict('denied', null, 'e', 'f')]), 'e');
  assert.equal(decidingPolicy([]), null);
});
