/**
 * The agent as a library: `forward` to a local address or `listen` inside this program, or `connect` and both of them on one
 * session. The session is kept in agent.ts, the data path is forward.ts.
 */
export type { ProxyHeader } from '@underpass/wire';
export { InvalidInput } from './address.ts';
export type { Agent, AgentEnd } from './agent.ts';
export { AgentClosed, AgentError } from './agent-error.ts';
export type {
  AgentOptions,
  AgentState,
  ForwardOptions,
  InspectOptions,
  TunnelOptions,
} from './agent-options.ts';
export type { TunnelRequest } from './binding.ts';
export { TunnelConnection } from './connection.ts';
export type { Watch } from './forward.ts';
export type { HeartbeatTimes } from './hello.ts';
export type { LoggedRequest } from './http-log.ts';
export { connect, forward, listen, type ServiceOptions } from './library.ts';
export { type ConnectionServer, TunnelListener } from './listener.ts';
export type { AllowedUsers, HeaderEdits, OauthLogin, OidcLogin, TunnelModules } from './modules.ts';
export { Refused, type RefusedStage } from './refused.ts';
export type { RefusedVisit, RefusedVisits } from './refused-visits.ts';
export type { Tunnel, TunnelEnd } from './tunnel.ts';
export { agentVersion } from './version.ts';
