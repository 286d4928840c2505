/** The bind rules of a credential (specification, section 2.10). */

import { isBindRuleFault, parseBindRule } from '../core/names/bind-rule.ts';
import { Type } from '../core/type.ts';
import { Problem } from '../errors/problem.ts';
import { patterns } from './patterns.ts';
import { optional } from './schema.ts';

export const aclField = optional(
  Type.Array(
    Type.String({
      pattern: patterns.bindRule,
      description:
        '`bind:<domain>`, `bind:*.<suffix>`, `bind:<host>:<port>` or `bind:<key>=<value>` (of a label; either may be `*`), or `*` for everything.',
    }),
    {
      maxItems: 100,
      default: [],
      description: 'Bind rules: what may be bound. An empty list permits everything.',
    },
  ),
);

/** Refuses rules that do not parse, by element. */
export function checkRules(acl: readonly string[]): readonly string[] {
  for (const [index, text] of acl.entries()) {
    const rule = parseBindRule(text);
    if (!isBindRuleFault(rule)) continue;
    const name = rule.fault === 'type' ? 'bindRuleTypeUnsupported' : 'bindRuleMalformed';
    throw new Problem(name, { value: text.slice(0, 300), reason: rule.reason }, { field: `/acl/${index}` });
  }
  return acl;
}
