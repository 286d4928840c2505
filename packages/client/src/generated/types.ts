// Written by scripts/write-client.ts from the OpenAPI document; do not edit.

export interface ErrorBody {
  /** Distinct for every condition. */
  readonly error_code: string;
  /** The HTTP status. */
  readonly status_code: number;
  /** The fault, the value and the remedy. */
  readonly msg: string;
  /** Details of the condition. */
  readonly details: ErrorDetails;
}

export interface HTTPResponseBackend {
  /** Never changes, and is never given to anything else. */
  readonly id: string;
  /** URL of the resource. */
  readonly uri: string;
  /** Time of its creation. RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** A text for people. At most 255 bytes. */
  readonly description: string;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata: string;
  /** The content that is answered. At most 65536 bytes. */
  readonly body: string;
  /** Names in lower case; null when there are none. */
  readonly headers: Readonly<Record<string, string>> | null;
  /** The status that is answered. */
  readonly status_code: number;
}

export interface HTTPResponseBackendList {
  /** Newest first. With a filter or a search they may be fewer than the limit, or none. */
  readonly backends: readonly HTTPResponseBackend[];
  /** URL of this page of the list. */
  readonly uri: string;
  /** URL of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface HTTPResponseBackendCreate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** The content that is answered. At most 65536 bytes. */
  readonly body?: string | null;
  /** Headers that are answered. Not possible: those that frame the message or belong to the connection. */
  readonly headers?: Readonly<Record<string, string>> | null;
  /** The status that is answered. Default: 200. */
  readonly status_code?: number | null;
}

export interface HTTPResponseBackendUpdate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** The content that is answered. At most 65536 bytes. */
  readonly body?: string | null;
  /** Headers that are answered. Not possible: those that frame the message or belong to the connection. */
  readonly headers?: Readonly<Record<string, string>> | null;
  /** The status that is answered. */
  readonly status_code?: number | null;
}

/** A resource that refers to another one. */
export interface UsedBy {
  /** The id of the resource that refers to this one. */
  readonly id: string;
  /** URL of that resource. */
  readonly uri: string;
  /** Its kind, such as `tls_edge`: see x-kinds. */
  readonly kind: string;
  /** Its field with the reference, such as `backend.backend_id`. */
  readonly field: string;
}

export interface UsedByList {
  /** The resources that refer to this one, by descending ids: one for each field that does. */
  readonly used_by: readonly UsedBy[];
  /** URL of this page of the list. */
  readonly uri: string;
  /** URL of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

/** Another resource. */
export interface Ref {
  /** Its id. */
  readonly id: string;
  /** URL of the resource. */
  readonly uri: string;
}

export interface TunnelGroupBackend {
  /** Never changes, and is never given to anything else. */
  readonly id: string;
  /** URL of the resource. */
  readonly uri: string;
  /** Time of its creation. RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** A text for people. At most 255 bytes. */
  readonly description: string;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata: string;
  /** Labels, at least one. A tunnel belongs to the group when it carries every one of them. */
  readonly labels: Readonly<Record<string, string>>;
  /** The tunnels that are online and match, at this moment. */
  readonly tunnels: readonly Ref[];
}

export interface TunnelGroupBackendList {
  /** Newest first. With a filter or a search they may be fewer than the limit, or none. */
  readonly backends: readonly TunnelGroupBackend[];
  /** URL of this page of the list. */
  readonly uri: string;
  /** URL of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface TunnelGroupBackendCreate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** Labels, at least one. A tunnel belongs to the group when it carries every one of them. */
  readonly labels: Readonly<Record<string, string>>;
}

export interface TunnelGroupBackendUpdate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** Labels, at least one. A tunnel belongs to the group when it carries every one of them. */
  readonly labels?: Readonly<Record<string, string>> | null;
}

export interface FailoverBackend {
  /** Never changes, and is never given to anything else. */
  readonly id: string;
  /** URL of the resource. */
  readonly uri: string;
  /** Time of its creation. RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** A text for people. At most 255 bytes. */
  readonly description: string;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata: string;
  /** The backends, in the order in which they are tried. */
  readonly backends: readonly string[];
}

export interface FailoverBackendList {
  /** Newest first. With a filter or a search they may be fewer than the limit, or none. */
  readonly backends: readonly FailoverBackend[];
  /** URL of this page of the list. */
  readonly uri: string;
  /** URL of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface FailoverBackendCreate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** The backends, in the order in which they are tried: at least one, at most 32, none of them failover. */
  readonly backends: readonly string[];
}

export interface FailoverBackendUpdate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** The backends, in the order in which they are tried: at least one, at most 32, none of them failover. */
  readonly backends?: readonly string[] | null;
}

export interface WeightedBackend {
  /** Never changes, and is never given to anything else. */
  readonly id: string;
  /** URL of the resource. */
  readonly uri: string;
  /** Time of its creation. RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** A text for people. At most 255 bytes. */
  readonly description: string;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata: string;
  /** Weights by the id of the backend. */
  readonly backends: Readonly<Record<string, number>>;
}

export interface WeightedBackendList {
  /** Newest first. With a filter or a search they may be fewer than the limit, or none. */
  readonly backends: readonly WeightedBackend[];
  /** URL of this page of the list. */
  readonly uri: string;
  /** URL of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface WeightedBackendCreate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** Weights by the id of the backend: at least one, at most 32; none of the backends failover or weighted. A backend of weight 0 gets no traffic; when all have that, nothing is served. */
  readonly backends: Readonly<Record<string, number>>;
}

export interface WeightedBackendUpdate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** Weights by the id of the backend: at least one, at most 32; none of the backends failover or weighted. A backend of weight 0 gets no traffic; when all have that, nothing is served. */
  readonly backends?: Readonly<Record<string, number>> | null;
}

export interface StaticBackend {
  /** Never changes, and is never given to anything else. */
  readonly id: string;
  /** URL of the resource. */
  readonly uri: string;
  /** Time of its creation. RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** A text for people. At most 255 bytes. */
  readonly description: string;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata: string;
  /** The address to dial: host:port; the host is a name or a public IP address, IPv6 in brackets. The addresses of a name are checked when it is dialled. */
  readonly address: string;
  /** The encryption of its connections. */
  readonly tls: StaticBackendTls;
}

export interface StaticBackendList {
  /** Newest first. With a filter or a search they may be fewer than the limit, or none. */
  readonly backends: readonly StaticBackend[];
  /** URL of this page of the list. */
  readonly uri: string;
  /** URL of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface StaticBackendCreate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** The address to dial: host:port; the host is a name or a public IP address, IPv6 in brackets. The addresses of a name are checked when it is dialled. */
  readonly address: string;
  /** The encryption of its connections. */
  readonly tls?: StaticBackendTlsMutate | null;
}

export interface StaticBackendUpdate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** The address to dial: host:port; the host is a name or a public IP address, IPv6 in brackets. The addresses of a name are checked when it is dialled. */
  readonly address?: string | null;
  /** The encryption of its connections. */
  readonly tls?: StaticBackendTlsMutate | null;
}

/** The backend that serves visitors. */
export interface EndpointBackend {
  /** false turns the module off. */
  readonly enabled: boolean;
  /** The backend. */
  readonly backend: Ref;
}

/** Addresses of visitors that are served. */
export interface EndpointIPPolicy {
  /** false turns the module off. */
  readonly enabled: boolean;
  /** The IP policies. */
  readonly ip_policies: readonly Ref[];
}

/** Client certificates that visitors must show. */
export interface EndpointMutualTLS {
  /** false turns the module off. */
  readonly enabled: boolean;
  /** The authorities that may have signed them. */
  readonly certificate_authorities: readonly Ref[];
}

/** Termination of the visitors' TLS: by the edge, or behind it. */
export interface EndpointTLSTermination {
  /** false turns the module off. */
  readonly enabled: boolean;
  /** "edge": the edge ends TLS. "upstream": it is passed through. */
  readonly terminate_at: string;
  /** The oldest version of TLS; empty for the default, null with terminate_at "upstream". */
  readonly min_version: string | null;
}

/** The backend that serves visitors. */
export interface EndpointBackendMutate {
  /** false turns the module off. Default: true. */
  readonly enabled?: boolean | null;
  /** The backend. */
  readonly backend_id: string;
}

/** Addresses of visitors that are served. */
export interface EndpointIPPolicyMutate {
  /** false turns the module off. Default: true. */
  readonly enabled?: boolean | null;
  /** The IP policies, at least one. All of their rules count together. */
  readonly ip_policy_ids: readonly string[];
}

/** Client certificates that visitors must show. */
export interface EndpointMutualTLSMutate {
  /** false turns the module off. Default: true. */
  readonly enabled?: boolean | null;
  /** The authorities that may have signed them. Without any, none is accepted. */
  readonly certificate_authority_ids?: readonly string[] | null;
}

/** Termination of the visitors' TLS: by the edge, or behind it. */
export interface EndpointTLSTerminationMutate {
  /** false turns the module off. Default: true. */
  readonly enabled?: boolean | null;
  /** "edge": the edge ends TLS. "upstream": it is passed through. Default: "upstream". */
  readonly terminate_at?: 'edge' | 'upstream' | null;
  /** The oldest version of TLS that is accepted; empty for a safe default. Only with terminate_at "edge". */
  readonly min_version?: '' | '1.0' | '1.1' | '1.2' | '1.3' | null;
}

export interface TLSEdge {
  /** Never changes, and is never given to anything else. */
  readonly id: string;
  /** A text for people. At most 255 bytes. */
  readonly description: string;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata: string;
  /** Time of its creation. RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** URL of the resource. */
  readonly uri: string;
  /** Its reserved domains with port 443 or the port of the base URL, which mean the same. */
  readonly hostports: readonly string[];
  /** The backend that serves visitors. */
  readonly backend: EndpointBackend | null;
  /** Addresses of visitors that are served. */
  readonly ip_restriction: EndpointIPPolicy | null;
  /** Client certificates that visitors must show. */
  readonly mutual_tls: EndpointMutualTLS | null;
  /** Termination of the visitors' TLS: by the edge, or behind it. */
  readonly tls_termination: EndpointTLSTermination | null;
}

export interface TLSEdgeList {
  /** Newest first. With a filter or a search they may be fewer than the limit, or none. */
  readonly tls_edges: readonly TLSEdge[];
  /** URL of this page of the list. */
  readonly uri: string;
  /** URL of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface TLSEdgeCreate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** Its reserved domains with port 443 or the port of the base URL, which mean the same. */
  readonly hostports?: readonly string[] | null;
  /** The backend that serves visitors. */
  readonly backend?: EndpointBackendMutate | null;
  /** Addresses of visitors that are served. */
  readonly ip_restriction?: EndpointIPPolicyMutate | null;
  /** Client certificates that visitors must show. */
  readonly mutual_tls?: EndpointMutualTLSMutate | null;
  /** Termination of the visitors' TLS: by the edge, or behind it. */
  readonly tls_termination?: EndpointTLSTerminationMutate | null;
}

export interface TLSEdgeUpdate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** Its reserved domains with port 443 or the port of the base URL, which mean the same. */
  readonly hostports?: readonly string[] | null;
  /** The backend that serves visitors. */
  readonly backend?: EndpointBackendMutate | null;
  /** Addresses of visitors that are served. */
  readonly ip_restriction?: EndpointIPPolicyMutate | null;
  /** Client certificates that visitors must show. */
  readonly mutual_tls?: EndpointMutualTLSMutate | null;
  /** Termination of the visitors' TLS: by the edge, or behind it. */
  readonly tls_termination?: EndpointTLSTerminationMutate | null;
}

/** Termination of the visitors' TLS by the edge. */
export interface EndpointTLSTerminationAtEdge {
  /** false turns the module off. */
  readonly enabled: boolean;
  /** Always "edge". */
  readonly terminate_at: string;
  /** The oldest version of TLS that is accepted; empty for a safe default. */
  readonly min_version: string;
}

/** Stops sending requests to a backend that keeps failing, for a while. */
export interface EndpointCircuitBreaker {
  /** false turns the module off. */
  readonly enabled: boolean;
  /** Seconds until an open circuit is tried again; 0 for 10. */
  readonly tripped_duration: number;
  /** Seconds over which answers are counted; 0 for 10. */
  readonly rolling_window: number;
  /** Parts of the window; 0 for 10. */
  readonly num_buckets: number;
  /** Requests in the window below which the circuit stays closed; 0 for 20. */
  readonly volume_threshold: number;
  /** Share of answers with a status of 500 or above from which on the circuit opens; 0: it never does. */
  readonly error_threshold_percentage: number;
}

/** Compresses answers for visitors who take that. */
export interface EndpointCompression {
  /** false turns the module off. */
  readonly enabled: boolean;
}

/** Headers that are added to requests, and taken off them, before the backend gets them. */
export interface EndpointRequestHeaders {
  /** false turns the module off. */
  readonly enabled: boolean;
  /** Headers that are added; names in lower case. */
  readonly add: Readonly<Record<string, string>>;
  /** Names of headers that are removed, in lower case. */
  readonly remove: readonly string[];
}

/** Headers that are added to answers, and taken off them, before the visitor gets them. */
export interface EndpointResponseHeaders {
  /** false turns the module off. */
  readonly enabled: boolean;
  /** Headers that are added; names in lower case. */
  readonly add: Readonly<Record<string, string>>;
  /** Names of headers that are removed, in lower case. */
  readonly remove: readonly string[];
}

/** Serves only requests that the sender of webhooks has signed with the secret, as a whole and lately. */
export interface EndpointWebhookValidation {
  /** false turns the module off. */
  readonly enabled: boolean;
  /** The sender of the requests. */
  readonly provider: string;
  /** Always "". */
  readonly secret: string;
}

/** Serves only users whom an identity provider vouches for. */
export interface EndpointSAML {
  /** false turns the module off. */
  readonly enabled: boolean;
  /** True if OPTIONS requests are served without a login, as CORS needs it. */
  readonly options_passthrough: boolean;
  /** Beginning of the session cookie's name: letters, digits and dots. Empty for the default, which alone makes browsers accept the cookie from no other name below the domain. At most 64 bytes. */
  readonly cookie_prefix: string;
  /** Seconds without a request after which a user must log in again; 0 for never. */
  readonly inactivity_timeout: number;
  /** Seconds after which a user must log in again; 0 for the default, 14 days. */
  readonly maximum_duration: number;
  /** The XML document EntityDescriptor of the identity provider; this or idp_metadata_url. Shown as "" where that is given. At most 131072 bytes. */
  readonly idp_metadata: string;
  /** The https URL of that document. It is fetched now and about once an hour; the last valid document stays until there is a newer one. At most 2048 bytes. */
  readonly idp_metadata_url: string;
  /** True if users must log in again even if the provider knows them. */
  readonly force_authn: boolean;
  /** True if a login may begin at the identity provider. */
  readonly allow_idp_initiated: boolean;
  /** Groups whose members are served, by the attributes of group_attributes. Empty for every user who can log in. */
  readonly authorized_groups: readonly string[];
  /** The attributes of the assertion that name the groups of a user. Empty for the usual ones. These are groups, memberOf, member, role, roles and group in any case, the group and role claims of Microsoft and ADFS, and the object identifiers of isMemberOf and eduPersonEntitlement. */
  readonly group_attributes: readonly string[];
  /** The entity id of this service: the same as metadata_url. */
  readonly entity_id: string;
  /** URL to which the identity provider sends users. */
  readonly assertion_consumer_service_url: string;
  /** URL to which the identity provider reports that a user has logged out. */
  readonly single_logout_url: string;
  /** Certificate for the signatures of requests to the identity provider. It stays as long as the module is set, also if the module is replaced. */
  readonly request_signing_certificate_pem: string;
  /** URL of this service's metadata for the identity provider. */
  readonly metadata_url: string;
  /** Format of the users' names, "unspecified" for any; empty for the default. */
  readonly nameid_format: string;
}

/** Serves only users whom an OpenID Connect provider vouches for. */
export interface EndpointOIDC {
  /** false turns the module off. */
  readonly enabled: boolean;
  /** True if OPTIONS requests are served without a login, as CORS needs it. */
  readonly options_passthrough: boolean;
  /** Beginning of the session cookie's name: letters, digits and dots. Empty for the default, which alone makes browsers accept the cookie from no other name below the domain. At most 64 bytes. */
  readonly cookie_prefix: string;
  /** Seconds without a request after which a user must log in again; 0 for never. */
  readonly inactivity_timeout: number;
  /** Seconds after which a user must log in again; 0 for the default, 14 days. */
  readonly maximum_duration: number;
  /** Needed. The https URL of the provider, below which its metadata is (/.well-known/openid-configuration). It is compared with that metadata at each write, and refused if no login can succeed. One that cannot be reached then is accepted. At most 255 bytes. */
  readonly issuer: string;
  /** Needed. The client id of this service at the provider. Its redirect URI is "https://<name>/underpass/callback", and that after a logout "https://<name>/underpass/logout". At most 255 bytes. */
  readonly client_id: string;
  /** Always "". */
  readonly client_secret: string;
  /** Scopes that the service requests beside "openid"; empty for "profile" and "email". */
  readonly scopes: readonly string[];
}

