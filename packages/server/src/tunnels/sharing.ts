/**
 * Decides which tunnels share a name.
 * Invariant: tunnels of two accounts never share a name, and a tunnel that did not request sharing never shares.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Tunnel } from './tunnel.ts';

export interface Sharer {
  readonly account: string;
  readonly credential: string;
  /** `ts_…` */
  readonly session: string;
  /** What an agent keeps over its reconnects, and has in common in all its connections. */
  readonly clientId: string;
  /** The agent requested that others of its account may serve the name, too. */
  readonly isPooled: boolean;
}

/**
 * Returns true if both requested pooling, or if they are two connections of one agent, which binds the same names on
 * each.
 */
export function sharesWith(one: Sharer, other: Sharer): boolean {
  if (one.account !== other.account) return false;
  if (one.isPooled && other.isPooled) return true;
  const isOneAgent = one.credential === other.credential && one.clientId === other.clientId;
  return isOneAgent && one.session !== other.session;
}

/** Returns true if visitors find the same whichever of the two they come to: a name has one set of modules. */
export function servesAlike(one: Tunnel, other: Tunnel): boolean {
  return isDeepStrictEqual(behaviourOf(one), behaviourOf(other));
}

function behaviourOf({ facts: { endpoint }, modules, termination }: Tunnel): object {
  return { proto: endpoint?.proto, modules, termination, proxyProtocol: endpoint?.proxyProtocol };
}
