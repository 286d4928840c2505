/** Tests of rules concern the caller's account only. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Principal } from '../../resources/definition.ts';
import { refused, startPlatform } from '../../resources/engine.fixture.ts';
import type { JsonObject } from '../../store/store.ts';
import { testBindRules } from './test-bind-rules.ts';
import { testIpRules } from './test-ip-rules.ts';

test('no credential and no policy of another account is tested or named', async (t) => {
  const platform = await startPlatform();
  t.after(() => platform.close());
  const { store, admin, member, stranger } = platform;
  const policy = await platform.create('ip_policy', { description: 'theirs' });
  await platform.create('ip_policy_rule', { ip_policy_id: policy.id, cidr: '192.0.2.0/24', action: 'allow' });
  const credential = await platform.create('credential', { acl: ['bind:app=web'] });
  const call = (principal: Principal, body: JsonObject) => ({
    ...{
      principal,
      body,
      path: {},
      query: {},
      baseUrl: '',
      missing: () => assert.fail('no daemon is missing'),
    },
  });
  const ref = (id: string) => ({ id, uri: '' });
  const ip = '192.0.2.1';
  const addresses = (by: Principal, body: JsonObject) => testIpRules({ store, ref }, call(by, body));
  await refused(addresses(stranger, { ip, ip_policy_ids: [policy.id] }), 'ipPolicyUnknown');
  assert.deepEqual((await addresses(stranger, { ip })).policies, []);
  for (const by of [admin, member])
    assert.equal((await addresses(by, { ip, ip_policy_ids: [policy.id] })).outcome, 'allowed');

  const judge = () => ({ kind: 'labels', target: 'app=web', rule: 0, denial: null }) as const;
  const binds = (by: Principal) => {
    const body = { credential_id: credential.id, bind: 'app=web' };
    return testBindRules({ store, judge, errorPrefix: 'ERR_' }, call(by, body));
  };
  await refused(binds(stranger), 'resourceNotFound');
  assert.equal((await binds(member)).rule, 'bind:app=web');
});
