/** Decides whether tunnels may share a name by what visitors find there. */
import { isDeepStrictEqual } from 'node:util';
import type { Tunnel } from './tunnel.ts';

/** Returns true if visitors find the same whichever of the two they come to: a name has one set of modules. */
export function servesAlike(one: Tunnel, other: Tunnel): boolean {
  return isDeepStrictEqual(behaviourOf(one), behaviourOf(other));
}

function behaviourOf({ facts: { endpoint }, modules, termination }: Tunnel): object {
  return { proto: endpoint?.proto, modules, termination, proxyProtocol: endpoint?.proxyProtocol };
}
