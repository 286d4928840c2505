/**
 * The target of a bind for all protocols: decided, proven and shown in one way.
 * Invariant: a proof of one kind of target never grants another kind.
 */
import { plainName, type Target, tcpPort } from '../core/names/bind-target.ts';
import { type HostPattern, isFault, parseHostPattern } from '../core/names/hostname.ts';
import type { Problem } from '../errors/problem.ts';
import type { TunnelProtocol } from '../online/tunnel-facts.ts';
import {
  type Address,
  type AddressOwners,
  type AddressRequester,
  addressDenial,
  formatAddress,
  readAddress,
  wantedAddress,
} from './addresses.ts';
import {
  denial,
  type NameOwners,
  type PublicAddress,
  type RequestedName,
  type Requester,
  wantedName,
} from './names.ts';
import { protocols } from './options/protocols.ts';

export type TargetRequester = Requester & AddressRequester;
export type TargetOwners = NameOwners & AddressOwners;

export function nameTarget(
  hostname: HostPattern,
  proto: TunnelProtocol,
  { publicPort, plainPort }: Pick<PublicAddress, 'publicPort' | 'plainPort'>,
): Target {
  const name = { kind: 'name', key: hostname, text: hostname, hostname, port: null } as const;
  if (proto === 'http' && plainPort !== null) {
    const url = `http://${hostname}${plainPort === 80 ? '' : `:${plainPort}`}`;
    return { ...name, slot: plainName(hostname), url, isPlain: true };
  }
  const port = publicPort === 443 ? '' : `:${publicPort}`;
  const url = `${protocols[proto].schemes[0]}://${hostname}${port}`;
  return { ...name, slot: hostname, url, isPlain: false };
}

export function addressTarget(address: Address): Target {
  const text = formatAddress(address);
  const key = tcpPort(address.port);
  return { kind: 'address', key, slot: key, text, url: `tcp://${text}`, ...address, isPlain: false };
}

/**
 * Returns the requested target; null for any. Raises Problem. `proven`: the agent's earlier target, which it may
 * request unchanged.
 */
export function wantedTarget(
  requested: RequestedName,
  service: PublicAddress,
  proven: Pick<Target, 'text'> | null,
): Target | null {
  if (requested.proto === 'tcp') {
    const address = wantedAddress(requested);
    return address && addressTarget(address);
  }
  const name = wantedName(requested, service, proven?.text);
  return name && nameTarget(name, requested.proto, service);
}

/** The target whose `text` was proven; null when it is none of the protocol. */
export function provenTarget(text: string, proto: TunnelProtocol, service: PublicAddress): Target | null {
  if (proto === 'tcp') {
    const address = readAddress(text);
    return address && addressTarget(address);
  }
  const name = parseHostPattern(text);
  return isFault(name) ? null : nameTarget(name, proto, service);
}

/**
 * Returns the reason why a credential may not have the target, regardless of other tunnels; null if it may. Applies
 * to new and to existing binds.
 */
export function targetDenial(
  target: Target,
  requester: TargetRequester,
  service: PublicAddress,
  owners: TargetOwners,
): Problem | null {
  return target.kind === 'address'
    ? addressDenial(target, requester, owners)
    : denial(target.hostname, requester, service, owners);
}
