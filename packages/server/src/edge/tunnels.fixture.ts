/** Tunnels that are online, without an agent, for the tests of this folder. */
import type { HostPattern } from '../core/names/hostname.ts';
import type { LiveTunnel } from '../online/online.ts';

export function tunnelAt(hostname: string): LiveTunnel {
  return {
    id: `tn_${hostname}`,
    account: 'ac_1',
    credential: 'cr_1',
    session: 'ts_1',
    proto: 'https',
    hostname: hostname as HostPattern,
    labels: new Map(),
    forwardsTo: '',
    metadata: '',
    region: 'us',
    startedAt: new Date(0),
    isSuspect: false,
    outstanding: 0,
    expectAnswer() {},
    open: () => null,
    closed: new AbortController().signal,
  };
}
