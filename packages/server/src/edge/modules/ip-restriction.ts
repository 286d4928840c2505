/**
 * The IP restriction module: turns visitors away by the address that their connection comes from.
 * In: an edge's rules, a visitor's address. Out: whether it is turned away. What may change here: nothing that believes a header.
 */
import { ipOf } from '../../core/client-address.ts';
import { parseIpAddress } from '../../core/ip-address.ts';
import { decide, type IpRule } from '../../core/ip-rules.ts';

/** `sources` are the rules of all policies of the edge together, undefined without a restriction; `clientAddr` is `ip:port`. */
export function refusesSource(sources: readonly IpRule[] | undefined, clientAddr: string): boolean {
  if (sources === undefined) return false;
  // A zone says through which interface a link-local visitor came, not who it is.
  const address = parseIpAddress(ipOf(clientAddr).replace(/%.*$/, ''));
  return address === null || decide(sources, address) === 'deny';
}
