/** IP restrictions: from where an account's API and console can be used, its agents may come, and its endpoints may be visited (specification, section 5.4; open points, B 1.16). */
import { Type } from '../../core/type.ts';
import type { IpRestrictionDocument } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import {
  decidingAfter,
  policyDocuments,
  refuseShutOut,
  restrictionClaim,
  storedPolicies,
} from '../api-access.ts';
import type { StoredKind } from '../definition.ts';
import {
  body,
  choice,
  common,
  describedWrite,
  exampleId,
  type Input,
  idOf,
  optional,
  Ref,
  required,
} from '../schema.ts';
import { nameOf } from '../scoped-names.ts';

const described = describedWrite('restrictionDescriptionTooLong', 'restrictionMetadataTooLong');
const enforced = optional(
  Type.Boolean({
    default: false,
    description: 'True if it refuses; false only logs what it would refuse.',
  }),
);
const prefixes = ['ipp'];
const policies = required(
  Type.Array(idOf(prefixes, 'An IP policy.'), {
    minItems: 1,
    maxItems: 10,
    'x-error': 'restrictionPolicyCount',
    description: 'The IP policies, at least one. All of their rules count together.',
  }),
  'restrictionPolicyMissing',
);

const type = choice(
  ['dashboard', 'api', 'agent', 'endpoints'],
  'restrictionTypeInvalid',
  'The restricted part: the console (dashboard), the API, the address that agents connect to, or the endpoints and edges of the account, for their visitors. Without an enforced one for the console, that of the API applies to it.',
);

const create = body(
  { ...described, enforced, type: required(type, 'restrictionTypeInvalid'), ip_policy_ids: policies },
  { examples: [{ type: 'agent', enforced: false, ip_policy_ids: [exampleId('ipp')] }] },
);
const update = body(
  { ...described, enforced, ip_policy_ids: optional(policies) },
  { examples: [{ enforced: false }] },
);

export const ipRestriction: StoredKind<IpRestrictionDocument, Input<typeof create>, Input<typeof update>> = {
  source: 'stored',
  name: 'ip_restriction',
  eventStem: 'ip_restriction',
  prefix: 'ipx',
  path: '/ip_restrictions',
  listKey: 'ip_restrictions',
  schemaName: 'IPRestriction',
  summary: 'IP restrictions',
  description:
    "Addresses that may use the account's API and console, run its agents, or visit its endpoints and edges.",
  group: 'Access by address',
  one: 'an IP restriction',
  operations: ['create', 'list', 'get', 'update', 'delete'],
  create,
  update,
  read: Type.Object({
    ...common,
    enforced: Type.Boolean(),
    type: Type.String(),
    ip_policies: Type.Array(Ref, { description: 'The IP policies.' }),
  }),
  modules: [],
  references: [
    {
      field: 'ip_policy_ids.*',
      prefixes,
      wrongPrefix: 'notIpPolicyId',
      unknown: 'restrictionPolicyUnknown',
      binding: false,
    },
  ],

  parse({ description = '', metadata = '', enforced = false, type, ip_policy_ids }) {
    return { body: { description, metadata, enforced, type, ip_policy_ids: distinct(ip_policy_ids) } };
  },

  merge({ body: current }, patch) {
    const ip_policy_ids = patch.ip_policy_ids ? distinct(patch.ip_policy_ids) : current.ip_policy_ids;
    return { body: { ...current, ...patch, ip_policy_ids } };
  },

  writeGroup: { name: 'ip', operations: ['create', 'update', 'delete'] },

  async guard({ before, after }, context) {
    const deciding = await decidingAfter(before?.body ?? null, after, context);
    if (deciding === null) return [];
    const { ip_policy_ids: ids } = deciding.body;
    const preconditions = await policyDocuments(ids, context);
    refuseShutOut((await storedPolicies(ids, context)).rulesOf(ids), context, 'ipPolicyShutsCallerOut');
    return deciding.stored === null ? preconditions : [...preconditions, deciding.stored];
  },

  claims({ type }, account) {
    return [restrictionClaim(account, type)];
  },

  taken(claim) {
    return new Problem('restrictionTypeTaken', { value: nameOf(claim) }, { field: '/type' });
  },

  show({ body: { enforced, type, ip_policy_ids } }, { ref }) {
    return { enforced, type, ip_policies: ip_policy_ids.map((id) => ref(id)) };
  },
};

function distinct(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)];
}
