// Written by scripts/write-client.ts from the OpenAPI document; do not edit.

export interface ErrorBody {
  /** Distinct for every condition. */
  readonly error_code: string;
  /** The HTTP status. */
  readonly status_code: number;
  /** What is wrong, with what value, and what to do. */
  readonly msg: string;
  readonly details: {
    /** Names this request in the log of the service. */
    readonly operation_id: string;
    /** JSON pointer into the body, or the name of a parameter. */
    readonly field?: string;
    /** What would be accepted, separated by commas. */
    readonly allowed?: string;
    /** The bound that was passed, in digits. */
    readonly limit?: string;
    /** Ids of the resources that are in the way, separated by commas. */
    readonly used_by?: string;
    readonly [key: string]: string | undefined;
  };
}

export interface HTTPResponseBackend {
  readonly id: string;
  readonly uri: string;
  /** RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** For people. At most 255 bytes. */
  readonly description: string;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata: string;
  /** The content that is answered. At most 65536 bytes. */
  readonly body: string;
  /** Names in lower case; null when there are none. */
  readonly headers: Readonly<Record<string, string>> | null;
  /** Default 200. */
  readonly status_code: number;
}

export interface HTTPResponseBackendList {
  /** Newest first. */
  readonly backends: readonly HTTPResponseBackend[];
  /** Of the list. */
  readonly uri: string;
  /** Of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface HTTPResponseBackendCreate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** The content that is answered. At most 65536 bytes. */
  readonly body?: string | null;
  /** Headers that are answered. Not possible: those that frame the message or belong to the connection. */
  readonly headers?: Readonly<Record<string, string>> | null;
  /** Default 200. */
  readonly status_code?: number | null;
}

export interface HTTPResponseBackendUpdate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** The content that is answered. At most 65536 bytes. */
  readonly body?: string | null;
  /** Headers that are answered. Not possible: those that frame the message or belong to the connection. */
  readonly headers?: Readonly<Record<string, string>> | null;
  /** Default 200. */
  readonly status_code?: number | null;
}

export interface Ref {
  readonly id: string;
  readonly uri: string;
}

export interface TunnelGroupBackend {
  readonly id: string;
  readonly uri: string;
  /** RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** For people. At most 255 bytes. */
  readonly description: string;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata: string;
  /** A tunnel belongs to the group when it carries every one of these. At least one is needed. */
  readonly labels: Readonly<Record<string, string>>;
  /** The tunnels that are online and match, at this moment. */
  readonly tunnels: readonly Ref[];
}

export interface TunnelGroupBackendList {
  /** Newest first. */
  readonly backends: readonly TunnelGroupBackend[];
  /** Of the list. */
  readonly uri: string;
  /** Of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface TunnelGroupBackendCreate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** A tunnel belongs to the group when it carries every one of these. At least one is needed. */
  readonly labels: Readonly<Record<string, string>>;
}

export interface TunnelGroupBackendUpdate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** A tunnel belongs to the group when it carries every one of these. At least one is needed. */
  readonly labels?: Readonly<Record<string, string>> | null;
}

export interface FailoverBackend {
  readonly id: string;
  readonly uri: string;
  /** RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** For people. At most 255 bytes. */
  readonly description: string;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata: string;
  /** In the order in which they are tried. */
  readonly backends: readonly string[];
}

export interface FailoverBackendList {
  /** Newest first. */
  readonly backends: readonly FailoverBackend[];
  /** Of the list. */
  readonly uri: string;
  /** Of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface FailoverBackendCreate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** Ids of the backends in the order in which they are tried: at least one, at most 32, none of them failover or weighted. */
  readonly backends: readonly string[];
}

export interface FailoverBackendUpdate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** Ids of the backends in the order in which they are tried: at least one, at most 32, none of them failover or weighted. */
  readonly backends?: readonly string[] | null;
}

export interface WeightedBackend {
  readonly id: string;
  readonly uri: string;
  /** RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** For people. At most 255 bytes. */
  readonly description: string;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata: string;
  /** Weights by the id of the backend. */
  readonly backends: Readonly<Record<string, number>>;
}

export interface WeightedBackendList {
  /** Newest first. */
  readonly backends: readonly WeightedBackend[];
  /** Of the list. */
  readonly uri: string;
  /** Of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface WeightedBackendCreate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** Weights by the id of the backend: at least one, at most 32; none of the backends failover or weighted. A backend of weight 0 gets no traffic; when all have that, nothing is served. */
  readonly backends: Readonly<Record<string, number>>;
}

export interface WeightedBackendUpdate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** Weights by the id of the backend: at least one, at most 32; none of the backends failover or weighted. A backend of weight 0 gets no traffic; when all have that, nothing is served. */
  readonly backends?: Readonly<Record<string, number>> | null;
}

export interface StaticBackend {
  readonly id: string;
  readonly uri: string;
  /** RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** For people. At most 255 bytes. */
  readonly description: string;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata: string;
  /** host:port; the host is a name or a public IP address, IPv6 in brackets. What a name resolves to is judged when it is dialled. */
  readonly address: string;
  readonly tls: {
    readonly enabled: boolean;
  };
}

export interface StaticBackendList {
  /** Newest first. */
  readonly backends: readonly StaticBackend[];
  /** Of the list. */
  readonly uri: string;
  /** Of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface StaticBackendCreate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** host:port; the host is a name or a public IP address, IPv6 in brackets. What a name resolves to is judged when it is dialled. */
  readonly address: string;
  readonly tls?: {
    /** Whether TLS is spoken with it. Default false. */
    readonly enabled?: boolean | null;
  } | null;
}

export interface StaticBackendUpdate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** host:port; the host is a name or a public IP address, IPv6 in brackets. What a name resolves to is judged when it is dialled. */
  readonly address?: string | null;
  readonly tls?: {
    /** Whether TLS is spoken with it. Default false. */
    readonly enabled?: boolean | null;
  } | null;
}

export interface EndpointBackend {
  /** Default true; false turns the module off. */
  readonly enabled: boolean;
  readonly backend: Ref;
}

export interface EndpointIPPolicy {
  /** Default true; false turns the module off. */
  readonly enabled: boolean;
  readonly ip_policies: readonly Ref[];
}

export interface EndpointMutualTLS {
  /** Default true; false turns the module off. */
  readonly enabled: boolean;
  readonly certificate_authorities: readonly Ref[];
}

export interface EndpointTLSTermination {
  /** Default true; false turns the module off. */
  readonly enabled: boolean;
  /** Default upstream. */
  readonly terminate_at: string;
  /** Empty for the default; null with terminate_at "upstream". */
  readonly min_version: string | null;
}

export interface EndpointBackendMutate {
  /** Default true; false turns the module off. */
  readonly enabled?: boolean | null;
  readonly backend_id: string;
}

export interface EndpointIPPolicyMutate {
  /** Default true; false turns the module off. */
  readonly enabled?: boolean | null;
  /** At least one. */
  readonly ip_policy_ids: readonly string[];
}

