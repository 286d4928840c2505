/** Operations that test bind rules and IP rules by value. They change nothing. */
import { Type } from '../../core/type.ts';
import { aclField } from '../acl.ts';
import { body, exampleId, idOf, nullable, optional, Ref } from '../schema.ts';
import type { StandaloneOperation, Topic } from './definition.ts';

const bindRules: Topic = {
  name: 'bind_rules',
  summary: 'Tests of bind rules',
  description: 'Whether a credential, or bind rules by value, permit a bind, and why not.',
  group: 'Keys and credentials',
};

const ipRules: Topic = {
  name: 'ip_rules',
  summary: 'Tests of IP rules',
  description: 'The verdict on an address by IP policies, or by rules by value.',
  group: 'Access by address',
};

/** Rules by value in one request at most. */
export const MOST_RULES = 1_000;
/** Policies in one response at most. */
export const MOST_POLICIES = 500;

export const bindRulesTest: StandaloneOperation = {
  ...{
    topic: bindRules,
    operation: 'bind_rules_test',
    method: 'POST',
    path: '/credentials/test',
    isRead: true,
  },
  summary: 'Test bind rules',
  body: {
    schemaName: 'BindRulesTest',
    write: body(
      {
        credential_id: optional(idOf(['cr', 'sshcr'], 'The credential or SSH credential with the rules.')),
        acl: aclField,
        bind: Type.String({
          maxLength: 2048,
          description:
            'The bind: a host name or a URL such as "https://shop.example.com", "tcp://" with or without an address, or labels "key=value,key=value". "https://" is a random name.',
        }),
      },
      { examples: [{ acl: ['bind:*.example.com'], bind: 'shop.example.com' }] },
    ),
  },
  result: {
    schemaName: 'BindRulesVerdict',
    read: Type.Object(
      {
        outcome: Type.Enum(['permitted', 'refused'], { type: 'string', description: 'The verdict.' }),
        kind: Type.Enum(['name', 'address', 'labels'], { type: 'string', description: 'Kind of the bind.' }),
        target: Type.String({
          description: 'The bound name, address or labels, in canonical form; "" for a random one.',
        }),
        rule: Type.String({ description: 'The first rule that permits it; "" for none.' }),
        error_code: Type.String({ description: 'The code that an agent would get; "" if it is permitted.' }),
        why: Type.String({ description: 'The reason, for people.' }),
      },
      {
        description:
          'The verdict on a bind by its rules and reservations. Agents that are online have no part in it.',
      },
    ),
  },
};

const rule = Type.Object(
  {
    rule_id: Type.String({ description: 'Id of the rule; "" for one by value.' }),
    action: Type.Enum(['allow', 'deny'], { type: 'string', description: 'Its action.' }),
    cidr: Type.String({ description: 'Its range.' }),
  },
  {
    $id: 'IPRuleMatch',
    description: 'The rule that decides: the first deny rule that matches, or an allow rule.',
  },
);
const outcome = Type.Enum(['allowed', 'denied'], {
  type: 'string',
  description: 'The verdict. Without a rule that matches, an address is denied.',
});

export const ipRulesTest: StandaloneOperation = {
  ...{ topic: ipRules, operation: 'ip_rules_test', method: 'POST', path: '/ip_policies/test', isRead: true },
  summary: 'Test IP rules',
  body: {
    schemaName: 'IPRulesTest',
    write: body(
      {
        ip: Type.String({ maxLength: 64, description: 'The address, without a port.' }),
        ip_policy_ids: optional(
          Type.Array(idOf(['ipp'], 'An IP policy.'), {
            maxItems: 64,
            default: [],
            description:
              'Policies that are tested together. With no policies and no rules, all of the account.',
          }),
        ),
        rules: optional(
          Type.Array(
            body({
              action: Type.Enum(['allow', 'deny'], { type: 'string', description: 'Action of the rule.' }),
              cidr: Type.String({ description: 'Range of the rule.' }),
            }),
            {
              maxItems: MOST_RULES,
              default: [],
              description: 'Rules that are tested together with the policies.',
            },
          ),
        ),
      },
      { examples: [{ ip: '203.0.113.9', ip_policy_ids: [exampleId('ipp')] }] },
    ),
  },
  result: {
    schemaName: 'IPRulesVerdict',
    read: Type.Object(
      {
        ip: Type.String({ description: 'The address in canonical form.' }),
        outcome: { ...outcome, description: 'The verdict of all rules together.' },
        rule: nullable(rule),
        why: Type.String({ description: 'The reason, for people.' }),
        policies: Type.Array(
          Type.Object(
            { ip_policy: Ref, description: Type.String(), outcome, rule: nullable(rule) },
            { $id: 'IPPolicyVerdict', description: 'The verdict of one policy alone.' },
          ),
          { description: 'The verdict of each policy by itself.' },
        ),
        policies_left_out: Type.Integer({ description: 'Number of policies without room in the response.' }),
      },
      { description: 'The verdict on an address.' },
    ),
  },
};
