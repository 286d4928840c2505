/**
 * The stored shape of each kind (the body of its document), as the engine writes it and the data plane reads it. Never that
 * a field changes without a migration. Id, account, revision and parent are columns of the store; `created_at` is the time
 * inside the id.
 */
import type { Hostname, HostPattern } from '../core/hostname.ts';
import type { AuthorityFacts, ServerFacts } from '../pki/certificate-facts.ts';
import type { AzureLogsIngestionSettings } from './event-targets/azure-logs-ingestion.ts';
import type { CloudSettings } from './event-targets/cloud.ts';
import type { MonitoringSettings } from './event-targets/monitoring.ts';
import type { EventType } from './event-types.ts';

export type KindName =
  | 'account'
  | 'user'
  | 'bot_user'
  | 'api_key'
  | 'credential'
  | 'http_response_backend'
  | 'tunnel_group_backend'
  | 'failover_backend'
  | 'weighted_backend'
  | 'static_backend'
  | 'tls_edge'
  | 'https_edge'
  | 'https_edge_route'
  | 'tcp_edge'
  | 'reserved_domain'
  | 'reserved_addr'
  | 'endpoint_configuration'
  | 'ip_policy'
  | 'ip_policy_rule'
  | 'ip_restriction'
  | 'certificate_authority'
  | 'tls_certificate'
  | 'event_destination'
  | 'event_subscription'
  | 'tunnel'
  | 'tunnel_session'
  | 'endpoint'
  | 'ssh_certificate_authority'
  | 'ssh_host_certificate'
  | 'ssh_user_certificate'
  | 'ssh_credential'
  | 'local_ca';

// Type aliases, not interfaces: only an alias is known to be a JSON object.

export type Described = {
  readonly description: string;
  readonly metadata: string;
};

export type AccountDocument = {
  readonly name: string;
};

export type UserDocument = {
  readonly name: string;
  /** `''` for none. */
  readonly email: string;
  readonly role: 'admin' | 'member';
  readonly active: boolean;
};

/** A member that is no person. */
export type BotUserDocument = {
  readonly name: string;
  readonly active: boolean;
};

export type ApiKeyDocument = Described & {
  /** SHA-256 of the whole token, base64url. A token is `<id suffix>_<secret>`, so the id is found from the token. */
  readonly token_hash: string;
  readonly owner_id: string;
};

export type CredentialDocument = Described & {
  /** As in `ApiKeyDocument`. */
  readonly token_hash: string;
  readonly owner_id: string;
  /** Bind rules as they were given; each is known to parse. */
  readonly acl: readonly string[];
};

export type HttpResponseBackendDocument = Described & {
  readonly body: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly status_code: number;
};

export type TunnelGroupBackendDocument = Described & {
  readonly labels: Readonly<Record<string, string>>;
};

export type FailoverBackendDocument = Described & {
  /** In the order in which they are tried. */
  readonly backends: readonly string[];
};

export type WeightedBackendDocument = Described & {
  /** Weight by id, 0 to 10000; not all are 0. */
  readonly backends: Readonly<Record<string, number>>;
};

export type StaticBackendDocument = Described & {
  /** A canonical host name, or an IP address in its canonical text without brackets. */
  readonly host: string;
  readonly port: number;
  readonly tls: { readonly enabled: boolean };
};

export type ReservedDomainDocument = Described & {
  readonly domain: HostPattern;
  readonly region: string;
  /** `''` for names below the shared domain. */
  readonly cname_target: string;
  /** `cert_…` of an uploaded certificate; absent in documents from before there were any. */
  readonly certificate_id?: string | null;
  /** `ec_…`, like the other; absent in documents from before there were any. */
  readonly http_endpoint_configuration_id?: string | null;
  readonly https_endpoint_configuration_id?: string | null;
};

/** An address is its port: the hosts of all of them are this service. */
export type ReservedAddrDocument = Described & {
  readonly hostname: Hostname;
  readonly port: number;
  readonly region: string;
  /** `ec_…` */
  readonly endpoint_configuration_id: string | null;
};

export type IpPolicyDocument = Described;

/** The parent is the policy. */
export type IpPolicyRuleDocument = Described & {
  /** Canonical. */
  readonly cidr: string;
  readonly ip_policy_id: string;
  readonly action: 'allow' | 'deny';
};

/** One per type and account. */
export type IpRestrictionDocument = Described & {
  /** False: what it would refuse is only logged. */
  readonly enforced: boolean;
  readonly type: 'dashboard' | 'api' | 'agent';
  readonly ip_policy_ids: readonly string[];
};

export type CertificateAuthorityDocument = Described &
  AuthorityFacts & {
    /** As it was uploaded. */
    readonly ca_pem: string;
  };

export type TlsCertificateDocument = Described &
  ServerFacts & {
    /** As it was uploaded: the leaf first. */
    readonly certificate_pem: string;
    readonly private_key_type: 'rsa' | 'ecdsa' | 'ed25519';
    /** PKCS#8 PEM, sealed for `<id>/private_key`. */
    readonly private_key_sealed: string;
  };

export type BackendModule = {
  readonly enabled: boolean;
  readonly backend_id: string;
};

export type IpRestrictionModule = {
  readonly enabled: boolean;
  readonly ip_policy_ids: readonly string[];
};

