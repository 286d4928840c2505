import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { ErrorName } from '../../errors/catalogue.ts';
import { Problem } from '../../errors/problem.ts';
import type { JsonValue } from '../../store/store.ts';
import type { Principal } from '../definition.ts';
import { createEngine } from '../engine/engine.ts';
import { collection, type Platform, refused, startPlatform } from '../engine.fixture.ts';
import { nobody } from '../samples/sample.fixture.ts';

let platform: Platform;
beforeEach(async () => {
  platform = await startPlatform();
});
afterEach(() => platform.close());

type RuleText = `${'allow' | 'deny'} ${string}`;

function from(address: string): Principal {
  return { ...platform.admin, address };
}

async function rule(policy: string, text: RuleText, as = platform.admin): Promise<string> {
  const [action = '', cidr = ''] = text.split(' ');
  return (await platform.create('ip_policy_rule', { ip_policy_id: policy, action, cidr }, as)).id;
}

async function policy(...rules: RuleText[]): Promise<string> {
  const { id } = await platform.create('ip_policy', {});
  for (const text of rules) await rule(id, text);
  return id;
}

function restrict(ip_policy_ids: JsonValue, type: JsonValue = 'api', enforced = true, as = platform.admin) {
  return platform.create('ip_restriction', { type, ip_policy_ids, enforced }, as);
}

describe('IP restrictions', () => {
  test('a restriction is shown with its policies, and is not enforced unless that is asked for', async () => {
    const ids = [await policy(), await policy()];
    const ref = (id: string) => ({ id, uri: `https://api.underpass.localhost:8443/ip_policies/${id}` });
    const { id } = await platform.create('ip_restriction', { type: 'api', ip_policy_ids: [...ids, ids[0]] });
    const { created_at: _, ...read } = await platform.get('ip_restriction', id);
    assert.deepEqual(read, {
      id,
      uri: `https://api.underpass.localhost:8443/ip_restrictions/${id}`,
      description: '',
      metadata: '',
      enforced: false,
      type: 'api',
      ip_policies: ids.map(ref),
    });
    const updated = await platform.update('ip_restriction', id, { ip_policy_ids: [ids[1]] });
    assert.deepEqual(updated, { ...updated, ...read, ip_policies: [ref(ids[1]!)] });
  });

  test('each missing or impossible field has a condition of its own, in create and in PATCH', async () => {
    const id = await policy();
    for (const type of [null, '', 'API', 'visitors', 'web'])
      await refused(restrict([id], type), 'restrictionTypeInvalid', { field: '/type' });
    const restriction = await restrict([id], 'agent');
    const foreign = await platform.create('ip_policy', {}, platform.stranger);
    const cases: [JsonValue, ErrorName, string][] = [
      [Array.from({ length: 11 }, () => id), 'restrictionPolicyCount', '/ip_policy_ids'],
      [[id, `ipp_${nobody}`], 'restrictionPolicyUnknown', '/ip_policy_ids/1'],
      [[foreign.id], 'restrictionPolicyUnknown', '/ip_policy_ids/0'],
      [[`ipr_${nobody}`], 'notIpPolicyId', '/ip_policy_ids/0'],
    ];
    for (const [ip_policy_ids, error, field] of cases) {
      await refused(restrict(ip_policy_ids, 'dashboard'), error, { field });
      await refused(platform.update('ip_restriction', restriction.id, { ip_policy_ids }), error, { field });
    }
    for (const none of [null, []])
      await refused(restrict(none), 'restrictionPolicyMissing', { field: '/ip_policy_ids' });
  });

  test('an account has one restriction of each type, also of eight that are made at once', async () => {
    const ids = [await policy()];
    const racing = await Promise.allSettled(Array.from({ length: 8 }, () => restrict(ids, 'agent')));
    const won = racing.filter(({ status }) => status === 'fulfilled');
    assert.equal(won.length, 1);
    await refused(restrict(ids, 'agent'), 'restrictionTypeTaken', { field: '/type' });
    await restrict(ids, 'dashboard');
    const foreign = await platform.create('ip_policy', {}, platform.stranger);
    await restrict([foreign.id], 'agent', true, platform.stranger);
    const { id } = (won[0] as PromiseFulfilledResult<{ id: string }>).value;
    await platform.remove('ip_restriction', id);
    await restrict(ids, 'agent');
  });

  test('the type of a restriction cannot change', async () => {
    const { id } = await restrict([await policy()], 'agent');
    await refused(platform.update('ip_restriction', id, { type: 'api' }), 'fieldUnknown', { field: '/type' });
  });

  test('a policy may be deleted while a restriction names it: that still shows it, and takes other changes', async () => {
    const id = await policy();
    const restriction = await restrict([id], 'agent');
    await platform.remove('ip_policy', id);
    const patched = await platform.update('ip_restriction', restriction.id, { description: 'x' });
    assert.deepEqual(patched.ip_policies, restriction.ip_policies);
    const again = platform.update('ip_restriction', restriction.id, { ip_policy_ids: [id] });
    await refused(again, 'restrictionPolicyUnknown');
  });
});

