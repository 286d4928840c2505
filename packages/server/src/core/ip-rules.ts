/** What a set of IP rules says of an address (open points, decision 9). Never that the order of rules matters. */
import { type Cidr, contains } from './cidr.ts';
import { type IpAddress, parseIpAddress } from './ip-address.ts';

export interface IpRule {
  readonly action: 'allow' | 'deny';
  readonly cidr: Cidr;
}

/** Allowed when at least one allow rule matches and no deny rule does; so no rules deny. */
export function decide(rules: readonly IpRule[], address: IpAddress): 'allow' | 'deny' {
  let allowed = false;
  for (const { action, cidr } of rules) {
    if (!contains(cidr, address)) continue;
    if (action === 'deny') return 'deny';
    allowed = true;
  }
  return allowed ? 'allow' : 'deny';
}

/** Whether who comes from `ip`, as a socket writes it, is let in; nobody is who has no address. */
export function admits(rules: readonly IpRule[], ip: string): boolean {
  // A zone says through which interface a link-local peer came, not who it is.
  const address = parseIpAddress(ip.replace(/%.*$/, ''));
  return address !== null && decide(rules, address) === 'allow';
}
