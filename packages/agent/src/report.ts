/** What the agent tells of while it runs, whoever reads it. */
import type { AgentState } from './agent.ts';
import type { LoggedRequest } from './http-log.ts';
import type { Tunnel } from './tunnel.ts';

/** What the command tells while it runs: for people (report-people.ts) or for machines (report-json.ts). */
export interface Report {
  state(state: AgentState): void;
  bound(tunnel: Tunnel): void;
  exchange(exchange: LoggedRequest): void;
  upstreamError(message: string): void;
  /** Something the user should know that is no error. */
  notice(message: string): void;
  /** Why the command ends with an exit code other than 0; `advice` says what to do. */
  failure(message: string, code: string | undefined, advice: string): void;
}