describe('no caller can lock itself out of the API', () => {
  test('a restriction of the API that does not let the caller in is refused, made or enforced', async () => {
    const [shut, open] = [await policy('allow 10.0.0.0/8'), await policy('allow 127.0.0.1/32')];
    const problem = await refused(restrict([shut]), 'ipPolicyShutsCallerOut');
    assert.match(problem.message, /127\.0\.0\.1/);
    await refused(restrict([await policy()]), 'ipPolicyShutsCallerOut');
    const { id } = await restrict([shut], 'api', false);
    const update = (body: object) => platform.update('ip_restriction', id, body);
    await refused(update({ enforced: true }), 'ipPolicyShutsCallerOut');
    await update({ enforced: true, ip_policy_ids: [shut, open] });
    await refused(update({ ip_policy_ids: [shut] }), 'ipPolicyShutsCallerOut');
    await update({ description: 'still in' });
    await update({ enforced: false, ip_policy_ids: [shut] });
  });

  test('restrictions of other types, and those that are not enforced, shut nobody out of the API', async () => {
    const ids = [await policy()];
    await restrict(ids, 'agent');
    await restrict(ids, 'dashboard');
    await restrict(ids, 'api', false);
    const id = await rule(ids[0]!, 'deny 127.0.0.0/8');
    await platform.remove('ip_policy_rule', id);
    await platform.remove('ip_policy', ids[0]!);
  });

  test('a rule that shuts the caller out cannot be added, changed to do so, or taken away', async () => {
    const id = await policy('allow 127.0.0.1/32');
    await restrict([id]);
    const [mine] = (await platform.list('ip_policy_rule')).items;
    await refused(rule(id, 'deny 127.0.0.0/8'), 'ipRuleShutsCallerOut');
    await refused(platform.remove('ip_policy_rule', String(mine?.id)), 'ipRuleShutsCallerOut');
    const update = (body: object) => platform.update('ip_policy_rule', String(mine?.id), body);
    await refused(update({ cidr: '127.0.0.2/32' }), 'ipRuleShutsCallerOut');
    await update({ cidr: '127.0.0.0/8' });
    await update({ description: 'mine' });
    const other = await rule(id, 'deny 127.0.0.2/32');
    await refused(platform.update('ip_policy_rule', other, { cidr: '127.0.0.1/32' }), 'ipRuleShutsCallerOut');
    await rule(id, 'allow 127.0.0.1/32');
    await platform.remove('ip_policy_rule', String(mine?.id));
  });

  test('a policy that lets the caller in cannot be deleted while the restriction of the API uses it', async () => {
    const [first, second] = [await policy('allow 127.0.0.1/32'), await policy('allow 127.0.0.0/8')];
    const { id } = await restrict([first, second]);
    await platform.remove('ip_policy', first);
    await refused(platform.remove('ip_policy', second), 'ipPolicyShutsCallerOut');
    await platform.update('ip_policy', second, { description: 'mine' });
    await platform.remove('ip_policy', await policy('allow 127.0.0.1/32'));
    await platform.remove('ip_restriction', id);
    await platform.remove('ip_policy', second);
  });

  test('rules of policies that the restriction does not use, and of other accounts, may be anything', async () => {
    await restrict([await policy('allow 127.0.0.1/32')]);
    const other = await policy();
    await rule(other, 'deny 127.0.0.0/8');
    const foreign = await platform.create('ip_policy', {}, platform.stranger);
    const denied = { ip_policy_id: foreign.id, action: 'deny', cidr: '127.0.0.0/8' };
    await platform.create('ip_policy_rule', denied, platform.stranger);
    await platform.remove('ip_policy', foreign.id, platform.stranger);
  });

  test('P1: the caller is judged by the address of the connection, in whatever form the socket has it', async () => {
    const id = await policy('allow 127.0.0.1/32', 'allow ::1/128');
    const { id: restriction } = await restrict([id], 'api', false);
    const enforce = (enforced: boolean, address: string) =>
      platform.update('ip_restriction', restriction, { enforced }, from(address));
    for (const address of ['127.0.0.1', '::ffff:127.0.0.1', '::1']) {
      await enforce(true, address);
      await enforce(false, address);
    }
    for (const address of ['127.0.0.2', '::ffff:127.0.0.2', '::2', ''])
      await refused(enforce(true, address), 'ipPolicyShutsCallerOut');
  });

  for (const [where, nodes] of [
    ['on one node', 1],
    ['on several nodes', 3],
  ] as const) {
    test(`changes at once ${where}, each harmless alone, never shut everybody out together`, async () => {
      const { store, settings, online, sealer, admin } = platform;
      const engines = Array.from({ length: nodes }, () =>
        createEngine({ store, settings, online, sealer, now: Date.now }),
      );
      let turn = 0;
      const node = () => engines[turn++ % nodes]!;
      for (let round = 0; round < 10; round++) {
        const [one, other] = [await policy('allow 127.0.0.1/32'), await policy('allow 127.0.0.0/8')];
        const rules = (await platform.list('ip_policy_rule', { limit: 2 })).items;
        const { id } = await restrict([one, other], 'api', round % 2 === 0);
        const deny = { ip_policy_id: other, action: 'deny', cidr: '127.0.0.1/32' };
        const changes = await Promise.allSettled([
          node().update(collection('ip_restriction'), admin, id, { enforced: true }),
          ...rules.map((each) => node().remove(collection('ip_policy_rule'), admin, String(each.id))),
          node().remove(collection('ip_policy'), admin, one),
          node().create(collection('ip_policy_rule'), admin, deny),
        ]);
        assert.ok(changes.some(({ status }) => status === 'rejected'));
        for (const change of changes) {
          if (change.status === 'fulfilled') continue;
          assert.ok(change.reason instanceof Problem, String(change.reason));
          assert.notEqual(change.reason.code, 'writeContended');
        }
        const { enforced } = await platform.get('ip_restriction', id);
        if (enforced) await platform.update('ip_restriction', id, { metadata: 'the caller is still in' });
        await platform.remove('ip_restriction', id);
      }
    });
  }
});

