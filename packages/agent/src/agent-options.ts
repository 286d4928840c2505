/** Options of a session and its tunnels. */
import type { TunnelRequest } from './binding.ts';
import type { Watch } from './forward.ts';
import type { HeartbeatTimes } from './hello.ts';
import type { InspectedSpec, TunnelInspection } from './inspection.ts';
import type { RefusedVisits } from './refused-visits.ts';
import type { Tunnel } from './tunnel.ts';

/** State of the connection to the service, reported at every change. */
export type AgentState =
  | { readonly state: 'connecting' }
  | {
      readonly state: 'online';
      readonly region: string;
      readonly sessionId: string;
      readonly banner: string;
      /** A newer version of this agent that the service states; absent if there is none. */
      readonly newerVersion?: string;
    }
  | {
      readonly state: 'offline';
      readonly reason: string;
      readonly retryInMs: number;
      /** Attempts in a row that made no session, this one included; 0: there was one. */
      readonly failures: number;
    };

/** The connections of an agent with a service of several daemons. */
export interface AgentConnections {
  readonly open: number;
  /** Connections that are useful: one for each daemon, at most as many as `connections` permits. */
  readonly wanted: number;
  /** Sessions of the open ones. */
  readonly sessionIds: readonly string[];
}

export interface AgentOptions {
  /**
   * `host:port` of the service, or several with commas between. Names under `.localhost` are the loopback address,
   * without DNS.
   */
  readonly server: string;
  /** The token of a tunnel credential. */
  readonly authtoken: string;
  /** PEM of the authorities to trust instead of the built-in ones. */
  readonly ca?: string | undefined;
  /**
   * Fingerprint of the authority to trust, `sha256:<64 hexadecimal digits>`; instead of `ca`. The service sends the
   * authority itself.
   */
  readonly caFingerprint?: string | undefined;
  /** Connections to open at most, each to another daemon of the service: 1 to 16, default 4. */
  readonly connections?: number;
  readonly onState?: (state: AgentState) => void;
  /** Called when another number of connections is open, or useful. Not called while there is one, and one is useful. */
  readonly onConnections?: (connections: AgentConnections) => void;
  /** Called after each heartbeat, with the milliseconds until its response; of several connections the least. */
  readonly onLatency?: (roundTripMs: number) => void;
  /** Ends the agent, also while it still tries to connect. */
  readonly signal?: AbortSignal;
  /** Returns numbers in [0, 1), for the jitter of the back-off and the first of several addresses. */
  readonly random?: () => number;
  readonly heartbeat?: HeartbeatTimes;
  /** Called for each tunnel without its own `inspection`; returns one that shows its traffic. */
  readonly inspects?: (spec: InspectedSpec) => TunnelInspection;
}

export interface TunnelOptions extends TunnelRequest {
  /** Called after each bind: the first, and one per reconnect. */
  readonly onBound?: (tunnel: Tunnel) => void;
  /** Visitors of the tunnel that the service refused, such as by `modules`: at most one report a second. */
  readonly onRefused?: (refused: RefusedVisits) => void;
}

export interface ForwardOptions extends TunnelOptions, Watch {
  /** Given: the certificate of an https upstream is verified, by authorities in PEM or else the built-in ones. */
  readonly upstreamTls?: { readonly ca?: string };
  /** The server name for TLS with an https upstream. Left out: that of the Host that requests get, or of its address. */
  readonly upstreamSni?: string;
}

export interface InspectOptions {
  /** `HOST:PORT` of this machine's loopback at which requests are shown; the next free port when it is taken. Left out: nowhere. */
  readonly inspect?: string;
  /** Called with the inspector's URL, for a browser. */
  readonly onInspector?: (url: string) => void;
}
