/**
 * The IP restriction module: turns visitors away by the address that their connection comes from.
 * In: an edge's rules, a visitor's address. Out: whether it is turned away. What may change here: nothing that believes a header.
 */
import { ipOf } from '../../core/client-address.ts';
import { admits, type IpRule } from '../../core/ip-rules.ts';

/** `sources` are the rules of all policies of the edge together, undefined without a restriction; `clientAddr` is `ip:port`. */
export function refusesSource(sources: readonly IpRule[] | undefined, clientAddr: string): boolean {
  return sources !== undefined && !admits(sources, ipOf(clientAddr));
}
