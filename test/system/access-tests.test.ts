/** Tests of bind rules and IP rules by value, on a daemon with two accounts. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Platform } from '../harness/index.ts';

let platform: Platform;
before(async () => {
  platform = await Platform.start();
});
after(() => platform.stop());

const post = async (path: string, body: unknown) => {
  const { status, json, text } = await platform.api('POST', path, body);
  return { status, json, text };
};

test('the verdict on a credential is the one that its agent gets', async () => {
  const { json: domain } = await post('/reserved_domains', { name: 'judged' });
  const name = String(domain.domain);
  const { json: credential } = await post('/credentials', { acl: [`bind:${name}`] });
  const test = (bind: string) => post('/credentials/test', { credential_id: credential.id, bind });
  const permitted = await test(`https://${name}`);
  assert.deepEqual(permitted.json, {
    ...{ outcome: 'permitted', kind: 'name', target: name, rule: `bind:${name}`, error_code: '' },
    why: `The rule "bind:${name}" permits it.`,
  });
  const refused = await test('other.underpass.localhost');
  assert.equal(refused.json.outcome, 'refused');
  assert.match(String(refused.json.error_code), /316$/);
  assert.match(String(refused.json.why), /do not permit other\.underpass\.localhost/);
  const byValue = await post('/credentials/test', { acl: ['bind:app=web'], bind: 'app=web' });
  assert.equal(byValue.json.outcome, 'permitted');
  const both = await post('/credentials/test', { credential_id: credential.id, acl: ['*'], bind: 'a.b' });
  assert.match(String(both.json.error_code), /60982$/);
  assert.equal((await post('/credentials/test', { acl: ['nonsense'], bind: 'a.b' })).status, 400);
  const foreign = `cr_${'0'.repeat(27)}`;
  assert.equal((await post('/credentials/test', { credential_id: foreign, bind: 'a.b' })).status, 404);
});

test('the rule that decides about an address is named, of one policy and of all', async () => {
  const policy = async (description: string, ...rules: (readonly [string, string])[]) => {
    const { json } = await post('/ip_policies', { description });
    for (const [action, cidr] of rules)
      await post('/ip_policy_rules', { ip_policy_id: json.id, action, cidr });
    return String(json.id);
  };
  const office = await policy('office', ['allow', '192.0.2.0/24'], ['deny', '192.0.2.9/32']);
  const empty = await policy('empty');
  const verdict = async (body: object) => {
    const { status, json, text } = await post('/ip_policies/test', body);
    assert.equal(status, 200, text);
    const rule = json.rule as { readonly action: string; readonly cidr: string } | null;
    return { outcome: json.outcome, rule: rule && `${rule.action} ${rule.cidr}`, policies: json.policies };
  };
  const one = await verdict({ ip: '192.0.2.1', ip_policy_ids: [office] });
  assert.deepEqual([one.outcome, one.rule], ['allowed', 'allow 192.0.2.0/24']);
  const denied = await verdict({ ip: '::ffff:192.0.2.9', ip_policy_ids: [office] });
  assert.deepEqual([denied.outcome, denied.rule], ['denied', 'deny 192.0.2.9/32']);
  const none = await verdict({ ip: '2001:db8::1', ip_policy_ids: [office, empty] });
  assert.deepEqual([none.outcome, none.rule], ['denied', null]);
  const rules = [
    { action: 'deny', cidr: '192.0.2.0/28' },
    { action: 'allow', cidr: '0.0.0.0/0' },
  ];
  const mixed = await verdict({ ip: '192.0.2.1', rules, ip_policy_ids: [office] });
  assert.deepEqual([mixed.outcome, mixed.rule], ['denied', 'deny 192.0.2.0/28']);
  const all = await verdict({ ip: '192.0.2.1' });
  const policies = all.policies as readonly {
    readonly ip_policy: { readonly id: string };
    readonly outcome: string;
  }[];
  assert.deepEqual(
    policies.map(({ ip_policy, outcome }) => [ip_policy.id, outcome]),
    [
      [empty, 'denied'],
      [office, 'allowed'],
    ],
  );
  for (const [body, code] of [
    [{ ip: '192.0.2' }, /60980$/],
    [{ ip: '192.0.2.1', ip_policy_ids: [`ipp_${'0'.repeat(27)}`] }, /7007$/],
    [{ ip: '192.0.2.1', rules: [{ action: 'allow', cidr: '192.0.2.1' }] }, /1413$/],
  ] as const) {
    const { json } = await post('/ip_policies/test', body);
    assert.match(String(json.error_code), code);
  }
});
