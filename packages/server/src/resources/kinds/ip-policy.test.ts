import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorName } from '../../errors/catalogue.ts';
import type { JsonValue } from '../../store/store.ts';
import { type Platform, refused, startPlatform } from '../engine.fixture.ts';

let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform.close());

const nobody = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';

async function policy(): Promise<string> {
  return (await platform.create('ip_policy', {})).id;
}

function rule(ip_policy_id: string, cidr: JsonValue = '10.0.0.0/8', action: JsonValue = 'allow') {
  return platform.create('ip_policy_rule', { ip_policy_id, cidr, action });
}

describe('IP policy rules', () => {
  test('a rule is shown with its canonical range and its policy', async () => {
    const id = await policy();
    const { cidr, action, ip_policy } = await rule(id, '2001:DB8:0::/32', 'deny');
    assert.deepEqual({ cidr, action }, { cidr: '2001:db8::/32', action: 'deny' });
    assert.deepEqual(ip_policy, { id, uri: `https://api.underpass.localhost:8443/ip_policies/${id}` });
    assert.equal((await rule(id, '::ffff:10.0.0.0/104')).cidr, '10.0.0.0/8');
  });

  test('what is no range is refused, in create and in PATCH', async () => {
    const id = await policy();
    const { id: existing } = await rule(id, '192.0.2.0/24');
    const cases: [string, ErrorName, RegExp?][] = [
      ['example.com', 'cidrMalformed'],
      ['010.0.0.1/32', 'cidrMalformed'],
      ['167772161/32', 'cidrMalformed'],
      ['fe80::1%eth0/128', 'cidrMalformed'],
      ['10.0.0.0/33', 'cidrMalformed'],
      ['10.0.0.5/8', 'cidrHostBits', /10\.0\.0\.0\/8/],
      ['::1/64', 'cidrHostBits', /::\/64/],
      ['10.0.0.5', 'cidrMaskMissing', /10\.0\.0\.5\/32/],
      ['::1', 'cidrMaskMissing', /::1\/128/],
    ];
    for (const [cidr, error, message = /./] of cases) {
      const problem = await refused(rule(id, cidr), error, { field: '/cidr' });
      assert.match(problem.message, message);
      await refused(platform.update('ip_policy_rule', existing, { cidr }), error, { field: '/cidr' });
    }
  });

  test('each missing or impossible field has a condition of its own', async () => {
    const id = await policy();
    const create = (body: object) => platform.create('ip_policy_rule', body);
    const whole = { ip_policy_id: id, cidr: '10.0.0.0/8', action: 'allow' };
    await refused(create({ ...whole, cidr: null }), 'ipRuleFieldMissing', { field: '/cidr' });
    const { ip_policy_id: _, ...homeless } = whole;
    await refused(create(homeless), 'ipRuleFieldMissing', { field: '/ip_policy_id' });
    await refused(create({ ...whole, action: null }), 'ipRuleActionInvalid', { field: '/action' });
    for (const action of ['', 'ALLOW', 'drop']) {
      await refused(create({ ...whole, action }), 'ipRuleActionInvalid', { field: '/action' });
    }
    await refused(rule(`ipp_${nobody}`), 'ipPolicyUnknownForRule', { field: '/ip_policy_id' });
    await refused(rule(`ipr_${nobody}`), 'ipPolicyIdWrong', { field: '/ip_policy_id' });
    await refused(rule(''), 'ipRuleFieldMissing');
    const foreign = await platform.create('ip_policy', {}, platform.stranger);
    await refused(rule(foreign.id), 'ipPolicyUnknownForRule');
  });

  test('a policy has each range once, however it is written, and whatever the action', async () => {
    const id = await policy();
    const first = await rule(id, '10.0.0.0/8');
    await refused(rule(id, '10.0.0.0/8', 'deny'), 'cidrRepeated', { field: '/cidr' });
    await refused(rule(id, '::ffff:10.0.0.0/104'), 'cidrRepeated');
    const second = await rule(id, '10.0.0.0/9');
    await refused(platform.update('ip_policy_rule', second.id, { cidr: '10.0.0.0/8' }), 'cidrRepeated');
    await rule(await policy(), '10.0.0.0/8');
    await platform.update('ip_policy_rule', first.id, { cidr: '10.0.0.0/7' });
    await rule(id, '10.0.0.0/8');
    const racing = Array.from({ length: 8 }, () => rule(id, '::/0'));
    const won = (await Promise.allSettled(racing)).filter(({ status }) => status === 'fulfilled');
    assert.equal(won.length, 1);
  });

  test('of forty rules that are made at once in one policy none is lost', async () => {
    const id = await policy();
    await Promise.all(Array.from({ length: 40 }, (_, at) => rule(id, `192.0.2.${at}/32`)));
  });

  test('the policy and the action of a rule cannot change', async () => {
    const { id } = await rule(await policy());
    await refused(platform.update('ip_policy_rule', id, { action: 'deny' }), 'fieldUnknown', {
      field: '/action',
    });
    const other = await policy();
    await refused(platform.update('ip_policy_rule', id, { ip_policy_id: other }), 'fieldUnknown');
  });
});

describe('IP policies', () => {
  test('a deleted policy takes its rules with it, and no others', async () => {
    const [one, other] = [await policy(), await policy()];
    const rules = [await rule(one), await rule(one, '::/0'), await rule(other)];
    await platform.remove('ip_policy', one);
    await refused(platform.get('ip_policy_rule', rules[0]!.id), 'resourceNotFound');
    await refused(platform.get('ip_policy_rule', rules[1]!.id), 'resourceNotFound');
    await platform.get('ip_policy_rule', rules[2]!.id);
    await refused(rule(one), 'ipPolicyUnknownForRule');
  });

  test('a rule that races with the deletion of its policy never outlives it', async () => {
    const id = await policy();
    const racing = Array.from({ length: 6 }, (_, at) => rule(id, `10.0.0.${at}/32`));
    const results = await Promise.allSettled([
      ...racing.slice(0, 3),
      platform.remove('ip_policy', id),
      ...racing.slice(3),
    ]);
    for (const result of results) {
      if (result.status === 'rejected')
        await refused(Promise.reject(result.reason), 'ipPolicyUnknownForRule');
      else if (result.value)
        await refused(platform.get('ip_policy_rule', result.value.id), 'resourceNotFound');
    }
  });

  test('a policy may be deleted while an edge names it: the edge still shows it, and takes other changes', async () => {
    const id = await policy();
    const restriction = { ip_policy_ids: [id] };
    const edge = await platform.create('tls_edge', { ip_restriction: restriction });
    assert.deepEqual((edge.ip_restriction as { ip_policies: object[] }).ip_policies, [
      { id, uri: `https://api.underpass.localhost:8443/ip_policies/${id}` },
    ]);
    await platform.remove('ip_policy', id);
    const patched = await platform.update('tls_edge', edge.id, { description: 'x' });
    assert.deepEqual(patched.ip_restriction, edge.ip_restriction);
    await refused(platform.update('tls_edge', edge.id, { ip_restriction: restriction }), 'ipPolicyUnknown');
  });
});
