/** The change that allows or denies an address, as a difference of rules. Pure. */
import type { IPRulesVerdict } from '@underpass/client';

export type Action = 'allow' | 'deny';

export interface Rule {
  readonly action: Action;
  readonly cidr: string;
}

export interface StoredRule extends Rule {
  readonly id: string;
}

/** The policy to be created in place of a chosen one. */
export const NEW = 'new';

export interface Plan {
  /** Id of the policy, or `new`. */
  readonly policy: string;
  readonly before: readonly StoredRule[];
  readonly added: readonly Rule[];
  readonly description: string;
}

const EVERYBODY: readonly Rule[] = [
  { action: 'allow', cidr: '0.0.0.0/0' },
  { action: 'allow', cidr: '::/0' },
];

/** Rules that are added. A new policy that only denied would refuse everybody. */
export function addedRules(policy: string, rule: Rule): readonly Rule[] {
  return policy === NEW && rule.action === 'deny' ? [rule, ...EVERYBODY] : [rule];
}

/** True if the same rule exists already. */
export function isThere(before: readonly Rule[], { action, cidr }: Rule): boolean {
  return before.some((one) => one.action === action && one.cidr === cidr);
}

/** True if the policy still has the rules that the plan was made for. */
export function isCurrent({ before }: Plan, now: readonly StoredRule[]): boolean {
  const textOf = (rules: readonly StoredRule[]) =>
    rules
      .map(({ id, action, cidr }) => `${id} ${action} ${cidr}`)
      .sort()
      .join();
  return textOf(before) === textOf(now);
}

/**
 * The policy that decides about an address by these verdicts, which are in the order of a request: that of the first
 * place that refuses, or of the last one. Null: no place has a policy.
 */
export function decidingPolicy(verdicts: readonly IPRulesVerdict[]): string | null {
  const decided = verdicts.find(({ outcome }) => outcome === 'denied') ?? verdicts.at(-1);
  if (decided === undefined) return null;
  const { policies, rule } = decided;
  const own = policies.find((policy) => rule !== null && policy.rule?.rule_id === rule.rule_id);
  return (own ?? policies[0])?.ip_policy.id ?? null;
}
