/**
 * Who has a name together with whom. Never that tunnels of two accounts share one, or that one is shared with a tunnel which did
 * not ask for that.
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
  /** The agent asked for it: others of its account may serve the name, too. */
  readonly isPooled: boolean;
}

/** Both asked to be pooled, or they are of two connections of one agent, which binds the same names on each. */
export function sharesWith(one: Sharer, other: Sharer): boolean {
  if (one.account !== other.account) return false;
  if (one.isPooled && other.isPooled) return true;
  const isOneAgent = one.credential === other.credential && one.clientId === other.clientId;
  return isOneAgent && one.session !== other.session;
}

/** Whether visitors find the same whichever of the two they come to: a name has one set of modules. */
export function servesAlike(one: Tunnel, other: Tunnel): boolean {
  return isDeepStrictEqual(behaviourOf(one), behaviourOf(other));
}

function behaviourOf({ proto, modules, termination, proxyProtocol }: Tunnel): object {
  return { proto, modules, termination, proxyProtocol };
}
