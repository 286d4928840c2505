/** What the agent tells of while it runs, whoever reads it. */
import type { AgentState } from './agent-options.ts';
import type { LoggedRequest } from './http-log.ts';
import type { InspectorServer } from './inspector/server.ts';
import type { RefusedVisits } from './refused-visits.ts';
import type { Tunnel } from './tunnel.ts';
import type { TunnelSpec } from './tunnel-spec.ts';

/** What the command tells while it runs: for people (report-people.ts) or for machines (report-json.ts). */
export interface Report {
  state(state: AgentState): void;
  /** Of a heartbeat; every few seconds. */
  latency(roundTripMs: number): void;
  /** Where requests can be looked at. */
  inspector(server: InspectorServer): void;
  bound(tunnel: Tunnel, spec: TunnelSpec): void;
  exchange(exchange: LoggedRequest, tunnel: TunnelName): void;
  /** Visitors that the service refused, so that nothing of them came here. */
  refused(refused: RefusedVisits, tunnel: TunnelName): void;
  upstreamError(message: string, tunnel: TunnelName): void;
  /** Something the user should know that is no error. */
  notice(message: string, tunnel: TunnelName): void;
  /** Why the command ends with an exit code other than 0, or will; `advice` says what to do. */
  failure(failure: Failure, tunnel: TunnelName): void;
}

/** Which of several tunnels is spoken of; null: the only one, or none. */
export type TunnelName = TunnelSpec['name'];

export interface Failure {
  readonly message: string;
  readonly code: string | undefined;
  readonly advice: string;
}
