/** Facts of tunnels, and handles without an agent, for tests. */
import type { HostPattern } from '../core/names/hostname.ts';
import type { TunnelHandle } from './online.ts';
import type { EndpointFacts, TunnelFacts } from './tunnel-facts.ts';

export interface OtherEndpoint
  extends Partial<Pick<EndpointFacts, 'id' | 'slot' | 'proto' | 'url' | 'name' | 'description'>> {
  readonly isPlain?: boolean;
}

export interface OtherFacts extends Partial<Omit<TunnelFacts, 'endpoint'>> {
  readonly endpoint?: OtherEndpoint;
}

/** Facts of a labelled tunnel. */
export function labelledFacts(other: Partial<Omit<TunnelFacts, 'endpoint'>> = {}): TunnelFacts {
  return {
    ...{
      id: 'tn_1',
      bindId: 'bind-1',
      account: 'ac_1',
      credential: 'cr_1',
      session: 'ts_1',
      clientId: 'ts_1',
    },
    ...{ endpoint: null, isPooled: false, labels: {}, forwardsTo: '', speaksHttp2: false },
    ...{ metadata: '', region: 'us', node: 'edge-1', startedAt: 0 },
    ...other,
  };
}

/** Facts of a tunnel that is bound to a name. */
export function factsAt(hostname: string, { endpoint = {}, ...other }: OtherFacts = {}): TunnelFacts {
  const name = hostname as HostPattern;
  const place = { kind: 'name' as const, key: name, slot: name, text: name, hostname: name, port: null };
  const texts = { url: `https://${name}`, name: '', description: '' };
  return {
    ...labelledFacts({ id: `tn_${hostname}`, ...other }),
    endpoint: {
      ...{ ...place, ...texts, isPlain: false, id: 'ep_1', proto: 'https', proxyProtocol: null },
      ...endpoint,
    },
  };
}

/** The tunnel of these facts, which opens no stream. */
export function tunnelOf(facts: TunnelFacts, other: Partial<TunnelHandle> = {}): TunnelHandle {
  return {
    facts,
    id: facts.id,
    session: facts.session,
    pool: null,
    modules: {},
    termination: null,
    isSuspect: false,
    outstanding: 0,
    expectAnswer() {},
    open: () => null,
    closed: new AbortController().signal,
    ...other,
  };
}

export function tunnelAt(hostname: string, other: Partial<TunnelHandle> = {}): TunnelHandle {
  return tunnelOf(factsAt(hostname), other);
}
