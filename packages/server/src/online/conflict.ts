/**
 * Modules that both the agent and the endpoint configuration of its name have.
 * Invariant: none silently replaces the other. The owner of the name removes one of them.
 */
import type { EndpointConfigurationDocument } from '../documents/index.ts';
import type { AgentModules } from './agent-modules.ts';

export type AgentModuleName = keyof AgentModules;

/** Names of the modules in endpoint configurations; null for none. */
const configuredAs = {
  ip_restriction: 'ip_policy',
  mutual_tls: 'mutual_tls',
  user_agent_filter: 'user_agent_filter',
  // A configuration selects the way of the login, and agents bring the passwords.
  basic_auth: null,
  oidc: 'oidc',
  oauth: 'oauth',
  webhook_verification: 'webhook_validation',
  circuit_breaker: 'circuit_breaker',
  websocket_tcp_converter: 'websocket_tcp_converter',
  request_headers: 'request_headers',
  response_headers: 'response_headers',
  compression: 'compression',
} as const satisfies Record<AgentModuleName, keyof EndpointConfigurationDocument | null>;

/** The first module that both have; one that is turned off in the configuration counts as not there. */
export function conflictOf(
  modules: AgentModules,
  configuration: Partial<EndpointConfigurationDocument>,
): AgentModuleName | null {
  const names = Object.keys(configuredAs) as AgentModuleName[];
  const isInBoth = (name: AgentModuleName): boolean => {
    const configured = configuredAs[name];
    return modules[name] !== undefined && configured !== null && configuration[configured]?.enabled === true;
  };
  return names.find(isInBoth) ?? null;
}