describe('no browser in the console can lock itself out of it', () => {
  let shut: string;
  let open: string;
  beforeEach(async () => {
    [shut, open] = [await policy('allow 10.0.0.0/8'), await policy('allow 127.0.0.1/32')];
  });
  const browser = () => ({ ...platform.admin, session: { id: 'cs_0', begunAt: 0, expiresAt: 1 } });

  test('a restriction of the console is judged for the caller that is in it, and not for a key', async () => {
    await refused(restrict([shut], 'dashboard', true, browser()), 'ipPolicyShutsCallerOut');
    const { id } = await restrict([shut], 'dashboard');
    await platform.remove('ip_restriction', id);
    const own = await restrict([open], 'dashboard', true, browser());
    const update = { ip_policy_ids: [shut] };
    await refused(platform.update('ip_restriction', own.id, update, browser()), 'ipPolicyShutsCallerOut');
    await refused(platform.remove('ip_policy', open, browser()), 'ipPolicyShutsCallerOut');
    await platform.remove('ip_restriction', own.id, browser());
  });

  test('that of the API decides only where there is none of the console', async () => {
    await refused(restrict([shut], 'api', true, browser()), 'ipPolicyShutsCallerOut');
    const own = await restrict([open], 'dashboard', true, browser());
    const { id } = await restrict([shut], 'api', true, browser());
    for (const change of [
      platform.remove('ip_restriction', own.id, browser()),
      platform.update('ip_restriction', own.id, { enforced: false }, browser()),
    ])
      await refused(change, 'ipPolicyShutsCallerOut');
    await platform.update('ip_restriction', id, { enforced: false }, browser());
    await platform.remove('ip_restriction', own.id, browser());
    await platform.remove('ip_restriction', id);
  });
});