/** A client at the provider, and whom of its users it is for. */
export interface EndpointOAuthGitHubClient {
  /** The client id of this service at the provider. */
  readonly client_id: string;
  /** Always "". */
  readonly client_secret: string;
  /** Scopes that the service requests from the provider. */
  readonly scopes: readonly string[];
  /** Users with these addresses are served. */
  readonly email_addresses: readonly string[];
  /** Users with addresses in these domains are served. */
  readonly email_domains: readonly string[];
  /** Members of these teams are served. */
  readonly teams: readonly string[];
  /** Members of these organizations are served. */
  readonly organizations: readonly string[];
}

/** A client at the provider, and whom of its users it is for. */
export interface EndpointOAuthClient {
  /** The client id of this service at the provider. */
  readonly client_id: string;
  /** Always "". */
  readonly client_secret: string;
  /** Scopes that the service requests from the provider. */
  readonly scopes: readonly string[];
  /** Users with these addresses are served. */
  readonly email_addresses: readonly string[];
  /** Users with addresses in these domains are served. */
  readonly email_domains: readonly string[];
}

/** Serves only users whom a provider that is known by its name vouches for. */
export interface EndpointOAuth {
  /** false turns the module off. */
  readonly enabled: boolean;
  /** True if OPTIONS requests are served without a login, as CORS needs it. */
  readonly options_passthrough: boolean;
  /** Beginning of the session cookie's name: letters, digits and dots. Empty for the default, which alone makes browsers accept the cookie from no other name below the domain. At most 64 bytes. */
  readonly cookie_prefix: string;
  /** Seconds without a request after which a user must log in again; 0 for never. */
  readonly inactivity_timeout: number;
  /** Seconds after which a user must log in again; 0 for the default, 14 days. */
  readonly maximum_duration: number;
  /** All but one are null. */
  readonly provider: EndpointOAuthProvider;
  /** Seconds until the provider is queried again about a logged-in user; 0 for never. */
  readonly auth_check_interval: number;
}

/** Takes the messages of WebSockets apart for a backend that speaks TCP, and sends back binary ones. */
export interface EndpointWebsocketTCPConverter {
  /** false turns the module off. */
  readonly enabled: boolean;
}

/** Programs that are served, by their User-Agent header. */
export interface EndpointUserAgentFilter {
  /** false turns the module off. */
  readonly enabled: boolean;
  /** Served even when a pattern of "deny" is found too. */
  readonly allow: readonly string[];
  /** Not served. */
  readonly deny: readonly string[];
}

/** Stops sending requests to a backend that keeps failing, for a while. */
export interface EndpointCircuitBreakerMutate {
  /** false turns the module off. Default: true. */
  readonly enabled?: boolean | null;
  /** Seconds until an open circuit is tried again; 0 for 10. Default: 0. */
  readonly tripped_duration?: number | null;
  /** Seconds over which answers are counted; 0 for 10. Default: 0. */
  readonly rolling_window?: number | null;
  /** Parts of the window; 0 for 10. Default: 0. */
  readonly num_buckets?: number | null;
  /** Requests in the window below which the circuit stays closed; 0 for 20. Default: 0. */
  readonly volume_threshold?: number | null;
  /** Share of answers with a status of 500 or above from which on the circuit opens; 0: it never does. Default: 0. */
  readonly error_threshold_percentage?: number | null;
}

/** Compresses answers for visitors who take that. */
export interface EndpointCompressionMutate {
  /** false turns the module off. Default: true. */
  readonly enabled?: boolean | null;
}

/** Headers that are added to requests, and taken off them, before the backend gets them. */
export interface EndpointRequestHeadersMutate {
  /** false turns the module off. Default: true. */
  readonly enabled?: boolean | null;
  /** Headers to add, at most 5; one that is also removed is replaced. */
  readonly add?: Readonly<Record<string, string>> | null;
  /** Names of headers to remove, in any case. */
  readonly remove?: readonly string[] | null;
}

/** Headers that are added to answers, and taken off them, before the visitor gets them. */
export interface EndpointResponseHeadersMutate {
  /** false turns the module off. Default: true. */
  readonly enabled?: boolean | null;
  /** Headers to add, at most 5; one that is also removed is replaced. */
  readonly add?: Readonly<Record<string, string>> | null;
  /** Names of headers to remove, in any case. */
  readonly remove?: readonly string[] | null;
}

/** Serves only requests that the sender of webhooks has signed with the secret, as a whole and lately. */
export interface EndpointWebhookValidationMutate {
  /** false turns the module off. Default: true. */
  readonly enabled?: boolean | null;
  /** The sender of the requests. */
  readonly provider:
    | 'aftership'
    | 'airship'
    | 'alchemy'
    | 'autodesk'
    | 'bitbucket'
    | 'bolt'
    | 'box'
    | 'brex'
    | 'buildkite'
    | 'calendly'
    | 'castle'
    | 'chargify'
    | 'circleci'
    | 'clearbit'
    | 'clerk'
    | 'coinbase'
    | 'contentful'
    | 'docusign'
    | 'dropbox'
    | 'facebook_graph_api'
    | 'facebook_messenger'
    | 'frameio'
    | 'github'
    | 'gitlab'
    | 'heroku'
    | 'hubspot'
    | 'instagram'
    | 'intercom'
    | 'launch_darkly'
    | 'microsoft_teams'
    | 'modern_treasury'
    | 'mongodb'
    | 'mux'
    | 'orb'
    | 'pagerduty'
    | 'pinwheel'
    | 'pusher'
    | 'sentry'
    | 'shopify'
    | 'slack'
    | 'sonatype'
    | 'square'
    | 'stripe'
    | 'svix'
    | 'terraform'
    | 'tiktok'
    | 'twilio'
    | 'twitter'
    | 'typeform'
    | 'webex'
    | 'whatsapp'
    | 'worldline'
    | 'xero'
    | 'zendesk'
    | 'zoom'
    | 'AFTERSHIP'
    | 'AIRSHIP'
    | 'ALCHEMY'
    | 'AUTODESK'
    | 'BITBUCKET'
    | 'BOLT'
    | 'BOX'
    | 'BREX'
    | 'BUILDKITE'
    | 'CALENDLY'
    | 'CASTLE'
    | 'CHARGIFY'
    | 'CIRCLECI'
    | 'CLEARBIT'
    | 'CLERK'
    | 'COINBASE'
    | 'CONTENTFUL'
    | 'DOCUSIGN'
    | 'DROPBOX'
    | 'FACEBOOK_GRAPH_API'
    | 'FACEBOOK_MESSENGER'
    | 'FRAMEIO'
    | 'GITHUB'
    | 'GITLAB'
    | 'HEROKU'
    | 'HUBSPOT'
    | 'INSTAGRAM'
    | 'INTERCOM'
    | 'LAUNCH_DARKLY'
    | 'MICROSOFT_TEAMS'
    | 'MODERN_TREASURY'
    | 'MONGODB'
    | 'MUX'
    | 'ORB'
    | 'PAGERDUTY'
    | 'PINWHEEL'
    | 'PUSHER'
    | 'SENTRY'
    | 'SHOPIFY'
    | 'SLACK'
    | 'SONATYPE'
    | 'SQUARE'
    | 'STRIPE'
    | 'SVIX'
    | 'TERRAFORM'
    | 'TIKTOK'
    | 'TWILIO'
    | 'TWITTER'
    | 'TYPEFORM'
    | 'WEBEX'
    | 'WHATSAPP'
    | 'WORLDLINE'
    | 'XERO'
    | 'ZENDESK'
    | 'ZOOM';
  /** Needed: what the sender signs with; of brex, clerk, microsoft_teams and svix base64. Shown as "". A change that leaves it out keeps it, as long as the provider stays. At most 512 bytes. */
  readonly secret?: string | null;
}

/** Serves only users whom an identity provider vouches for. */
export interface EndpointSAMLMutate {
  /** false turns the module off. Default: true. */
  readonly enabled?: boolean | null;
  /** True if OPTIONS requests are served without a login, as CORS needs it. Default: false. */
  readonly options_passthrough?: boolean | null;
  /** Beginning of the session cookie's name: letters, digits and dots. Empty for the default, which alone makes browsers accept the cookie from no other name below the domain. At most 64 bytes. */
  readonly cookie_prefix?: string | null;
  /** Seconds without a request after which a user must log in again; 0 for never. Default: 0. */
  readonly inactivity_timeout?: number | null;
  /** Seconds after which a user must log in again; 0 for the default, 14 days. Default: 0. */
  readonly maximum_duration?: number | null;
  /** The XML document EntityDescriptor of the identity provider; this or idp_metadata_url. Shown as "" where that is given. At most 131072 bytes. */
  readonly idp_metadata?: string | null;
  /** The https URL of that document. It is fetched now and about once an hour; the last valid document stays until there is a newer one. At most 2048 bytes. */
  readonly idp_metadata_url?: string | null;
  /** True if users must log in again even if the provider knows them. Default: false. */
  readonly force_authn?: boolean | null;
  /** True if a login may begin at the identity provider. Default: true. */
  readonly allow_idp_initiated?: boolean | null;
  /** Groups whose members are served, by the attributes of group_attributes. Empty for every user who can log in. */
  readonly authorized_groups?: readonly string[] | null;
  /** The attributes of the assertion that name the groups of a user. Empty for the usual ones. These are groups, memberOf, member, role, roles and group in any case, the group and role claims of Microsoft and ADFS, and the object identifiers of isMemberOf and eduPersonEntitlement. */
  readonly group_attributes?: readonly string[] | null;
  /** Format of the users' names, "unspecified" for any; empty for the default. Default: "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent". */
  readonly nameid_format?:
    | ''
    | 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'
    | 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'
    | 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'
    | 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified'
    | null;
}

/** Serves only users whom an OpenID Connect provider vouches for. */
export interface EndpointOIDCMutate {
  /** false turns the module off. Default: true. */
  readonly enabled?: boolean | null;
  /** True if OPTIONS requests are served without a login, as CORS needs it. Default: false. */
  readonly options_passthrough?: boolean | null;
  /** Beginning of the session cookie's name: letters, digits and dots. Empty for the default, which alone makes browsers accept the cookie from no other name below the domain. At most 64 bytes. */
  readonly cookie_prefix?: string | null;
  /** Seconds without a request after which a user must log in again; 0 for never. Default: 0. */
  readonly inactivity_timeout?: number | null;
  /** Seconds after which a user must log in again; 0 for the default, 14 days. Default: 0. */
  readonly maximum_duration?: number | null;
  /** Needed. The https URL of the provider, below which its metadata is (/.well-known/openid-configuration). It is compared with that metadata at each write, and refused if no login can succeed. One that cannot be reached then is accepted. At most 255 bytes. */
  readonly issuer?: string | null;
  /** Needed. The client id of this service at the provider. Its redirect URI is "https://<name>/underpass/callback", and that after a logout "https://<name>/underpass/logout". At most 255 bytes. */
  readonly client_id?: string | null;
  /** Needed. Shown as "". A change that leaves it out keeps it, as long as issuer and client_id stay. At most 512 bytes. */
  readonly client_secret?: string | null;
  /** Scopes that the service requests beside "openid"; empty for "profile" and "email". */
  readonly scopes?: readonly string[] | null;
}

/** Serves only users whom a provider that is known by its name vouches for. */
export interface EndpointOAuthMutate {
  /** false turns the module off. Default: true. */
  readonly enabled?: boolean | null;
  /** True if OPTIONS requests are served without a login, as CORS needs it. Default: false. */
  readonly options_passthrough?: boolean | null;
  /** Beginning of the session cookie's name: letters, digits and dots. Empty for the default, which alone makes browsers accept the cookie from no other name below the domain. At most 64 bytes. */
  readonly cookie_prefix?: string | null;
  /** Seconds without a request after which a user must log in again; 0 for never. Default: 0. */
  readonly inactivity_timeout?: number | null;
  /** Seconds after which a user must log in again; 0 for the default, 14 days. Default: 0. */
  readonly maximum_duration?: number | null;
  /** Needed. Exactly one of these. */
  readonly provider?: EndpointOAuthProviderMutate | null;
  /** Seconds until the provider is queried again about a logged-in user; 0 for never. Default: 0. */
  readonly auth_check_interval?: number | null;
}

/** Takes the messages of WebSockets apart for a backend that speaks TCP, and sends back binary ones. */
export interface EndpointWebsocketTCPConverterMutate {
  /** false turns the module off. Default: true. */
  readonly enabled?: boolean | null;
}

/** Programs that are served, by their User-Agent header. */
export interface EndpointUserAgentFilterMutate {
  /** false turns the module off. Default: true. */
  readonly enabled?: boolean | null;
  /** Served even when a pattern of "deny" is found too. */
  readonly allow?: readonly string[] | null;
  /** Not served. */
  readonly deny?: readonly string[] | null;
}

export interface HTTPSEdgeRoute {
  /** The edge that it belongs to. */
  readonly edge_id: string;
  /** Never changes, and is never given to anything else. */
  readonly id: string;
  /** URL of the resource. */
  readonly uri: string;
  /** Time of its creation. RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** A text for people. At most 255 bytes. */
  readonly description: string;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata: string;
  /** The comparison of paths: exact_path goes before path_prefix, a longer prefix before a shorter one. A prefix is one of characters, not of segments: "/admin" matches "/administrator", "/admin/" does not. */
  readonly match_type: string;
  /** The path of a request, or its beginning, percent-decoded and without dot segments. Unique within the edge. The service refuses a path (60251) if a server could read it as one of a route with a guard that the matching route lacks. At most 512 bytes. */
  readonly match: string;
  /** The backend that serves visitors. */
  readonly backend: EndpointBackend | null;
  /** Addresses of visitors that are served. */
  readonly ip_restriction: EndpointIPPolicy | null;
  /** Stops sending requests to a backend that keeps failing, for a while. */
  readonly circuit_breaker: EndpointCircuitBreaker | null;
  /** Compresses answers for visitors who take that. */
  readonly compression: EndpointCompression | null;
  /** Headers that are added to requests, and taken off them, before the backend gets them. */
  readonly request_headers: EndpointRequestHeaders | null;
  /** Headers that are added to answers, and taken off them, before the visitor gets them. */
  readonly response_headers: EndpointResponseHeaders | null;
  /** Serves only requests that the sender of webhooks has signed with the secret, as a whole and lately. */
  readonly webhook_verification: EndpointWebhookValidation | null;
  /** Serves only users whom an identity provider vouches for. */
  readonly saml: EndpointSAML | null;
  /** Serves only users whom an OpenID Connect provider vouches for. */
  readonly oidc: EndpointOIDC | null;
  /** Serves only users whom a provider that is known by its name vouches for. */
  readonly oauth: EndpointOAuth | null;
  /** Takes the messages of WebSockets apart for a backend that speaks TCP, and sends back binary ones. */
  readonly websocket_tcp_converter: EndpointWebsocketTCPConverter | null;
  /** Programs that are served, by their User-Agent header. */
  readonly user_agent_filter: EndpointUserAgentFilter | null;
}

/** Termination of the visitors' TLS by the edge. */
export interface EndpointTLSTerminationAtEdgeMutate {
  /** false turns the module off. Default: true. */
  readonly enabled?: boolean | null;
  /** Cannot be given: an HTTPS edge always ends TLS itself. */
  readonly terminate_at?: string | null;
  /** The oldest version of TLS that is accepted; empty for a safe default. */
  readonly min_version?: '' | '1.0' | '1.1' | '1.2' | '1.3' | null;
}

export interface HTTPSEdge {
  /** Never changes, and is never given to anything else. */
  readonly id: string;
  /** URL of the resource. */
  readonly uri: string;
  /** Time of its creation. RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** A text for people. At most 255 bytes. */
  readonly description: string;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata: string;
  /** Its reserved domains with port 443 or the port of the base URL, which mean the same. */
  readonly hostports: readonly string[];
  /** Client certificates that visitors must show. */
  readonly mutual_tls: EndpointMutualTLS | null;
  /** Termination of the visitors' TLS by the edge. */
  readonly tls_termination: EndpointTLSTerminationAtEdge | null;
  /** Its routes, newest first. */
  readonly routes: readonly HTTPSEdgeRoute[];
}

export interface HTTPSEdgeList {
  /** Newest first. With a filter or a search they may be fewer than the limit, or none. */
  readonly https_edges: readonly HTTPSEdge[];
  /** URL of this page of the list. */
  readonly uri: string;
  /** URL of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface HTTPSEdgeCreate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** Its reserved domains with port 443 or the port of the base URL, which mean the same. */
  readonly hostports?: readonly string[] | null;
  /** Client certificates that visitors must show. */
  readonly mutual_tls?: EndpointMutualTLSMutate | null;
  /** Termination of the visitors' TLS by the edge. */
  readonly tls_termination?: EndpointTLSTerminationAtEdgeMutate | null;
}

