/** The IP restriction module: which source addresses an edge serves (specification, section 2.5). */
import { Type } from '../../core/type.ts';
import type { IpRestrictionModule } from '../../documents/index.ts';
import type { Reference, StoredModule } from '../definition.ts';
import { body, enabled, exampleId, type Input, idOf, Ref, required } from '../schema.ts';

const prefixes = ['ipp'];

const what = 'Addresses of visitors that are served.';

const write = body(
  {
    enabled,
    ip_policy_ids: required(
      Type.Array(idOf(prefixes, 'An IP policy.'), {
        minItems: 1,
        maxItems: 10,
        'x-error': 'ipPolicyCount',
        description: 'The IP policies, at least one. All of their rules count together.',
      }),
      'ipPolicyMissing',
    ),
  },
  { description: what, examples: [{ ip_policy_ids: [exampleId('ipp')] }] },
);

export const ipRestrictionModule = {
  name: 'ip_restriction',
  schemaName: 'EndpointIPPolicy',
  summary: 'IP restriction',
  write,
  read: Type.Object(
    { enabled: Type.Boolean(), ip_policies: Type.Array(Ref, { description: 'The IP policies.' }) },
    { description: what },
  ),
  parse(input) {
    return { enabled: input.enabled ?? true, ip_policy_ids: [...new Set(input.ip_policy_ids)] };
  },
  show({ enabled, ip_policy_ids }, { ref }) {
    return { enabled, ip_policies: ip_policy_ids.map((id) => ref(id)) };
  },
} as const satisfies StoredModule<IpRestrictionModule, Input<typeof write>>;

/** Not binding: a policy may be deleted while it is named here, and then counts as having no rules (specification, section 3). */
export const ipPolicyReference: Reference = {
  field: 'ip_restriction.ip_policy_ids.*',
  prefixes,
  wrongPrefix: 'notIpPolicyId',
  unknown: 'ipPolicyUnknown',
  binding: false,
};