export interface EndpointMutualTLSMutate {
  /** Default true; false turns the module off. */
  readonly enabled?: boolean | null;
  /** Without any, no client certificate is accepted. */
  readonly certificate_authority_ids?: readonly string[] | null;
}

export interface EndpointTLSTerminationMutate {
  /** Default true; false turns the module off. */
  readonly enabled?: boolean | null;
  /** Default upstream. */
  readonly terminate_at?: 'edge' | 'upstream' | null;
  /** Only with terminate_at "edge"; left out or empty for a safe default. */
  readonly min_version?: '' | '1.0' | '1.1' | '1.2' | '1.3' | null;
}

export interface TLSEdge {
  readonly id: string;
  /** For people. At most 255 bytes. */
  readonly description: string;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata: string;
  /** RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  readonly uri: string;
  /** Reserved domains with port 443 or the port of the base URL, which mean the same. */
  readonly hostports: readonly string[];
  readonly backend: EndpointBackend | null;
  readonly ip_restriction: EndpointIPPolicy | null;
  readonly mutual_tls: EndpointMutualTLS | null;
  readonly tls_termination: EndpointTLSTermination | null;
}

export interface TLSEdgeList {
  /** Newest first. */
  readonly tls_edges: readonly TLSEdge[];
  /** Of the list. */
  readonly uri: string;
  /** Of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface TLSEdgeCreate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** Reserved domains with port 443 or the port of the base URL, which mean the same. */
  readonly hostports?: readonly string[] | null;
  readonly backend?: EndpointBackendMutate | null;
  readonly ip_restriction?: EndpointIPPolicyMutate | null;
  readonly mutual_tls?: EndpointMutualTLSMutate | null;
  readonly tls_termination?: EndpointTLSTerminationMutate | null;
}

export interface TLSEdgeUpdate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** Reserved domains with port 443 or the port of the base URL, which mean the same. */
  readonly hostports?: readonly string[] | null;
  readonly backend?: EndpointBackendMutate | null;
  readonly ip_restriction?: EndpointIPPolicyMutate | null;
  readonly mutual_tls?: EndpointMutualTLSMutate | null;
  readonly tls_termination?: EndpointTLSTerminationMutate | null;
}

export interface EndpointTLSTerminationAtEdge {
  /** Default true; false turns the module off. */
  readonly enabled: boolean;
  /** Always "edge". */
  readonly terminate_at: string;
  /** Empty for the default. */
  readonly min_version: string;
}

export interface EndpointCircuitBreaker {
  /** Default true; false turns the module off. */
  readonly enabled: boolean;
  /** Seconds until an open circuit is tried again; 0 for 10. */
  readonly tripped_duration: number;
  /** Seconds over which answers are counted; 0 for 10. */
  readonly rolling_window: number;
  /** Parts of the window; 0 for 10. */
  readonly num_buckets: number;
  /** Requests in the window below which the circuit stays closed; 0 for 20. */
  readonly volume_threshold: number;
  /** Share of answers with a status of 500 or above that opens the circuit. */
  readonly error_threshold_percentage: number;
}

export interface EndpointCompression {
  /** Default true; false turns the module off. */
  readonly enabled: boolean;
}

export interface EndpointRequestHeaders {
  /** Default true; false turns the module off. */
  readonly enabled: boolean;
  /** Lower-case names. */
  readonly add: Readonly<Record<string, string>>;
  /** Lower-case names. */
  readonly remove: readonly string[];
}

export interface EndpointResponseHeaders {
  /** Default true; false turns the module off. */
  readonly enabled: boolean;
  /** Lower-case names. */
  readonly add: Readonly<Record<string, string>>;
  /** Lower-case names. */
  readonly remove: readonly string[];
}

export interface EndpointSAML {
  /** Default true; false turns the module off. */
  readonly enabled: boolean;
  /** Whether OPTIONS requests are served to everybody, as CORS needs it. */
  readonly options_passthrough: boolean;
  /** What the name of the session cookie begins with: letters, digits and dots. Empty for the default. At most 64 bytes. */
  readonly cookie_prefix: string;
  /** Seconds without a request after which a user must log in again; 0 for never. */
  readonly inactivity_timeout: number;
  /** Seconds after which a user must log in again; 0 for the default. */
  readonly maximum_duration: number;
  /** Needed. The XML document EntityDescriptor of the identity provider. At most 131072 bytes. */
  readonly idp_metadata: string;
  /** Not available: give the document itself as idp_metadata. */
  readonly idp_metadata_url: string;
  /** Whether users must prove who they are even when the provider knows. */
  readonly force_authn: boolean;
  /** Default true: a login may begin at the identity provider. */
  readonly allow_idp_initiated: boolean;
  /** Who is served: members of any of these; empty for everybody who can log in. */
  readonly authorized_groups: readonly string[];
  /** The same as metadata_url. */
  readonly entity_id: string;
  readonly assertion_consumer_service_url: string;
  readonly single_logout_url: string;
  /** For as long as the module is set, also when it is replaced. */
  readonly request_signing_certificate_pem: string;
  /** What the identity provider must know of this service. */
  readonly metadata_url: string;
  /** Default urn:oasis:names:tc:SAML:2.0:nameid-format:persistent. */
  readonly nameid_format: string;
}

export interface EndpointWebsocketTCPConverter {
  /** Default true; false turns the module off. */
  readonly enabled: boolean;
}

export interface EndpointUserAgentFilter {
  /** Default true; false turns the module off. */
  readonly enabled: boolean;
  /** Served even when a pattern of "deny" is found too. */
  readonly allow: readonly string[];
  /** Not served. */
  readonly deny: readonly string[];
}

export interface EndpointCircuitBreakerMutate {
  /** Default true; false turns the module off. */
  readonly enabled?: boolean | null;
  /** Seconds until an open circuit is tried again; 0 for 10. */
  readonly tripped_duration?: number | null;
  /** Seconds over which answers are counted; 0 for 10. */
  readonly rolling_window?: number | null;
  /** Parts of the window; 0 for 10. */
  readonly num_buckets?: number | null;
  /** Requests in the window below which the circuit stays closed; 0 for 20. */
  readonly volume_threshold?: number | null;
  /** Share of answers with a status of 500 or above that opens the circuit. */
  readonly error_threshold_percentage?: number | null;
}

export interface EndpointCompressionMutate {
  /** Default true; false turns the module off. */
  readonly enabled?: boolean | null;
}

export interface EndpointRequestHeadersMutate {
  /** Default true; false turns the module off. */
  readonly enabled?: boolean | null;
  /** Up to 5 headers to add; one that is also removed is replaced. */
  readonly add?: Readonly<Record<string, string>> | null;
  /** Names, in any case. */
  readonly remove?: readonly string[] | null;
}

export interface EndpointResponseHeadersMutate {
  /** Default true; false turns the module off. */
  readonly enabled?: boolean | null;
  /** Up to 5 headers to add; one that is also removed is replaced. */
  readonly add?: Readonly<Record<string, string>> | null;
  /** Names, in any case. */
  readonly remove?: readonly string[] | null;
}

