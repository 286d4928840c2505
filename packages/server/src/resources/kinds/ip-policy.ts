/** IP policies: sets of rules that traffic sources refer to (specification, sections 2.11 and 3). */
import { Type } from '../../core/type.ts';
import type { IpPolicyDocument } from '../../documents/index.ts';
import { enforcedOnCaller, refuseShutOut, storedPolicies } from '../api-access.ts';
import type { StoredKind } from '../definition.ts';
import { body, common, describedWrite, type Input } from '../schema.ts';

const write = body(describedWrite('ipPolicyDescriptionTooLong', 'ipPolicyMetadataTooLong'), {
  examples: [{ description: 'Our offices' }],
});
type Fields = Input<typeof write>;

/** May be deleted while it is in use: its rules go with it, and no rules deny. */
export const ipPolicy: StoredKind<IpPolicyDocument, Fields, Fields> = {
  source: 'stored',
  name: 'ip_policy',
  eventStem: 'ip_policy',
  prefix: 'ipp',
  path: '/ip_policies',
  listKey: 'ip_policies',
  schemaName: 'IPPolicy',
  summary: 'IP policies',
  description:
    'A set of rules that allow or deny ranges of addresses. It has no effect until an edge, a route or an IP restriction names it.',
  group: 'Access by address',
  one: 'an IP policy',
  operations: ['create', 'list', 'get', 'update', 'delete'],
  create: write,
  update: write,
  read: Type.Object(common),
  modules: [],
  references: [],

  parse({ description = '', metadata = '' }) {
    return { body: { description, metadata } };
  },

  merge({ body: current }, patch) {
    return { body: { ...current, ...patch } };
  },

  writeGroup: { name: 'ip', operations: ['delete'] },

  async guard({ before, after }, context) {
    const restriction = before !== null && after === null ? await enforcedOnCaller(context) : null;
    if (before === null || !restriction?.body.ip_policy_ids.includes(before.id)) return [];
    const kept = restriction.body.ip_policy_ids.filter((id) => id !== before.id);
    refuseShutOut((await storedPolicies(kept, context)).rulesOf(kept), context, 'ipPolicyShutsCallerOut');
    return [restriction];
  },

  show() {
    return {};
  },
};