export interface HTTPSEdgeUpdate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** Its reserved domains with port 443 or the port of the base URL, which mean the same. */
  readonly hostports?: readonly string[] | null;
  /** Client certificates that visitors must show. */
  readonly mutual_tls?: EndpointMutualTLSMutate | null;
  /** Termination of the visitors' TLS by the edge. */
  readonly tls_termination?: EndpointTLSTerminationAtEdgeMutate | null;
}

export interface HTTPSEdgeRouteCreate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** The comparison of paths: exact_path goes before path_prefix, a longer prefix before a shorter one. A prefix is one of characters, not of segments: "/admin" matches "/administrator", "/admin/" does not. */
  readonly match_type: 'exact_path' | 'path_prefix';
  /** The path of a request, or its beginning, percent-decoded and without dot segments. Unique within the edge. The service refuses a path (60251) if a server could read it as one of a route with a guard that the matching route lacks. At most 512 bytes. */
  readonly match: string;
  /** The backend that serves visitors. */
  readonly backend?: EndpointBackendMutate | null;
  /** Addresses of visitors that are served. */
  readonly ip_restriction?: EndpointIPPolicyMutate | null;
  /** Stops sending requests to a backend that keeps failing, for a while. */
  readonly circuit_breaker?: EndpointCircuitBreakerMutate | null;
  /** Compresses answers for visitors who take that. */
  readonly compression?: EndpointCompressionMutate | null;
  /** Headers that are added to requests, and taken off them, before the backend gets them. */
  readonly request_headers?: EndpointRequestHeadersMutate | null;
  /** Headers that are added to answers, and taken off them, before the visitor gets them. */
  readonly response_headers?: EndpointResponseHeadersMutate | null;
  /** Serves only requests that the sender of webhooks has signed with the secret, as a whole and lately. */
  readonly webhook_verification?: EndpointWebhookValidationMutate | null;
  /** Serves only users whom an identity provider vouches for. */
  readonly saml?: EndpointSAMLMutate | null;
  /** Serves only users whom an OpenID Connect provider vouches for. */
  readonly oidc?: EndpointOIDCMutate | null;
  /** Serves only users whom a provider that is known by its name vouches for. */
  readonly oauth?: EndpointOAuthMutate | null;
  /** Takes the messages of WebSockets apart for a backend that speaks TCP, and sends back binary ones. */
  readonly websocket_tcp_converter?: EndpointWebsocketTCPConverterMutate | null;
  /** Programs that are served, by their User-Agent header. */
  readonly user_agent_filter?: EndpointUserAgentFilterMutate | null;
}

export interface HTTPSEdgeRouteUpdate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** The comparison of paths: exact_path goes before path_prefix, a longer prefix before a shorter one. A prefix is one of characters, not of segments: "/admin" matches "/administrator", "/admin/" does not. */
  readonly match_type?: 'exact_path' | 'path_prefix' | null;
  /** The path of a request, or its beginning, percent-decoded and without dot segments. Unique within the edge. The service refuses a path (60251) if a server could read it as one of a route with a guard that the matching route lacks. At most 512 bytes. */
  readonly match?: string | null;
  /** The backend that serves visitors. */
  readonly backend?: EndpointBackendMutate | null;
  /** Addresses of visitors that are served. */
  readonly ip_restriction?: EndpointIPPolicyMutate | null;
  /** Stops sending requests to a backend that keeps failing, for a while. */
  readonly circuit_breaker?: EndpointCircuitBreakerMutate | null;
  /** Compresses answers for visitors who take that. */
  readonly compression?: EndpointCompressionMutate | null;
  /** Headers that are added to requests, and taken off them, before the backend gets them. */
  readonly request_headers?: EndpointRequestHeadersMutate | null;
  /** Headers that are added to answers, and taken off them, before the visitor gets them. */
  readonly response_headers?: EndpointResponseHeadersMutate | null;
  /** Serves only requests that the sender of webhooks has signed with the secret, as a whole and lately. */
  readonly webhook_verification?: EndpointWebhookValidationMutate | null;
  /** Serves only users whom an identity provider vouches for. */
  readonly saml?: EndpointSAMLMutate | null;
  /** Serves only users whom an OpenID Connect provider vouches for. */
  readonly oidc?: EndpointOIDCMutate | null;
  /** Serves only users whom a provider that is known by its name vouches for. */
  readonly oauth?: EndpointOAuthMutate | null;
  /** Takes the messages of WebSockets apart for a backend that speaks TCP, and sends back binary ones. */
  readonly websocket_tcp_converter?: EndpointWebsocketTCPConverterMutate | null;
  /** Programs that are served, by their User-Agent header. */
  readonly user_agent_filter?: EndpointUserAgentFilterMutate | null;
}

export interface TCPEdge {
  /** Never changes, and is never given to anything else. */
  readonly id: string;
  /** URL of the resource. */
  readonly uri: string;
  /** Time of its creation. RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** A text for people. At most 255 bytes. */
  readonly description: string;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata: string;
  /** Its reserved addresses, all of one region. */
  readonly hostports: readonly string[];
  /** The backend that serves visitors. */
  readonly backend: EndpointBackend | null;
  /** Addresses of visitors that are served. */
  readonly ip_restriction: EndpointIPPolicy | null;
}

export interface TCPEdgeList {
  /** Newest first. With a filter or a search they may be fewer than the limit, or none. */
  readonly tcp_edges: readonly TCPEdge[];
  /** URL of this page of the list. */
  readonly uri: string;
  /** URL of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface TCPEdgeCreate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** Its reserved addresses, all of one region. */
  readonly hostports?: readonly string[] | null;
  /** The backend that serves visitors. */
  readonly backend?: EndpointBackendMutate | null;
  /** Addresses of visitors that are served. */
  readonly ip_restriction?: EndpointIPPolicyMutate | null;
}

export interface TCPEdgeUpdate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** Its reserved addresses, all of one region. */
  readonly hostports?: readonly string[] | null;
  /** The backend that serves visitors. */
  readonly backend?: EndpointBackendMutate | null;
  /** Addresses of visitors that are served. */
  readonly ip_restriction?: EndpointIPPolicyMutate | null;
}

export interface ReservedDomainResolvesTo {
  /** A region, or "global". */
  readonly value: 'au' | 'eu' | 'ap' | 'us' | 'jp' | 'in' | 'sa' | 'global';
}

export interface ReservedDomain {
  /** Never changes, and is never given to anything else. */
  readonly id: string;
  /** URL of the resource. */
  readonly uri: string;
  /** Time of its creation. RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** A text for people. At most 255 bytes. */
  readonly description: string;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata: string;
  /** The name. */
  readonly domain: string;
  /** The region that serves it. */
  readonly region: string;
  /** The target for the domain's CNAME record; null below the shared domain. */
  readonly cname_target: string | null;
  /** The endpoint configuration for HTTP. */
  readonly http_endpoint_configuration: Ref | null;
  /** The endpoint configuration for HTTPS. */
  readonly https_endpoint_configuration: Ref | null;
  /** The certificate that it is served with. */
  readonly certificate: Ref | null;
  /** A certificate that the service gets and renews; what is served before stays until it is there. Writing it again during DNS_ERROR retries at once. */
  readonly certificate_management_policy: ReservedDomainCertificateManagementPolicy | null;
  /** The progress of the service with it; null without a managed certificate. */
  readonly certificate_management_status: ReservedDomainCertificateManagementStatus | null;
  /** The target for the CNAME record "_acme-challenge." of a wildcard name, for certificates of it. */
  readonly acme_challenge_cname_target: string | null;
  /** Regions to whose addresses the name should resolve; empty for all. It has no effect with one region. */
  readonly resolves_to: readonly ReservedDomainResolvesTo[];
}

export interface ReservedDomainList {
  /** Newest first. With a filter or a search they may be fewer than the limit, or none. */
  readonly reserved_domains: readonly ReservedDomain[];
  /** URL of this page of the list. */
  readonly uri: string;
  /** URL of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface ReservedDomainCreate {
  /** A whole name such as "app.example.com" or "*.example.com", or one label below the shared domain. */
  readonly name?: string | null;
  /** A whole name; instead of "name". */
  readonly domain?: string | null;
  /** The region that serves it. Default: "us". */
  readonly region?: 'au' | 'eu' | 'ap' | 'us' | 'jp' | 'in' | 'sa' | null;
  /** Regions to whose addresses the name should resolve; empty for all. It has no effect with one region. */
  readonly resolves_to?: readonly ReservedDomainResolvesTo[] | null;
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** The certificate that it is served with: one that was uploaded, for the names that it covers; not for names below the shared domain. "" removes it. */
  readonly certificate_id?: string | null;
  /** A certificate that the service gets and renews; what is served before stays until it is there. Writing it again during DNS_ERROR retries at once. */
  readonly certificate_management_policy?: ReservedDomainCertificateManagementPolicyMutate | null;
}

export interface ReservedDomainUpdate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** The region that serves it. */
  readonly region?: 'au' | 'eu' | 'ap' | 'us' | 'jp' | 'in' | 'sa' | null;
  /** Regions to whose addresses the name should resolve; empty for all. It has no effect with one region. */
  readonly resolves_to?: readonly ReservedDomainResolvesTo[] | null;
  /** The certificate that it is served with: one that was uploaded, for the names that it covers; not for names below the shared domain. "" removes it. */
  readonly certificate_id?: string | null;
  /** A certificate that the service gets and renews; what is served before stays until it is there. Writing it again during DNS_ERROR retries at once. */
  readonly certificate_management_policy?: ReservedDomainCertificateManagementPolicyMutate | null;
  /** The endpoint configuration, of type http, for HTTP. "" detaches it. */
  readonly http_endpoint_configuration_id?: string | null;
  /** The endpoint configuration, of type https, for HTTPS. "" detaches it. */
  readonly https_endpoint_configuration_id?: string | null;
}

export interface ReservedDomainProof {
  /** True if the domain is served only with a proof. */
  readonly required: boolean;
  /** The proof: alias, of its target; addresses, those of the service; text, which names the account. Null without a proof. */
  readonly proven_by: string | null;
  /** Records of which one is enough; none below the shared domain, which the service has itself. */
  readonly records: readonly ReservedDomainProofRecords[];
  /** The present state of DNS. */
  readonly message: string;
}

/** A record, as it should be and as it is. */
export interface ReservedDomainCheckedRecord {
  /** Full name of the record. */
  readonly name: string;
  /** CNAME or TXT. */
  readonly type: string;
  /** Value that the record should have. */
  readonly value: string;
  /** Values that were found; of a CNAME the aliases, one after another. */
  readonly found: readonly string[];
  /** "unknown": no name server answered, so check again later. */
  readonly state: 'right' | 'wrong' | 'missing' | 'unknown';
}

export interface ReservedDomainCheck {
  /** True if visitors of the name come here. Null if that is unknown. */
  readonly leads_here: boolean | null;
  /** Addresses of the name, if it has others than the service and no alias. */
  readonly addresses: readonly string[];
  /** Records of which one is enough; none below the shared domain. */
  readonly records: readonly ReservedDomainCheckedRecord[];
  /** The present state of DNS, for people. */
  readonly message: string;
}

/** The progress of the service with it; null without a managed certificate. */
export interface ReservedDomainRenewal {
  /** Time at which the next renewal is requested. RFC 3339, UTC, whole seconds. */
  readonly renews_at: string | null;
  /** The job in progress; null if there is none. */
  readonly provisioning_job: ReservedDomainRenewalProvisioningJob | null;
}

export interface ReservedAddr {
  /** Never changes, and is never given to anything else. */
  readonly id: string;
  /** URL of the resource. */
  readonly uri: string;
  /** Time of its creation. RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** A text for people. At most 255 bytes. */
  readonly description: string;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata: string;
  /** The address: host:port, assigned at creation; the host contains the region unless it is us. */
  readonly addr: string;
  /** The region that serves it. */
  readonly region: string;
  /** The endpoint configuration. */
  readonly endpoint_configuration: Ref | null;
}

export interface ReservedAddrList {
  /** Newest first. With a filter or a search they may be fewer than the limit, or none. */
  readonly reserved_addrs: readonly ReservedAddr[];
  /** URL of this page of the list. */
  readonly uri: string;
  /** URL of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface ReservedAddrCreate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** The region that serves it. Default: "us". */
  readonly region?: 'au' | 'eu' | 'ap' | 'us' | 'jp' | 'in' | 'sa' | null;
}

export interface ReservedAddrUpdate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** The region that serves it. */
  readonly region?: 'au' | 'eu' | 'ap' | 'us' | 'jp' | 'in' | 'sa' | null;
  /** The endpoint configuration, of type tcp. "" detaches it. */
  readonly endpoint_configuration_id?: string | null;
}

/** Requires a login with a name and a password of the agent. */
export interface EndpointBasicAuth {
  /** false turns the module off. */
  readonly enabled: boolean;
  /** The party that knows the names and passwords: the agent. */
  readonly auth_provider_id: string;
  /** The realm of the login, as browsers show it. Empty for the default. At most 128 bytes. */
  readonly realm: string;
  /** True if OPTIONS requests are served without a login, as CORS needs it. */
  readonly allow_options: boolean;
}

/** Requires a login with a name and a password of the agent. */
export interface EndpointBasicAuthMutate {
  /** false turns the module off. Default: true. */
  readonly enabled?: boolean | null;
  /** The party that knows the names and passwords: the agent. Default: "agent". */
  readonly auth_provider_id?: '' | 'agent' | null;
  /** The realm of the login, as browsers show it. Empty for the default. At most 128 bytes. */
  readonly realm?: string | null;
  /** True if OPTIONS requests are served without a login, as CORS needs it. Default: false. */
  readonly allow_options?: boolean | null;
}

export interface EndpointConfiguration {
  /** Never changes, and is never given to anything else. */
  readonly id: string;
  /** URL of the resource. */
  readonly uri: string;
  /** Time of its creation. RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** A text for people. At most 255 bytes. */
  readonly description: string;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata: string;
  /** The kind of resource that it can be attached to. */
  readonly type: string;
  /** Requires a login with a name and a password of the agent. */
  readonly basic_auth: EndpointBasicAuth | null;
  /** Stops sending requests to a backend that keeps failing, for a while. */
  readonly circuit_breaker: EndpointCircuitBreaker | null;
  /** Compresses answers for visitors who take that. */
  readonly compression: EndpointCompression | null;
  /** Headers that are added to requests, and taken off them, before the backend gets them. */
  readonly request_headers: EndpointRequestHeaders | null;
  /** Headers that are added to answers, and taken off them, before the visitor gets them. */
  readonly response_headers: EndpointResponseHeaders | null;
  /** Addresses of visitors that are served. */
  readonly ip_policy: EndpointIPPolicy | null;
  /** Client certificates that visitors must show. */
  readonly mutual_tls: EndpointMutualTLS | null;
  /** Termination of the visitors' TLS: by the edge, or behind it. */
  readonly tls_termination: EndpointTLSTermination | null;
  /** Serves only requests that the sender of webhooks has signed with the secret, as a whole and lately. */
  readonly webhook_validation: EndpointWebhookValidation | null;
  /** Serves only users whom an identity provider vouches for. */
  readonly saml: EndpointSAML | null;
  /** Serves only users whom an OpenID Connect provider vouches for. */
  readonly oidc: EndpointOIDC | null;
  /** Serves only users whom a provider that is known by its name vouches for. */
  readonly oauth: EndpointOAuth | null;
  /** Takes the messages of WebSockets apart for a backend that speaks TCP, and sends back binary ones. */
  readonly websocket_tcp_converter: EndpointWebsocketTCPConverter | null;
  /** Programs that are served, by their User-Agent header. */
  readonly user_agent_filter: EndpointUserAgentFilter | null;
  /** The backend that serves visitors. */
  readonly backend: EndpointBackend | null;
}