export interface EndpointSAMLMutate {
  /** Default true; false turns the module off. */
  readonly enabled?: boolean | null;
  /** Whether OPTIONS requests are served to everybody, as CORS needs it. */
  readonly options_passthrough?: boolean | null;
  /** What the name of the session cookie begins with: letters, digits and dots. Empty for the default. At most 64 bytes. */
  readonly cookie_prefix?: string | null;
  /** Seconds without a request after which a user must log in again; 0 for never. */
  readonly inactivity_timeout?: number | null;
  /** Seconds after which a user must log in again; 0 for the default. */
  readonly maximum_duration?: number | null;
  /** Needed. The XML document EntityDescriptor of the identity provider. At most 131072 bytes. */
  readonly idp_metadata?: string | null;
  /** Not available: give the document itself as idp_metadata. */
  readonly idp_metadata_url?: string | null;
  /** Whether users must prove who they are even when the provider knows. */
  readonly force_authn?: boolean | null;
  /** Default true: a login may begin at the identity provider. */
  readonly allow_idp_initiated?: boolean | null;
  /** Who is served: members of any of these; empty for everybody who can log in. */
  readonly authorized_groups?: readonly string[] | null;
  /** Default urn:oasis:names:tc:SAML:2.0:nameid-format:persistent. */
  readonly nameid_format?:
    | ''
    | 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'
    | 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'
    | 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'
    | 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified'
    | null;
}

export interface EndpointWebsocketTCPConverterMutate {
  /** Default true; false turns the module off. */
  readonly enabled?: boolean | null;
}

export interface EndpointUserAgentFilterMutate {
  /** Default true; false turns the module off. */
  readonly enabled?: boolean | null;
  /** Served even when a pattern of "deny" is found too. */
  readonly allow?: readonly string[] | null;
  /** Not served. */
  readonly deny?: readonly string[] | null;
}

export interface HTTPSEdgeRoute {
  readonly edge_id: string;
  readonly id: string;
  readonly uri: string;
  /** RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** For people. At most 255 bytes. */
  readonly description: string;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata: string;
  /** exact_path goes before path_prefix, a longer prefix before a shorter one. A prefix is one of characters, not of segments: "/admin" matches "/administrator", "/admin/" does not. */
  readonly match_type: string;
  /** What the path of a request, percent-decoded and without dot segments, is or begins with. Unique within the edge. At most 512 bytes. */
  readonly match: string;
  readonly backend: EndpointBackend | null;
  readonly ip_restriction: EndpointIPPolicy | null;
  readonly circuit_breaker: EndpointCircuitBreaker | null;
  readonly compression: EndpointCompression | null;
  readonly request_headers: EndpointRequestHeaders | null;
  readonly response_headers: EndpointResponseHeaders | null;
  readonly saml: EndpointSAML | null;
  readonly websocket_tcp_converter: EndpointWebsocketTCPConverter | null;
  readonly user_agent_filter: EndpointUserAgentFilter | null;
}

export interface EndpointTLSTerminationAtEdgeMutate {
  /** Default true; false turns the module off. */
  readonly enabled?: boolean | null;
  /** Cannot be given: an HTTPS edge always terminates TLS itself. */
  readonly terminate_at?: string | null;
  /** Left out or empty for a safe default. */
  readonly min_version?: '' | '1.0' | '1.1' | '1.2' | '1.3' | null;
}

export interface HTTPSEdge {
  readonly id: string;
  readonly uri: string;
  /** RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** For people. At most 255 bytes. */
  readonly description: string;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata: string;
  /** Reserved domains with port 443 or the port of the base URL, which mean the same. */
  readonly hostports: readonly string[];
  readonly mutual_tls: EndpointMutualTLS | null;
  readonly tls_termination: EndpointTLSTerminationAtEdge | null;
  /** Newest first. */
  readonly routes: readonly HTTPSEdgeRoute[];
}

export interface HTTPSEdgeList {
  /** Newest first. */
  readonly https_edges: readonly HTTPSEdge[];
  /** Of the list. */
  readonly uri: string;
  /** Of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface HTTPSEdgeCreate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** Reserved domains with port 443 or the port of the base URL, which mean the same. */
  readonly hostports?: readonly string[] | null;
  readonly mutual_tls?: EndpointMutualTLSMutate | null;
  readonly tls_termination?: EndpointTLSTerminationAtEdgeMutate | null;
}

export interface HTTPSEdgeUpdate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** Reserved domains with port 443 or the port of the base URL, which mean the same. */
  readonly hostports?: readonly string[] | null;
  readonly mutual_tls?: EndpointMutualTLSMutate | null;
  readonly tls_termination?: EndpointTLSTerminationAtEdgeMutate | null;
}

export interface HTTPSEdgeRouteCreate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** exact_path goes before path_prefix, a longer prefix before a shorter one. A prefix is one of characters, not of segments: "/admin" matches "/administrator", "/admin/" does not. */
  readonly match_type: 'exact_path' | 'path_prefix';
  /** What the path of a request, percent-decoded and without dot segments, is or begins with. Unique within the edge. At most 512 bytes. */
  readonly match: string;
  readonly backend?: EndpointBackendMutate | null;
  readonly ip_restriction?: EndpointIPPolicyMutate | null;
  readonly circuit_breaker?: EndpointCircuitBreakerMutate | null;
  readonly compression?: EndpointCompressionMutate | null;
  readonly request_headers?: EndpointRequestHeadersMutate | null;
  readonly response_headers?: EndpointResponseHeadersMutate | null;
  readonly saml?: EndpointSAMLMutate | null;
  readonly websocket_tcp_converter?: EndpointWebsocketTCPConverterMutate | null;
  readonly user_agent_filter?: EndpointUserAgentFilterMutate | null;
}

export interface HTTPSEdgeRouteUpdate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** exact_path goes before path_prefix, a longer prefix before a shorter one. A prefix is one of characters, not of segments: "/admin" matches "/administrator", "/admin/" does not. */
  readonly match_type?: 'exact_path' | 'path_prefix' | null;
  /** What the path of a request, percent-decoded and without dot segments, is or begins with. Unique within the edge. At most 512 bytes. */
  readonly match?: string | null;
  readonly backend?: EndpointBackendMutate | null;
  readonly ip_restriction?: EndpointIPPolicyMutate | null;
  readonly circuit_breaker?: EndpointCircuitBreakerMutate | null;
  readonly compression?: EndpointCompressionMutate | null;
  readonly request_headers?: EndpointRequestHeadersMutate | null;
  readonly response_headers?: EndpointResponseHeadersMutate | null;
  readonly saml?: EndpointSAMLMutate | null;
  readonly websocket_tcp_converter?: EndpointWebsocketTCPConverterMutate | null;
  readonly user_agent_filter?: EndpointUserAgentFilterMutate | null;
}

export interface TCPEdge {
  readonly id: string;
  readonly uri: string;
  /** RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** For people. At most 255 bytes. */
  readonly description: string;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata: string;
  /** Reserved addresses, all of one region. */
  readonly hostports: readonly string[];
  readonly backend: EndpointBackend | null;
  readonly ip_restriction: EndpointIPPolicy | null;
}

