/** Valid bodies of the kinds for access: keys, credentials, policies, restrictions. */
import type { JsonObject } from '../../store/store.ts';
import { newSshKey } from '../ssh-keys.fixture.ts';
import { type Sample, type SampleTarget, text, unset } from './sample.fixture.ts';

const tooLong = {
  description: 'credentialDescriptionTooLong',
  metadata: 'credentialMetadataTooLong',
} as const;

const restrictionTypes = ['dashboard', 'agent', 'api'];

/** Creates a restriction of a type that the account does not have yet, with a policy that admits the callers of the tests. */
async function nextRestriction(on: SampleTarget): Promise<JsonObject> {
  const { items } = await on.list('ip_restriction');
  const kept = items.slice(0, restrictionTypes.length - 1);
  for (const { id } of items.slice(kept.length)) await on.remove('ip_restriction', String(id));
  const { id } = await on.create('ip_policy', {});
  await on.create('ip_policy_rule', { ip_policy_id: id, action: 'allow', cidr: '127.0.0.0/8' });
  const type = restrictionTypes.find((one) => kept.every((other) => other.type !== one)) ?? '';
  return { type, ip_policy_ids: [id] };
}

let people = 0;

export const accessSamples: readonly Sample[] = [
  {
    kind: 'credential',
    body: () => ({}),
    shown: { ...unset, token: null, acl: [], owner_id: undefined },
    patches: { ...text, acl: { send: ['bind:Example.com', '*'], shown: ['bind:Example.com', '*'] } },
    tooLong,
    wrongTypes: { acl: '*', owner_id: 1 },
  },
  {
    kind: 'ip_policy',
    body: () => ({}),
    shown: unset,
    patches: text,
    tooLong: { description: 'ipPolicyDescriptionTooLong', metadata: 'ipPolicyMetadataTooLong' },
    wrongTypes: { description: 1, metadata: [] },
  },
  {
    kind: 'ip_policy_rule',
    body: async ({ create }) => ({
      cidr: '10.0.0.0/8',
      action: 'allow',
      ip_policy_id: (await create('ip_policy', {})).id,
    }),
    shown: { ...unset, cidr: '10.0.0.0/8', action: 'allow', ip_policy: undefined },
    patches: { ...text, cidr: { send: '2001:DB8::/32', shown: '2001:db8::/32' } },
    tooLong: { description: 'ipRuleDescriptionTooLong', metadata: 'ipRuleMetadataTooLong' },
    wrongTypes: { cidr: 8, ip_policy_id: ['ipp'], action: true },
  },
  {
    kind: 'ip_restriction',
    body: nextRestriction,
    most: restrictionTypes.length,
    shown: { ...unset, enforced: false, type: undefined, ip_policies: undefined },
    patches: { ...text, enforced: { send: true, shown: true } },
    tooLong: { description: 'restrictionDescriptionTooLong', metadata: 'restrictionMetadataTooLong' },
    wrongTypes: { enforced: 1, type: ['api'], ip_policy_ids: 'ipp_1' },
  },
  {
    kind: 'api_key',
    body: () => ({}),
    shown: { ...unset, token: null, owner_id: undefined },
    patches: text,
    tooLong,
    wrongTypes: { description: 1, owner_id: {} },
  },
  {
    kind: 'user',
    body: () => ({ name: 'Ada', email: `ada-${++people}@example.com` }),
    shown: { name: 'Ada', email: undefined, role: 'member', active: true },
    // Not the address: it is unique in the account.
    patches: {
      name: { send: 'Ada Lovelace ✓', shown: 'Ada Lovelace ✓' },
      role: { send: 'admin', shown: 'admin' },
      active: { send: false, shown: false },
    },
    wrongTypes: { name: 1, email: ['ada@example.com'], role: true, active: 'yes' },
  },
  {
    kind: 'bot_user',
    body: () => ({ name: `deploy ${++people}` }),
    shown: { name: undefined, active: true },
    patches: {
      name: { send: 'build ✓', shown: 'build ✓' },
      active: { send: false, shown: false },
    },
    wrongTypes: { name: {}, active: 1 },
  },
  {
    kind: 'ssh_credential',
    body: () => ({ public_key: newSshKey() }),
    shown: { ...unset, acl: [], owner_id: undefined },
    patches: { ...text, acl: { send: ['bind:Example.com', '*'], shown: ['bind:Example.com', '*'] } },
    tooLong,
    wrongTypes: { acl: '*', owner_id: 1, public_key: ['ssh-ed25519'] },
  },
];
