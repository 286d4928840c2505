/** Rules of IP policies: one range that is allowed or denied (specification, section 2.12; open points, decision 9). */

import { isCidrFault, parseCidr } from '../../core/ip/cidr.ts';
import { Type } from '../../core/type.ts';
import type { IpPolicyRuleDocument } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import { enforcedOnCaller, policyDocuments, refuseShutOut, storedPolicies } from '../api-access.ts';
import type { StoredKind } from '../definition.ts';
import { patterns } from '../patterns.ts';
import {
  body,
  choice,
  common,
  describedWrite,
  exampleId,
  type Input,
  idOf,
  optional,
  refTo,
  required,
} from '../schema.ts';
import { nameOf, nameWithin } from '../scoped-names.ts';

const described = describedWrite('ipRuleDescriptionTooLong', 'ipRuleMetadataTooLong');
const prefixes = ['ipp'];
const range = Type.String({
  pattern: patterns.cidr,
  description: 'An IPv4 or IPv6 range in CIDR notation, without host bits.',
});

const actionText = 'The effect of the rule: it admits or refuses.';

const create = body(
  {
    ...described,
    cidr: required(range, 'ipRuleFieldMissing'),
    ip_policy_id: required(idOf(prefixes, 'The policy that it belongs to.'), 'ipRuleFieldMissing'),
    action: required(choice(['allow', 'deny'], 'ipRuleActionInvalid', actionText), 'ipRuleActionInvalid'),
  },
  { examples: [{ ip_policy_id: exampleId('ipp'), cidr: '203.0.113.0/24', action: 'allow' }] },
);
const update = body({ ...described, cidr: optional(range) }, { examples: [{ cidr: '198.51.100.0/24' }] });

export const ipPolicyRule: StoredKind<IpPolicyRuleDocument, Input<typeof create>, Input<typeof update>> = {
  source: 'stored',
  name: 'ip_policy_rule',
  eventStem: 'ip_policy_rule',
  prefix: 'ipr',
  path: '/ip_policy_rules',
  listKey: 'ip_policy_rules',
  schemaName: 'IPPolicyRule',
  summary: 'IP policy rules',
  description:
    'A range of addresses that an IP policy allows or denies. An address is let in when some rule allows it and none denies it.',
  group: 'Access by address',
  one: 'an IP policy rule',
  operations: ['create', 'list', 'get', 'update', 'delete'],
  create,
  update,
  read: Type.Object({
    ...common,
    cidr: Type.String(),
    ip_policy: refTo('The policy that it belongs to.'),
    action: Type.String(),
  }),
  modules: [],
  references: [
    {
      field: 'ip_policy_id',
      prefixes,
      wrongPrefix: 'ipPolicyIdWrong',
      unknown: 'ipPolicyUnknownForRule',
      binding: false,
      parent: true,
    },
  ],

  parse({ description = '', metadata = '', cidr, ip_policy_id, action }) {
    return { body: { description, metadata, cidr: canonicalCidr(cidr), ip_policy_id, action } };
  },

  merge({ body: current }, patch) {
    const cidr = patch.cidr === undefined ? current.cidr : canonicalCidr(patch.cidr);
    return { body: { ...current, ...patch, cidr } };
  },

  writeGroup: { name: 'ip', operations: ['create', 'update', 'delete'] },

  /** The write depends on the policy, which a restriction may begin to use, and on the restrictions that use it. */
  async guard({ before, after }, context) {
    if (before?.body.cidr === after?.cidr) return [];
    const policy = (before?.body ?? after)?.ip_policy_id ?? '';
    const preconditions = await policyDocuments([policy], context);
    const restriction = await enforcedOnCaller(context);
    if (!restriction?.body.ip_policy_ids.includes(policy)) return preconditions;
    const { ip_policy_ids: ids } = restriction.body;
    const policies = await storedPolicies(ids, context);
    if (before !== null) policies.remove(before.id);
    if (after !== null) policies.put({ id: before?.id ?? '', body: after });
    refuseShutOut(policies.rulesOf(ids), context, 'ipRuleShutsCallerOut');
    return [...preconditions, restriction];
  },

  claims({ ip_policy_id, cidr }) {
    return [nameWithin(ip_policy_id, 'ip_policy_rule', cidr)];
  },

  taken(claim) {
    return new Problem('cidrRepeated', { value: nameOf(claim) }, { field: '/cidr' });
  },

  show({ body: { cidr, ip_policy_id, action } }, { ref }) {
    return { cidr, ip_policy: ref(ip_policy_id), action };
  },
};

/** Returns the range in canonical form. Raises Problem. `field`: pointer of the value. */
export function canonicalCidr(value: string, field = '/cidr'): string {
  const cidr = parseCidr(value);
  if (!isCidrFault(cidr)) return cidr.text;
  const at = { field };
  switch (cidr.fault) {
    case 'syntax':
      throw new Problem('cidrMalformed', { value }, at);
    case 'mask-missing':
      throw new Problem('cidrMaskMissing', { value, suggestion: cidr.suggestion }, at);
    case 'host-bits':
      throw new Problem('cidrHostBits', { value, suggestion: cidr.suggestion }, at);
  }
}