export interface TCPEdgeList {
  /** Newest first. */
  readonly tcp_edges: readonly TCPEdge[];
  /** Of the list. */
  readonly uri: string;
  /** Of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface TCPEdgeCreate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** Reserved addresses, all of one region. */
  readonly hostports?: readonly string[] | null;
  readonly backend?: EndpointBackendMutate | null;
  readonly ip_restriction?: EndpointIPPolicyMutate | null;
}

export interface TCPEdgeUpdate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** Reserved addresses, all of one region. */
  readonly hostports?: readonly string[] | null;
  readonly backend?: EndpointBackendMutate | null;
  readonly ip_restriction?: EndpointIPPolicyMutate | null;
}

export interface ReservedDomain {
  readonly id: string;
  readonly uri: string;
  /** RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** For people. At most 255 bytes. */
  readonly description: string;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata: string;
  /** A whole name; instead of "name". */
  readonly domain: string;
  /** Cannot change. */
  readonly region: string;
  /** Where the DNS of the domain should point; null below the shared domain. */
  readonly cname_target: string | null;
  readonly http_endpoint_configuration: Ref | null;
  readonly https_endpoint_configuration: Ref | null;
  readonly certificate: Ref | null;
  /** A certificate that the service gets and renews. */
  readonly certificate_management_policy: {
    readonly authority: string;
    readonly private_key_type: string;
  } | null;
  readonly certificate_management_status: {
    readonly renews_at: string | null;
    readonly provisioning_job: {
      readonly error_code: string | null;
      readonly msg: string;
      readonly started_at: string;
      readonly retries_at: string | null;
    } | null;
  } | null;
  readonly acme_challenge_cname_target: string | null;
}

export interface ReservedDomainList {
  /** Newest first. */
  readonly reserved_domains: readonly ReservedDomain[];
  /** Of the list. */
  readonly uri: string;
  /** Of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface ReservedDomainCreate {
  /** A whole name such as "app.example.com" or "*.example.com", or one label below the shared domain. */
  readonly name?: string | null;
  /** A whole name; instead of "name". */
  readonly domain?: string | null;
  /** Default us. */
  readonly region?: 'au' | 'eu' | 'ap' | 'us' | 'jp' | 'in' | 'sa' | null;
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** An uploaded TLS certificate, for the names that it covers; not for names below the shared domain. "" removes it. */
  readonly certificate_id?: string | null;
  /** A certificate that the service gets and renews. */
  readonly certificate_management_policy?: {
    readonly authority?: 'public_ca' | null;
    /** Default rsa. */
    readonly private_key_type?: 'rsa' | 'ecdsa' | null;
  } | null;
}

export interface ReservedDomainUpdate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** Cannot change. */
  readonly region?: 'au' | 'eu' | 'ap' | 'us' | 'jp' | 'in' | 'sa' | null;
  /** An uploaded TLS certificate, for the names that it covers; not for names below the shared domain. "" removes it. */
  readonly certificate_id?: string | null;
  /** A certificate that the service gets and renews. */
  readonly certificate_management_policy?: {
    readonly authority?: 'public_ca' | null;
    /** Default rsa. */
    readonly private_key_type?: 'rsa' | 'ecdsa' | null;
  } | null;
  /** Of type http. "" detaches it. */
  readonly http_endpoint_configuration_id?: string | null;
  /** Of type https. "" detaches it. */
  readonly https_endpoint_configuration_id?: string | null;
}

export interface ReservedAddr {
  readonly id: string;
  readonly uri: string;
  /** RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** For people. At most 255 bytes. */
  readonly description: string;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata: string;
  /** host:port, assigned at creation; the host says the region unless that is us. */
  readonly addr: string;
  /** Cannot change. */
  readonly region: string;
  readonly endpoint_configuration: Ref | null;
}

export interface ReservedAddrList {
  /** Newest first. */
  readonly reserved_addrs: readonly ReservedAddr[];
  /** Of the list. */
  readonly uri: string;
  /** Of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface ReservedAddrCreate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** Default us. */
  readonly region?: 'au' | 'eu' | 'ap' | 'us' | 'jp' | 'in' | 'sa' | null;
}

export interface ReservedAddrUpdate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** Cannot change. */
  readonly region?: 'au' | 'eu' | 'ap' | 'us' | 'jp' | 'in' | 'sa' | null;
  /** Of type tcp. "" detaches it. */
  readonly endpoint_configuration_id?: string | null;
}

export interface EndpointConfiguration {
  readonly id: string;
  readonly uri: string;
  /** RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** For people. At most 255 bytes. */
  readonly description: string;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata: string;
  /** What it can be attached to. Cannot change. */
  readonly type: string;
  readonly circuit_breaker: EndpointCircuitBreaker | null;
  readonly compression: EndpointCompression | null;
  readonly request_headers: EndpointRequestHeaders | null;
  readonly response_headers: EndpointResponseHeaders | null;
  readonly ip_policy: EndpointIPPolicy | null;
  readonly mutual_tls: EndpointMutualTLS | null;
  readonly tls_termination: EndpointTLSTermination | null;
  readonly saml: EndpointSAML | null;
  readonly backend: EndpointBackend | null;
}

export interface EndpointConfigurationList {
  /** Newest first. */
  readonly endpoint_configurations: readonly EndpointConfiguration[];
  /** Of the list. */
  readonly uri: string;
  /** Of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface EndpointConfigurationCreate {
  /** What it can be attached to. Cannot change. */
  readonly type: 'http' | 'https' | 'tcp';
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
  readonly circuit_breaker?: EndpointCircuitBreakerMutate | null;
  readonly compression?: EndpointCompressionMutate | null;
  readonly request_headers?: EndpointRequestHeadersMutate | null;
  readonly response_headers?: EndpointResponseHeadersMutate | null;
  readonly ip_policy?: EndpointIPPolicyMutate | null;
  readonly mutual_tls?: EndpointMutualTLSMutate | null;
  readonly tls_termination?: EndpointTLSTerminationMutate | null;
  readonly saml?: EndpointSAMLMutate | null;
  readonly backend?: EndpointBackendMutate | null;
}

export interface EndpointConfigurationUpdate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
  readonly circuit_breaker?: EndpointCircuitBreakerMutate | null;
  readonly compression?: EndpointCompressionMutate | null;
  readonly request_headers?: EndpointRequestHeadersMutate | null;
  readonly response_headers?: EndpointResponseHeadersMutate | null;
  readonly ip_policy?: EndpointIPPolicyMutate | null;
  readonly mutual_tls?: EndpointMutualTLSMutate | null;
  readonly tls_termination?: EndpointTLSTerminationMutate | null;
  readonly saml?: EndpointSAMLMutate | null;
  readonly backend?: EndpointBackendMutate | null;
}

export interface IPPolicy {
  readonly id: string;
  readonly uri: string;
  /** RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** For people. At most 255 bytes. */
  readonly description: string;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata: string;
}

