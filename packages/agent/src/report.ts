/** Events of a running agent, for any reader. */
import type { AgentConnections, AgentState } from './agent-options.ts';
import type { LoggedRequest } from './http-log.ts';
import type { InspectorServer } from './inspector/server.ts';
import type { RefusedVisits } from './refused-visits.ts';
import type { Tunnel } from './tunnel.ts';
import type { TunnelSpec } from './tunnel-spec.ts';

/** Reports the events of a running command: for people (report-people.ts) or for machines (report-json.ts). */
export interface Report {
  state(state: AgentState): void;
  /** Called when another number of connections is open, or useful. */
  connections(connections: AgentConnections): void;
  /** Called every few seconds, after a heartbeat. */
  latency(roundTripMs: number): void;
  /** Called with the address of the inspector. */
  inspector(server: InspectorServer): void;
  bound(tunnel: Tunnel, spec: TunnelSpec): void;
  exchange(exchange: LoggedRequest, tunnel: TunnelName): void;
  /** Visitors that the service refused, so that nothing of them came here. */
  refused(refused: RefusedVisits, tunnel: TunnelName): void;
  upstreamError(message: string, tunnel: TunnelName): void;
  /** Something the user should know that is no error. */
  notice(message: string, tunnel: TunnelName): void;
  /** Reason of an exit code other than 0; `advice` is the remedy. */
  failure(failure: Failure, tunnel: TunnelName): void;
}

/** The tunnel that a message is about; null: the only one, or none. */
export type TunnelName = TunnelSpec['name'];

export interface Failure {
  readonly message: string;
  readonly code: string | undefined;
  readonly advice: string;
}
