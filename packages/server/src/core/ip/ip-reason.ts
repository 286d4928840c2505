/** Explains the decision of IP policies about an address in plain sentences. */
import { parseIpAddress } from './ip-address.ts';
import { decideBySets, type IpRuleSet } from './ip-rule-set.ts';

/** The rules of a policy, with its name for sentences, such as "the policy ipp_1". */
export interface NamedRules {
  readonly name: string;
  readonly rules: IpRuleSet;
}

export interface IpReason {
  readonly decision: 'allow' | 'deny';
  readonly why: string;
}

/** Policies that a sentence names; a restriction may have more. */
const MOST_NAMED = 10;

/** Decides like `decideBySets`, and names the ranges that match. `ip` is in a socket's format. */
export function explainedBySets(policies: readonly NamedRules[], ip: string): IpReason {
  const sets = policies.map(({ rules }) => rules);
  return { decision: decideBySets(sets, ip), why: reasonOf(policies, ip) };
}

function reasonOf(policies: readonly NamedRules[], ip: string): string {
  const address = parseIpAddress(ip.replace(/%.*$/, ''));
  if (address === null) return `${ip} is not an IP address.`;
  if (policies.length === 0) return `There is no policy, so no rule allows ${ip}.`;
  const matching = policies.flatMap(({ name, rules }) =>
    rules.ranges(address).map(({ action, cidr }) => ({ name, action, range: cidr.text })),
  );
  const denying = matching.find(({ action }) => action === 'deny');
  if (denying !== undefined) return `${ip} is in ${denying.range}, which ${denying.name} denies.`;
  const allowing = matching.at(-1);
  if (allowing !== undefined) return `${ip} is in ${allowing.range}, which ${allowing.name} allows.`;
  const named = policies.slice(0, MOST_NAMED).map(({ name, rules }) => `${name} (${numberOf(rules.size)})`);
  const more = policies.length - named.length;
  const all = [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
  return `${ip} is in no range of ${all}, and addresses without a match are refused.`;
}

function numberOf(rules: number): string {
  return rules === 1 ? '1 rule' : rules === 0 ? 'no rules' : `${rules} rules`;
}