export interface IPPolicyList {
  /** Newest first. */
  readonly ip_policies: readonly IPPolicy[];
  /** Of the list. */
  readonly uri: string;
  /** Of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface IPPolicyCreate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
}

export interface IPPolicyUpdate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
}

export interface IPPolicyRule {
  readonly id: string;
  readonly uri: string;
  /** RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** For people. At most 255 bytes. */
  readonly description: string;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata: string;
  /** An IPv4 or IPv6 range in CIDR notation, without host bits. */
  readonly cidr: string;
  readonly ip_policy: Ref;
  readonly action: string;
}

export interface IPPolicyRuleList {
  /** Newest first. */
  readonly ip_policy_rules: readonly IPPolicyRule[];
  /** Of the list. */
  readonly uri: string;
  /** Of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface IPPolicyRuleCreate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** An IPv4 or IPv6 range in CIDR notation, without host bits. */
  readonly cidr: string;
  readonly ip_policy_id: string;
  readonly action: 'allow' | 'deny';
}

export interface IPPolicyRuleUpdate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** An IPv4 or IPv6 range in CIDR notation, without host bits. */
  readonly cidr?: string | null;
}

export interface IPRestriction {
  readonly id: string;
  readonly uri: string;
  /** RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** For people. At most 255 bytes. */
  readonly description: string;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata: string;
  /** Default false: what would be refused is only logged. */
  readonly enforced: boolean;
  readonly type: string;
  readonly ip_policies: readonly Ref[];
}

export interface IPRestrictionList {
  /** Newest first. */
  readonly ip_restrictions: readonly IPRestriction[];
  /** Of the list. */
  readonly uri: string;
  /** Of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface IPRestrictionCreate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** Default false: what would be refused is only logged. */
  readonly enforced?: boolean | null;
  readonly type: 'dashboard' | 'api' | 'agent';
  /** At least one. All of their rules count together. */
  readonly ip_policy_ids: readonly string[];
}

export interface IPRestrictionUpdate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** Default false: what would be refused is only logged. */
  readonly enforced?: boolean | null;
  /** At least one. All of their rules count together. */
  readonly ip_policy_ids?: readonly string[] | null;
}

export interface CertificateAuthority {
  readonly id: string;
  readonly uri: string;
  /** RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** For people. At most 255 bytes. */
  readonly description: string;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata: string;
  /** One certificate in PEM, of a CA. At most 16384 bytes. */
  readonly ca_pem: string;
  readonly subject_common_name: string;
  readonly not_before: string;
  readonly not_after: string;
  readonly key_usages: readonly string[];
  readonly extended_key_usages: readonly string[];
}

export interface CertificateAuthorityList {
  /** Newest first. */
  readonly certificate_authorities: readonly CertificateAuthority[];
  /** Of the list. */
  readonly uri: string;
  /** Of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface CertificateAuthorityCreate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** One certificate in PEM, of a CA. At most 16384 bytes. */
  readonly ca_pem: string;
}

export interface CertificateAuthorityUpdate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
}

export interface TLSCertificate {
  readonly id: string;
  readonly uri: string;
  /** RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** For people. At most 255 bytes. */
  readonly description: string;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata: string;
  /** The leaf, then its intermediates, in PEM. At most 65536 bytes. */
  readonly certificate_pem: string;
  readonly subject_common_name: string;
  readonly subject_alternative_names: {
    readonly dns_names: readonly string[];
    readonly ips: readonly string[];
  };
  /** Null for a certificate that was uploaded. */
  readonly issued_at: string | null;
  readonly not_before: string;
  readonly not_after: string;
  readonly key_usages: readonly string[];
  readonly extended_key_usages: readonly string[];
  readonly private_key_type: string;
  readonly issuer_common_name: string;
  /** Lower-case hex. */
  readonly serial_number: string;
  readonly subject_organization: string;
  readonly subject_organizational_unit: string;
  readonly subject_locality: string;
  readonly subject_province: string;
  readonly subject_country: string;
}

export interface TLSCertificateList {
  /** Newest first. */
  readonly tls_certificates: readonly TLSCertificate[];
  /** Of the list. */
  readonly uri: string;
  /** Of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface TLSCertificateCreate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** The leaf, then its intermediates, in PEM. At most 65536 bytes. */
  readonly certificate_pem: string;
  /** Unencrypted: RSA, ECDSA or Ed25519, in PEM. Never shown. At most 65536 bytes. */
  readonly private_key_pem: string;
}

export interface TLSCertificateUpdate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
}

export interface Credential {
  readonly id: string;
  readonly uri: string;
  /** RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** For people. At most 255 bytes. */
  readonly description: string;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata: string;
  /** The authtoken; only in the answer to the creation. */
  readonly token: string | null;
  /** Bind rules; an empty list permits everything. */
  readonly acl: readonly string[];
  /** The user or bot user that owns it. Default: the caller. Only admins may name somebody else. */
  readonly owner_id: string;
}

export interface CredentialList {
  /** Newest first. */
  readonly credentials: readonly Credential[];
  /** Of the list. */
  readonly uri: string;
  /** Of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface CredentialCreate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** Bind rules; an empty list permits everything. */
  readonly acl?: readonly string[] | null;
  /** The user or bot user that owns it. Default: the caller. Only admins may name somebody else. */
  readonly owner_id?: string | null;
}

export interface CredentialUpdate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** Bind rules; an empty list permits everything. */
  readonly acl?: readonly string[] | null;
}

export interface SSHCredential {
  readonly id: string;
  readonly uri: string;
  /** RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** For people. At most 255 bytes. */
  readonly description: string;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata: string;
  /** The line of a ".pub" file, or a PEM block; comes back as it was sent. No two credentials share a key. At most 8192 bytes. */
  readonly public_key: string;
  /** Bind rules; an empty list permits everything. */
  readonly acl: readonly string[];
  /** The user or bot user that owns it. Default: the caller. Only admins may name somebody else. */
  readonly owner_id: string;
}

export interface SSHCredentialList {
  /** Newest first. */
  readonly ssh_credentials: readonly SSHCredential[];
  /** Of the list. */
  readonly uri: string;
  /** Of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface SSHCredentialCreate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** Bind rules; an empty list permits everything. */
  readonly acl?: readonly string[] | null;
  /** The line of a ".pub" file, or a PEM block; comes back as it was sent. No two credentials share a key. At most 8192 bytes. */
  readonly public_key: string;
  /** The user or bot user that owns it. Default: the caller. Only admins may name somebody else. */
  readonly owner_id?: string | null;
}

export interface SSHCredentialUpdate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** Bind rules; an empty list permits everything. */
  readonly acl?: readonly string[] | null;
}

export interface SSHCertificateAuthority {
  readonly id: string;
  readonly uri: string;
  /** RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** For people. At most 255 bytes. */
  readonly description: string;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata: string;
  /** For @cert-authority lines of known_hosts, and for TrustedUserCAKeys. */
  readonly public_key: string;
  /** rsa, ecdsa or ed25519. */
  readonly key_type: string;
}