export interface EndpointConfigurationList {
  /** Newest first. With a filter or a search they may be fewer than the limit, or none. */
  readonly endpoint_configurations: readonly EndpointConfiguration[];
  /** URL of this page of the list. */
  readonly uri: string;
  /** URL of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface EndpointConfigurationCreate {
  /** The kind of resource that it can be attached to. */
  readonly type: 'http' | 'https' | 'tcp';
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** Requires a login with a name and a password of the agent. */
  readonly basic_auth?: EndpointBasicAuthMutate | null;
  /** Stops sending requests to a backend that keeps failing, for a while. */
  readonly circuit_breaker?: EndpointCircuitBreakerMutate | null;
  /** Compresses answers for visitors who take that. */
  readonly compression?: EndpointCompressionMutate | null;
  /** Headers that are added to requests, and taken off them, before the backend gets them. */
  readonly request_headers?: EndpointRequestHeadersMutate | null;
  /** Headers that are added to answers, and taken off them, before the visitor gets them. */
  readonly response_headers?: EndpointResponseHeadersMutate | null;
  /** Addresses of visitors that are served. */
  readonly ip_policy?: EndpointIPPolicyMutate | null;
  /** Client certificates that visitors must show. */
  readonly mutual_tls?: EndpointMutualTLSMutate | null;
  /** Termination of the visitors' TLS: by the edge, or behind it. */
  readonly tls_termination?: EndpointTLSTerminationMutate | null;
  /** Serves only requests that the sender of webhooks has signed with the secret, as a whole and lately. */
  readonly webhook_validation?: EndpointWebhookValidationMutate | null;
  /** Serves only users whom an identity provider vouches for. */
  readonly saml?: EndpointSAMLMutate | null;
  /** Serves only users whom an OpenID Connect provider vouches for. */
  readonly oidc?: EndpointOIDCMutate | null;
  /** Serves only users whom a provider that is known by its name vouches for. */
  readonly oauth?: EndpointOAuthMutate | null;
  /** Takes the messages of WebSockets apart for a backend that speaks TCP, and sends back binary ones. */
  readonly websocket_tcp_converter?: EndpointWebsocketTCPConverterMutate | null;
  /** Programs that are served, by their User-Agent header. */
  readonly user_agent_filter?: EndpointUserAgentFilterMutate | null;
  /** The backend that serves visitors. */
  readonly backend?: EndpointBackendMutate | null;
}

export interface EndpointConfigurationUpdate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** Requires a login with a name and a password of the agent. */
  readonly basic_auth?: EndpointBasicAuthMutate | null;
  /** Stops sending requests to a backend that keeps failing, for a while. */
  readonly circuit_breaker?: EndpointCircuitBreakerMutate | null;
  /** Compresses answers for visitors who take that. */
  readonly compression?: EndpointCompressionMutate | null;
  /** Headers that are added to requests, and taken off them, before the backend gets them. */
  readonly request_headers?: EndpointRequestHeadersMutate | null;
  /** Headers that are added to answers, and taken off them, before the visitor gets them. */
  readonly response_headers?: EndpointResponseHeadersMutate | null;
  /** Addresses of visitors that are served. */
  readonly ip_policy?: EndpointIPPolicyMutate | null;
  /** Client certificates that visitors must show. */
  readonly mutual_tls?: EndpointMutualTLSMutate | null;
  /** Termination of the visitors' TLS: by the edge, or behind it. */
  readonly tls_termination?: EndpointTLSTerminationMutate | null;
  /** Serves only requests that the sender of webhooks has signed with the secret, as a whole and lately. */
  readonly webhook_validation?: EndpointWebhookValidationMutate | null;
  /** Serves only users whom an identity provider vouches for. */
  readonly saml?: EndpointSAMLMutate | null;
  /** Serves only users whom an OpenID Connect provider vouches for. */
  readonly oidc?: EndpointOIDCMutate | null;
  /** Serves only users whom a provider that is known by its name vouches for. */
  readonly oauth?: EndpointOAuthMutate | null;
  /** Takes the messages of WebSockets apart for a backend that speaks TCP, and sends back binary ones. */
  readonly websocket_tcp_converter?: EndpointWebsocketTCPConverterMutate | null;
  /** Programs that are served, by their User-Agent header. */
  readonly user_agent_filter?: EndpointUserAgentFilterMutate | null;
  /** The backend that serves visitors. */
  readonly backend?: EndpointBackendMutate | null;
}

export interface IPPolicy {
  /** Never changes, and is never given to anything else. */
  readonly id: string;
  /** URL of the resource. */
  readonly uri: string;
  /** Time of its creation. RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** A text for people. At most 255 bytes. */
  readonly description: string;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata: string;
}

export interface IPPolicyList {
  /** Newest first. With a filter or a search they may be fewer than the limit, or none. */
  readonly ip_policies: readonly IPPolicy[];
  /** URL of this page of the list. */
  readonly uri: string;
  /** URL of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface IPPolicyCreate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
}

export interface IPPolicyUpdate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
}

export interface IPPolicyRule {
  /** Never changes, and is never given to anything else. */
  readonly id: string;
  /** URL of the resource. */
  readonly uri: string;
  /** Time of its creation. RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** A text for people. At most 255 bytes. */
  readonly description: string;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata: string;
  /** An IPv4 or IPv6 range in CIDR notation, without host bits. */
  readonly cidr: string;
  /** The policy that it belongs to. */
  readonly ip_policy: Ref;
  /** The effect of the rule: it admits or refuses. */
  readonly action: string;
}

export interface IPPolicyRuleList {
  /** Newest first. With a filter or a search they may be fewer than the limit, or none. */
  readonly ip_policy_rules: readonly IPPolicyRule[];
  /** URL of this page of the list. */
  readonly uri: string;
  /** URL of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface IPPolicyRuleCreate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** An IPv4 or IPv6 range in CIDR notation, without host bits. */
  readonly cidr: string;
  /** The policy that it belongs to. */
  readonly ip_policy_id: string;
  /** The effect of the rule: it admits or refuses. */
  readonly action: 'allow' | 'deny';
}

export interface IPPolicyRuleUpdate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** An IPv4 or IPv6 range in CIDR notation, without host bits. */
  readonly cidr?: string | null;
}

export interface IPRestriction {
  /** Never changes, and is never given to anything else. */
  readonly id: string;
  /** URL of the resource. */
  readonly uri: string;
  /** Time of its creation. RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** A text for people. At most 255 bytes. */
  readonly description: string;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata: string;
  /** True if it refuses; false only logs what it would refuse. */
  readonly enforced: boolean;
  /** The restricted part: the console (dashboard), the API, the address that agents connect to, or the endpoints and edges of the account, for their visitors. Without an enforced one for the console, that of the API applies to it. */
  readonly type: string;
  /** The IP policies. */
  readonly ip_policies: readonly Ref[];
}

export interface IPRestrictionList {
  /** Newest first. With a filter or a search they may be fewer than the limit, or none. */
  readonly ip_restrictions: readonly IPRestriction[];
  /** URL of this page of the list. */
  readonly uri: string;
  /** URL of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface IPRestrictionCreate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** True if it refuses; false only logs what it would refuse. Default: false. */
  readonly enforced?: boolean | null;
  /** The restricted part: the console (dashboard), the API, the address that agents connect to, or the endpoints and edges of the account, for their visitors. Without an enforced one for the console, that of the API applies to it. */
  readonly type: 'dashboard' | 'api' | 'agent' | 'endpoints';
  /** The IP policies, at least one. All of their rules count together. */
  readonly ip_policy_ids: readonly string[];
}

export interface IPRestrictionUpdate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** True if it refuses; false only logs what it would refuse. */
  readonly enforced?: boolean | null;
  /** The IP policies, at least one. All of their rules count together. */
  readonly ip_policy_ids?: readonly string[] | null;
}

export interface CertificateAuthority {
  /** Never changes, and is never given to anything else. */
  readonly id: string;
  /** URL of the resource. */
  readonly uri: string;
  /** Time of its creation. RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** A text for people. At most 255 bytes. */
  readonly description: string;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata: string;
  /** One certificate in PEM, of a CA; an RSA key has at most 4096 bits. PKCS#7 and base64 without PEM are stored as PEM. At most 16384 bytes. */
  readonly ca_pem: string;
  /** The common name of the subject. */
  readonly subject_common_name: string;
  /** Start of its validity. RFC 3339, UTC, whole seconds. */
  readonly not_before: string;
  /** End of its validity. RFC 3339, UTC, whole seconds. */
  readonly not_after: string;
  /** Permitted uses of its key. */
  readonly key_usages: readonly string[];
  /** Permitted uses of the certificate. */
  readonly extended_key_usages: readonly string[];
}

export interface CertificateAuthorityList {
  /** Newest first. With a filter or a search they may be fewer than the limit, or none. */
  readonly certificate_authorities: readonly CertificateAuthority[];
  /** URL of this page of the list. */
  readonly uri: string;
  /** URL of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface CertificateAuthorityCreate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** One certificate in PEM, of a CA; an RSA key has at most 4096 bits. PKCS#7 and base64 without PEM are stored as PEM. At most 16384 bytes. */
  readonly ca_pem: string;
}

export interface CertificateAuthorityUpdate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
}

export interface TLSCertificate {
  /** Never changes, and is never given to anything else. */
  readonly id: string;
  /** URL of the resource. */
  readonly uri: string;
  /** Time of its creation. RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** A text for people. At most 255 bytes. */
  readonly description: string;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata: string;
  /** The leaf, then its intermediates, in PEM. PKCS#7 and base64 without PEM are stored as PEM. At most 65536 bytes. */
  readonly certificate_pem: string;
  /** The common name of the subject. */
  readonly subject_common_name: string;
  /** Start of its validity. RFC 3339, UTC, whole seconds. */
  readonly not_before: string;
  /** End of its validity. RFC 3339, UTC, whole seconds. */
  readonly not_after: string;
  /** Permitted uses of its key. */
  readonly key_usages: readonly string[];
  /** Permitted uses of the certificate. */
  readonly extended_key_usages: readonly string[];
  /** The names and addresses that it is valid for. */
  readonly subject_alternative_names: TLSCertificateSubjectAlternativeNames;
  /** The type of its key: rsa, ecdsa or ed25519. */
  readonly private_key_type: string;
  /** The common name of the issuer. */
  readonly issuer_common_name: string;
  /** Its serial number, in lower-case hex. */
  readonly serial_number: string;
  /** The organization of the subject. */
  readonly subject_organization: string;
  /** The organizational unit of the subject. */
  readonly subject_organizational_unit: string;
  /** The locality of the subject. */
  readonly subject_locality: string;
  /** The province of the subject. */
  readonly subject_province: string;
  /** The country of the subject. */
  readonly subject_country: string;
  /** Time of its issue by the service; null for one that was uploaded. RFC 3339, UTC, whole seconds. */
  readonly issued_at: string | null;
}

export interface TLSCertificateList {
  /** Newest first. With a filter or a search they may be fewer than the limit, or none. */
  readonly tls_certificates: readonly TLSCertificate[];
  /** URL of this page of the list. */
  readonly uri: string;
  /** URL of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface TLSCertificateCreate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** The leaf, then its intermediates, in PEM. PKCS#7 and base64 without PEM are stored as PEM. At most 65536 bytes. */
  readonly certificate_pem: string;
  /** The private key, unencrypted, in PEM: ECDSA, Ed25519, or RSA of at most 4096 bits. Never shown. At most 65536 bytes. */
  readonly private_key_pem: string;
}

export interface TLSCertificateUpdate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
}

export interface Credential {
  /** Never changes, and is never given to anything else. */
  readonly id: string;
  /** URL of the resource. */
  readonly uri: string;
  /** Time of its creation. RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** A text for people. At most 255 bytes. */
  readonly description: string;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata: string;
  /** The authtoken; only in the answer to the creation. */
  readonly token: string | null;
  /** Bind rules: what may be bound. An empty list permits everything. */
  readonly acl: readonly string[];
  /** The user or bot user that owns it; a bot user also by its id as a service user, and shown as it was named. Default: the caller. Only admins may name another owner. */
  readonly owner_id: string;
  /** Time of its last use; null before the first. Other daemons show it up to a minute later. RFC 3339, UTC, whole seconds. */
  readonly last_used_at: string | null;
  /** Source address of its last use; "" before the first. */
  readonly last_ip: string;
}

export interface CredentialList {
  /** Newest first. With a filter or a search they may be fewer than the limit, or none. */
  readonly credentials: readonly Credential[];
  /** URL of this page of the list. */
  readonly uri: string;
  /** URL of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface CredentialCreate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** Bind rules: what may be bound. An empty list permits everything. */
  readonly acl?: readonly string[] | null;
  /** The user or bot user that owns it; a bot user also by its id as a service user, and shown as it was named. Default: the caller. Only admins may name another owner. */
  readonly owner_id?: string | null;
}

export interface CredentialUpdate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** Bind rules: what may be bound. An empty list permits everything. */
  readonly acl?: readonly string[] | null;
}

export interface SSHCredential {
  /** Never changes, and is never given to anything else. */
  readonly id: string;
  /** URL of the resource. */
  readonly uri: string;
  /** Time of its creation. RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** A text for people. At most 255 bytes. */
  readonly description: string;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata: string;
  /** The key: the line of a ".pub" file, PEM, or RFC 4716; also of a security key (sk-). Comes back as it was sent. No two credentials share a key. At most 8192 bytes. */
  readonly public_key: string;
  /** Bind rules: what may be bound. An empty list permits everything. */
  readonly acl: readonly string[];
  /** The user or bot user that owns it; a bot user also by its id as a service user, and shown as it was named. Default: the caller. Only admins may name another owner. */
  readonly owner_id: string;
  /** Time of its last use; null before the first. Other daemons show it up to a minute later. RFC 3339, UTC, whole seconds. */
  readonly last_used_at: string | null;
  /** Source address of its last use; "" before the first. */
  readonly last_ip: string;
}

export interface SSHCredentialList {
  /** Newest first. With a filter or a search they may be fewer than the limit, or none. */
  readonly ssh_credentials: readonly SSHCredential[];
  /** URL of this page of the list. */
  readonly uri: string;
  /** URL of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface SSHCredentialCreate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** Bind rules: what may be bound. An empty list permits everything. */
  readonly acl?: readonly string[] | null;
  /** The key: the line of a ".pub" file, PEM, or RFC 4716; also of a security key (sk-). Comes back as it was sent. No two credentials share a key. At most 8192 bytes. */
  readonly public_key: string;
  /** The user or bot user that owns it; a bot user also by its id as a service user, and shown as it was named. Default: the caller. Only admins may name another owner. */
  readonly owner_id?: string | null;
}

export interface SSHCredentialUpdate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** Bind rules: what may be bound. An empty list permits everything. */
  readonly acl?: readonly string[] | null;
}

export interface SSHCertificateAuthority {
  /** Never changes, and is never given to anything else. */
  readonly id: string;
  /** URL of the resource. */
  readonly uri: string;
  /** Time of its creation. RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** A text for people. At most 255 bytes. */
  readonly description: string;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata: string;
  /** Its public key, for @cert-authority lines of known_hosts, and for TrustedUserCAKeys. */
  readonly public_key: string;
  /** The type of its key: rsa, ecdsa or ed25519. */
  readonly key_type: string;
}

export interface SSHCertificateAuthorityList {
  /** Newest first. With a filter or a search they may be fewer than the limit, or none. */
  readonly ssh_certificate_authorities: readonly SSHCertificateAuthority[];
  /** URL of this page of the list. */
  readonly uri: string;
  /** URL of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface SSHCertificateAuthorityCreate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** The type of its key. Default: "ed25519". */
  readonly private_key_type?: 'rsa' | 'ecdsa' | 'ed25519' | null;
  /** The curve, for ecdsa only; nistp256 unless another is given. The short names mean the same curves. */
  readonly elliptic_curve?: 'nistp256' | 'nistp384' | 'nistp521' | 'p256' | 'p384' | 'p521' | null;
  /** Bits of the key, for rsa only; 2048 unless another is given. */
  readonly key_size?: 2048 | 4096 | null;
}

export interface SSHCertificateAuthorityUpdate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
}

export interface SSHHostCertificate {
  /** Never changes, and is never given to anything else. */
  readonly id: string;
  /** URL of the resource. */
  readonly uri: string;
  /** Time of its creation. RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** A text for people. At most 255 bytes. */
  readonly description: string;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata: string;
  /** The key that is signed: the line of a ".pub" file, PEM, or RFC 4716. Comes back as it was sent. */
  readonly public_key: string;
  /** Type of public_key: rsa, ecdsa or ed25519. */
  readonly key_type: string;
  /** The authority that signs. */
  readonly ssh_certificate_authority_id: string;
  /** Host names and IP addresses that the server may have, certified in lower case as ssh compares them; none: all. At most 256. */
  readonly principals: readonly string[];
  /** Start of its validity. RFC 3339, UTC, whole seconds. */
  readonly valid_after: string;
  /** End of its validity. RFC 3339, UTC, whole seconds. */
  readonly valid_until: string;
  /** The certificate: the line for a "-cert.pub" file. */
  readonly certificate: string;
}

export interface SSHHostCertificateList {
  /** Newest first. With a filter or a search they may be fewer than the limit, or none. */
  readonly ssh_host_certificates: readonly SSHHostCertificate[];
  /** URL of this page of the list. */
  readonly uri: string;
  /** URL of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface SSHHostCertificateCreate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** The authority that signs. */
  readonly ssh_certificate_authority_id: string;
  /** The key that is signed: the line of a ".pub" file, PEM, or RFC 4716. Comes back as it was sent. */
  readonly public_key: string;
  /** Start of its validity. RFC 3339. Default: now. */
  readonly valid_after?: string | null;
  /** Host names and IP addresses that the server may have, certified in lower case as ssh compares them; none: all. At most 256. */
  readonly principals?: readonly string[] | null;
  /** End of its validity. RFC 3339. Default: a year from now. */
  readonly valid_until?: string | null;
}

export interface SSHHostCertificateUpdate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
}

