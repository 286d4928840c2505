/** Online sessions and tunnels, as the edge and the resources see them. `tunnels/registry.ts` maintains them. */

import type { MuxStream } from '@underpass/wire';
import type { MessageFault } from '@underpass/wire/http1';
import type { BindTarget } from '../core/names/bind-target.ts';
import type { Hostname, HostPattern } from '../core/names/hostname.ts';
import type { ErrorName } from '../errors/catalogue.ts';
import type { ServerCertificate } from '../pki/certificate-source.ts';
import type { AgentModules } from './agent-modules.ts';
import type { Refusal } from './refusal.ts';
import type { SessionFacts, SessionHandle } from './session.ts';

/** Data about a connection that the edge sends to the agent (agent protocol, section 6). */
export interface ProxyConnection {
  /** `ip:port` of the visitor. */
  readonly clientAddr: string;
  /** `ip:port` that it connected to. */
  readonly serverAddr: string;
  readonly proto: 'http' | 'https' | 'tcp' | 'tls';
  readonly edgeType: '0' | '1' | '2' | '3';
  readonly passthroughTls: boolean;
}

/**
 * What is opened for a connection or for requests: a mux stream, or anything that behaves like one. One that closes with
 * `streamRefused`, `acceptQueueFull` or `upstreamUnreached` before anything came from it has passed nothing on.
 */
export interface ByteStream
  extends Pick<
    MuxStream,
    'handler' | 'write' | 'end' | 'reset' | 'pause' | 'resume' | 'closed' | 'writableNeedDrain'
  > {
  /** Error for a visitor after the end; absent if the close code alone is known. */
  readonly failure?: ErrorName;
  /** The fault of a response that made it end, for the owner. */
  readonly fault?: MessageFault;
}

/** Protocols of binds; `http` is served over HTTPS if the service has no port for plain HTTP. */
export type TunnelProtocol = 'http' | 'https' | 'tls' | 'tcp';

/** Version of the PROXY protocol. */
export type ProxyProtocolVersion = 1 | 2;

/** That the edge ends TLS for a tunnel that carries what is inside. */
export interface TunnelTermination {
  /** Null: that of the service for the name. */
  readonly certificate: ServerCertificate | null;
}

/** The tunnels that share one name. The same object for as long as one of them is online, whichever comes and goes. */
export interface TunnelPool {
  /** `ep_…` of the first one that was in it. */
  readonly id: string;
  /** Online tunnels, oldest first. */
  readonly tunnels: readonly LiveTunnel[];
}

export interface LiveTunnel {
  /** `tn_…` */
  readonly id: string;
  readonly account: string;
  readonly credential: string;
  readonly session: string;
  /** Absent for labelled tunnels, and with it hostname, publicUrl, endpoint, name and description. */
  readonly proto?: TunnelProtocol;
  readonly hostname?: HostPattern;
  /** Port of a TCP tunnel, on any host of addresses. */
  readonly port?: number;
  /** True for an HTTP tunnel that is reachable without TLS only. */
  readonly isPlain?: boolean;
  readonly publicUrl?: string;
  /** `ep_…`, with the tunnel's suffix. */
  readonly endpoint?: string;
  /** The agent's name of the endpoint, for people; '' for none. */
  readonly name?: string;
  readonly description?: string;
  /** Further agents of its account may share its name, if they request it, too. */
  readonly isPooled?: boolean;
  /** Absent for labelled tunnels. */
  readonly pool?: TunnelPool;
  /** Modules that the agent requested with its bind. */
  readonly modules?: AgentModules;
  /** TLS settings of a TLS tunnel; null for passthrough. */
  readonly termination?: TunnelTermination | null;
  readonly labels: ReadonlyMap<string, string>;
  readonly forwardsTo: string;
  readonly metadata: string;
  readonly region: string;
  readonly startedAt: Date;
  /** Nothing has come from the agent for two seconds, although it owes an answer, or it is about to leave: others are to be preferred. */
  readonly isSuspect: boolean;
  /** Open requests and connections. The opener of a stream for a visitor counts it. */
  outstanding: number;
  /** Call it for a new request on an open stream; `open` counts by itself. */
  expectAnswer(): void;
  /** Streams of its session; absent: as many as agents have by the protocol. */
  readonly capacity?: number | undefined;
  /** A refused stream may be opened a moment later. */
  readonly refusesForNow?: boolean;
  /** Each stream begins with who its visitor is, so that no two may share one. */
  readonly isOfOneVisitor?: boolean;
  /**
   * A stream that ends without a byte may not have reached the service behind the agent. Absent: the agent resets
   * such a stream with a code of its own.
   */
  readonly hidesDials?: boolean;
  /** The service behind the agent speaks HTTP/2 with prior knowledge. */
  readonly speaksHttp2?: boolean;
  /** Reports a refused visitor to the agent, if the agent wants to know. `make` is not called otherwise. Absent: none does. */
  refused?(make: () => Refusal): void;
  /** Opens a stream to the agent with the connection header written; null when the tunnel is gone or has no stream left. */
  open(connection: ProxyConnection): ByteStream | null;
  /** Aborts when the tunnel goes offline: what goes through it ends then, requests that are under way after `finishMs`. */
  readonly closed: AbortSignal;
  /** Once it is closed: milliseconds in which requests may finish; absent or 0: none. */
  readonly finishMs?: number;
}

/** Tunnels that are reached without TLS: on TCP ports, and by plain HTTP. */
export interface TunnelsWithoutTls {
  /** Exactly this name or pattern. */
  byPlainName(name: HostPattern | Hostname): LiveTunnel | undefined;
  /** TCP ports that are online. */
  readonly ports: ReadonlySet<number>;
  byPort(port: number): LiveTunnel | undefined;
  /** Called after each change of `ports`, in the turn in which the tunnel comes or goes. */
  onPorts(listener: () => void): void;
}

/** Look-ups of what is online at this moment. */
export interface OnlineTunnels {
  sessions(account: string): Iterable<SessionFacts>;
  session(id: string, account: string): SessionHandle | undefined;
  tunnels(account: string): Iterable<LiveTunnel>;
  /** The ephemeral tunnel bound to exactly this name or pattern. */
  byName(name: HostPattern | Hostname): LiveTunnel | undefined;
  /** Called for each name or pattern that gets its first tunnel, with or without TLS, in the same turn of the event loop. */
  onNamed(listener: (name: HostPattern) => void): void;
  /** The account for which exactly this name is held, because its tunnel was lost a moment ago. */
  heldFor(name: HostPattern | Hostname): string | undefined;
  /**
   * Returns true if a name that the pattern stands for, or the port, is another account's at this moment: online
   * there, or held there after its tunnel was lost.
   */
  occupied(pattern: BindTarget, account: string): 'online' | 'held' | null;
  /** Has binds by other accounts wait, for names that the pattern stands for, until the answered function is called. */
  suspend(pattern: HostPattern, account: string): () => void;
  /** Tunnels of the account that carry every one of these labels; stable order. Called per request: cheap. */
  matching(account: string, labels: ReadonlyMap<string, string>): readonly LiveTunnel[];
}