export interface SSHCertificateAuthorityList {
  /** Newest first. */
  readonly ssh_certificate_authorities: readonly SSHCertificateAuthority[];
  /** Of the list. */
  readonly uri: string;
  /** Of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface SSHCertificateAuthorityCreate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** Default ed25519. */
  readonly private_key_type?: 'rsa' | 'ecdsa' | 'ed25519' | null;
  /** For ecdsa only; default nistp256. The short names mean the same curves. */
  readonly elliptic_curve?: 'nistp256' | 'nistp384' | 'nistp521' | 'p256' | 'p384' | 'p521' | null;
  /** For rsa only; default 2048. */
  readonly key_size?: 2048 | 4096 | null;
}

export interface SSHCertificateAuthorityUpdate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
}

export interface SSHHostCertificate {
  readonly id: string;
  readonly uri: string;
  /** RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** For people. At most 255 bytes. */
  readonly description: string;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata: string;
  /** The line of a ".pub" file; comes back as it was sent. */
  readonly public_key: string;
  /** Of public_key: rsa, ecdsa or ed25519. */
  readonly key_type: string;
  /** The authority that signs. */
  readonly ssh_certificate_authority_id: string;
  /** Host names and IP addresses that the server may have, certified in lower case as ssh compares them; none: all. At most 256. */
  readonly principals: readonly string[];
  /** RFC 3339. Default: now. */
  readonly valid_after: string;
  /** RFC 3339. Default: a year from now. */
  readonly valid_until: string;
  /** The line for a "-cert.pub" file. */
  readonly certificate: string;
}

export interface SSHHostCertificateList {
  /** Newest first. */
  readonly ssh_host_certificates: readonly SSHHostCertificate[];
  /** Of the list. */
  readonly uri: string;
  /** Of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface SSHHostCertificateCreate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** The authority that signs. */
  readonly ssh_certificate_authority_id: string;
  /** The line of a ".pub" file; comes back as it was sent. */
  readonly public_key: string;
  /** RFC 3339. Default: now. */
  readonly valid_after?: string | null;
  /** Host names and IP addresses that the server may have, certified in lower case as ssh compares them; none: all. At most 256. */
  readonly principals?: readonly string[] | null;
  /** RFC 3339. Default: a year from now. */
  readonly valid_until?: string | null;
}

export interface SSHHostCertificateUpdate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
}

export interface SSHUserCertificate {
  readonly id: string;
  readonly uri: string;
  /** RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** For people. At most 255 bytes. */
  readonly description: string;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata: string;
  /** The line of a ".pub" file; comes back as it was sent. */
  readonly public_key: string;
  /** Of public_key: rsa, ecdsa or ed25519. */
  readonly key_type: string;
  /** The authority that signs. */
  readonly ssh_certificate_authority_id: string;
  /** User names that may log in with it; none: all, which TrustedUserCAKeys of sshd does not accept. At most 256. */
  readonly principals: readonly string[];
  /** RFC 3339. Default: now. */
  readonly valid_after: string;
  /** RFC 3339. Default: 24 hours from now. */
  readonly valid_until: string;
  /** The line for a "-cert.pub" file. */
  readonly certificate: string;
  /** What a server must know and enforce, such as force-command and source-address. */
  readonly critical_options: Readonly<Record<string, string>>;
  /** What the certificate permits. Default: permit-pty and permit-user-rc. */
  readonly extensions: Readonly<Record<string, string>>;
}

export interface SSHUserCertificateList {
  /** Newest first. */
  readonly ssh_user_certificates: readonly SSHUserCertificate[];
  /** Of the list. */
  readonly uri: string;
  /** Of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface SSHUserCertificateCreate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** The authority that signs. */
  readonly ssh_certificate_authority_id: string;
  /** The line of a ".pub" file; comes back as it was sent. */
  readonly public_key: string;
  /** RFC 3339. Default: now. */
  readonly valid_after?: string | null;
  /** User names that may log in with it; none: all, which TrustedUserCAKeys of sshd does not accept. At most 256. */
  readonly principals?: readonly string[] | null;
  /** What a server must know and enforce, such as force-command and source-address. */
  readonly critical_options?: Readonly<Record<string, string>> | null;
  /** What the certificate permits. Default: permit-pty and permit-user-rc. */
  readonly extensions?: Readonly<Record<string, string>> | null;
  /** RFC 3339. Default: 24 hours from now. */
  readonly valid_until?: string | null;
}

export interface SSHUserCertificateUpdate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
}

export interface CloudRole {
  readonly role_identifier: string;
}

export interface CloudCredentials {
  readonly cloud_access_key_id: string;
  /** Always "". */
  readonly cloud_secret_access_key: string;
}

export interface CloudAuth {
  readonly role: CloudRole | null;
  readonly creds: CloudCredentials | null;
}

export interface EventTargetDeliveryStream {
  readonly auth: CloudAuth;
  readonly delivery_stream_identifier: string;
}

export interface EventTargetStream {
  readonly auth: CloudAuth;
  readonly stream_identifier: string;
}

export interface EventTargetLogGroup {
  readonly auth: CloudAuth;
  readonly log_group_identifier: string;
}

export interface EventTargetMonitoring {
  /** Always "". */
  readonly api_key: string;
  readonly tags: string;
  readonly service: string;
  readonly site: string;
}

export interface EventTargetAzureLogsIngestion {
  readonly tenant_id: string;
  readonly client_id: string;
  /** Always "". */
  readonly client_secret: string;
  readonly logs_ingestion_uri: string;
  readonly data_collection_rule_id: string;
  readonly data_collection_stream_name: string;
}

/** All but one are null. */
export interface EventTarget {
  readonly delivery_stream: EventTargetDeliveryStream | null;
  readonly stream: EventTargetStream | null;
  readonly log_group: EventTargetLogGroup | null;
  readonly monitoring: EventTargetMonitoring | null;
  readonly azure_logs_ingestion: EventTargetAzureLogsIngestion | null;
}

export interface EventDestination {
  readonly id: string;
  readonly uri: string;
  /** RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** For people. At most 255 bytes. */
  readonly description: string;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata: string;
  /** How events are written. */
  readonly format: string;
  /** All but one are null. */
  readonly target: EventTarget;
}

