/**
 * The agent as a library: `connect`, then `forward` to a local address or `listen` inside this program. The session is kept
 * in agent.ts, the data path is forward.ts.
 */
export type { ProxyHeader } from '@underpass/wire';
export { InvalidInput } from './address.ts';
export {
  type Agent,
  type AgentEnd,
  type AgentOptions,
  type AgentState,
  connect,
  type ForwardOptions,
  type TunnelOptions,
} from './agent.ts';
export type { TunnelRequest } from './binding.ts';
export type { Watch } from './forward.ts';
export type { HeartbeatTimes } from './hello.ts';
export type { LoggedRequest } from './http-log.ts';
export type { HeaderEdits, TunnelModules } from './modules.ts';
export { Refused, type RefusedStage } from './refused.ts';
export type { Tunnel, TunnelEnd } from './tunnel.ts';
export { agentVersion } from './version.ts';