export interface SSHUserCertificate {
  /** Never changes, and is never given to anything else. */
  readonly id: string;
  /** URL of the resource. */
  readonly uri: string;
  /** Time of its creation. RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** A text for people. At most 255 bytes. */
  readonly description: string;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata: string;
  /** The key that is signed: the line of a ".pub" file, PEM, or RFC 4716. Comes back as it was sent. */
  readonly public_key: string;
  /** Type of public_key: rsa, ecdsa or ed25519. */
  readonly key_type: string;
  /** The authority that signs. */
  readonly ssh_certificate_authority_id: string;
  /** User names that may log in with it; none: all, which TrustedUserCAKeys of sshd does not accept. At most 256. */
  readonly principals: readonly string[];
  /** Start of its validity. RFC 3339, UTC, whole seconds. */
  readonly valid_after: string;
  /** End of its validity. RFC 3339, UTC, whole seconds. */
  readonly valid_until: string;
  /** The certificate: the line for a "-cert.pub" file. */
  readonly certificate: string;
  /** Options that a server must know and enforce, such as force-command and source-address. */
  readonly critical_options: Readonly<Record<string, string>>;
  /** Permissions of the certificate; permit-pty and permit-user-rc by default. */
  readonly extensions: Readonly<Record<string, string>>;
}

export interface SSHUserCertificateList {
  /** Newest first. With a filter or a search they may be fewer than the limit, or none. */
  readonly ssh_user_certificates: readonly SSHUserCertificate[];
  /** URL of this page of the list. */
  readonly uri: string;
  /** URL of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface SSHUserCertificateCreate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** The authority that signs. */
  readonly ssh_certificate_authority_id: string;
  /** The key that is signed: the line of a ".pub" file, PEM, or RFC 4716. Comes back as it was sent. */
  readonly public_key: string;
  /** Start of its validity. RFC 3339. Default: now. */
  readonly valid_after?: string | null;
  /** User names that may log in with it; none: all, which TrustedUserCAKeys of sshd does not accept. At most 256. */
  readonly principals?: readonly string[] | null;
  /** Options that a server must know and enforce, such as force-command and source-address. */
  readonly critical_options?: Readonly<Record<string, string>> | null;
  /** Permissions of the certificate; permit-pty and permit-user-rc by default. */
  readonly extensions?: Readonly<Record<string, string>> | null;
  /** End of its validity. RFC 3339. Default: 24 hours from now. */
  readonly valid_until?: string | null;
}

export interface SSHUserCertificateUpdate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
}

/** A role that is assumed. */
export interface CloudRole {
  /** The role that the service assumes: "arn:<partition>:iam::<account>:role/<name>". */
  readonly role_identifier: string;
}

/** An access key. */
export interface CloudCredentials {
  /** Names the key: a lasting one of a user ("AKIA…"). A temporary one ("ASIA…") is refused. */
  readonly cloud_access_key_id: string;
  /** Always "". */
  readonly cloud_secret_access_key: string;
}

/** The credentials: one of these is null. */
export interface CloudAuth {
  /** A role that is assumed. */
  readonly role: CloudRole | null;
  /** An access key. */
  readonly creds: CloudCredentials | null;
}

/** A delivery stream in the cloud. */
export interface EventTargetDeliveryStream {
  /** The credentials: one of these is null. */
  readonly auth: CloudAuth;
  /** Written as "arn:<partition>:firehose:<region>:<account>:deliverystream/<name>". */
  readonly delivery_stream_identifier: string;
}

/** A data stream in the cloud. */
export interface EventTargetStream {
  /** The credentials: one of these is null. */
  readonly auth: CloudAuth;
  /** Written as "arn:<partition>:kinesis:<region>:<account>:stream/<name>". */
  readonly stream_identifier: string;
}

/** A log group in the cloud. */
export interface EventTargetLogGroup {
  /** The credentials: one of these is null. */
  readonly auth: CloudAuth;
  /** Written as "arn:<partition>:logs:<region>:<account>:log-group:<name>". */
  readonly log_group_identifier: string;
}

/** A bucket in the cloud, in which events are stored as objects with a line for each. */
export interface EventTargetS3 {
  /** The credentials: one of these is null. */
  readonly auth: CloudAuth;
  /** Written as "arn:<partition>:s3:::<name>". */
  readonly bucket_identifier: string;
  /** Prefix of the names of objects. The hour of the first event, the ids of the first and the last one, and that of the destination follow. */
  readonly object_prefix: string;
  /** True if objects are compressed with gzip. */
  readonly compression: boolean;
  /** Bytes of an object, before it is compressed, that are not exceeded, unless by a single event; 0 for the default, 5 MiB. An object has at most 10,000 events; where an account has more than two destinations with buckets, 25,000 divided by their number. */
  readonly max_file_size: number;
  /** Seconds that an event waits for others, to be stored in one object; 0 for the default, 300. */
  readonly max_file_age: number;
}

/** The monitoring service. */
export interface EventTargetMonitoring {
  /** Always "". */
  readonly api_key: string;
  /** Tags that are sent with each event. */
  readonly tags: string;
  /** The name of a service that is sent with each event. */
  readonly service: string;
  /** The site that events are sent to: us1, us3, us5, eu1, ap1, or its host name; empty for the default. */
  readonly site: string;
}

/** Logs ingestion of Azure. */
export interface EventTargetAzureLogsIngestion {
  /** The directory that the application is registered in. */
  readonly tenant_id: string;
  /** The application that events are sent as. */
  readonly client_id: string;
  /** Always "". */
  readonly client_secret: string;
  /** The endpoint of the data collection, with https. */
  readonly logs_ingestion_uri: string;
  /** The immutable id of the rule. */
  readonly data_collection_rule_id: string;
  /** The stream of the rule. */
  readonly data_collection_stream_name: string;
}

/** The target of events: all but one are null. */
export interface EventTarget {
  /** A delivery stream in the cloud. */
  readonly delivery_stream: EventTargetDeliveryStream | null;
  /** A data stream in the cloud. */
  readonly stream: EventTargetStream | null;
  /** A log group in the cloud. */
  readonly log_group: EventTargetLogGroup | null;
  /** A bucket in the cloud, in which events are stored as objects with a line for each. */
  readonly s3: EventTargetS3 | null;
  /** The monitoring service. */
  readonly monitoring: EventTargetMonitoring | null;
  /** Logs ingestion of Azure. */
  readonly azure_logs_ingestion: EventTargetAzureLogsIngestion | null;
}

export interface EventDestination {
  /** Never changes, and is never given to anything else. */
  readonly id: string;
  /** URL of the resource. */
  readonly uri: string;
  /** Time of its creation. RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** A text for people. At most 255 bytes. */
  readonly description: string;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata: string;
  /** The format of events. */
  readonly format: string;
  /** The target of events: all but one are null. */
  readonly target: EventTarget;
}

export interface EventDestinationList {
  /** Newest first. With a filter or a search they may be fewer than the limit, or none. */
  readonly event_destinations: readonly EventDestination[];
  /** URL of this page of the list. */
  readonly uri: string;
  /** URL of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface EventDestinationCreate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** The format of events. */
  readonly format: 'json';
  /** The target of events: exactly one of these. */
  readonly target: EventTargetMutate;
}

export interface EventDestinationUpdate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** The format of events. */
  readonly format?: 'json' | null;
  /** The target of events: exactly one of these. */
  readonly target?: EventTargetUpdate | null;
}

export interface EventDestinationStatus {
  /** Time of the last delivery. RFC 3339, UTC, whole seconds. */
  readonly last_success_at: string | null;
  /** Reason of the last failed delivery; "" for none. */
  readonly last_error: string;
  /** Time of the last failed delivery. RFC 3339, UTC, whole seconds. */
  readonly last_error_at: string | null;
  /** Time of the next attempt after a failed delivery. RFC 3339, UTC, whole seconds. */
  readonly next_attempt_at: string | null;
  /** Events that wait. */
  readonly backlog: number;
  /** Seconds for which the oldest of them has waited. */
  readonly oldest_age_seconds: number | null;
  /** Events that were given up, since they were not taken for a day or never will be. */
  readonly failed_count: number;
  /** The external id that the role of the target must require; null without a role. */
  readonly external_id: string | null;
}

export interface EventDestinationTest {
  /** The event that was taken. */
  readonly event_id: string;
}

/** A type of events. */
export interface EventSource {
  /** The type of events. */
  readonly type: string;
  /** URL of the resource. */
  readonly uri: string;
}

/** A type of events. */
export interface EventSourceCreate {
  /** The type of events. */
  readonly type:
    | 'api_key_created.v0'
    | 'api_key_updated.v0'
    | 'api_key_deleted.v0'
    | 'certificate_authority_created.v0'
    | 'certificate_authority_updated.v0'
    | 'certificate_authority_deleted.v0'
    | 'domain_created.v0'
    | 'domain_updated.v0'
    | 'domain_deleted.v0'
    | 'event_destination_created.v0'
    | 'event_destination_updated.v0'
    | 'event_destination_deleted.v0'
    | 'event_subscription_created.v0'
    | 'event_subscription_updated.v0'
    | 'event_subscription_deleted.v0'
    | 'ip_policy_created.v0'
    | 'ip_policy_updated.v0'
    | 'ip_policy_deleted.v0'
    | 'ip_policy_rule_created.v0'
    | 'ip_policy_rule_updated.v0'
    | 'ip_policy_rule_deleted.v0'
    | 'ip_restriction_created.v0'
    | 'ip_restriction_updated.v0'
    | 'ip_restriction_deleted.v0'
    | 'ssh_certificate_authority_created.v0'
    | 'ssh_certificate_authority_updated.v0'
    | 'ssh_certificate_authority_deleted.v0'
    | 'ssh_host_certificate_created.v0'
    | 'ssh_host_certificate_updated.v0'
    | 'ssh_host_certificate_deleted.v0'
    | 'ssh_public_key_created.v0'
    | 'ssh_public_key_updated.v0'
    | 'ssh_public_key_deleted.v0'
    | 'ssh_user_certificate_created.v0'
    | 'ssh_user_certificate_updated.v0'
    | 'ssh_user_certificate_deleted.v0'
    | 'tcp_address_created.v0'
    | 'tcp_address_updated.v0'
    | 'tcp_address_deleted.v0'
    | 'tls_certificate_created.v0'
    | 'tls_certificate_updated.v0'
    | 'tls_certificate_deleted.v0'
    | 'tunnel_credential_created.v0'
    | 'tunnel_credential_updated.v0'
    | 'tunnel_credential_deleted.v0'
    | 'agent_session_start.v0'
    | 'agent_session_stop.v0'
    | 'http_request_complete.v0'
    | 'tcp_connection_closed.v0';
}

export interface EventSubscription {
  /** Never changes, and is never given to anything else. */
  readonly id: string;
  /** URL of the resource. */
  readonly uri: string;
  /** Time of its creation. RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** A text for people. At most 255 characters. */
  readonly description: string;
  /** A text for machines, of any content. At most 4096 characters. */
  readonly metadata: string;
  /** The types of events that are sent, each at most once. */
  readonly sources: readonly EventSource[];
  /** The destinations. */
  readonly destinations: readonly Ref[];
}

export interface EventSubscriptionList {
  /** Newest first. With a filter or a search they may be fewer than the limit, or none. */
  readonly event_subscriptions: readonly EventSubscription[];
  /** URL of this page of the list. */
  readonly uri: string;
  /** URL of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface EventSubscriptionCreate {
  /** A text for machines, of any content. At most 4096 characters. */
  readonly metadata?: string | null;
  /** A text for people. At most 255 characters. */
  readonly description?: string | null;
  /** The types of events that are sent, each at most once. */
  readonly sources?: readonly EventSourceCreate[] | null;
  /** The destinations, each at most once. */
  readonly destination_ids?: readonly string[] | null;
}

export interface EventSubscriptionUpdate {
  /** A text for machines, of any content. At most 4096 characters. */
  readonly metadata?: string | null;
  /** A text for people. At most 255 characters. */
  readonly description?: string | null;
  /** The types of events that are sent, each at most once. */
  readonly sources?: readonly EventSourceCreate[] | null;
  /** The destinations, each at most once. */
  readonly destination_ids?: readonly string[] | null;
}

export interface EventSourceList {
  /** Sources of an event subscription. */
  readonly sources: readonly EventSource[];
  /** URL of this page of the list. */
  readonly uri: string;
}

/** Nothing of it can change. */
export type EventSourceUpdate = Readonly<Record<string, never>>;

export interface APIKey {
  /** Never changes, and is never given to anything else. */
  readonly id: string;
  /** URL of the resource. */
  readonly uri: string;
  /** Time of its creation. RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** A text for people. At most 255 bytes. */
  readonly description: string;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata: string;
  /** The key itself; only in the answer to the creation. */
  readonly token: string | null;
  /** The user or bot user that owns it; a bot user also by its id as a service user, and shown as it was named. Default: the caller. Only admins may name another owner. */
  readonly owner_id: string;
  /** Time of its last use; null before the first. Other daemons show it up to a minute later. RFC 3339, UTC, whole seconds. */
  readonly last_used_at: string | null;
  /** Source address of its last use; "" before the first. */
  readonly last_ip: string;
}

export interface APIKeyList {
  /** Newest first. With a filter or a search they may be fewer than the limit, or none. */
  readonly keys: readonly APIKey[];
  /** URL of this page of the list. */
  readonly uri: string;
  /** URL of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface APIKeyCreate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** The user or bot user that owns it; a bot user also by its id as a service user, and shown as it was named. Default: the caller. Only admins may name another owner. */
  readonly owner_id?: string | null;
}

export interface APIKeyUpdate {
  /** A text for people. At most 255 bytes. */
  readonly description?: string | null;
  /** A text for machines, of any content. At most 4096 bytes. */
  readonly metadata?: string | null;
}

export interface User {
  /** Never changes, and is never given to anything else. */
  readonly id: string;
  /** URL of the resource. */
  readonly uri: string;
  /** The name of the user. At most 255 bytes. */
  readonly name: string;
  /** The mail address: unique in the account, whatever its case; "" for none. */
  readonly email: string;
  /** Role of the user: an admin may manage users, and resources of other users. A viewer only reads: its API keys and its console sessions change nothing. */
  readonly role: string;
  /** false stops their API keys and credentials at once. */
  readonly active: boolean;
  /** Time of its creation. RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
}

export interface UserList {
  /** Newest first. With a filter or a search they may be fewer than the limit, or none. */
  readonly users: readonly User[];
  /** URL of this page of the list. */
  readonly uri: string;
  /** URL of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface UserCreate {
  /** The name of the user. At most 255 bytes. */
  readonly name: string;
  /** The mail address: unique in the account, whatever its case; "" for none. */
  readonly email?: string | null;
  /** Role of the user: an admin may manage users, and resources of other users. A viewer only reads: its API keys and its console sessions change nothing. Default: "member". */
  readonly role?: 'admin' | 'member' | 'viewer' | null;
  /** false stops their API keys and credentials at once. Default: true. */
  readonly active?: boolean | null;
}

export interface UserUpdate {
  /** The name of the user. At most 255 bytes. */
  readonly name?: string | null;
  /** The mail address: unique in the account, whatever its case; "" for none. */
  readonly email?: string | null;
  /** Role of the user: an admin may manage users, and resources of other users. A viewer only reads: its API keys and its console sessions change nothing. */
  readonly role?: 'admin' | 'member' | 'viewer' | null;
  /** false stops their API keys and credentials at once. */
  readonly active?: boolean | null;
}

export interface BotUser {
  /** Never changes, and is never given to anything else. */
  readonly id: string;
  /** URL of the resource. */
  readonly uri: string;
  /** Its purpose. Unique in the account. At most 255 bytes. */
  readonly name: string;
  /** false stops its API keys and credentials at once. */
  readonly active: boolean;
  /** Time of its creation. RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
}

export interface BotUserList {
  /** Newest first. With a filter or a search they may be fewer than the limit, or none. */
  readonly bot_users: readonly BotUser[];
  /** URL of this page of the list. */
  readonly uri: string;
  /** URL of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface BotUserCreate {
  /** Its purpose. Unique in the account. At most 255 bytes. */
  readonly name: string;
  /** false stops its API keys and credentials at once. Default: true. */
  readonly active?: boolean | null;
}

export interface BotUserUpdate {
  /** Its purpose. Unique in the account. At most 255 bytes. */
  readonly name?: string | null;
  /** false stops its API keys and credentials at once. */
  readonly active?: boolean | null;
}

export interface ServiceUser {
  /** Never changes, and is never given to anything else. */
  readonly id: string;
  /** URL of the resource. */
  readonly uri: string;
  /** Its purpose. Unique in the account. At most 255 bytes. */
  readonly name: string;
  /** false stops its API keys and credentials at once. */
  readonly active: boolean;
  /** Time of its creation. RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
}

export interface ServiceUserList {
  /** Newest first. With a filter or a search they may be fewer than the limit, or none. */
  readonly service_users: readonly ServiceUser[];
  /** URL of this page of the list. */
  readonly uri: string;
  /** URL of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface ServiceUserCreate {
  /** Its purpose. Unique in the account. At most 255 bytes. */
  readonly name: string;
  /** false stops its API keys and credentials at once. Default: true. */
  readonly active?: boolean | null;
}

