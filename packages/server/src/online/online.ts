/** Online sessions and tunnels, as the edge and the resources see them. `tunnels/registry.ts` maintains them. */

import type { MuxStream } from '@underpass/wire';
import type { MessageFault } from '@underpass/wire/http1';
import type { BindTarget } from '../core/names/bind-target.ts';
import type { Hostname, HostPattern } from '../core/names/hostname.ts';
import type { ErrorName } from '../errors/catalogue.ts';
import type { DialFault } from '../errors/dial-fault.ts';
import type { ServerCertificate } from '../pki/certificate-source.ts';
import type { WriteOperation } from '../store/store.ts';
import type { AgentModules } from './agent-modules.ts';
import type { Refusal } from './refusal.ts';
import type { SessionFacts, SessionHandle } from './session.ts';
import type { TunnelFacts } from './tunnel-facts.ts';

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
 * A stream for a connection or for requests: a mux stream, or anything that behaves like one. One that closes with
 * `streamRefused`, `acceptQueueFull` or a code of an unreached upstream, before any data, has forwarded nothing.
 */
export interface ByteStream
  extends Pick<
    MuxStream,
    'handler' | 'write' | 'end' | 'reset' | 'pause' | 'resume' | 'closed' | 'writableNeedDrain'
  > {
  /** Error for a visitor after the end; absent if the close code alone is known. */
  readonly failure?: ErrorName;
  /** The cause of an end before the service was reached; absent if the close code alone is known. */
  readonly dialFault?: DialFault;
  /** The fault of a response that made it end, for the owner. */
  readonly fault?: MessageFault;
}

/** Termination of TLS at the edge, for a tunnel that carries the content. */
export interface TunnelTermination {
  /** Null: that of the service for the name. */
  readonly certificate: ServerCertificate | null;
}

/** The tunnels that share one name. The same object for as long as one of them is online, whichever comes and goes. */
export interface TunnelPool {
  /** `ep_…` of the first one that was in it. */
  readonly id: string;
  /** Online tunnels, oldest first. */
  readonly tunnels: readonly TunnelHandle[];
}

/**
 * A tunnel as the edge uses it: an `Opener` of the edge that also carries the facts and the agent's modules. The agent is
 * connected to this daemon or to another one.
 * Invariant: it never leaves the process.
 */
export interface TunnelHandle {
  /** Facts of this moment: each change of the tunnel replaces them. */
  readonly facts: TunnelFacts;
  /** The id of the facts, which never changes. */
  readonly id: string;
  /** The session of the facts, which never changes. */
  readonly session: string;
  /** Null for labelled tunnels. */
  readonly pool: TunnelPool | null;
  /** Modules that the agent requested with its bind, with their secrets. */
  readonly modules: AgentModules;
  /** TLS settings of a TLS tunnel, with the private key; null for passthrough and for other tunnels. */
  readonly termination: TunnelTermination | null;
  /** Nothing has come from the agent for two seconds, although it owes an answer, or it is about to leave: others are to be preferred. */
  readonly isSuspect: boolean;
  /** Another daemon may have the name: nothing is sent through it at the moment. Absent: that cannot be. */
  readonly isFenced?: boolean;
  /** Open requests and connections. The opener of a stream for a visitor counts it. */
  outstanding: number;
  /** Call it for a new request on an open stream; `open` counts by itself. */
  expectAnswer(): void;
  /** Call it for a stream that ended with `streamRefused` or `acceptQueueFull`. Absent: the tunnel sees it by itself. */
  refusedStream?(): void;
  /** Steps to its agent: 1 another daemon of this machine, 2 one of the region, 3 any other. Absent: 0, this daemon. */
  readonly distance?: number;
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
  /** `speaksHttp2` of the tunnel's facts, for each stream; absent: no. */
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

/** Returns true for one tunnel of one agent, in several of its connections. */
export function isSameBind({ facts: one }: BoundFacts, { facts: other }: BoundFacts): boolean {
  const isSame = one.clientId === other.clientId && one.bindId === other.bindId;
  return isSame && one.session !== other.session;
}

type BoundFacts = { readonly facts: Pick<TunnelFacts, 'clientId' | 'bindId' | 'session'> };

/** Adds a tunnel behind the same one in other connections of its agent, or at the end. */
export function insertBind(tunnels: TunnelHandle[], tunnel: TunnelHandle): void {
  const last = tunnels.findLastIndex((one) => isSameBind(one, tunnel));
  if (last < 0) tunnels.push(tunnel);
  else tunnels.splice(last + 1, 0, tunnel);
}

/** Tunnels that are reached without TLS: on TCP ports, and by plain HTTP. */
export interface TunnelsWithoutTls {
  /** Exactly this name or pattern. */
  byPlainName(name: HostPattern | Hostname): TunnelHandle | undefined;
  /** TCP ports that are online. */
  readonly ports: ReadonlySet<number>;
  byPort(port: number): TunnelHandle | undefined;
  /** Called after each change of `ports`, in the turn in which the tunnel comes or goes. */
  onPorts(listener: () => void): void;
}

/** The edge's view: tunnels that it can open streams to. */
export interface OnlineTunnels {
  /** The tunnel bound to exactly this name or pattern. */
  byName(name: HostPattern | Hostname): TunnelHandle | undefined;
  /** Called for each name or pattern that gets its first tunnel, with or without TLS, in the same turn of the event loop. */
  onNamed(listener: (name: HostPattern) => void): void;
  /** The account for which exactly this name is held, because its tunnel was lost a moment ago. */
  heldFor(name: HostPattern | Hostname): string | undefined;
  /** Tunnels of the account that carry every one of these labels; stable order. Called per request: cheap. */
  matching(account: string, labels: ReadonlyMap<string, string>): readonly TunnelHandle[];
}

/** The API's view: facts of all daemons. */
export interface OnlineFacts {
  sessions(account: string): Iterable<SessionFacts>;
  session(id: string, account: string): SessionHandle | undefined;
  tunnels(account: string): Iterable<TunnelFacts>;
  /** Tunnels of the account that carry every one of these labels; stable order. */
  matching(account: string, labels: ReadonlyMap<string, string>): readonly Pick<TunnelFacts, 'id'>[];
  /**
   * Returns true if a name that the pattern stands for, or the port, is another account's at this moment: online
   * there, or held there after its tunnel was lost.
   */
  occupied(pattern: BindTarget, account: string): 'online' | 'held' | null;
  /**
   * Calls `write` while no agent that is in the way has one of the names, and none can claim one. With several daemons
   * the exclusion must be part of the write; null: it need not. Rejects with ConflictError if one is occupied.
   */
  reserving<T>(
    names: readonly WantedName[],
    account: string,
    write: (exclusion: Exclusion | null) => Promise<T>,
  ): Promise<T>;
}

/** A name or port that an account is to have for itself. */
export interface WantedName {
  /** A wildcard stands for all names below it. */
  readonly name: BindTarget;
  /** An agent of the account itself is in the way, too, while it is online at exactly this name. */
  readonly includesOwn: boolean;
}

export type Exclusion = Extract<WriteOperation, { readonly op: 'exclude' }>;
