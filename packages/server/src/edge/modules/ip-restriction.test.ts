import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCidrFault, parseCidr } from '../../core/ip/cidr.ts';
import { IpRuleSet } from '../../core/ip/ip-rule-set.ts';
import type { IpRule } from '../../core/ip/ip-rules.ts';
import { testConnection } from '../sites/connection-facts.fixture.ts';
import { ipRestriction } from './ip-restriction.ts';

function allow(range: string): IpRule {
  const cidr = parseCidr(range);
  assert.ok(!isCidrFault(cidr));
  return { action: 'allow', cidr };
}

function verdictFor(clientAddr: string, ...rules: readonly IpRule[]): unknown {
  const set = new IpRuleSet();
  for (const rule of rules) set.add(rule);
  const look = {
    get: () => undefined,
    group: () => [],
    rules: () => set,
    secret: () => null,
    login: null,
    backend: () => assert.fail(),
  };
  const config = { enabled: true, ip_policy_ids: ['ipp_1'] };
  const [guard] =
    ipRestriction.compile(config, { look, place: '', account: 'ac_1', carrier: 'here', before: undefined })
      .guards ?? [];
  assert.ok(guard?.reads === 'connection');
  return guard.check(testConnection({ clientAddr }));
}

test('a restriction without rules serves nobody', () => {
  assert.equal(verdictFor('127.0.0.1:1'), 'sourceRefused');
});

test('the address of the connection decides, in whatever form the socket has it', () => {
  const rules = [allow('127.0.0.0/8'), allow('fe80::/10')];
  for (const address of ['127.0.0.1:1', '127.0.0.2:65535', '[::ffff:127.0.0.1]:1', '[fe80::1%eth0]:1']) {
    assert.equal(verdictFor(address, ...rules), null, address);
  }
  for (const address of ['128.0.0.1:1', '[::1]:1', '[::127.0.0.1]:1', 'unknown:1', ':1', '']) {
    assert.equal(verdictFor(address, ...rules), 'sourceRefused', address);
  }
});
