/** The facts of a tunnel: plain data that may be sent to another daemon and stored. */
import type { Target } from '../core/names/bind-target.ts';

/** Protocols of binds; `http` is served over HTTPS if the service has no port for plain HTTP. */
export type TunnelProtocol = 'http' | 'https' | 'tls' | 'tcp';

/** Version of the PROXY protocol. */
export type ProxyProtocolVersion = 1 | 2;

/** The public name or address of a tunnel. */
export type EndpointFacts = Target & {
  /** `ep_…`, with the tunnel's suffix. */
  readonly id: string;
  readonly proto: TunnelProtocol;
  /** The agent's name of the endpoint, for people; '' for none. */
  readonly name: string;
  readonly description: string;
  /** Version of the header with visitors' addresses for the service behind the agent; null for none. */
  readonly proxyProtocol: ProxyProtocolVersion | null;
};

/** Invariant: JSON and structured clones keep all of it, it contains no secret, and no object of it ever changes. */
export interface TunnelFacts {
  /** `tn_…` */
  readonly id: string;
  /** The id in RPCs and proxy headers: unique in its session only. */
  readonly bindId: string;
  readonly account: string;
  /** `cr_…` */
  readonly credential: string;
  /** `ts_…` */
  readonly session: string;
  /** The id that the agent keeps over its reconnects. */
  readonly clientId: string;
  /** Null for labelled tunnels. */
  readonly endpoint: EndpointFacts | null;
  /** Further agents of the account may share the name, if they request it, too. False for labelled tunnels. */
  readonly isPooled: boolean;
  /** Empty for tunnels with an endpoint. */
  readonly labels: Readonly<Record<string, string>>;
  readonly forwardsTo: string;
  /** The service behind the agent speaks HTTP/2 with prior knowledge. */
  readonly speaksHttp2: boolean;
  readonly metadata: string;
  readonly region: string;
  /** Name of the daemon that the agent is connected to; '' if it has none. */
  readonly node: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

export function changeableOf({ metadata, endpoint, isPooled }: TunnelFacts): Changeable {
  return { metadata, name: endpoint?.name ?? '', description: endpoint?.description ?? '', isPooled };
}

/** Fields that may change while a tunnel is online. */
export interface Changeable {
  readonly metadata: string;
  readonly name: string;
  readonly description: string;
  readonly isPooled: boolean;
}
