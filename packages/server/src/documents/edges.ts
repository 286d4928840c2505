/** Stored shapes of edges, of their routes, and of endpoint configurations. */
import type { HostPattern } from '../core/hostname.ts';
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

/** What the hostports of edges of every kind have. */
export type Hostport = {
  readonly hostname: HostPattern;
  /** At the front door always 443: the port of the base URL means the same. */
  readonly port: number;
  /** `ep_…` of the endpoint that exists while this hostport stands. */
  readonly endpoint_id: string;
  readonly created_at: string;
};

export type EdgeHostport = Hostport & {
  /** `rd_…` of the reservation that the hostname stands on: that name, or a wildcard over it. */
  readonly domain_id: string;
};

export type AddressHostport = Hostport & {
  /** `ra_…` */
  readonly address_id: string;
  /** That of the address, which never changes. */
  readonly region: string;
};

/** What edges of every kind have. */
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
  /** Known to be one that a path can match, see `core/path-match.ts`. */
  readonly match: string;
  readonly backend: BackendModule | null;
  readonly ip_restriction: IpRestrictionModule | null;
  readonly circuit_breaker: CircuitBreakerModule | null;
  readonly compression: SwitchModule | null;
  readonly request_headers: HeadersModule | null;
  readonly response_headers: HeadersModule | null;
  /** Visitors log in by one of these, on one route of an edge only. */
  readonly saml: SamlModule | null;
  readonly oidc: OidcModule | null;
  readonly oauth: OauthModule | null;
  readonly webhook_verification: WebhookVerificationModule | null;
  readonly websocket_tcp_converter: SwitchModule | null;
  readonly user_agent_filter: UserAgentFilterModule | null;
};

/** Modules for what agents bind on a reserved name. */
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