export interface ServiceUserUpdate {
  /** Its purpose. Unique in the account. At most 255 bytes. */
  readonly name?: string | null;
  /** false stops its API keys and credentials at once. */
  readonly active?: boolean | null;
}

export interface Tunnel {
  /** Never changes, and is never given to anything else. */
  readonly id: string;
  /** Its URL for visitors. Absent for labelled tunnels, as are proto and endpoint. */
  readonly public_url?: string;
  /** Time of its start by the agent. RFC 3339, UTC, whole seconds. */
  readonly started_at: string;
  /** Metadata of the agent, for machines. */
  readonly metadata: string;
  /** The protocol for visitors: http, https, tcp or tls. */
  readonly proto?: string;
  /** The region that serves it. */
  readonly region: string;
  /** The name of the daemon that the agent is connected to; "" if it has none. */
  readonly node: string;
  /** The session of the agent. */
  readonly tunnel_session: Ref;
  /** The endpoint that it serves. */
  readonly endpoint?: Ref;
  /** Labels by which tunnel group backends find it; empty for one with a URL of its own. */
  readonly labels: Readonly<Record<string, string>>;
  /** Tunnel group backends that a labelled tunnel belongs to. */
  readonly backends: readonly Ref[];
  /** The address that the agent forwards to. */
  readonly forwards_to: string;
}

export interface TunnelList {
  /** Newest first. With a filter or a search they may be fewer than the limit, or none. */
  readonly tunnels: readonly Tunnel[];
  /** URL of this page of the list. */
  readonly uri: string;
  /** URL of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface TunnelSession {
  /** The version of the agent. */
  readonly agent_version: string;
  /** The credential of the agent. */
  readonly credential: Ref;
  /** Never changes, and is never given to anything else. */
  readonly id: string;
  /** The address that the agent connected from. */
  readonly ip: string;
  /** Metadata of the agent, for machines. */
  readonly metadata: string;
  /** The name of the daemon that the agent is connected to; "" if it has none. */
  readonly node: string;
  /** The operating system of the agent. */
  readonly os: string;
  /** The region of the agent's connection. */
  readonly region: string;
  /** Time of the agent's connection. RFC 3339, UTC, whole seconds. */
  readonly started_at: string;
  /** The protocol of the session. */
  readonly transport: string;
  /** URL of the resource. */
  readonly uri: string;
}

export interface TunnelSessionList {
  /** Newest first. With a filter or a search they may be fewer than the limit, or none. */
  readonly tunnel_sessions: readonly TunnelSession[];
  /** URL of this page of the list. */
  readonly uri: string;
  /** URL of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface Endpoint {
  /** Never changes, and is never given to anything else. */
  readonly id: string;
  /** URL of the resource. */
  readonly uri: string;
  /** The region that serves it. */
  readonly region: string;
  /** The name of the daemon that the agent is connected to; "" if it has none, and for an edge. */
  readonly node: string;
  /** Start of its service. RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** The same as created_at. RFC 3339, UTC, whole seconds. */
  readonly updated_at: string;
  /** Its URL for visitors. */
  readonly public_url: string;
  /** The same as public_url. */
  readonly url: string;
  /** The protocol for visitors: http, https, tls or tcp. */
  readonly proto: string;
  /** The same as proto. */
  readonly scheme: string;
  /** The host and port of public_url. */
  readonly hostport: string;
  /** The host of public_url. */
  readonly host: string;
  /** The port of public_url. */
  readonly port: number;
  /** "ephemeral": of an agent's own tunnel; "edge": of a hostport of an edge. */
  readonly type: string;
  /** Its name in the agent; "" for none. */
  readonly name: string;
  /** The text of the agent, or of the edge. */
  readonly description: string;
  /** The text of the agent, or of the edge. */
  readonly metadata: string;
  /** Always "public": who may reach it. */
  readonly bindings: readonly string[];
  /** True if other tunnels of the account with pooling may share the name; false for an edge. */
  readonly pooling_enabled: boolean;
  /** Always "": there are no traffic policies. */
  readonly traffic_policy: string;
  /** The address that the agent forwards to; "" for an edge. */
  readonly upstream_url: string;
  /** The protocol for the service behind the agent; "" for an edge. */
  readonly upstream_protocol: string;
  /** The owner of the agent's credential. */
  readonly principal: Ref | null;
  /** The reserved domain that it is on. */
  readonly domain: Ref | null;
  /** The reserved address that it is on. */
  readonly tcp_addr: Ref | null;
  /** The tunnel that serves it. */
  readonly tunnel: Ref | null;
  /** The session of the agent that serves it. */
  readonly tunnel_session: Ref | null;
  /** The edge that serves it. */
  readonly edge: Ref | null;
}

export interface EndpointList {
  /** Newest first. With a filter or a search they may be fewer than the limit, or none. */
  readonly endpoints: readonly Endpoint[];
  /** URL of this page of the list. */
  readonly uri: string;
  /** URL of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface Caller {
  readonly uri: string;
  /** The account of the caller. */
  readonly account: CallerAccount;
  /** The user or bot user that owns the key or the session. */
  readonly user: CallerUser;
  /** The role of the user. A viewer only reads. Bot users are members. */
  readonly role: 'admin' | 'member' | 'viewer';
  /** Another resource. */
  readonly api_key: Ref | null;
  /** The console session of the request; null if it has an API key. */
  readonly session: CallerSession | null;
  /** The address that the request came from. */
  readonly address: string;
  /** The rate limit that the request counts for. */
  readonly rate_limit: CallerRateLimit;
  /** The version of the daemon. */
  readonly version: string;
}

export interface WarningResource {
  /** Kind of the resource, such as `https_edge`. */
  readonly kind: string;
  /** Id of the resource. */
  readonly id: string;
  /** URL of the resource. */
  readonly uri: string;
}

export interface Warning {
  /** Condition. `certificate_failed`: The certificate of a name cannot be obtained or renewed. `certificate_ended`: The certificate of a name is no longer valid. `event_target_failing`: The target of events does not accept them. `node_not_ready`: A daemon of the service takes no new traffic. `domain_not_proven`: A name is not served, because its DNS does not lead to this service. `certificate_ends`: The certificate of a name ends soon, and nothing renews it. `backend_without_agent`: No agent serves the backend of an edge or a route. `name_without_agent`: Neither an agent nor an edge serves a name or an address. `certificate_without_authority`: The service has no authority for the certificate that a name should have. `edge_without_name`: An edge has no name, so no request reaches it. `edge_without_backend`: An edge has no backend, or a disabled one. `edge_without_route`: An edge has no route. `route_without_backend`: A route has no backend, or a disabled one. `restriction_not_enforced`: An IP restriction only logs. `certificate_unused`: No name uses a certificate. `subscription_without_destination`: The events of a subscription go nowhere. `subscription_without_source`: A subscription selects no events. */
  readonly code:
    | 'certificate_failed'
    | 'certificate_ended'
    | 'event_target_failing'
    | 'node_not_ready'
    | 'domain_not_proven'
    | 'certificate_ends'
    | 'backend_without_agent'
    | 'name_without_agent'
    | 'certificate_without_authority'
    | 'edge_without_name'
    | 'edge_without_backend'
    | 'edge_without_route'
    | 'route_without_backend'
    | 'restriction_not_enforced'
    | 'certificate_unused'
    | 'subscription_without_destination'
    | 'subscription_without_source';
  readonly resource: WarningResource | null;
  /** Name, address or daemon that the warning is about; "" for none. */
  readonly name: string;
  /** The condition in a sentence. */
  readonly msg: string;
  /** The remedy in a sentence. */
  readonly remedy: string;
}

export interface OverviewCounts {
  /** Names and addresses that are reserved or online, each counted once. */
  readonly names: number;
  /** Agents that are online. Several connections of one agent count once. */
  readonly agents: number;
  /** Connections of agents. */
  readonly sessions: number;
  /** Tunnels that are online. */
  readonly tunnels: number;
  /** Edges of all kinds. */
  readonly edges: number;
  /** Reserved domains. */
  readonly reserved_domains: number;
  /** Reserved addresses. */
  readonly reserved_addrs: number;
  /** TLS certificates, uploaded and issued. */
  readonly tls_certificates: number;
  /** Event destinations. */
  readonly event_destinations: number;
}

export interface OverviewFigures {
  /** Requests and connections. */
  readonly requests: number;
  /** Responses with a status of 500 or above, and requests without a response. */
  readonly errors: number;
  /** Bytes from visitors. */
  readonly bytes_in: number;
  /** Bytes to visitors. */
  readonly bytes_out: number;
  /** Median of the duration in milliseconds. */
  readonly p50_ms: number | null;
  /** Duration in milliseconds that 95 % do not exceed. */
  readonly p95_ms: number | null;
}

export interface AccountOverview {
  /** The most urgent warnings, at most 20. `GET /status` has all. */
  readonly warnings: readonly Warning[];
  /** Number of all warnings. */
  readonly warning_count: number;
  readonly counts: OverviewCounts;
  readonly last_minute: OverviewFigures | null;
  readonly last_hour: OverviewFigures | null;
  /** Requests and connections of each minute of the last hour; the running one is the last. */
  readonly last_hour_requests: readonly number[] | null;
  /** Time of the response. It may be repeated for a second or more. */
  readonly as_of: string;
}

export interface StatusNode {
  /** Name of the daemon; "" for one without a name. */
  readonly name: string;
  /** Region of the daemon. */
  readonly region: string;
  /** Version of the daemon. */
  readonly version: string;
  /** `draining`: its agents go to other daemons. `unreachable`: this daemon has no link to it at the moment. */
  readonly state: 'ready' | 'not_ready' | 'draining' | 'unreachable';
  /** Names of the reasons against traffic, for the daemon that answers: see docs/run/metrics.md. */
  readonly reasons: readonly string[];
}

export interface ServiceStatus {
  /** Version of the daemon that answers. */
  readonly version: string;
  /** State of the database, as the daemon that answers finds it. */
  readonly database: 'available' | 'away' | 'writes_refused';
  /** Daemons of the service, the one that answers first. */
  readonly nodes: readonly StatusNode[];
  /** Warnings, the most urgent first, at most 1000. */
  readonly warnings: readonly Warning[];
  /** Number of all warnings. */
  readonly warning_count: number;
}

/** A name or an address. */
export interface NameEntry {
  /** The name, a wildcard, or an address such as "1.tcp.example.com:20000". */
  readonly name: string;
  /** URL for visitors. A wildcard has its name in it. */
  readonly url: string;
  /** The kind of what answers at the name. */
  readonly served_by: 'edge' | 'agent' | 'nothing';
  /** `no_agent`: no agent is online for it. `no_backend`: the edge has no enabled backend. `refused`: the configuration cannot take effect. */
  readonly state: 'served' | 'no_agent' | 'no_backend' | 'refused';
  /** Kind of the resource that serves it: an edge, an endpoint, or the reservation. */
  readonly kind: string;
  /** The resource that serves it. */
  readonly resource: Ref;
  /** The reserved domain or address; null for none. */
  readonly reservation: Ref | null;
  /** Tunnels that are online under exactly this name. */
  readonly agents: number;
  /** Address behind the first agent; empty for an edge. */
  readonly forwards_to: string;
  /** Enabled modules of all routes, each once. */
  readonly modules: readonly string[];
  /** Modules that keep visitors out, on any route; `protection` states if that is all routes. `account_ip_restriction` is an enforced IP restriction of the account. Empty: everybody is served. */
  readonly protected_by: readonly string[];
  /** Routes that have a module of `protected_by`. `some`: everybody is served on at least one other route. */
  readonly protection: 'all' | 'some' | 'none';
}

