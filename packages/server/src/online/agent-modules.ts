/**
 * Modules that an agent requests with its bind, in the form for the edge. They live as long as the tunnel and are not
 * stored.
 */
import type { Login } from '../access/passwords.ts';
import type { IpRule } from '../core/ip/ip-rules.ts';
import type { WebhookProvider } from '../core/modules/webhook-providers.ts';
import type {
  CircuitBreakerModule,
  HeadersModule,
  LoginModule,
  OauthProviderModule,
  SwitchModule,
  UserAgentFilterModule,
} from '../documents/index.ts';

/** Compresses also small responses and responses without a type, beyond what routes do: the agents' test suites expect it. */
export interface AgentCompression extends SwitchModule {
  readonly compressesAll: true;
}

export interface AgentIpRestriction extends SwitchModule {
  readonly rules: readonly IpRule[];
}

export interface AgentBasicAuth extends SwitchModule {
  readonly logins: readonly Login[];
}

export interface AgentMutualTls extends SwitchModule {
  /** Certificates in PEM, one each, and at least one. */
  readonly authorities: readonly string[];
}

export interface AgentWebhookVerification extends SwitchModule {
  readonly provider: WebhookProvider;
  readonly secret: string;
}

/** The users whom an agent lets in; both empty: all whom the provider knows. */
export interface AgentUserLists {
  readonly emails: readonly string[];
  readonly domains: readonly string[];
}

export interface AgentOidcLists extends AgentUserLists {
  /** True if addresses count that the provider does not state to be verified. */
  readonly takesUnverified: boolean;
}

export interface AgentOidc extends LoginModule {
  readonly issuer: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly scopes: readonly string[];
  readonly lists: AgentOidcLists;
}

export interface AgentOauth extends LoginModule {
  readonly provider: Omit<OauthProviderModule, 'client_secret_sealed'> & { readonly client_secret: string };
  readonly auth_check_interval: number;
}

/** Absent: not requested. A present module is enabled. */
export interface AgentModules {
  readonly ip_restriction?: AgentIpRestriction;
  readonly mutual_tls?: AgentMutualTls;
  readonly user_agent_filter?: UserAgentFilterModule;
  readonly basic_auth?: AgentBasicAuth;
  readonly oidc?: AgentOidc;
  readonly oauth?: AgentOauth;
  readonly webhook_verification?: AgentWebhookVerification;
  readonly circuit_breaker?: CircuitBreakerModule;
  readonly websocket_tcp_converter?: SwitchModule;
  readonly request_headers?: HeadersModule;
  readonly response_headers?: HeadersModule;
  readonly compression?: AgentCompression;
}