export type MutualTlsModule = {
  readonly enabled: boolean;
  readonly certificate_authority_ids: readonly string[];
};

export type TlsTerminationModule = {
  readonly enabled: boolean;
  readonly terminate_at: 'edge' | 'upstream';
  /** `''` for the default. */
  readonly min_version: '' | '1.0' | '1.1' | '1.2' | '1.3';
};

export type CircuitBreakerModule = {
  readonly enabled: boolean;
  /** Seconds, like the window; 0 everywhere stands for the default. */
  readonly tripped_duration: number;
  readonly rolling_window: number;
  readonly num_buckets: number;
  readonly volume_threshold: number;
  /** 0 to 1. */
  readonly error_threshold_percentage: number;
};

/** Of a module that has nothing to set: compression, the WebSocket converter. */
export type SwitchModule = {
  readonly enabled: boolean;
};

/** Lower-case names. Removed first, then added. */
export type HeadersModule = {
  readonly enabled: boolean;
  readonly add: Readonly<Record<string, string>>;
  readonly remove: readonly string[];
};

/** Regular expressions that can be matched in linear time: see `core/pattern-syntax.ts`. */
export type UserAgentFilterModule = {
  readonly enabled: boolean;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
};

export type SamlModule = {
  readonly enabled: boolean;
  readonly options_passthrough: boolean;
  /** `''` for the default. */
  readonly cookie_prefix: string;
  /** Seconds, like the duration; 0 for none. */
  readonly inactivity_timeout: number;
  readonly maximum_duration: number;
  /** As it was given; known to be readable. */
  readonly idp_metadata: string;
  readonly force_authn: boolean;
  readonly allow_idp_initiated: boolean;
  readonly authorized_groups: readonly string[];
  readonly nameid_format: string;
  readonly request_signing_certificate_pem: string;
  /** PKCS#8 PEM, sealed for its certificate: see `signingKeyContext`. */
  readonly request_signing_key_sealed: string;
};

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

/** An HTTPS edge always terminates TLS: what is left to say is from which version on. */
export type HttpsTerminationModule = Pick<TlsTerminationModule, 'enabled' | 'min_version'>;

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
  /** On one route of an edge only. */
  readonly saml: SamlModule | null;
  readonly websocket_tcp_converter: SwitchModule | null;
  readonly user_agent_filter: UserAgentFilterModule | null;
};

/** Modules for what agents bind on a reserved name. */
export type EndpointConfigurationDocument = Described & {
  readonly type: 'http' | 'https' | 'tcp';
  readonly circuit_breaker: CircuitBreakerModule | null;
  readonly compression: SwitchModule | null;
  readonly request_headers: HeadersModule | null;
  readonly response_headers: HeadersModule | null;
  readonly ip_policy: IpRestrictionModule | null;
  readonly mutual_tls: MutualTlsModule | null;
  readonly tls_termination: TlsTerminationModule | null;
  readonly saml: SamlModule | null;
  readonly backend: BackendModule | null;
};

type SshKeyType = 'rsa' | 'ecdsa' | 'ed25519';

export type SshCertificateAuthorityDocument = Described & {
  /** `<algorithm> <base64>`. */
  readonly public_key: string;
  readonly key_type: SshKeyType;
  /** PKCS#8 PEM, sealed for this document's id. */
  readonly private_key_sealed: string;
};

export type SshHostCertificateDocument = Described & {
  readonly ssh_certificate_authority_id: string;
  /** As it was given, without the white space around it. */
  readonly public_key: string;
  readonly key_type: SshKeyType;
  readonly principals: readonly string[];
  readonly valid_after: string;
  readonly valid_until: string;
  /** Decimal; never zero, and no two certificates of an authority have the same. */
  readonly serial: string;
  readonly certificate: string;
};

export type SshUserCertificateDocument = SshHostCertificateDocument & {
  readonly critical_options: Readonly<Record<string, string>>;
  readonly extensions: Readonly<Record<string, string>>;
};

export type SshCredentialDocument = Described & {
  /** As it was given, without the white space around it. */
  readonly public_key: string;
  /** `SHA256:…`; what a key that is offered is found by. */
  readonly fingerprint: string;
  readonly owner_id: string;
  /** As in `CredentialDocument`. */
  readonly acl: readonly string[];
};

/** Where events are sent, and how. The secret is sealed for `<id>/target_secret`; '' for a target that takes none. */
export type EventTarget = { readonly secret_sealed: string } & (
  | { readonly type: 'delivery_stream' | 'stream' | 'log_group'; readonly settings: CloudSettings }
  | { readonly type: 'monitoring'; readonly settings: MonitoringSettings }
  | { readonly type: 'azure_logs_ingestion'; readonly settings: AzureLogsIngestionSettings }
);

export type EventDestinationDocument = Described & {
  readonly format: 'json';
  readonly target: EventTarget;
};

export type EventSubscriptionDocument = Described & {
  /** Without repeats, like the destinations. */
  readonly sources: readonly EventType[];
  readonly destination_ids: readonly string[];
};

/** Account `system`, one document: the CA that signs names which have no other certificate. */
export type LocalCaDocument = {
  readonly certificate_pem: string;
  /** PKCS#8 PEM, sealed. */
  readonly private_key_sealed: string;
};
