import { newSshKey } from '../ssh-keys.fixture.ts';
import { type Sample, text, unset } from './sample.fixture.ts';

const tooLong = {
  description: 'credentialDescriptionTooLong',
  metadata: 'credentialMetadataTooLong',
} as const;

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
    kind: 'api_key',
    body: () => ({}),
    shown: { ...unset, token: null, owner_id: undefined },
    patches: text,
    tooLong,
    wrongTypes: { description: 1, owner_id: {} },
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
