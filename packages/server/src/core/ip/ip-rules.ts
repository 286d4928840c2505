/**
 * Decides if IP rules allow an address (open points, decision 9).
 * Invariant: the order of the rules has no effect.
 */
import { type Cidr, contains } from './cidr.ts';
import { type IpAddress, parseIpAddress } from './ip-address.ts';

export interface IpRule {
  readonly action: 'allow' | 'deny';
  readonly cidr: Cidr;
}

/** Allows an address if an allow rule matches and no deny rule does. So an empty list denies. */
export function decide(rules: readonly IpRule[], address: IpAddress): 'allow' | 'deny' {
  return decidingRule(rules, address)?.action ?? 'deny';
}

/** Returns the rule that decides: the first deny rule that matches, or else the first allow rule; null if none does. */
export function decidingRule<Rule extends IpRule>(rules: readonly Rule[], address: IpAddress): Rule | null {
  let allowing: Rule | null = null;
  for (const rule of rules) {
    if (!contains(rule.cidr, address)) continue;
    if (rule.action === 'deny') return rule;
    allowing ??= rule;
  }
  return allowing;
}

/** Returns true if a client at `ip`, in a socket's format, is allowed. An unreadable address is not. */
export function admits(rules: readonly IpRule[], ip: string): boolean {
  // A zone names the interface of a link-local peer, and is no part of the address.
  const address = parseIpAddress(ip.replace(/%.*$/, ''));
  return address !== null && decide(rules, address) === 'allow';
}