export interface NameList {
  /** Sorted by name. May be fewer than the limit, also on a page that is not the last. */
  readonly names: readonly NameEntry[];
  /** URL of this page. */
  readonly uri: string;
  /** URL of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

/** The cause of a change. */
export interface ChangeActor {
  /** "operator": a command on the machine of the daemon. "daemon": the service itself, such as a renewal of a certificate. */
  readonly type: 'user' | 'bot_user' | 'operator' | 'daemon';
  /** The user or bot user; "" for others. */
  readonly user_id: string;
  /** E-mail of a user, or the name of one without; name of a bot user. */
  readonly name: string;
  /** The API key; "" for none. */
  readonly credential_id: string;
  /** Source address of the request; "" for none. */
  readonly address: string;
}

/** A field that differs. */
export interface ChangedField {
  /** Path of the field, with dots: "tls_termination.min_version". */
  readonly field: string;
  /** The former value. A text as it is, others as JSON; a long one is cut. null: unset, or a secret. */
  readonly old: string | null;
  /** The new value. A text as it is, others as JSON; a long one is cut. null: unset, or a secret. */
  readonly new: string | null;
  /** true: only the fact of the change is known. */
  readonly is_secret: boolean;
}

/** A change of a resource. */
export interface Change {
  /** Never changes, and is never given to anything else. */
  readonly id: string;
  /** Time of the change. RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** Revision of the database that has it. */
  readonly revision: number;
  /** The cause of a change. */
  readonly actor: ChangeActor;
  /** Name of the operation, such as "reserved_domain_update". */
  readonly operation: string;
  /** Id of the request, as in errors and logs; "" for none. */
  readonly operation_id: string;
  /** Kind of the resource, such as "reserved_domain". */
  readonly kind: string;
  /** Id of the resource. */
  readonly resource_id: string;
  /** URL of the resource; "" for one without a URL. */
  readonly resource_uri: string;
  /** "created", "updated", "deleted", or the name of an action. */
  readonly action: string;
  /** Fields that differ; those of a new resource that are set. */
  readonly fields: readonly ChangedField[];
  /** Number of fields without room in the entry. */
  readonly fields_left_out: number;
}

/** A page of the audit trail. An account has the last 50000 changes, of at most 90 days. */
export interface ChangeList {
  /** May be fewer than the limit, also on a page that is not the last. */
  readonly changes: readonly Change[];
  /** URL of this page. */
  readonly uri: string;
  /** URL of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface StreamReady {
  /** Topics of this stream. */
  readonly topics: readonly string[];
  /** Later changes are reported. */
  readonly revision: number;
}

export interface StreamChange {
  /** Kind of the resource, such as `https_edge`. */
  readonly kind: string;
  /** Id of the resource. */
  readonly id: string;
  /** Several changes in a row may be reported as one. After a reconnect, a resource of the last second may be reported as created again. */
  readonly what: 'created' | 'updated' | 'deleted';
  /** Revision of the database that made the change. */
  readonly revision: number;
}

export interface StreamSession {
  /** Kind of the resource. */
  readonly kind: 'tunnel_session' | 'tunnel';
  /** Id of the session or of the tunnel. */
  readonly id: string;
  /** The change. */
  readonly what: 'online' | 'changed' | 'offline';
}

export interface TrafficRequest {
  /** Sorts by the time of the end. */
  readonly id: string;
  /** URL of the entry. */
  readonly uri: string;
  /** Time of the end. RFC 3339, UTC, with milliseconds. */
  readonly end_ts: string;
  /** A request, or a connection that the edge does not read. */
  readonly kind: 'http' | 'bytes';
  /** Id of the edge or endpoint; a reserved domain or a name if nothing was online there. */
  readonly site: string;
  /** The name that the visitor reached; empty for a TCP port. */
  readonly host: string;
  /** Id of the route; empty if none was chosen. */
  readonly route: string;
  /** Id of the backend; empty without a route. */
  readonly backend: string;
  /** Id of the tunnel or backend that served it; empty if none did. */
  readonly served_by: string;
  /** Name of the daemon that the visitor reached; empty if it has none. */
  readonly node: string;
  /** Empty for a connection, and if the request could not be read. */
  readonly method: string;
  /** The path without the query, cut after 512 bytes. */
  readonly path: string;
  /** The query with hidden values, cut after 512 bytes. The operator can show values. */
  readonly query: string;
  /** Status of the response; 0 if the visitor got none, and for a connection. */
  readonly status_code: number;
  /** Network of the visitor, such as `203.0.113.0/24`. The operator can show the whole address. */
  readonly client_ip: string;
  /** TLS of the connection; null if the edge did not terminate it. */
  readonly tls: TrafficRequestTls | null;
  /** Bytes of the request body, or from the visitor. */
  readonly bytes_in: number;
  /** Bytes of the response with its head, or to the visitor. */
  readonly bytes_out: number;
  /** Milliseconds until the end. */
  readonly duration_ms: number;
  /** Milliseconds until the first byte of the response; null for none. */
  readonly first_byte_ms: number | null;
  /** Decisions of modules, in their order. */
  readonly decisions: readonly TrafficRequestDecisions[];
  /** The error that the edge responded with; empty for none. */
  readonly error_code: string;
  /** The message of the error; empty for none. */
  readonly error: string;
  /** The reason of a refusal, if the error does not state it; else empty. */
  readonly reason: string;
  /** The cause why the upstream was not reached, such as "connection refused", or the fault in its response; empty for none. */
  readonly upstream_fault: string;
  /** True while its recorded bodies are there. */
  readonly has_bodies: boolean;
}

export interface StreamReset {
  /** `too_old`: the change log no longer has the changes since `Last-Event-ID`. `other_history`: the database goes on from another state, as after a failover that lost writes. */
  readonly reason: 'too_old' | 'other_history';
}

export interface StreamDropped {
  /** Number of events that were dropped, at least. */
  readonly count: number;
  /** Topics of the dropped events. */
  readonly topics: readonly string[];
}

export interface ExplanationStep {
  /** The step: `listener`, `name`, `tls`, `request`, `route`, `backend`, the name of a module, and a few others. */
  readonly step: string;
  /** The result. `answered`: the step responds itself, such as with a redirect to a login. `skipped`: it does not decide. */
  readonly outcome: 'passed' | 'refused' | 'answered' | 'skipped' | 'not_reached';
  /** Id of the resource that decides; empty for none. */
  readonly resource: string;
  /** Error code that the visitor gets; empty for none. */
  readonly error_code: string;
  /** The reason in plain sentences. */
  readonly why: string;
}

export interface Explanation {
  /** The result for the visitor. */
  readonly outcome: 'served' | 'refused' | 'redirected';
  /** Status of a response of the service itself. 0: the backend or an identity provider decides, or there is no HTTP response. */
  readonly status_code: number;
  /** Error code of a refusal; empty for none. */
  readonly error_code: string;
  /** The steps in their order. */
  readonly steps: readonly ExplanationStep[];
}

export interface ExplanationRequest {
  /** The URL: `https://`, `http://`, `tls://`, `tcp://`, or `host:port`. At most 8192 bytes. */
  readonly url: string;
  /** The method of the request. At most 32 bytes. Default: "GET". */
  readonly method?: string | null;
  /** Header fields of the request. Others are not sent, except Host, which comes from the URL. */
  readonly headers?: Readonly<Record<string, string>> | null;
  /** Modules that count as passed, to see the decision with them turned off. */
  readonly without?:
    | readonly (
        | 'account_ip_restriction'
        | 'mutual_tls'
        | 'ip_restriction'
        | 'user_agent_filter'
        | 'basic_auth'
        | 'webhook_verification'
        | 'circuit_breaker'
        | 'saml'
        | 'oidc'
        | 'oauth'
        | 'websocket_tcp_converter'
        | 'request_headers'
        | 'response_headers'
        | 'compression'
      )[]
    | null;
  /** The IP address of the visitor. At most 64 bytes. */
  readonly client_ip: string;
  /** The certificate of the visitor in PEM, followed by those between it and an authority. At most 65536 bytes. */
  readonly client_certificate?: string | null;
}

export interface TrafficRequestList {
  /** Newest first. */
  readonly requests: readonly TrafficRequest[];
  /** URL of the list. */
  readonly uri: string;
  /** URL of the next page; null for the last one. */
  readonly next_page_uri: string | null;
}

/** A recorded body. */
export interface RecordedBody {
  /** The beginning of the body, at most 64 KiB, as it was sent. */
  readonly content: string;
  /** The form of `content`: text, or Base64 of the bytes. */
  readonly encoding: 'utf8' | 'base64';
  /** Content-Type of the body; empty for none. */
  readonly content_type: string;
  /** Content-Encoding of the body, such as `gzip`; empty for none. */
  readonly content_encoding: string;
  /** Bytes of the whole body. */
  readonly size: number;
  /** True if only the beginning was recorded. */
  readonly is_truncated: boolean;
}

export interface TrafficRequestDetails {
  /** Sorts by the time of the end. */
  readonly id: string;
  /** URL of the entry. */
  readonly uri: string;
  /** Time of the end. RFC 3339, UTC, with milliseconds. */
  readonly end_ts: string;
  /** A request, or a connection that the edge does not read. */
  readonly kind: 'http' | 'bytes';
  /** Id of the edge or endpoint; a reserved domain or a name if nothing was online there. */
  readonly site: string;
  /** The name that the visitor reached; empty for a TCP port. */
  readonly host: string;
  /** Id of the route; empty if none was chosen. */
  readonly route: string;
  /** Id of the backend; empty without a route. */
  readonly backend: string;
  /** Id of the tunnel or backend that served it; empty if none did. */
  readonly served_by: string;
  /** Name of the daemon that the visitor reached; empty if it has none. */
  readonly node: string;
  /** Empty for a connection, and if the request could not be read. */
  readonly method: string;
  /** The path without the query, cut after 512 bytes. */
  readonly path: string;
  /** The query with hidden values, cut after 512 bytes. The operator can show values. */
  readonly query: string;
  /** Status of the response; 0 if the visitor got none, and for a connection. */
  readonly status_code: number;
  /** Network of the visitor, such as `203.0.113.0/24`. The operator can show the whole address. */
  readonly client_ip: string;
  /** TLS of the connection; null if the edge did not terminate it. */
  readonly tls: TrafficRequestDetailsTls | null;
  /** Bytes of the request body, or from the visitor. */
  readonly bytes_in: number;
  /** Bytes of the response with its head, or to the visitor. */
  readonly bytes_out: number;
  /** Milliseconds until the end. */
  readonly duration_ms: number;
  /** Milliseconds until the first byte of the response; null for none. */
  readonly first_byte_ms: number | null;
  /** Decisions of modules, in their order. */
  readonly decisions: readonly TrafficRequestDetailsDecisions[];
  /** The error that the edge responded with; empty for none. */
  readonly error_code: string;
  /** The message of the error; empty for none. */
  readonly error: string;
  /** The reason of a refusal, if the error does not state it; else empty. */
  readonly reason: string;
  /** The cause why the upstream was not reached, such as "connection refused", or the fault in its response; empty for none. */
  readonly upstream_fault: string;
  /** True while its recorded bodies are there. */
  readonly has_bodies: boolean;
  /** Bodies of the request and the response, without the framing of chunks. Null if they were not recorded, and for viewers. */
  readonly bodies: TrafficRequestDetailsBodies | null;
}

/** A recording of the bodies of one edge or endpoint. */
export interface TrafficRecording {
  /** Identifies the recording. */
  readonly id: string;
  /** The edge or endpoint whose bodies are recorded. */
  readonly site_id: string;
  /** The name of an endpoint, empty for an edge. The recording goes on if its agent connects again, with and without TLS. */
  readonly host: string;
  /** The user or bot user that began it. */
  readonly owner_id: string;
  /** Time of the begin. RFC 3339, UTC, whole seconds. */
  readonly begun_at: string;
  /** Time of the end, or of the planned one. RFC 3339, UTC, whole seconds. */
  readonly ends_at: string;
  /** True while it lasts. */
  readonly is_active: boolean;
}

export interface TrafficRecordingList {
  /** Newest first: those that last, and those that ended within the last hour. */
  readonly recordings: readonly TrafficRecording[];
  /** URL of this page. */
  readonly uri: string;
  /** URL of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface TrafficRecordingCreate {
  /** The HTTPS edge, or the HTTP endpoint of an agent that is online: `site` of an entry in `GET /traffic/requests`. The first 64 KiB of each body of requests that its modules admit are kept in memory, for an hour at most. */
  readonly site_id: string;
  /** Minutes until it ends by itself. Default: 15. */
  readonly minutes?: number | null;
}

export interface ConsoleLink {
  /** The URL to open in a browser. It signs in once, as the owner of the key, and is a secret. */
  readonly url: string;
  /** The URL signs in until then: for 10 minutes. */
  readonly expires_at: string;
}

export type ConsoleLinkCreate = Readonly<Record<string, never>>;

/** A browser that is signed in to the console. */
export interface ConsoleSession {
  readonly id: string;
  readonly uri: string;
  /** The user or bot user that is signed in. */
  readonly owner_id: string;
  /** Another resource. */
  readonly api_key: Ref | null;
  /** Time of the sign-in. */
  readonly created_at: string;
  /** The latest end. Without a request it ends after 12 hours. */
  readonly expires_at: string;
  /** Time of the last use, to the minute. */
  readonly last_used_at: string;
  /** The address of the sign-in. */
  readonly address: string;
  /** The address of the last use. */
  readonly last_address: string;
  /** The browser as it named itself at the sign-in. */
  readonly user_agent: string;
  /** True for the session of this request. */
  readonly is_current: boolean;
}

export interface ConsoleSessionList {
  /** Sessions that last, newest first. Members and viewers get their own. */
  readonly console_sessions: readonly ConsoleSession[];
  readonly uri: string;
  readonly next_page_uri: string | null;
}

export interface TrafficSeries {
  /** The kind of the key; "" for the whole account. */
  readonly by: string;
  /** The id or name of the request; "" for the whole account. */
  readonly key: string;
  /** Length of a step. */
  readonly resolution: string;
  /** Start of the first step. */
  readonly since: string;
  /** End of the last step. */
  readonly until: string;
  /** Number of steps, and of numbers in each list. */
  readonly points: number;
  /** Requests of each step, by the time of their end. 0 for a step without traffic. */
  readonly requests: readonly number[];
  /** Requests without an answer, because the visitor left. */
  readonly requests_none: readonly number[];
  /** Requests that became a connection, such as a WebSocket. They have no latency. */
  readonly requests_1xx: readonly number[];
  /** Requests with a status from 200 to 299. */
  readonly requests_2xx: readonly number[];
  /** Requests with a status from 300 to 399. */
  readonly requests_3xx: readonly number[];
  /** Requests with a status from 400 to 499. */
  readonly requests_4xx: readonly number[];
  /** Requests with a status of 500 or more. */
  readonly requests_5xx: readonly number[];
  /** Connections without HTTP that ended. */
  readonly connections: readonly number[];
  /** Connections without HTTP that ended with an error of the service. */
  readonly connections_failed: readonly number[];
  /** Bytes from visitors: bodies of requests, and all bytes of connections. */
  readonly bytes_in: readonly number[];
  /** Bytes to visitors: responses with their headers, and all bytes of connections. */
  readonly bytes_out: readonly number[];
  /** The time in milliseconds in which half of the requests ended; null without a request. It is at most 4.4 % from the exact value, from 0.125 ms to 262 s. */
  readonly p50_ms: readonly (number | null)[];
  /** The time in milliseconds in which 95 % of the requests ended; null without a request. It is at most 4.4 % from the exact value, from 0.125 ms to 262 s. */
  readonly p95_ms: readonly (number | null)[];
  /** The time in milliseconds in which 99 % of the requests ended; null without a request. It is at most 4.4 % from the exact value, from 0.125 ms to 262 s. */
  readonly p99_ms: readonly (number | null)[];
  /** Errors of the service itself in the whole span, the most frequent first. */
  readonly error_codes: readonly TrafficSeriesErrorCodes[];
}

/** The verdict on a bind by its rules and reservations. Agents that are online have no part in it. */
export interface BindRulesVerdict {
  /** The verdict. */
  readonly outcome: 'permitted' | 'refused';
  /** Kind of the bind. */
  readonly kind: 'name' | 'address' | 'labels';
  /** The bound name, address or labels, in canonical form; "" for a random one. */
  readonly target: string;
  /** The first rule that permits it; "" for none. */
  readonly rule: string;
  /** The code that an agent would get; "" if it is permitted. */
  readonly error_code: string;
  /** The reason, for people. */
  readonly why: string;
}

export interface BindRulesTest {
  /** The credential or SSH credential with the rules. */
  readonly credential_id?: string | null;
  /** Bind rules: what may be bound. An empty list permits everything. */
  readonly acl?: readonly string[] | null;
  /** The bind: a host name or a URL such as "https://shop.example.com", "tcp://" with or without an address, or labels "key=value,key=value". "https://" is a random name. */
  readonly bind: string;
}

/** The rule that decides: the first deny rule that matches, or an allow rule. */
export interface IPRuleMatch {
  /** Id of the rule; "" for one by value. */
  readonly rule_id: string;
  /** Its action. */
  readonly action: 'allow' | 'deny';
  /** Its range. */
  readonly cidr: string;
}

/** The verdict of one policy alone. */
export interface IPPolicyVerdict {
  /** Another resource. */
  readonly ip_policy: Ref;
  readonly description: string;
  /** The verdict. Without a rule that matches, an address is denied. */
  readonly outcome: 'allowed' | 'denied';
  /** The rule that decides: the first deny rule that matches, or an allow rule. */
  readonly rule: IPRuleMatch | null;
}

/** The verdict on an address. */
export interface IPRulesVerdict {
  /** The address in canonical form. */
  readonly ip: string;
  /** The verdict of all rules together. */
  readonly outcome: 'allowed' | 'denied';
  /** The rule that decides: the first deny rule that matches, or an allow rule. */
  readonly rule: IPRuleMatch | null;
  /** The reason, for people. */
  readonly why: string;
  /** The verdict of each policy by itself. */
  readonly policies: readonly IPPolicyVerdict[];
  /** Number of policies without room in the response. */
  readonly policies_left_out: number;
}

export interface IPRulesTest {
  /** The address, without a port. */
  readonly ip: string;
  /** Policies that are tested together. With no policies and no rules, all of the account. */
  readonly ip_policy_ids?: readonly string[] | null;
  /** Rules that are tested together with the policies. */
  readonly rules?: readonly IPRulesTestRules[] | null;
}

/** A login of a visitor. */
export interface VisitorLogin {
  /** Identifies the login. */
  readonly id: string;
  /** Time of the login. RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** Latest end of the session. The inactivity timeout of the module may end it earlier. RFC 3339, UTC, whole seconds. */
  readonly ends_at: string;
  /** The user, as the provider names it. */
  readonly user_id: string;
  /** E-mail address; "" if the provider states none. */
  readonly email: string;
  /** Name; "" if the provider states none. */
  readonly name: string;
  /** The module. */
  readonly module: 'oidc' | 'oauth' | 'saml';
  /** Issuer or name of the identity provider. */
  readonly provider: string;
  /** The name at which the visitor logged in. */
  readonly hostname: string;
  /** The resource with the module: a route, an endpoint configuration, or the bind of an agent. */
  readonly resource_id: string;
  /** Source address of the login. */
  readonly address: string;
}

/** A page of logins. */
export interface VisitorLoginList {
  /** May be fewer than the limit, also on a page that is not the last. */
  readonly visitor_logins: readonly VisitorLogin[];
  /** URL of this page. */
  readonly uri: string;
  /** URL of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface RecentTraffic {
  /** The kind of the keys. */
  readonly by: string;
  /** Start of the first minute. */
  readonly since: string;
  /** End of the running minute. */
  readonly until: string;
  /** One element for each key, in the order of the request. */
  readonly keys: readonly RecentTrafficKeys[];
}

export interface ErrorDetails {
  /** Names this request in the log of the service. */
  readonly operation_id: string;
  /** JSON pointer into the body, or the name of a parameter. */
  readonly field?: string;
  /** Accepted values, separated by commas. */
  readonly allowed?: string;
  /** The bound that was passed, in digits. */
  readonly limit?: string;
  /** Ids of the resources that are in the way, separated by commas. */
  readonly used_by?: string;
  readonly [key: string]: string | undefined;
}

export interface StaticBackendTls {
  /** True if the service connects to it with TLS. */
  readonly enabled: boolean;
}

export interface StaticBackendTlsMutate {
  /** True if the service connects to it with TLS. Default: false. */
  readonly enabled?: boolean | null;
}

export interface EndpointOAuthProvider {
  /** A client at the provider, and whom of its users it is for. */
  readonly github: EndpointOAuthGitHubClient | null;
  /** A client at the provider, and whom of its users it is for. */
  readonly facebook: EndpointOAuthClient | null;
  /** A client at the provider, and whom of its users it is for. */
  readonly microsoft: EndpointOAuthClient | null;
  /** A client at the provider, and whom of its users it is for. */
  readonly google: EndpointOAuthClient | null;
  /** A client at the provider, and whom of its users it is for. */
  readonly linkedin: EndpointOAuthClient | null;
  /** A client at the provider, and whom of its users it is for. */
  readonly gitlab: EndpointOAuthClient | null;
  /** A client at the provider, and whom of its users it is for. */
  readonly twitch: EndpointOAuthClient | null;
  /** A client at the provider, and whom of its users it is for. */
  readonly amazon: EndpointOAuthClient | null;
}

export interface EndpointOAuthGitHubClientMutate {
  /** The client id of this service at the provider. Needed if the operator has no application there. Its redirect URI is "https://<name>/underpass/callback". At most 255 bytes. */
  readonly client_id?: string | null;
  /** Needed with client_id. Shown as "". A change that leaves it out keeps it, as long as provider and client_id stay. At most 512 bytes. */
  readonly client_secret?: string | null;
  /** Scopes that the service requests from the provider; empty for those that identify the user. */
  readonly scopes?: readonly string[] | null;
  /** Users with these addresses are served, in lower case. The provider must have verified the address; amazon states nothing about that. */
  readonly email_addresses?: readonly string[] | null;
  /** Users with verified addresses in these domains are served, in lower case; the whole domain counts. */
  readonly email_domains?: readonly string[] | null;
  /** Members of these teams are served: "org/team", or the number of a team. */
  readonly teams?: readonly string[] | null;
  /** Members of these organizations are served. */
  readonly organizations?: readonly string[] | null;
}

export interface EndpointOAuthClientMutate {
  /** The client id of this service at the provider. Needed if the operator has no application there. Its redirect URI is "https://<name>/underpass/callback". At most 255 bytes. */
  readonly client_id?: string | null;
  /** Needed with client_id. Shown as "". A change that leaves it out keeps it, as long as provider and client_id stay. At most 512 bytes. */
  readonly client_secret?: string | null;
  /** Scopes that the service requests from the provider; empty for those that identify the user. */
  readonly scopes?: readonly string[] | null;
  /** Users with these addresses are served, in lower case. The provider must have verified the address; amazon states nothing about that. */
  readonly email_addresses?: readonly string[] | null;
  /** Users with verified addresses in these domains are served, in lower case; the whole domain counts. */
  readonly email_domains?: readonly string[] | null;
}

export interface EndpointOAuthProviderMutate {
  /** All users of GitHub if every list is empty. */
  readonly github?: EndpointOAuthGitHubClientMutate | null;
  /** All users of the provider if every list is empty. */
  readonly facebook?: EndpointOAuthClientMutate | null;
  /** All users of the provider if every list is empty. */
  readonly microsoft?: EndpointOAuthClientMutate | null;
  /** All users of the provider if every list is empty. */
  readonly google?: EndpointOAuthClientMutate | null;
  /** All users of the provider if every list is empty. */
  readonly linkedin?: EndpointOAuthClientMutate | null;
  /** All users of the provider if every list is empty. */
  readonly gitlab?: EndpointOAuthClientMutate | null;
  /** All users of the provider if every list is empty. */
  readonly twitch?: EndpointOAuthClientMutate | null;
  /** All users of the provider if every list is empty. */
  readonly amazon?: EndpointOAuthClientMutate | null;
}

export interface ReservedDomainCertificateManagementPolicy {
  /** Issuer of the certificate. */
  readonly authority: string;
  /** The type of its key. */
  readonly private_key_type: string;
}

export interface ReservedDomainCertificateManagementStatusProvisioningJob {
  /** Null unless it fails: INTERNAL_ERROR passes, DNS_ERROR has to be mended. */
  readonly error_code: string | null;
  /** The step in progress, or the reason for the failure. */
  readonly msg: string;
  /** Time at which it began. RFC 3339, UTC, whole seconds. */
  readonly started_at: string;
  /** Time of the next attempt. RFC 3339, UTC, whole seconds. */
  readonly retries_at: string | null;
}

export interface ReservedDomainCertificateManagementStatus {
  /** Time at which the next renewal is requested. RFC 3339, UTC, whole seconds. */
  readonly renews_at: string | null;
  /** The job in progress; null if there is none. */
  readonly provisioning_job: ReservedDomainCertificateManagementStatusProvisioningJob | null;
}

export interface ReservedDomainCertificateManagementPolicyMutate {
  /** Issuer of the certificate. */
  readonly authority?: 'public_ca' | null;
  /** The type of its key; rsa unless another is given. */
  readonly private_key_type?: 'rsa' | 'ecdsa' | null;
}

export interface ReservedDomainProofRecords {
  /** Full name of the record. */
  readonly name: string;
  /** CNAME or TXT. */
  readonly type: string;
  /** Value that the record must have. */
  readonly value: string;
}

export interface ReservedDomainRenewalProvisioningJob {
  /** Null unless it fails: INTERNAL_ERROR passes, DNS_ERROR has to be mended. */
  readonly error_code: string | null;
  /** The step in progress, or the reason for the failure. */
  readonly msg: string;
  /** Time at which it began. RFC 3339, UTC, whole seconds. */
  readonly started_at: string;
  /** Time of the next attempt. RFC 3339, UTC, whole seconds. */
  readonly retries_at: string | null;
}

export interface TLSCertificateSubjectAlternativeNames {
  /** Host names. */
  readonly dns_names: readonly string[];
  /** IP addresses. */
  readonly ips: readonly string[];
}

export interface CloudRoleMutate {
  /** The role that the service assumes: "arn:<partition>:iam::<account>:role/<name>". At most 2048 bytes. */
  readonly role_identifier: string;
}

export interface CloudCredentialsMutate {
  /** Names the key: a lasting one of a user ("AKIA…"). A temporary one ("ASIA…") is refused. At most 128 bytes. */
  readonly cloud_access_key_id: string;
  /** The key. Shown as "". An update that leaves it out keeps it, as long as cloud_access_key_id stays. At most 1024 bytes. */
  readonly cloud_secret_access_key?: string | null;
}

export interface CloudAuthMutate {
  /** A role that is assumed. */
  readonly role?: CloudRoleMutate | null;
  /** An access key. */
  readonly creds?: CloudCredentialsMutate | null;
}

export interface EventTargetDeliveryStreamMutate {
  /** The credentials: exactly one of these. */
  readonly auth: CloudAuthMutate;
  /** Written as "arn:<partition>:firehose:<region>:<account>:deliverystream/<name>". At most 2048 bytes. */
  readonly delivery_stream_identifier: string;
}

export interface EventTargetStreamMutate {
  /** The credentials: exactly one of these. */
  readonly auth: CloudAuthMutate;
  /** Written as "arn:<partition>:kinesis:<region>:<account>:stream/<name>". At most 2048 bytes. */
  readonly stream_identifier: string;
}

export interface EventTargetLogGroupMutate {
  /** The credentials: exactly one of these. */
  readonly auth: CloudAuthMutate;
  /** Written as "arn:<partition>:logs:<region>:<account>:log-group:<name>". At most 2048 bytes. */
  readonly log_group_identifier: string;
}

export interface EventTargetS3Mutate {
  /** The credentials: exactly one of these. */
  readonly auth: CloudAuthMutate;
  /** Written as "arn:<partition>:s3:::<name>". At most 2048 bytes. */
  readonly bucket_identifier: string;
  /** Prefix of the names of objects. The hour of the first event, the ids of the first and the last one, and that of the destination follow. At most 512 bytes. */
  readonly object_prefix?: string | null;
  /** True if objects are compressed with gzip. Default: false. */
  readonly compression?: boolean | null;
  /** Bytes of an object, before it is compressed, that are not exceeded, unless by a single event; 0 for the default, 5 MiB. An object has at most 10,000 events; where an account has more than two destinations with buckets, 25,000 divided by their number. Default: 0. */
  readonly max_file_size?: number | null;
  /** Seconds that an event waits for others, to be stored in one object; 0 for the default, 300. Default: 0. */
  readonly max_file_age?: number | null;
}

export interface EventTargetMonitoringMutate {
  /** The key of the monitoring service. Shown as "". An update that leaves it out keeps it, as long as site stays. At most 1024 bytes. */
  readonly api_key?: string | null;
  /** Tags that are sent with each event. At most 4096 bytes. */
  readonly tags?: string | null;
  /** The name of a service that is sent with each event. At most 255 bytes. */
  readonly service?: string | null;
  /** The site that events are sent to: us1, us3, us5, eu1, ap1, or its host name; empty for the default. At most 255 bytes. */
  readonly site?: string | null;
}

export interface EventTargetAzureLogsIngestionMutate {
  /** The directory that the application is registered in. At most 255 bytes. */
  readonly tenant_id: string;
  /** The application that events are sent as. At most 255 bytes. */
  readonly client_id: string;
  /** The secret of the application. Shown as "". An update that leaves it out keeps it, as long as tenant_id, client_id and logs_ingestion_uri stay. At most 1024 bytes. */
  readonly client_secret?: string | null;
  /** The endpoint of the data collection, with https. At most 2048 bytes. */
  readonly logs_ingestion_uri: string;
  /** The immutable id of the rule. At most 255 bytes. */
  readonly data_collection_rule_id: string;
  /** The stream of the rule. At most 255 bytes. */
  readonly data_collection_stream_name: string;
}

export interface EventTargetMutate {
  /** A delivery stream in the cloud. */
  readonly delivery_stream?: EventTargetDeliveryStreamMutate | null;
  /** A data stream in the cloud. */
  readonly stream?: EventTargetStreamMutate | null;
  /** A log group in the cloud. */
  readonly log_group?: EventTargetLogGroupMutate | null;
  /** A bucket in the cloud, in which events are stored as objects with a line for each. */
  readonly s3?: EventTargetS3Mutate | null;
  /** The monitoring service. */
  readonly monitoring?: EventTargetMonitoringMutate | null;
  /** Logs ingestion of Azure. */
  readonly azure_logs_ingestion?: EventTargetAzureLogsIngestionMutate | null;
}

export interface CloudCredentialsUpdate {
  /** Names the key: a lasting one of a user ("AKIA…"). A temporary one ("ASIA…") is refused. At most 128 bytes. */
  readonly cloud_access_key_id: string;
  /** The key. Shown as "". An update that leaves it out keeps it, as long as cloud_access_key_id stays. At most 1024 bytes. */
  readonly cloud_secret_access_key?: string | null;
}

export interface CloudAuthUpdate {
  /** A role that is assumed. */
  readonly role?: CloudRoleMutate | null;
  /** An access key. */
  readonly creds?: CloudCredentialsUpdate | null;
}

export interface EventTargetDeliveryStreamUpdate {
  /** The credentials: exactly one of these. */
  readonly auth: CloudAuthUpdate;
  /** Written as "arn:<partition>:firehose:<region>:<account>:deliverystream/<name>". At most 2048 bytes. */
  readonly delivery_stream_identifier: string;
}

export interface EventTargetStreamUpdate {
  /** The credentials: exactly one of these. */
  readonly auth: CloudAuthUpdate;
  /** Written as "arn:<partition>:kinesis:<region>:<account>:stream/<name>". At most 2048 bytes. */
  readonly stream_identifier: string;
}

export interface EventTargetLogGroupUpdate {
  /** The credentials: exactly one of these. */
  readonly auth: CloudAuthUpdate;
  /** Written as "arn:<partition>:logs:<region>:<account>:log-group:<name>". At most 2048 bytes. */
  readonly log_group_identifier: string;
}

export interface EventTargetS3Update {
  /** The credentials: exactly one of these. */
  readonly auth: CloudAuthUpdate;
  /** Written as "arn:<partition>:s3:::<name>". At most 2048 bytes. */
  readonly bucket_identifier: string;
  /** Prefix of the names of objects. The hour of the first event, the ids of the first and the last one, and that of the destination follow. At most 512 bytes. */
  readonly object_prefix?: string | null;
  /** True if objects are compressed with gzip. Default: false. */
  readonly compression?: boolean | null;
  /** Bytes of an object, before it is compressed, that are not exceeded, unless by a single event; 0 for the default, 5 MiB. An object has at most 10,000 events; where an account has more than two destinations with buckets, 25,000 divided by their number. Default: 0. */
  readonly max_file_size?: number | null;
  /** Seconds that an event waits for others, to be stored in one object; 0 for the default, 300. Default: 0. */
  readonly max_file_age?: number | null;
}

export interface EventTargetMonitoringUpdate {
  /** The key of the monitoring service. Shown as "". An update that leaves it out keeps it, as long as site stays. At most 1024 bytes. */
  readonly api_key?: string | null;
  /** Tags that are sent with each event. At most 4096 bytes. */
  readonly tags?: string | null;
  /** The name of a service that is sent with each event. At most 255 bytes. */
  readonly service?: string | null;
  /** The site that events are sent to: us1, us3, us5, eu1, ap1, or its host name; empty for the default. At most 255 bytes. */
  readonly site?: string | null;
}

export interface EventTargetAzureLogsIngestionUpdate {
  /** The directory that the application is registered in. At most 255 bytes. */
  readonly tenant_id: string;
  /** The application that events are sent as. At most 255 bytes. */
  readonly client_id: string;
  /** The secret of the application. Shown as "". An update that leaves it out keeps it, as long as tenant_id, client_id and logs_ingestion_uri stay. At most 1024 bytes. */
  readonly client_secret?: string | null;
  /** The endpoint of the data collection, with https. At most 2048 bytes. */
  readonly logs_ingestion_uri: string;
  /** The immutable id of the rule. At most 255 bytes. */
  readonly data_collection_rule_id: string;
  /** The stream of the rule. At most 255 bytes. */
  readonly data_collection_stream_name: string;
}

export interface EventTargetUpdate {
  /** A delivery stream in the cloud. */
  readonly delivery_stream?: EventTargetDeliveryStreamUpdate | null;
  /** A data stream in the cloud. */
  readonly stream?: EventTargetStreamUpdate | null;
  /** A log group in the cloud. */
  readonly log_group?: EventTargetLogGroupUpdate | null;
  /** A bucket in the cloud, in which events are stored as objects with a line for each. */
  readonly s3?: EventTargetS3Update | null;
  /** The monitoring service. */
  readonly monitoring?: EventTargetMonitoringUpdate | null;
  /** Logs ingestion of Azure. */
  readonly azure_logs_ingestion?: EventTargetAzureLogsIngestionUpdate | null;
}

export interface CallerAccount {
  readonly id: string;
  /** Name of the account; may be empty. */
  readonly name: string;
}

export interface CallerUser {
  /** Id of the user or bot user. */
  readonly id: string;
  readonly uri: string;
  readonly name: string;
  /** E-mail address; empty for none, and for a bot user. */
  readonly email: string;
}

export interface CallerSession {
  readonly id: string;
  readonly uri: string;
  /** Latest end of the session. */
  readonly expires_at: string;
}

export interface CallerRateLimit {
  /** Requests in any 60 seconds; 0 for no limit. */
  readonly limit: number;
  /** Requests that are left at the moment; null without a limit. */
  readonly remaining: number | null;
  /** The counted requests: those of the account by API keys, or those of the user by console sessions. */
  readonly scope: 'account' | 'console';
}

export interface TrafficRequestTls {
  /** Such as `TLSv1.3`. */
  readonly version: string;
  /** The cipher suite, as OpenSSL names it. */
  readonly cipher_suite: string;
  /** Common name of the visitor's verified certificate; empty for none. */
  readonly client_certificate_cn: string;
}

export interface TrafficRequestDecisions {
  /** The module, such as `ip_restriction`. */
  readonly module: string;
  /** Its decision, such as `allow` or `block`. */
  readonly decision: string;
}

export interface TrafficRequestDetailsTls {
  /** Such as `TLSv1.3`. */
  readonly version: string;
  /** The cipher suite, as OpenSSL names it. */
  readonly cipher_suite: string;
  /** Common name of the visitor's verified certificate; empty for none. */
  readonly client_certificate_cn: string;
}

export interface TrafficRequestDetailsDecisions {
  /** The module, such as `ip_restriction`. */
  readonly module: string;
  /** Its decision, such as `allow` or `block`. */
  readonly decision: string;
}

export interface TrafficRequestDetailsBodies {
  /** The recording, as in `GET /traffic/recordings`. */
  readonly recording_id: string;
  /** A recorded body. */
  readonly request: RecordedBody | null;
  /** A recorded body. */
  readonly response: RecordedBody | null;
}

export interface TrafficSeriesErrorCodes {
  /** Code of the error; "" for all further codes together. */
  readonly error_code: string;
  /** Requests and connections that ended with it. */
  readonly count: number;
}

export interface IPRulesTestRules {
  /** Action of the rule. */
  readonly action: 'allow' | 'deny';
  /** Range of the rule. */
  readonly cidr: string;
}

export interface RecentTrafficKeys {
  /** The id or name of the request. */
  readonly key: string;
  /** Requests and connections of each minute, the running one last. */
  readonly requests: readonly number[];
  /** Responses with 500 or above, and connections that ended with an error. */
  readonly errors: readonly number[];
  /** Bytes in both directions. */
  readonly bytes: readonly number[];
}

export interface StreamEvents {
  /** The first event: everything that happens from now on is reported. */
  readonly ready: StreamReady;
  /** Topic `changes`: a resource was created, updated or deleted. Its id is a `Last-Event-ID`. */
  readonly change: StreamChange;
  /** Topic `sessions`: an agent or a tunnel came online, changed or went offline, on any daemon. */
  readonly session: StreamSession;
  /** Topic `traffic`: a request or connection of a visitor has ended, on any daemon. All are recorded while the stream is open. */
  readonly traffic: TrafficRequest;
  /** Topic `overview`: what `GET /overview` returns, once after `ready`, then at most once a second if it differs. It costs no further requests. */
  readonly overview: AccountOverview;
  /** Changes may have been missed: list everything anew. */
  readonly reset: StreamReset;
  /** The client did not read fast enough, and the oldest events were dropped: list these topics anew. */
  readonly dropped: StreamDropped;
}
