/** Decides whether tunnels may share a name by what visitors find there. */
import { isDeepStrictEqual } from 'node:util';
import type { Tunnel } from './tunnel.ts';

type Served = Pick<Tunnel, 'facts' | 'modules' | 'termination'>;

/** Returns true if visitors find the same whichever of the two they come to: a name has one set of modules. */
export function servesAlike(one: Served, other: Served): boolean {
  return isDeepStrictEqual(behaviourOf(one), behaviourOf(other));
}

/** Returns a text that is the same for tunnels that serve alike, and for no others. It contains secrets. */
export function behaviourText(tunnel: Served): string {
  return JSON.stringify(behaviourOf(tunnel), (_, value: unknown) =>
    isRecord(value) ? sorted(value) : value,
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sorted(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function behaviourOf({ facts: { endpoint }, modules, termination }: Served): object {
  return { proto: endpoint?.proto, modules, termination, proxyProtocol: endpoint?.proxyProtocol };
}
