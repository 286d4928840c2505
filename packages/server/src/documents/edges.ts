/** Stored shapes of edges, of their routes, and of endpoint configurations. */
import type { HostPattern } from '../core/names/hostname.ts';
import type { Described } from './described.ts';
import type {
  BackendModule,
  BasicAuthModule,
  CircuitBreakerModule,
  HeadersModule,
  HttpsTerminationModule,
  IpRestrictionModule,
  MutualTlsModule,
  OauthModule,
  OidcModule,
  SamlModule,
  SwitchModule,
  TlsTerminationModule,
  UserAgentFilterModule,
  WebhookVerificationModule,
} from './modules.ts';

/** Fields of the hostports of every kind of edge. */
export type Hostport = {
  readonly hostname: HostPattern;
  /** The port, always 443 at the front door. The port of the base URL is the same one. */
  readonly port: number;
  /** `ep_…` of the endpoint that exists as long as this hostport. */
  readonly endpoint_id: string;
  readonly created_at: string;
};

export type EdgeHostport = Hostport & {
  /** `rd_…` of the reservation that covers the hostname: that name, or a wildcard over it. */
  readonly domain_id: string;
};

export type AddressHostport = Hostport & {
  /** `ra_…` */
  readonly address_id: string;
  /** The region of the address, which never changes. */
  readonly region: string;
};

/** Fields of every kind of edge. */
export type EdgeDocument<One extends Hostport = EdgeHostport> = Described & {
  readonly hostports: readonly One[];
};

export type TlsEdgeDocument = EdgeDocument & {
  readonly backend: BackendModule | null;
  readonly ip_restriction: IpRestrictionModule | null;
  readonly mutual_tls: MutualTlsModule | null;
  readonly tls_termination: TlsTerminationModule | null;
};

export type TcpEdgeDocument = EdgeDocument<AddressHostport> & {
  readonly backend: BackendModule | null;
  readonly ip_restriction: IpRestrictionModule | null;
};

export type HttpsEdgeDocument = EdgeDocument & {
  readonly mutual_tls: MutualTlsModule | null;
  readonly tls_termination: HttpsTerminationModule | null;
};

/** The parent is the edge. */
export type HttpsEdgeRouteDocument = Described & {
  readonly edge_id: string;
  readonly match_type: 'exact_path' | 'path_prefix';
  /** A match that some path can have, see `core/names/path-match.ts`. */
  readonly match: string;
  readonly backend: BackendModule | null;
  readonly ip_restriction: IpRestrictionModule | null;
  readonly circuit_breaker: CircuitBreakerModule | null;
  readonly compression: SwitchModule | null;
  readonly request_headers: HeadersModule | null;
  readonly response_headers: HeadersModule | null;
  /** The module by which visitors log in. An edge has at most one, on one route. */
  readonly saml: SamlModule | null;
  readonly oidc: OidcModule | null;
  readonly oauth: OauthModule | null;
  readonly webhook_verification: WebhookVerificationModule | null;
  readonly websocket_tcp_converter: SwitchModule | null;
  readonly user_agent_filter: UserAgentFilterModule | null;
};

/** Modules for agents' binds on a reserved name. */
export type EndpointConfigurationDocument = Described & {
  readonly type: 'http' | 'https' | 'tcp';
  readonly basic_auth: BasicAuthModule | null;
  readonly circuit_breaker: CircuitBreakerModule | null;
  readonly compression: SwitchModule | null;
  readonly request_headers: HeadersModule | null;
  readonly response_headers: HeadersModule | null;
  readonly ip_policy: IpRestrictionModule | null;
  readonly mutual_tls: MutualTlsModule | null;
  readonly tls_termination: TlsTerminationModule | null;
  readonly webhook_validation: WebhookVerificationModule | null;
  readonly saml: SamlModule | null;
  readonly oidc: OidcModule | null;
  readonly oauth: OauthModule | null;
  readonly websocket_tcp_converter: SwitchModule | null;
  readonly user_agent_filter: UserAgentFilterModule | null;
  readonly backend: BackendModule | null;
};