export interface EventDestinationList {
  /** Newest first. */
  readonly event_destinations: readonly EventDestination[];
  /** Of the list. */
  readonly uri: string;
  /** Of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface EventDestinationCreate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** How events are written. */
  readonly format: 'json';
  readonly target: {
    /** Has exactly one of role and creds in auth. */
    readonly delivery_stream?: {
      readonly auth: {
        readonly role?: {
          /** The role that the service assumes: "arn:<partition>:iam::<account>:role/<name>". At most 2048 bytes. */
          readonly role_identifier: string;
        } | null;
        readonly creds?: {
          /** Names the key. At most 128 bytes. */
          readonly cloud_access_key_id: string;
          /** Shown as "". An update that leaves it out keeps it, as long as cloud_access_key_id stays. At most 1024 bytes. */
          readonly cloud_secret_access_key?: string | null;
        } | null;
      };
      /** Written as "arn:<partition>:firehose:<region>:<account>:deliverystream/<name>". At most 2048 bytes. */
      readonly delivery_stream_identifier: string;
    } | null;
    /** Has exactly one of role and creds in auth. */
    readonly stream?: {
      readonly auth: {
        readonly role?: {
          /** The role that the service assumes: "arn:<partition>:iam::<account>:role/<name>". At most 2048 bytes. */
          readonly role_identifier: string;
        } | null;
        readonly creds?: {
          /** Names the key. At most 128 bytes. */
          readonly cloud_access_key_id: string;
          /** Shown as "". An update that leaves it out keeps it, as long as cloud_access_key_id stays. At most 1024 bytes. */
          readonly cloud_secret_access_key?: string | null;
        } | null;
      };
      /** Written as "arn:<partition>:kinesis:<region>:<account>:stream/<name>". At most 2048 bytes. */
      readonly stream_identifier: string;
    } | null;
    /** Has exactly one of role and creds in auth. */
    readonly log_group?: {
      readonly auth: {
        readonly role?: {
          /** The role that the service assumes: "arn:<partition>:iam::<account>:role/<name>". At most 2048 bytes. */
          readonly role_identifier: string;
        } | null;
        readonly creds?: {
          /** Names the key. At most 128 bytes. */
          readonly cloud_access_key_id: string;
          /** Shown as "". An update that leaves it out keeps it, as long as cloud_access_key_id stays. At most 1024 bytes. */
          readonly cloud_secret_access_key?: string | null;
        } | null;
      };
      /** Written as "arn:<partition>:logs:<region>:<account>:log-group:<name>". At most 2048 bytes. */
      readonly log_group_identifier: string;
    } | null;
    readonly monitoring?: {
      /** Shown as "". An update that leaves it out keeps it, as long as site stays. At most 1024 bytes. */
      readonly api_key?: string | null;
      /** Sent with each event. At most 4096 bytes. */
      readonly tags?: string | null;
      /** Sent with each event. At most 255 bytes. */
      readonly service?: string | null;
      /** The site that events are sent to: us1, us3, us5, eu1, ap1, or its host name. At most 255 bytes. */
      readonly site?: string | null;
    } | null;
    readonly azure_logs_ingestion?: {
      /** The directory that the application is registered in. At most 255 bytes. */
      readonly tenant_id: string;
      /** The application that events are sent as. At most 255 bytes. */
      readonly client_id: string;
      /** Shown as "". An update that leaves it out keeps it, as long as tenant_id, client_id and logs_ingestion_uri stay. At most 1024 bytes. */
      readonly client_secret?: string | null;
      /** The endpoint of the data collection, with https. At most 2048 bytes. */
      readonly logs_ingestion_uri: string;
      /** The immutable id of the rule. At most 255 bytes. */
      readonly data_collection_rule_id: string;
      /** The stream of the rule. At most 255 bytes. */
      readonly data_collection_stream_name: string;
    } | null;
  };
}

export interface EventDestinationUpdate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** How events are written. */
  readonly format?: 'json' | null;
  readonly target?: {
    /** Has exactly one of role and creds in auth. */
    readonly delivery_stream?: {
      readonly auth: {
        readonly role?: {
          /** The role that the service assumes: "arn:<partition>:iam::<account>:role/<name>". At most 2048 bytes. */
          readonly role_identifier: string;
        } | null;
        readonly creds?: {
          /** Names the key. At most 128 bytes. */
          readonly cloud_access_key_id: string;
          /** Shown as "". An update that leaves it out keeps it, as long as cloud_access_key_id stays. At most 1024 bytes. */
          readonly cloud_secret_access_key?: string | null;
        } | null;
      };
      /** Written as "arn:<partition>:firehose:<region>:<account>:deliverystream/<name>". At most 2048 bytes. */
      readonly delivery_stream_identifier: string;
    } | null;
    /** Has exactly one of role and creds in auth. */
    readonly stream?: {
      readonly auth: {
        readonly role?: {
          /** The role that the service assumes: "arn:<partition>:iam::<account>:role/<name>". At most 2048 bytes. */
          readonly role_identifier: string;
        } | null;
        readonly creds?: {
          /** Names the key. At most 128 bytes. */
          readonly cloud_access_key_id: string;
          /** Shown as "". An update that leaves it out keeps it, as long as cloud_access_key_id stays. At most 1024 bytes. */
          readonly cloud_secret_access_key?: string | null;
        } | null;
      };
      /** Written as "arn:<partition>:kinesis:<region>:<account>:stream/<name>". At most 2048 bytes. */
      readonly stream_identifier: string;
    } | null;
    /** Has exactly one of role and creds in auth. */
    readonly log_group?: {
      readonly auth: {
        readonly role?: {
          /** The role that the service assumes: "arn:<partition>:iam::<account>:role/<name>". At most 2048 bytes. */
          readonly role_identifier: string;
        } | null;
        readonly creds?: {
          /** Names the key. At most 128 bytes. */
          readonly cloud_access_key_id: string;
          /** Shown as "". An update that leaves it out keeps it, as long as cloud_access_key_id stays. At most 1024 bytes. */
          readonly cloud_secret_access_key?: string | null;
        } | null;
      };
      /** Written as "arn:<partition>:logs:<region>:<account>:log-group:<name>". At most 2048 bytes. */
      readonly log_group_identifier: string;
    } | null;
    readonly monitoring?: {
      /** Shown as "". An update that leaves it out keeps it, as long as site stays. At most 1024 bytes. */
      readonly api_key?: string | null;
      /** Sent with each event. At most 4096 bytes. */
      readonly tags?: string | null;
      /** Sent with each event. At most 255 bytes. */
      readonly service?: string | null;
      /** The site that events are sent to: us1, us3, us5, eu1, ap1, or its host name. At most 255 bytes. */
      readonly site?: string | null;
    } | null;
    readonly azure_logs_ingestion?: {
      /** The directory that the application is registered in. At most 255 bytes. */
      readonly tenant_id: string;
      /** The application that events are sent as. At most 255 bytes. */
      readonly client_id: string;
      /** Shown as "". An update that leaves it out keeps it, as long as tenant_id, client_id and logs_ingestion_uri stay. At most 1024 bytes. */
      readonly client_secret?: string | null;
      /** The endpoint of the data collection, with https. At most 2048 bytes. */
      readonly logs_ingestion_uri: string;
      /** The immutable id of the rule. At most 255 bytes. */
      readonly data_collection_rule_id: string;
      /** The stream of the rule. At most 255 bytes. */
      readonly data_collection_stream_name: string;
    } | null;
  } | null;
}

export interface EventSource {
  /** The type of events. */
  readonly type: string;
  readonly uri: string;
}

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
  readonly id: string;
  readonly uri: string;
  /** RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** For people. At most 255 characters. */
  readonly description: string;
  /** For machines; any text of the user. At most 4096 characters. */
  readonly metadata: string;
  /** Each type at most once. */
  readonly sources: readonly EventSource[];
  readonly destinations: readonly Ref[];
}

export interface EventSubscriptionList {
  /** Newest first. */
  readonly event_subscriptions: readonly EventSubscription[];
  /** Of the list. */
  readonly uri: string;
  /** Of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface EventSubscriptionCreate {
  /** For machines; any text of the user. At most 4096 characters. */
  readonly metadata?: string | null;
  /** For people. At most 255 characters. */
  readonly description?: string | null;
  /** Each type at most once. */
  readonly sources?: readonly EventSourceCreate[] | null;
  /** Event destinations, each at most once. */
  readonly destination_ids?: readonly string[] | null;
}

export interface EventSubscriptionUpdate {
  /** For machines; any text of the user. At most 4096 characters. */
  readonly metadata?: string | null;
  /** For people. At most 255 characters. */
  readonly description?: string | null;
  /** Each type at most once. */
  readonly sources?: readonly EventSourceCreate[] | null;
  /** Event destinations, each at most once. */
  readonly destination_ids?: readonly string[] | null;
}

export interface EventSourceList {
  /** Sources of an event subscription. */
  readonly sources: readonly EventSource[];
  /** Of the list. */
  readonly uri: string;
}

export type EventSourceUpdate = Readonly<Record<string, never>>;

export interface APIKey {
  readonly id: string;
  readonly uri: string;
  /** RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
  /** For people. At most 255 bytes. */
  readonly description: string;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata: string;
  /** The key itself; only in the answer to the creation. */
  readonly token: string | null;
  /** The user or bot user that owns it. Default: the caller. Only admins may name somebody else. */
  readonly owner_id: string;
}

export interface APIKeyList {
  /** Newest first. */
  readonly keys: readonly APIKey[];
  /** Of the list. */
  readonly uri: string;
  /** Of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface APIKeyCreate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
  /** The user or bot user that owns it. Default: the caller. Only admins may name somebody else. */
  readonly owner_id?: string | null;
}

export interface APIKeyUpdate {
  /** For people. At most 255 bytes. */
  readonly description?: string | null;
  /** For machines; any text of the user. At most 4096 bytes. */
  readonly metadata?: string | null;
}

export interface User {
  readonly id: string;
  readonly uri: string;
  /** For people. At most 255 bytes. */
  readonly name: string;
  /** Unique in the account, whatever its case; "" for none. */
  readonly email: string;
  /** Default "member". */
  readonly role: string;
  /** Default true; false stops their API keys and credentials at once. */
  readonly active: boolean;
  /** RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
}

export interface UserList {
  /** Newest first. */
  readonly users: readonly User[];
  /** Of the list. */
  readonly uri: string;
  /** Of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface UserCreate {
  /** For people. At most 255 bytes. */
  readonly name: string;
  /** Unique in the account, whatever its case; "" for none. */
  readonly email?: string | null;
  /** Default "member". */
  readonly role?: 'admin' | 'member' | null;
  /** Default true; false stops their API keys and credentials at once. */
  readonly active?: boolean | null;
}

export interface UserUpdate {
  /** For people. At most 255 bytes. */
  readonly name?: string | null;
  /** Unique in the account, whatever its case; "" for none. */
  readonly email?: string | null;
  /** Default "member". */
  readonly role?: 'admin' | 'member' | null;
  /** Default true; false stops their API keys and credentials at once. */
  readonly active?: boolean | null;
}

export interface BotUser {
  readonly id: string;
  readonly uri: string;
  /** What it is for. Unique in the account. At most 255 bytes. */
  readonly name: string;
  /** Default true; false stops its API keys and credentials at once. */
  readonly active: boolean;
  /** RFC 3339, UTC, whole seconds. */
  readonly created_at: string;
}

export interface BotUserList {
  /** Newest first. */
  readonly bot_users: readonly BotUser[];
  /** Of the list. */
  readonly uri: string;
  /** Of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface BotUserCreate {
  /** What it is for. Unique in the account. At most 255 bytes. */
  readonly name: string;
  /** Default true; false stops its API keys and credentials at once. */
  readonly active?: boolean | null;
}

export interface BotUserUpdate {
  /** What it is for. Unique in the account. At most 255 bytes. */
  readonly name?: string | null;
  /** Default true; false stops its API keys and credentials at once. */
  readonly active?: boolean | null;
}

export interface Tunnel {
  readonly id: string;
  /** Absent for labelled tunnels, as are proto and endpoint. */
  readonly public_url?: string;
  readonly started_at: string;
  readonly metadata: string;
  readonly proto?: string;
  readonly region: string;
  readonly tunnel_session: Ref;
  readonly endpoint?: Ref;
  readonly labels: Readonly<Record<string, string>>;
  /** Tunnel group backends that a labelled tunnel belongs to. */
  readonly backends: readonly Ref[];
  readonly forwards_to: string;
}

export interface TunnelList {
  /** Newest first. */
  readonly tunnels: readonly Tunnel[];
  /** Of the list. */
  readonly uri: string;
  /** Of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface TunnelSession {
  readonly agent_version: string;
  readonly credential: Ref;
  readonly id: string;
  /** The address that the agent connected from. */
  readonly ip: string;
  readonly metadata: string;
  readonly os: string;
  readonly region: string;
  readonly started_at: string;
  readonly transport: string;
  readonly uri: string;
}

export interface TunnelSessionList {
  /** Newest first. */
  readonly tunnel_sessions: readonly TunnelSession[];
  /** Of the list. */
  readonly uri: string;
  /** Of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}

export interface Endpoint {
  readonly id: string;
  readonly uri: string;
  readonly region: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly public_url: string;
  /** The same as public_url. */
  readonly url: string;
  readonly proto: string;
  /** The same as proto. */
  readonly scheme: string;
  readonly hostport: string;
  readonly host: string;
  /** Where visitors connect. */
  readonly port: number;
  /** "ephemeral": of an agent's own tunnel; "edge": of a hostport of an edge. */
  readonly type: string;
  /** What the agent calls it, if anything. */
  readonly name: string;
  /** From the agent, or from the edge. */
  readonly description: string;
  readonly metadata: string;
  /** Always "public": who may reach it. */
  readonly bindings: readonly string[];
  /** Always false: of several agents on one name the newest is served. */
  readonly pooling_enabled: boolean;
  /** Always "": there are no traffic policies. */
  readonly traffic_policy: string;
  /** Where the agent forwards to; "" for an edge. */
  readonly upstream_url: string;
  /** What is spoken with the service behind the agent; "" for an edge. */
  readonly upstream_protocol: string;
  readonly principal: Ref | null;
  readonly domain: Ref | null;
  readonly tcp_addr: Ref | null;
  readonly tunnel: Ref | null;
  readonly tunnel_session: Ref | null;
  readonly edge: Ref | null;
}

export interface EndpointList {
  /** Newest first. */
  readonly endpoints: readonly Endpoint[];
  /** Of the list. */
  readonly uri: string;
  /** Of the next page; null on the last one. */
  readonly next_page_uri: string | null;
}
