// Written by scripts/write-client.ts from the OpenAPI document; do not edit.

import type { Listing, ListOptions } from '../listing.ts';
import { type CallOptions, segment, type Transport } from '../transport.ts';
import type {
  APIKey,
  APIKeyCreate,
  APIKeyList,
  APIKeyUpdate,
  BotUser,
  BotUserCreate,
  BotUserList,
  BotUserUpdate,
  CertificateAuthority,
  CertificateAuthorityCreate,
  CertificateAuthorityList,
  CertificateAuthorityUpdate,
  Credential,
  CredentialCreate,
  CredentialList,
  CredentialUpdate,
  Endpoint,
  EndpointBackend,
  EndpointBackendMutate,
  EndpointCircuitBreaker,
  EndpointCircuitBreakerMutate,
  EndpointCompression,
  EndpointCompressionMutate,
  EndpointConfiguration,
  EndpointConfigurationCreate,
  EndpointConfigurationList,
  EndpointConfigurationUpdate,
  EndpointIPPolicy,
  EndpointIPPolicyMutate,
  EndpointList,
  EndpointMutualTLS,
  EndpointMutualTLSMutate,
  EndpointRequestHeaders,
  EndpointRequestHeadersMutate,
  EndpointResponseHeaders,
  EndpointResponseHeadersMutate,
  EndpointSAML,
  EndpointSAMLMutate,
  EndpointTLSTermination,
  EndpointTLSTerminationAtEdge,
  EndpointTLSTerminationAtEdgeMutate,
  EndpointTLSTerminationMutate,
  EndpointUserAgentFilter,
  EndpointUserAgentFilterMutate,
  EndpointWebsocketTCPConverter,
  EndpointWebsocketTCPConverterMutate,
  EventDestination,
  EventDestinationCreate,
  EventDestinationList,
  EventDestinationUpdate,
  EventSource,
  EventSourceCreate,
  EventSourceList,
  EventSourceUpdate,
  EventSubscription,
  EventSubscriptionCreate,
  EventSubscriptionList,
  EventSubscriptionUpdate,
  FailoverBackend,
  FailoverBackendCreate,
  FailoverBackendList,
  FailoverBackendUpdate,
  HTTPResponseBackend,
  HTTPResponseBackendCreate,
  HTTPResponseBackendList,
  HTTPResponseBackendUpdate,
  HTTPSEdge,
  HTTPSEdgeCreate,
  HTTPSEdgeList,
  HTTPSEdgeRoute,
  HTTPSEdgeRouteCreate,
  HTTPSEdgeRouteUpdate,
  HTTPSEdgeUpdate,
  IPPolicy,
  IPPolicyCreate,
  IPPolicyList,
  IPPolicyRule,
  IPPolicyRuleCreate,
  IPPolicyRuleList,
  IPPolicyRuleUpdate,
  IPPolicyUpdate,
  IPRestriction,
  IPRestrictionCreate,
  IPRestrictionList,
  IPRestrictionUpdate,
  ReservedAddr,
  ReservedAddrCreate,
  ReservedAddrList,
  ReservedAddrUpdate,
  ReservedDomain,
  ReservedDomainCreate,
  ReservedDomainList,
  ReservedDomainUpdate,
  SSHCertificateAuthority,
  SSHCertificateAuthorityCreate,
  SSHCertificateAuthorityList,
  SSHCertificateAuthorityUpdate,
  SSHCredential,
  SSHCredentialCreate,
  SSHCredentialList,
  SSHCredentialUpdate,
  SSHHostCertificate,
  SSHHostCertificateCreate,
  SSHHostCertificateList,
  SSHHostCertificateUpdate,
  SSHUserCertificate,
  SSHUserCertificateCreate,
  SSHUserCertificateList,
  SSHUserCertificateUpdate,
  StaticBackend,
  StaticBackendCreate,
  StaticBackendList,
  StaticBackendUpdate,
  TCPEdge,
  TCPEdgeCreate,
  TCPEdgeList,
  TCPEdgeUpdate,
  TLSCertificate,
  TLSCertificateCreate,
  TLSCertificateList,
  TLSCertificateUpdate,
  TLSEdge,
  TLSEdgeCreate,
  TLSEdgeList,
  TLSEdgeUpdate,
  Tunnel,
  TunnelGroupBackend,
  TunnelGroupBackendCreate,
  TunnelGroupBackendList,
  TunnelGroupBackendUpdate,
  TunnelList,
  TunnelSession,
  TunnelSessionList,
  User,
  UserCreate,
  UserList,
  UserUpdate,
  WeightedBackend,
  WeightedBackendCreate,
  WeightedBackendList,
  WeightedBackendUpdate,
} from './types.ts';

/** HTTP response backends. */
export class HttpResponseBackends {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List: HTTP response backends. `GET /backends/http_response` */
  list(options: ListOptions = {}): Listing<HTTPResponseBackend, HTTPResponseBackendList> {
    return this.#transport.list('/backends/http_response', 'backends', options);
  }

  /** Create: HTTP response backends. `POST /backends/http_response` */
  create(body: HTTPResponseBackendCreate = {}, options: CallOptions = {}): Promise<HTTPResponseBackend> {
    return this.#transport.call('POST', '/backends/http_response', body, options);
  }

  /** Get: HTTP response backends. `GET /backends/http_response/{id}` */
  get(id: string, options: CallOptions = {}): Promise<HTTPResponseBackend> {
    return this.#transport.call('GET', `/backends/http_response/${segment(id)}`, undefined, options);
  }

  /** Update: HTTP response backends. `PATCH /backends/http_response/{id}` */
  update(
    id: string,
    body: HTTPResponseBackendUpdate = {},
    options: CallOptions = {},
  ): Promise<HTTPResponseBackend> {
    return this.#transport.call('PATCH', `/backends/http_response/${segment(id)}`, body, options);
  }

  /** Delete: HTTP response backends. `DELETE /backends/http_response/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/backends/http_response/${segment(id)}`, undefined, options);
  }
}

/** Tunnel group backends. */
export class TunnelGroupBackends {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List: Tunnel group backends. `GET /backends/tunnel_group` */
  list(options: ListOptions = {}): Listing<TunnelGroupBackend, TunnelGroupBackendList> {
    return this.#transport.list('/backends/tunnel_group', 'backends', options);
  }

  /** Create: Tunnel group backends. `POST /backends/tunnel_group` */
  create(body: TunnelGroupBackendCreate = {}, options: CallOptions = {}): Promise<TunnelGroupBackend> {
    return this.#transport.call('POST', '/backends/tunnel_group', body, options);
  }

  /** Get: Tunnel group backends. `GET /backends/tunnel_group/{id}` */
  get(id: string, options: CallOptions = {}): Promise<TunnelGroupBackend> {
    return this.#transport.call('GET', `/backends/tunnel_group/${segment(id)}`, undefined, options);
  }

  /** Update: Tunnel group backends. `PATCH /backends/tunnel_group/{id}` */
  update(
    id: string,
    body: TunnelGroupBackendUpdate = {},
    options: CallOptions = {},
  ): Promise<TunnelGroupBackend> {
    return this.#transport.call('PATCH', `/backends/tunnel_group/${segment(id)}`, body, options);
  }

  /** Delete: Tunnel group backends. `DELETE /backends/tunnel_group/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/backends/tunnel_group/${segment(id)}`, undefined, options);
  }
}

/** Failover backends. */
export class FailoverBackends {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List: Failover backends. `GET /backends/failover` */
  list(options: ListOptions = {}): Listing<FailoverBackend, FailoverBackendList> {
    return this.#transport.list('/backends/failover', 'backends', options);
  }

  /** Create: Failover backends. `POST /backends/failover` */
  create(body: FailoverBackendCreate = {}, options: CallOptions = {}): Promise<FailoverBackend> {
    return this.#transport.call('POST', '/backends/failover', body, options);
  }

  /** Get: Failover backends. `GET /backends/failover/{id}` */
  get(id: string, options: CallOptions = {}): Promise<FailoverBackend> {
    return this.#transport.call('GET', `/backends/failover/${segment(id)}`, undefined, options);
  }

  /** Update: Failover backends. `PATCH /backends/failover/{id}` */
  update(id: string, body: FailoverBackendUpdate = {}, options: CallOptions = {}): Promise<FailoverBackend> {
    return this.#transport.call('PATCH', `/backends/failover/${segment(id)}`, body, options);
  }

  /** Delete: Failover backends. `DELETE /backends/failover/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/backends/failover/${segment(id)}`, undefined, options);
  }
}

/** Weighted backends. */
export class WeightedBackends {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List: Weighted backends. `GET /backends/weighted` */
  list(options: ListOptions = {}): Listing<WeightedBackend, WeightedBackendList> {
    return this.#transport.list('/backends/weighted', 'backends', options);
  }

  /** Create: Weighted backends. `POST /backends/weighted` */
  create(body: WeightedBackendCreate = {}, options: CallOptions = {}): Promise<WeightedBackend> {
    return this.#transport.call('POST', '/backends/weighted', body, options);
  }

  /** Get: Weighted backends. `GET /backends/weighted/{id}` */
  get(id: string, options: CallOptions = {}): Promise<WeightedBackend> {
    return this.#transport.call('GET', `/backends/weighted/${segment(id)}`, undefined, options);
  }

  /** Update: Weighted backends. `PATCH /backends/weighted/{id}` */
  update(id: string, body: WeightedBackendUpdate = {}, options: CallOptions = {}): Promise<WeightedBackend> {
    return this.#transport.call('PATCH', `/backends/weighted/${segment(id)}`, body, options);
  }

  /** Delete: Weighted backends. `DELETE /backends/weighted/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/backends/weighted/${segment(id)}`, undefined, options);
  }
}

/** Static backends. */
export class StaticBackends {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List: Static backends. `GET /backends/static` */
  list(options: ListOptions = {}): Listing<StaticBackend, StaticBackendList> {
    return this.#transport.list('/backends/static', 'backends', options);
  }

  /** Create: Static backends. `POST /backends/static` */
  create(body: StaticBackendCreate, options: CallOptions = {}): Promise<StaticBackend> {
    return this.#transport.call('POST', '/backends/static', body, options);
  }

  /** Get: Static backends. `GET /backends/static/{id}` */
  get(id: string, options: CallOptions = {}): Promise<StaticBackend> {
    return this.#transport.call('GET', `/backends/static/${segment(id)}`, undefined, options);
  }

  /** Update: Static backends. `PATCH /backends/static/{id}` */
  update(id: string, body: StaticBackendUpdate = {}, options: CallOptions = {}): Promise<StaticBackend> {
    return this.#transport.call('PATCH', `/backends/static/${segment(id)}`, body, options);
  }

  /** Delete: Static backends. `DELETE /backends/static/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/backends/static/${segment(id)}`, undefined, options);
  }
}

/** TLS edges. */
export class TlsEdges {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List: TLS edges. `GET /edges/tls` */
  list(options: ListOptions = {}): Listing<TLSEdge, TLSEdgeList> {
    return this.#transport.list('/edges/tls', 'tls_edges', options);
  }

  /** Create: TLS edges. `POST /edges/tls` */
  create(body: TLSEdgeCreate = {}, options: CallOptions = {}): Promise<TLSEdge> {
    return this.#transport.call('POST', '/edges/tls', body, options);
  }

  /** Get: TLS edges. `GET /edges/tls/{id}` */
  get(id: string, options: CallOptions = {}): Promise<TLSEdge> {
    return this.#transport.call('GET', `/edges/tls/${segment(id)}`, undefined, options);
  }

  /** Update: TLS edges. `PATCH /edges/tls/{id}` */
  update(id: string, body: TLSEdgeUpdate = {}, options: CallOptions = {}): Promise<TLSEdge> {
    return this.#transport.call('PATCH', `/edges/tls/${segment(id)}`, body, options);
  }

  /** Delete: TLS edges. `DELETE /edges/tls/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/edges/tls/${segment(id)}`, undefined, options);
  }

  /** Get: Backend. `GET /edges/tls/{id}/backend` */
  getBackend(id: string, options: CallOptions = {}): Promise<EndpointBackend> {
    return this.#transport.call('GET', `/edges/tls/${segment(id)}/backend`, undefined, options);
  }

  /** Replace: Backend. `PUT /edges/tls/{id}/backend` */
  putBackend(id: string, body: EndpointBackendMutate, options: CallOptions = {}): Promise<EndpointBackend> {
    return this.#transport.call('PUT', `/edges/tls/${segment(id)}/backend`, body, options);
  }

  /** Remove: Backend. `DELETE /edges/tls/{id}/backend` */
  deleteBackend(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/edges/tls/${segment(id)}/backend`, undefined, options);
  }

  /** Get: IP restriction. `GET /edges/tls/{id}/ip_restriction` */
  getIpRestriction(id: string, options: CallOptions = {}): Promise<EndpointIPPolicy> {
    return this.#transport.call('GET', `/edges/tls/${segment(id)}/ip_restriction`, undefined, options);
  }

  /** Replace: IP restriction. `PUT /edges/tls/{id}/ip_restriction` */
  putIpRestriction(
    id: string,
    body: EndpointIPPolicyMutate = {},
    options: CallOptions = {},
  ): Promise<EndpointIPPolicy> {
    return this.#transport.call('PUT', `/edges/tls/${segment(id)}/ip_restriction`, body, options);
  }

  /** Remove: IP restriction. `DELETE /edges/tls/{id}/ip_restriction` */
  deleteIpRestriction(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/edges/tls/${segment(id)}/ip_restriction`, undefined, options);
  }

  /** Get: Mutual TLS. `GET /edges/tls/{id}/mutual_tls` */
  getMutualTls(id: string, options: CallOptions = {}): Promise<EndpointMutualTLS> {
    return this.#transport.call('GET', `/edges/tls/${segment(id)}/mutual_tls`, undefined, options);
  }

  /** Replace: Mutual TLS. `PUT /edges/tls/{id}/mutual_tls` */
  putMutualTls(
    id: string,
    body: EndpointMutualTLSMutate = {},
    options: CallOptions = {},
  ): Promise<EndpointMutualTLS> {
    return this.#transport.call('PUT', `/edges/tls/${segment(id)}/mutual_tls`, body, options);
  }

  /** Remove: Mutual TLS. `DELETE /edges/tls/{id}/mutual_tls` */
  deleteMutualTls(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/edges/tls/${segment(id)}/mutual_tls`, undefined, options);
  }

  /** Get: TLS termination. `GET /edges/tls/{id}/tls_termination` */
  getTlsTermination(id: string, options: CallOptions = {}): Promise<EndpointTLSTermination> {
    return this.#transport.call('GET', `/edges/tls/${segment(id)}/tls_termination`, undefined, options);
  }

  /** Replace: TLS termination. `PUT /edges/tls/{id}/tls_termination` */
  putTlsTermination(
    id: string,
    body: EndpointTLSTerminationMutate = {},
    options: CallOptions = {},
  ): Promise<EndpointTLSTermination> {
    return this.#transport.call('PUT', `/edges/tls/${segment(id)}/tls_termination`, body, options);
  }

  /** Remove: TLS termination. `DELETE /edges/tls/{id}/tls_termination` */
  deleteTlsTermination(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/edges/tls/${segment(id)}/tls_termination`, undefined, options);
  }
}

/** HTTPS edges. */
export class HttpsEdges {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List: HTTPS edges. `GET /edges/https` */
  list(options: ListOptions = {}): Listing<HTTPSEdge, HTTPSEdgeList> {
    return this.#transport.list('/edges/https', 'https_edges', options);
  }

  /** Create: HTTPS edges. `POST /edges/https` */
  create(body: HTTPSEdgeCreate = {}, options: CallOptions = {}): Promise<HTTPSEdge> {
    return this.#transport.call('POST', '/edges/https', body, options);
  }

  /** Get: HTTPS edges. `GET /edges/https/{id}` */
  get(id: string, options: CallOptions = {}): Promise<HTTPSEdge> {
    return this.#transport.call('GET', `/edges/https/${segment(id)}`, undefined, options);
  }

  /** Update: HTTPS edges. `PATCH /edges/https/{id}` */
  update(id: string, body: HTTPSEdgeUpdate = {}, options: CallOptions = {}): Promise<HTTPSEdge> {
    return this.#transport.call('PATCH', `/edges/https/${segment(id)}`, body, options);
  }

  /** Delete: HTTPS edges. `DELETE /edges/https/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/edges/https/${segment(id)}`, undefined, options);
  }

  /** Get: Mutual TLS. `GET /edges/https/{id}/mutual_tls` */
  getMutualTls(id: string, options: CallOptions = {}): Promise<EndpointMutualTLS> {
    return this.#transport.call('GET', `/edges/https/${segment(id)}/mutual_tls`, undefined, options);
  }

  /** Replace: Mutual TLS. `PUT /edges/https/{id}/mutual_tls` */
  putMutualTls(
    id: string,
    body: EndpointMutualTLSMutate = {},
    options: CallOptions = {},
  ): Promise<EndpointMutualTLS> {
    return this.#transport.call('PUT', `/edges/https/${segment(id)}/mutual_tls`, body, options);
  }

  /** Remove: Mutual TLS. `DELETE /edges/https/{id}/mutual_tls` */
  deleteMutualTls(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/edges/https/${segment(id)}/mutual_tls`, undefined, options);
  }

  /** Get: TLS termination of an HTTPS edge. `GET /edges/https/{id}/tls_termination` */
  getTlsTermination(id: string, options: CallOptions = {}): Promise<EndpointTLSTerminationAtEdge> {
    return this.#transport.call('GET', `/edges/https/${segment(id)}/tls_termination`, undefined, options);
  }

  /** Replace: TLS termination of an HTTPS edge. `PUT /edges/https/{id}/tls_termination` */
  putTlsTermination(
    id: string,
    body: EndpointTLSTerminationAtEdgeMutate = {},
    options: CallOptions = {},
  ): Promise<EndpointTLSTerminationAtEdge> {
    return this.#transport.call('PUT', `/edges/https/${segment(id)}/tls_termination`, body, options);
  }

  /** Remove: TLS termination of an HTTPS edge. `DELETE /edges/https/{id}/tls_termination` */
  deleteTlsTermination(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/edges/https/${segment(id)}/tls_termination`, undefined, options);
  }
}

/** Routes of HTTPS edges. */
export class HttpsEdgeRoutes {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Create: Routes of HTTPS edges. `POST /edges/https/{edge_id}/routes` */
  create(edgeId: string, body: HTTPSEdgeRouteCreate, options: CallOptions = {}): Promise<HTTPSEdgeRoute> {
    return this.#transport.call('POST', `/edges/https/${segment(edgeId)}/routes`, body, options);
  }

  /** Get: Routes of HTTPS edges. `GET /edges/https/{edge_id}/routes/{id}` */
  get(edgeId: string, id: string, options: CallOptions = {}): Promise<HTTPSEdgeRoute> {
    return this.#transport.call(
      'GET',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}`,
      undefined,
      options,
    );
  }

  /** Update: Routes of HTTPS edges. `PATCH /edges/https/{edge_id}/routes/{id}` */
  update(
    edgeId: string,
    id: string,
    body: HTTPSEdgeRouteUpdate = {},
    options: CallOptions = {},
  ): Promise<HTTPSEdgeRoute> {
    return this.#transport.call(
      'PATCH',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}`,
      body,
      options,
    );
  }

  /** Delete: Routes of HTTPS edges. `DELETE /edges/https/{edge_id}/routes/{id}` */
  delete(edgeId: string, id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}`,
      undefined,
      options,
    );
  }

  /** Get: Backend. `GET /edges/https/{edge_id}/routes/{id}/backend` */
  getBackend(edgeId: string, id: string, options: CallOptions = {}): Promise<EndpointBackend> {
    return this.#transport.call(
      'GET',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/backend`,
      undefined,
      options,
    );
  }

  /** Replace: Backend. `PUT /edges/https/{edge_id}/routes/{id}/backend` */
  putBackend(
    edgeId: string,
    id: string,
    body: EndpointBackendMutate,
    options: CallOptions = {},
  ): Promise<EndpointBackend> {
    return this.#transport.call(
      'PUT',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/backend`,
      body,
      options,
    );
  }

  /** Remove: Backend. `DELETE /edges/https/{edge_id}/routes/{id}/backend` */
  deleteBackend(edgeId: string, id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/backend`,
      undefined,
      options,
    );
  }

  /** Get: IP restriction. `GET /edges/https/{edge_id}/routes/{id}/ip_restriction` */
  getIpRestriction(edgeId: string, id: string, options: CallOptions = {}): Promise<EndpointIPPolicy> {
    return this.#transport.call(
      'GET',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/ip_restriction`,
      undefined,
      options,
    );
  }

  /** Replace: IP restriction. `PUT /edges/https/{edge_id}/routes/{id}/ip_restriction` */
  putIpRestriction(
    edgeId: string,
    id: string,
    body: EndpointIPPolicyMutate = {},
    options: CallOptions = {},
  ): Promise<EndpointIPPolicy> {
    return this.#transport.call(
      'PUT',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/ip_restriction`,
      body,
      options,
    );
  }

  /** Remove: IP restriction. `DELETE /edges/https/{edge_id}/routes/{id}/ip_restriction` */
  deleteIpRestriction(edgeId: string, id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/ip_restriction`,
      undefined,
      options,
    );
  }

  /** Get: Circuit breaker. `GET /edges/https/{edge_id}/routes/{id}/circuit_breaker` */
  getCircuitBreaker(edgeId: string, id: string, options: CallOptions = {}): Promise<EndpointCircuitBreaker> {
    return this.#transport.call(
      'GET',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/circuit_breaker`,
      undefined,
      options,
    );
  }

  /** Replace: Circuit breaker. `PUT /edges/https/{edge_id}/routes/{id}/circuit_breaker` */
  putCircuitBreaker(
    edgeId: string,
    id: string,
    body: EndpointCircuitBreakerMutate = {},
    options: CallOptions = {},
  ): Promise<EndpointCircuitBreaker> {
    return this.#transport.call(
      'PUT',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/circuit_breaker`,
      body,
      options,
    );
  }

  /** Remove: Circuit breaker. `DELETE /edges/https/{edge_id}/routes/{id}/circuit_breaker` */
  deleteCircuitBreaker(edgeId: string, id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/circuit_breaker`,
      undefined,
      options,
    );
  }

  /** Get: Compression. `GET /edges/https/{edge_id}/routes/{id}/compression` */
  getCompression(edgeId: string, id: string, options: CallOptions = {}): Promise<EndpointCompression> {
    return this.#transport.call(
      'GET',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/compression`,
      undefined,
      options,
    );
  }

  /** Replace: Compression. `PUT /edges/https/{edge_id}/routes/{id}/compression` */
  putCompression(
    edgeId: string,
    id: string,
    body: EndpointCompressionMutate = {},
    options: CallOptions = {},
  ): Promise<EndpointCompression> {
    return this.#transport.call(
      'PUT',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/compression`,
      body,
      options,
    );
  }

  /** Remove: Compression. `DELETE /edges/https/{edge_id}/routes/{id}/compression` */
  deleteCompression(edgeId: string, id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/compression`,
      undefined,
      options,
    );
  }

  /** Get: Request headers. `GET /edges/https/{edge_id}/routes/{id}/request_headers` */
  getRequestHeaders(edgeId: string, id: string, options: CallOptions = {}): Promise<EndpointRequestHeaders> {
    return this.#transport.call(
      'GET',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/request_headers`,
      undefined,
      options,
    );
  }

  /** Replace: Request headers. `PUT /edges/https/{edge_id}/routes/{id}/request_headers` */
  putRequestHeaders(
    edgeId: string,
    id: string,
    body: EndpointRequestHeadersMutate = {},
    options: CallOptions = {},
  ): Promise<EndpointRequestHeaders> {
    return this.#transport.call(
      'PUT',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/request_headers`,
      body,
      options,
    );
  }

  /** Remove: Request headers. `DELETE /edges/https/{edge_id}/routes/{id}/request_headers` */
  deleteRequestHeaders(edgeId: string, id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/request_headers`,
      undefined,
      options,
    );
  }

  /** Get: Response headers. `GET /edges/https/{edge_id}/routes/{id}/response_headers` */
  getResponseHeaders(
    edgeId: string,
    id: string,
    options: CallOptions = {},
  ): Promise<EndpointResponseHeaders> {
    return this.#transport.call(
      'GET',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/response_headers`,
      undefined,
      options,
    );
  }

  /** Replace: Response headers. `PUT /edges/https/{edge_id}/routes/{id}/response_headers` */
  putResponseHeaders(
    edgeId: string,
    id: string,
    body: EndpointResponseHeadersMutate = {},
    options: CallOptions = {},
  ): Promise<EndpointResponseHeaders> {
    return this.#transport.call(
      'PUT',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/response_headers`,
      body,
      options,
    );
  }

  /** Remove: Response headers. `DELETE /edges/https/{edge_id}/routes/{id}/response_headers` */
  deleteResponseHeaders(edgeId: string, id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/response_headers`,
      undefined,
      options,
    );
  }

  /** Get: SAML. `GET /edges/https/{edge_id}/routes/{id}/saml` */
  getSaml(edgeId: string, id: string, options: CallOptions = {}): Promise<EndpointSAML> {
    return this.#transport.call(
      'GET',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/saml`,
      undefined,
      options,
    );
  }

  /** Replace: SAML. `PUT /edges/https/{edge_id}/routes/{id}/saml` */
  putSaml(
    edgeId: string,
    id: string,
    body: EndpointSAMLMutate = {},
    options: CallOptions = {},
  ): Promise<EndpointSAML> {
    return this.#transport.call(
      'PUT',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/saml`,
      body,
      options,
    );
  }

  /** Remove: SAML. `DELETE /edges/https/{edge_id}/routes/{id}/saml` */
  deleteSaml(edgeId: string, id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/saml`,
      undefined,
      options,
    );
  }

  /** Get: WebSocket to TCP converter. `GET /edges/https/{edge_id}/routes/{id}/websocket_tcp_converter` */
  getWebsocketTcpConverter(
    edgeId: string,
    id: string,
    options: CallOptions = {},
  ): Promise<EndpointWebsocketTCPConverter> {
    return this.#transport.call(
      'GET',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/websocket_tcp_converter`,
      undefined,
      options,
    );
  }

  /** Replace: WebSocket to TCP converter. `PUT /edges/https/{edge_id}/routes/{id}/websocket_tcp_converter` */
  putWebsocketTcpConverter(
    edgeId: string,
    id: string,
    body: EndpointWebsocketTCPConverterMutate = {},
    options: CallOptions = {},
  ): Promise<EndpointWebsocketTCPConverter> {
    return this.#transport.call(
      'PUT',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/websocket_tcp_converter`,
      body,
      options,
    );
  }

  /** Remove: WebSocket to TCP converter. `DELETE /edges/https/{edge_id}/routes/{id}/websocket_tcp_converter` */
  deleteWebsocketTcpConverter(edgeId: string, id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/websocket_tcp_converter`,
      undefined,
      options,
    );
  }

  /** Get: User agent filter. `GET /edges/https/{edge_id}/routes/{id}/user_agent_filter` */
  getUserAgentFilter(
    edgeId: string,
    id: string,
    options: CallOptions = {},
  ): Promise<EndpointUserAgentFilter> {
    return this.#transport.call(
      'GET',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/user_agent_filter`,
      undefined,
      options,
    );
  }

  /** Replace: User agent filter. `PUT /edges/https/{edge_id}/routes/{id}/user_agent_filter` */
  putUserAgentFilter(
    edgeId: string,
    id: string,
    body: EndpointUserAgentFilterMutate = {},
    options: CallOptions = {},
  ): Promise<EndpointUserAgentFilter> {
    return this.#transport.call(
      'PUT',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/user_agent_filter`,
      body,
      options,
    );
  }

  /** Remove: User agent filter. `DELETE /edges/https/{edge_id}/routes/{id}/user_agent_filter` */
  deleteUserAgentFilter(edgeId: string, id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/user_agent_filter`,
      undefined,
      options,
    );
  }
}

/** TCP edges. */
export class TcpEdges {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List: TCP edges. `GET /edges/tcp` */
  list(options: ListOptions = {}): Listing<TCPEdge, TCPEdgeList> {
    return this.#transport.list('/edges/tcp', 'tcp_edges', options);
  }

  /** Create: TCP edges. `POST /edges/tcp` */
  create(body: TCPEdgeCreate = {}, options: CallOptions = {}): Promise<TCPEdge> {
    return this.#transport.call('POST', '/edges/tcp', body, options);
  }

  /** Get: TCP edges. `GET /edges/tcp/{id}` */
  get(id: string, options: CallOptions = {}): Promise<TCPEdge> {
    return this.#transport.call('GET', `/edges/tcp/${segment(id)}`, undefined, options);
  }

  /** Update: TCP edges. `PATCH /edges/tcp/{id}` */
  update(id: string, body: TCPEdgeUpdate = {}, options: CallOptions = {}): Promise<TCPEdge> {
    return this.#transport.call('PATCH', `/edges/tcp/${segment(id)}`, body, options);
  }

  /** Delete: TCP edges. `DELETE /edges/tcp/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/edges/tcp/${segment(id)}`, undefined, options);
  }

  /** Get: Backend. `GET /edges/tcp/{id}/backend` */
  getBackend(id: string, options: CallOptions = {}): Promise<EndpointBackend> {
    return this.#transport.call('GET', `/edges/tcp/${segment(id)}/backend`, undefined, options);
  }

  /** Replace: Backend. `PUT /edges/tcp/{id}/backend` */
  putBackend(id: string, body: EndpointBackendMutate, options: CallOptions = {}): Promise<EndpointBackend> {
    return this.#transport.call('PUT', `/edges/tcp/${segment(id)}/backend`, body, options);
  }

  /** Remove: Backend. `DELETE /edges/tcp/{id}/backend` */
  deleteBackend(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/edges/tcp/${segment(id)}/backend`, undefined, options);
  }

  /** Get: IP restriction. `GET /edges/tcp/{id}/ip_restriction` */
  getIpRestriction(id: string, options: CallOptions = {}): Promise<EndpointIPPolicy> {
    return this.#transport.call('GET', `/edges/tcp/${segment(id)}/ip_restriction`, undefined, options);
  }

  /** Replace: IP restriction. `PUT /edges/tcp/{id}/ip_restriction` */
  putIpRestriction(
    id: string,
    body: EndpointIPPolicyMutate = {},
    options: CallOptions = {},
  ): Promise<EndpointIPPolicy> {
    return this.#transport.call('PUT', `/edges/tcp/${segment(id)}/ip_restriction`, body, options);
  }

  /** Remove: IP restriction. `DELETE /edges/tcp/{id}/ip_restriction` */
  deleteIpRestriction(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/edges/tcp/${segment(id)}/ip_restriction`, undefined, options);
  }
}

/** Reserved domains. */
export class ReservedDomains {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List: Reserved domains. `GET /reserved_domains` */
  list(options: ListOptions = {}): Listing<ReservedDomain, ReservedDomainList> {
    return this.#transport.list('/reserved_domains', 'reserved_domains', options);
  }

  /** Create: Reserved domains. `POST /reserved_domains` */
  create(body: ReservedDomainCreate = {}, options: CallOptions = {}): Promise<ReservedDomain> {
    return this.#transport.call('POST', '/reserved_domains', body, options);
  }

  /** Get: Reserved domains. `GET /reserved_domains/{id}` */
  get(id: string, options: CallOptions = {}): Promise<ReservedDomain> {
    return this.#transport.call('GET', `/reserved_domains/${segment(id)}`, undefined, options);
  }

  /** Update: Reserved domains. `PATCH /reserved_domains/{id}` */
  update(id: string, body: ReservedDomainUpdate = {}, options: CallOptions = {}): Promise<ReservedDomain> {
    return this.#transport.call('PATCH', `/reserved_domains/${segment(id)}`, body, options);
  }

  /** Delete: Reserved domains. `DELETE /reserved_domains/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/reserved_domains/${segment(id)}`, undefined, options);
  }

  /** Detach: Certificate of a reserved domain. `DELETE /reserved_domains/{id}/certificate` */
  deleteCertificate(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/reserved_domains/${segment(id)}/certificate`, undefined, options);
  }

  /** Detach: Managed certificate of a reserved domain. `DELETE /reserved_domains/{id}/certificate_management_policy` */
  deleteCertificateManagementPolicy(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/reserved_domains/${segment(id)}/certificate_management_policy`,
      undefined,
      options,
    );
  }

  /** Detach: HTTP endpoint configuration of a reserved domain. `DELETE /reserved_domains/{id}/http_endpoint_configuration` */
  deleteHttpEndpointConfiguration(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/reserved_domains/${segment(id)}/http_endpoint_configuration`,
      undefined,
      options,
    );
  }

  /** Detach: HTTPS endpoint configuration of a reserved domain. `DELETE /reserved_domains/{id}/https_endpoint_configuration` */
  deleteHttpsEndpointConfiguration(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/reserved_domains/${segment(id)}/https_endpoint_configuration`,
      undefined,
      options,
    );
  }
}

/** Reserved addresses. */
export class ReservedAddrs {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List: Reserved addresses. `GET /reserved_addrs` */
  list(options: ListOptions = {}): Listing<ReservedAddr, ReservedAddrList> {
    return this.#transport.list('/reserved_addrs', 'reserved_addrs', options);
  }

  /** Create: Reserved addresses. `POST /reserved_addrs` */
  create(body: ReservedAddrCreate = {}, options: CallOptions = {}): Promise<ReservedAddr> {
    return this.#transport.call('POST', '/reserved_addrs', body, options);
  }

  /** Get: Reserved addresses. `GET /reserved_addrs/{id}` */
  get(id: string, options: CallOptions = {}): Promise<ReservedAddr> {
    return this.#transport.call('GET', `/reserved_addrs/${segment(id)}`, undefined, options);
  }

  /** Update: Reserved addresses. `PATCH /reserved_addrs/{id}` */
  update(id: string, body: ReservedAddrUpdate = {}, options: CallOptions = {}): Promise<ReservedAddr> {
    return this.#transport.call('PATCH', `/reserved_addrs/${segment(id)}`, body, options);
  }

  /** Delete: Reserved addresses. `DELETE /reserved_addrs/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/reserved_addrs/${segment(id)}`, undefined, options);
  }

  /** Detach: Endpoint configuration of a reserved address. `DELETE /reserved_addrs/{id}/endpoint_configuration` */
  deleteEndpointConfiguration(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/reserved_addrs/${segment(id)}/endpoint_configuration`,
      undefined,
      options,
    );
  }
}

/** Endpoint configurations. */
export class EndpointConfigurations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List: Endpoint configurations. `GET /endpoint_configurations` */
  list(options: ListOptions = {}): Listing<EndpointConfiguration, EndpointConfigurationList> {
    return this.#transport.list('/endpoint_configurations', 'endpoint_configurations', options);
  }

  /** Create: Endpoint configurations. `POST /endpoint_configurations` */
  create(body: EndpointConfigurationCreate, options: CallOptions = {}): Promise<EndpointConfiguration> {
    return this.#transport.call('POST', '/endpoint_configurations', body, options);
  }

  /** Get: Endpoint configurations. `GET /endpoint_configurations/{id}` */
  get(id: string, options: CallOptions = {}): Promise<EndpointConfiguration> {
    return this.#transport.call('GET', `/endpoint_configurations/${segment(id)}`, undefined, options);
  }

  /** Update: Endpoint configurations. `PATCH /endpoint_configurations/{id}` */
  update(
    id: string,
    body: EndpointConfigurationUpdate = {},
    options: CallOptions = {},
  ): Promise<EndpointConfiguration> {
    return this.#transport.call('PATCH', `/endpoint_configurations/${segment(id)}`, body, options);
  }

  /** Delete: Endpoint configurations. `DELETE /endpoint_configurations/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/endpoint_configurations/${segment(id)}`, undefined, options);
  }

  /** Get: Circuit breaker. `GET /endpoint_configurations/{id}/circuit_breaker` */
  getCircuitBreaker(id: string, options: CallOptions = {}): Promise<EndpointCircuitBreaker> {
    return this.#transport.call(
      'GET',
      `/endpoint_configurations/${segment(id)}/circuit_breaker`,
      undefined,
      options,
    );
  }

  /** Replace: Circuit breaker. `PUT /endpoint_configurations/{id}/circuit_breaker` */
  putCircuitBreaker(
    id: string,
    body: EndpointCircuitBreakerMutate = {},
    options: CallOptions = {},
  ): Promise<EndpointCircuitBreaker> {
    return this.#transport.call(
      'PUT',
      `/endpoint_configurations/${segment(id)}/circuit_breaker`,
      body,
      options,
    );
  }

  /** Remove: Circuit breaker. `DELETE /endpoint_configurations/{id}/circuit_breaker` */
  deleteCircuitBreaker(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/endpoint_configurations/${segment(id)}/circuit_breaker`,
      undefined,
      options,
    );
  }

  /** Get: Compression. `GET /endpoint_configurations/{id}/compression` */
  getCompression(id: string, options: CallOptions = {}): Promise<EndpointCompression> {
    return this.#transport.call(
      'GET',
      `/endpoint_configurations/${segment(id)}/compression`,
      undefined,
      options,
    );
  }

  /** Replace: Compression. `PUT /endpoint_configurations/{id}/compression` */
  putCompression(
    id: string,
    body: EndpointCompressionMutate = {},
    options: CallOptions = {},
  ): Promise<EndpointCompression> {
    return this.#transport.call('PUT', `/endpoint_configurations/${segment(id)}/compression`, body, options);
  }

  /** Remove: Compression. `DELETE /endpoint_configurations/{id}/compression` */
  deleteCompression(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/endpoint_configurations/${segment(id)}/compression`,
      undefined,
      options,
    );
  }

  /** Get: Request headers. `GET /endpoint_configurations/{id}/request_headers` */
  getRequestHeaders(id: string, options: CallOptions = {}): Promise<EndpointRequestHeaders> {
    return this.#transport.call(
      'GET',
      `/endpoint_configurations/${segment(id)}/request_headers`,
      undefined,
      options,
    );
  }

  /** Replace: Request headers. `PUT /endpoint_configurations/{id}/request_headers` */
  putRequestHeaders(
    id: string,
    body: EndpointRequestHeadersMutate = {},
    options: CallOptions = {},
  ): Promise<EndpointRequestHeaders> {
    return this.#transport.call(
      'PUT',
      `/endpoint_configurations/${segment(id)}/request_headers`,
      body,
      options,
    );
  }

  /** Remove: Request headers. `DELETE /endpoint_configurations/{id}/request_headers` */
  deleteRequestHeaders(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/endpoint_configurations/${segment(id)}/request_headers`,
      undefined,
      options,
    );
  }

  /** Get: Response headers. `GET /endpoint_configurations/{id}/response_headers` */
  getResponseHeaders(id: string, options: CallOptions = {}): Promise<EndpointResponseHeaders> {
    return this.#transport.call(
      'GET',
      `/endpoint_configurations/${segment(id)}/response_headers`,
      undefined,
      options,
    );
  }

  /** Replace: Response headers. `PUT /endpoint_configurations/{id}/response_headers` */
  putResponseHeaders(
    id: string,
    body: EndpointResponseHeadersMutate = {},
    options: CallOptions = {},
  ): Promise<EndpointResponseHeaders> {
    return this.#transport.call(
      'PUT',
      `/endpoint_configurations/${segment(id)}/response_headers`,
      body,
      options,
    );
  }

  /** Remove: Response headers. `DELETE /endpoint_configurations/{id}/response_headers` */
  deleteResponseHeaders(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/endpoint_configurations/${segment(id)}/response_headers`,
      undefined,
      options,
    );
  }

  /** Get: IP policy. `GET /endpoint_configurations/{id}/ip_policy` */
  getIpPolicy(id: string, options: CallOptions = {}): Promise<EndpointIPPolicy> {
    return this.#transport.call(
      'GET',
      `/endpoint_configurations/${segment(id)}/ip_policy`,
      undefined,
      options,
    );
  }

  /** Replace: IP policy. `PUT /endpoint_configurations/{id}/ip_policy` */
  putIpPolicy(
    id: string,
    body: EndpointIPPolicyMutate = {},
    options: CallOptions = {},
  ): Promise<EndpointIPPolicy> {
    return this.#transport.call('PUT', `/endpoint_configurations/${segment(id)}/ip_policy`, body, options);
  }

  /** Remove: IP policy. `DELETE /endpoint_configurations/{id}/ip_policy` */
  deleteIpPolicy(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/endpoint_configurations/${segment(id)}/ip_policy`,
      undefined,
      options,
    );
  }

  /** Get: Mutual TLS. `GET /endpoint_configurations/{id}/mutual_tls` */
  getMutualTls(id: string, options: CallOptions = {}): Promise<EndpointMutualTLS> {
    return this.#transport.call(
      'GET',
      `/endpoint_configurations/${segment(id)}/mutual_tls`,
      undefined,
      options,
    );
  }

  /** Replace: Mutual TLS. `PUT /endpoint_configurations/{id}/mutual_tls` */
  putMutualTls(
    id: string,
    body: EndpointMutualTLSMutate = {},
    options: CallOptions = {},
  ): Promise<EndpointMutualTLS> {
    return this.#transport.call('PUT', `/endpoint_configurations/${segment(id)}/mutual_tls`, body, options);
  }

  /** Remove: Mutual TLS. `DELETE /endpoint_configurations/{id}/mutual_tls` */
  deleteMutualTls(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/endpoint_configurations/${segment(id)}/mutual_tls`,
      undefined,
      options,
    );
  }

  /** Get: TLS termination. `GET /endpoint_configurations/{id}/tls_termination` */
  getTlsTermination(id: string, options: CallOptions = {}): Promise<EndpointTLSTermination> {
    return this.#transport.call(
      'GET',
      `/endpoint_configurations/${segment(id)}/tls_termination`,
      undefined,
      options,
    );
  }

  /** Replace: TLS termination. `PUT /endpoint_configurations/{id}/tls_termination` */
  putTlsTermination(
    id: string,
    body: EndpointTLSTerminationMutate = {},
    options: CallOptions = {},
  ): Promise<EndpointTLSTermination> {
    return this.#transport.call(
      'PUT',
      `/endpoint_configurations/${segment(id)}/tls_termination`,
      body,
      options,
    );
  }

  /** Remove: TLS termination. `DELETE /endpoint_configurations/{id}/tls_termination` */
  deleteTlsTermination(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/endpoint_configurations/${segment(id)}/tls_termination`,
      undefined,
      options,
    );
  }

  /** Get: SAML. `GET /endpoint_configurations/{id}/saml` */
  getSaml(id: string, options: CallOptions = {}): Promise<EndpointSAML> {
    return this.#transport.call('GET', `/endpoint_configurations/${segment(id)}/saml`, undefined, options);
  }

  /** Replace: SAML. `PUT /endpoint_configurations/{id}/saml` */
  putSaml(id: string, body: EndpointSAMLMutate = {}, options: CallOptions = {}): Promise<EndpointSAML> {
    return this.#transport.call('PUT', `/endpoint_configurations/${segment(id)}/saml`, body, options);
  }

  /** Remove: SAML. `DELETE /endpoint_configurations/{id}/saml` */
  deleteSaml(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/endpoint_configurations/${segment(id)}/saml`, undefined, options);
  }

  /** Get: Backend. `GET /endpoint_configurations/{id}/backend` */
  getBackend(id: string, options: CallOptions = {}): Promise<EndpointBackend> {
    return this.#transport.call('GET', `/endpoint_configurations/${segment(id)}/backend`, undefined, options);
  }

  /** Replace: Backend. `PUT /endpoint_configurations/{id}/backend` */
  putBackend(id: string, body: EndpointBackendMutate, options: CallOptions = {}): Promise<EndpointBackend> {
    return this.#transport.call('PUT', `/endpoint_configurations/${segment(id)}/backend`, body, options);
  }

  /** Remove: Backend. `DELETE /endpoint_configurations/{id}/backend` */
  deleteBackend(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/endpoint_configurations/${segment(id)}/backend`,
      undefined,
      options,
    );
  }
}

/** IP policies. */
export class IpPolicies {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List: IP policies. `GET /ip_policies` */
  list(options: ListOptions = {}): Listing<IPPolicy, IPPolicyList> {
    return this.#transport.list('/ip_policies', 'ip_policies', options);
  }

  /** Create: IP policies. `POST /ip_policies` */
  create(body: IPPolicyCreate = {}, options: CallOptions = {}): Promise<IPPolicy> {
    return this.#transport.call('POST', '/ip_policies', body, options);
  }

  /** Get: IP policies. `GET /ip_policies/{id}` */
  get(id: string, options: CallOptions = {}): Promise<IPPolicy> {
    return this.#transport.call('GET', `/ip_policies/${segment(id)}`, undefined, options);
  }

  /** Update: IP policies. `PATCH /ip_policies/{id}` */
  update(id: string, body: IPPolicyUpdate = {}, options: CallOptions = {}): Promise<IPPolicy> {
    return this.#transport.call('PATCH', `/ip_policies/${segment(id)}`, body, options);
  }

  /** Delete: IP policies. `DELETE /ip_policies/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/ip_policies/${segment(id)}`, undefined, options);
  }
}

/** IP policy rules. */
export class IpPolicyRules {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List: IP policy rules. `GET /ip_policy_rules` */
  list(options: ListOptions = {}): Listing<IPPolicyRule, IPPolicyRuleList> {
    return this.#transport.list('/ip_policy_rules', 'ip_policy_rules', options);
  }

  /** Create: IP policy rules. `POST /ip_policy_rules` */
  create(body: IPPolicyRuleCreate, options: CallOptions = {}): Promise<IPPolicyRule> {
    return this.#transport.call('POST', '/ip_policy_rules', body, options);
  }

  /** Get: IP policy rules. `GET /ip_policy_rules/{id}` */
  get(id: string, options: CallOptions = {}): Promise<IPPolicyRule> {
    return this.#transport.call('GET', `/ip_policy_rules/${segment(id)}`, undefined, options);
  }

  /** Update: IP policy rules. `PATCH /ip_policy_rules/{id}` */
  update(id: string, body: IPPolicyRuleUpdate = {}, options: CallOptions = {}): Promise<IPPolicyRule> {
    return this.#transport.call('PATCH', `/ip_policy_rules/${segment(id)}`, body, options);
  }

  /** Delete: IP policy rules. `DELETE /ip_policy_rules/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/ip_policy_rules/${segment(id)}`, undefined, options);
  }
}

/** IP restrictions. */
export class IpRestrictions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List: IP restrictions. `GET /ip_restrictions` */
  list(options: ListOptions = {}): Listing<IPRestriction, IPRestrictionList> {
    return this.#transport.list('/ip_restrictions', 'ip_restrictions', options);
  }

  /** Create: IP restrictions. `POST /ip_restrictions` */
  create(body: IPRestrictionCreate, options: CallOptions = {}): Promise<IPRestriction> {
    return this.#transport.call('POST', '/ip_restrictions', body, options);
  }

  /** Get: IP restrictions. `GET /ip_restrictions/{id}` */
  get(id: string, options: CallOptions = {}): Promise<IPRestriction> {
    return this.#transport.call('GET', `/ip_restrictions/${segment(id)}`, undefined, options);
  }

  /** Update: IP restrictions. `PATCH /ip_restrictions/{id}` */
  update(id: string, body: IPRestrictionUpdate = {}, options: CallOptions = {}): Promise<IPRestriction> {
    return this.#transport.call('PATCH', `/ip_restrictions/${segment(id)}`, body, options);
  }

  /** Delete: IP restrictions. `DELETE /ip_restrictions/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/ip_restrictions/${segment(id)}`, undefined, options);
  }
}

/** Certificate authorities. */
export class CertificateAuthorities {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List: Certificate authorities. `GET /certificate_authorities` */
  list(options: ListOptions = {}): Listing<CertificateAuthority, CertificateAuthorityList> {
    return this.#transport.list('/certificate_authorities', 'certificate_authorities', options);
  }

  /** Create: Certificate authorities. `POST /certificate_authorities` */
  create(body: CertificateAuthorityCreate, options: CallOptions = {}): Promise<CertificateAuthority> {
    return this.#transport.call('POST', '/certificate_authorities', body, options);
  }

  /** Get: Certificate authorities. `GET /certificate_authorities/{id}` */
  get(id: string, options: CallOptions = {}): Promise<CertificateAuthority> {
    return this.#transport.call('GET', `/certificate_authorities/${segment(id)}`, undefined, options);
  }

  /** Update: Certificate authorities. `PATCH /certificate_authorities/{id}` */
  update(
    id: string,
    body: CertificateAuthorityUpdate = {},
    options: CallOptions = {},
  ): Promise<CertificateAuthority> {
    return this.#transport.call('PATCH', `/certificate_authorities/${segment(id)}`, body, options);
  }

  /** Delete: Certificate authorities. `DELETE /certificate_authorities/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/certificate_authorities/${segment(id)}`, undefined, options);
  }
}

/** TLS certificates. */
export class TlsCertificates {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List: TLS certificates. `GET /tls_certificates` */
  list(options: ListOptions = {}): Listing<TLSCertificate, TLSCertificateList> {
    return this.#transport.list('/tls_certificates', 'tls_certificates', options);
  }

  /** Create: TLS certificates. `POST /tls_certificates` */
  create(body: TLSCertificateCreate, options: CallOptions = {}): Promise<TLSCertificate> {
    return this.#transport.call('POST', '/tls_certificates', body, options);
  }

  /** Get: TLS certificates. `GET /tls_certificates/{id}` */
  get(id: string, options: CallOptions = {}): Promise<TLSCertificate> {
    return this.#transport.call('GET', `/tls_certificates/${segment(id)}`, undefined, options);
  }

  /** Update: TLS certificates. `PATCH /tls_certificates/{id}` */
  update(id: string, body: TLSCertificateUpdate = {}, options: CallOptions = {}): Promise<TLSCertificate> {
    return this.#transport.call('PATCH', `/tls_certificates/${segment(id)}`, body, options);
  }

  /** Delete: TLS certificates. `DELETE /tls_certificates/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/tls_certificates/${segment(id)}`, undefined, options);
  }
}

/** Tunnel credentials. */
export class Credentials {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List: Tunnel credentials. `GET /credentials` */
  list(options: ListOptions = {}): Listing<Credential, CredentialList> {
    return this.#transport.list('/credentials', 'credentials', options);
  }

  /** Create: Tunnel credentials. `POST /credentials` */
  create(body: CredentialCreate = {}, options: CallOptions = {}): Promise<Credential> {
    return this.#transport.call('POST', '/credentials', body, options);
  }

  /** Get: Tunnel credentials. `GET /credentials/{id}` */
  get(id: string, options: CallOptions = {}): Promise<Credential> {
    return this.#transport.call('GET', `/credentials/${segment(id)}`, undefined, options);
  }

  /** Update: Tunnel credentials. `PATCH /credentials/{id}` */
  update(id: string, body: CredentialUpdate = {}, options: CallOptions = {}): Promise<Credential> {
    return this.#transport.call('PATCH', `/credentials/${segment(id)}`, body, options);
  }

  /** Delete: Tunnel credentials. `DELETE /credentials/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/credentials/${segment(id)}`, undefined, options);
  }
}

/** SSH credentials. */
export class SshCredentials {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List: SSH credentials. `GET /ssh_credentials` */
  list(options: ListOptions = {}): Listing<SSHCredential, SSHCredentialList> {
    return this.#transport.list('/ssh_credentials', 'ssh_credentials', options);
  }

  /** Create: SSH credentials. `POST /ssh_credentials` */
  create(body: SSHCredentialCreate = {}, options: CallOptions = {}): Promise<SSHCredential> {
    return this.#transport.call('POST', '/ssh_credentials', body, options);
  }

  /** Get: SSH credentials. `GET /ssh_credentials/{id}` */
  get(id: string, options: CallOptions = {}): Promise<SSHCredential> {
    return this.#transport.call('GET', `/ssh_credentials/${segment(id)}`, undefined, options);
  }

  /** Update: SSH credentials. `PATCH /ssh_credentials/{id}` */
  update(id: string, body: SSHCredentialUpdate = {}, options: CallOptions = {}): Promise<SSHCredential> {
    return this.#transport.call('PATCH', `/ssh_credentials/${segment(id)}`, body, options);
  }

  /** Delete: SSH credentials. `DELETE /ssh_credentials/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/ssh_credentials/${segment(id)}`, undefined, options);
  }
}

/** SSH certificate authorities. */
export class SshCertificateAuthorities {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List: SSH certificate authorities. `GET /ssh_certificate_authorities` */
  list(options: ListOptions = {}): Listing<SSHCertificateAuthority, SSHCertificateAuthorityList> {
    return this.#transport.list('/ssh_certificate_authorities', 'ssh_certificate_authorities', options);
  }

  /** Create: SSH certificate authorities. `POST /ssh_certificate_authorities` */
  create(
    body: SSHCertificateAuthorityCreate = {},
    options: CallOptions = {},
  ): Promise<SSHCertificateAuthority> {
    return this.#transport.call('POST', '/ssh_certificate_authorities', body, options);
  }

  /** Get: SSH certificate authorities. `GET /ssh_certificate_authorities/{id}` */
  get(id: string, options: CallOptions = {}): Promise<SSHCertificateAuthority> {
    return this.#transport.call('GET', `/ssh_certificate_authorities/${segment(id)}`, undefined, options);
  }

  /** Update: SSH certificate authorities. `PATCH /ssh_certificate_authorities/{id}` */
  update(
    id: string,
    body: SSHCertificateAuthorityUpdate = {},
    options: CallOptions = {},
  ): Promise<SSHCertificateAuthority> {
    return this.#transport.call('PATCH', `/ssh_certificate_authorities/${segment(id)}`, body, options);
  }

  /** Delete: SSH certificate authorities. `DELETE /ssh_certificate_authorities/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/ssh_certificate_authorities/${segment(id)}`, undefined, options);
  }
}

/** SSH host certificates. */
export class SshHostCertificates {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List: SSH host certificates. `GET /ssh_host_certificates` */
  list(options: ListOptions = {}): Listing<SSHHostCertificate, SSHHostCertificateList> {
    return this.#transport.list('/ssh_host_certificates', 'ssh_host_certificates', options);
  }

  /** Create: SSH host certificates. `POST /ssh_host_certificates` */
  create(body: SSHHostCertificateCreate, options: CallOptions = {}): Promise<SSHHostCertificate> {
    return this.#transport.call('POST', '/ssh_host_certificates', body, options);
  }

  /** Get: SSH host certificates. `GET /ssh_host_certificates/{id}` */
  get(id: string, options: CallOptions = {}): Promise<SSHHostCertificate> {
    return this.#transport.call('GET', `/ssh_host_certificates/${segment(id)}`, undefined, options);
  }

  /** Update: SSH host certificates. `PATCH /ssh_host_certificates/{id}` */
  update(
    id: string,
    body: SSHHostCertificateUpdate = {},
    options: CallOptions = {},
  ): Promise<SSHHostCertificate> {
    return this.#transport.call('PATCH', `/ssh_host_certificates/${segment(id)}`, body, options);
  }

  /** Delete: SSH host certificates. `DELETE /ssh_host_certificates/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/ssh_host_certificates/${segment(id)}`, undefined, options);
  }
}

/** SSH user certificates. */
export class SshUserCertificates {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List: SSH user certificates. `GET /ssh_user_certificates` */
  list(options: ListOptions = {}): Listing<SSHUserCertificate, SSHUserCertificateList> {
    return this.#transport.list('/ssh_user_certificates', 'ssh_user_certificates', options);
  }

  /** Create: SSH user certificates. `POST /ssh_user_certificates` */
  create(body: SSHUserCertificateCreate, options: CallOptions = {}): Promise<SSHUserCertificate> {
    return this.#transport.call('POST', '/ssh_user_certificates', body, options);
  }

  /** Get: SSH user certificates. `GET /ssh_user_certificates/{id}` */
  get(id: string, options: CallOptions = {}): Promise<SSHUserCertificate> {
    return this.#transport.call('GET', `/ssh_user_certificates/${segment(id)}`, undefined, options);
  }

  /** Update: SSH user certificates. `PATCH /ssh_user_certificates/{id}` */
  update(
    id: string,
    body: SSHUserCertificateUpdate = {},
    options: CallOptions = {},
  ): Promise<SSHUserCertificate> {
    return this.#transport.call('PATCH', `/ssh_user_certificates/${segment(id)}`, body, options);
  }

  /** Delete: SSH user certificates. `DELETE /ssh_user_certificates/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/ssh_user_certificates/${segment(id)}`, undefined, options);
  }
}

/** Event destinations. */
export class EventDestinations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List: Event destinations. `GET /event_destinations` */
  list(options: ListOptions = {}): Listing<EventDestination, EventDestinationList> {
    return this.#transport.list('/event_destinations', 'event_destinations', options);
  }

  /** Create: Event destinations. `POST /event_destinations` */
  create(body: EventDestinationCreate, options: CallOptions = {}): Promise<EventDestination> {
    return this.#transport.call('POST', '/event_destinations', body, options);
  }

  /** Get: Event destinations. `GET /event_destinations/{id}` */
  get(id: string, options: CallOptions = {}): Promise<EventDestination> {
    return this.#transport.call('GET', `/event_destinations/${segment(id)}`, undefined, options);
  }

  /** Update: Event destinations. `PATCH /event_destinations/{id}` */
  update(
    id: string,
    body: EventDestinationUpdate = {},
    options: CallOptions = {},
  ): Promise<EventDestination> {
    return this.#transport.call('PATCH', `/event_destinations/${segment(id)}`, body, options);
  }

  /** Delete: Event destinations. `DELETE /event_destinations/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/event_destinations/${segment(id)}`, undefined, options);
  }
}

/** Event subscriptions. */
export class EventSubscriptions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List: Event subscriptions. `GET /event_subscriptions` */
  list(options: ListOptions = {}): Listing<EventSubscription, EventSubscriptionList> {
    return this.#transport.list('/event_subscriptions', 'event_subscriptions', options);
  }

  /** Create: Event subscriptions. `POST /event_subscriptions` */
  create(body: EventSubscriptionCreate = {}, options: CallOptions = {}): Promise<EventSubscription> {
    return this.#transport.call('POST', '/event_subscriptions', body, options);
  }

  /** Get: Event subscriptions. `GET /event_subscriptions/{id}` */
  get(id: string, options: CallOptions = {}): Promise<EventSubscription> {
    return this.#transport.call('GET', `/event_subscriptions/${segment(id)}`, undefined, options);
  }

  /** Update: Event subscriptions. `PATCH /event_subscriptions/{id}` */
  update(
    id: string,
    body: EventSubscriptionUpdate = {},
    options: CallOptions = {},
  ): Promise<EventSubscription> {
    return this.#transport.call('PATCH', `/event_subscriptions/${segment(id)}`, body, options);
  }

  /** Delete: Event subscriptions. `DELETE /event_subscriptions/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/event_subscriptions/${segment(id)}`, undefined, options);
  }
}

/** Sources of an event subscription. */
export class EventSubscriptionSources {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List: Sources of an event subscription. `GET /event_subscriptions/{subscription_id}/sources` */
  list(subscriptionId: string, options: CallOptions = {}): Listing<EventSource, EventSourceList> {
    return this.#transport.list(
      `/event_subscriptions/${segment(subscriptionId)}/sources`,
      'sources',
      options,
    );
  }

  /** Add: Sources of an event subscription. `POST /event_subscriptions/{subscription_id}/sources` */
  create(subscriptionId: string, body: EventSourceCreate, options: CallOptions = {}): Promise<EventSource> {
    return this.#transport.call(
      'POST',
      `/event_subscriptions/${segment(subscriptionId)}/sources`,
      body,
      options,
    );
  }

  /** Get: Sources of an event subscription. `GET /event_subscriptions/{subscription_id}/sources/{type}` */
  get(subscriptionId: string, type: string, options: CallOptions = {}): Promise<EventSource> {
    return this.#transport.call(
      'GET',
      `/event_subscriptions/${segment(subscriptionId)}/sources/${segment(type)}`,
      undefined,
      options,
    );
  }

  /** Update: Sources of an event subscription. `PATCH /event_subscriptions/{subscription_id}/sources/{type}` */
  update(
    subscriptionId: string,
    type: string,
    body: EventSourceUpdate = {},
    options: CallOptions = {},
  ): Promise<EventSource> {
    return this.#transport.call(
      'PATCH',
      `/event_subscriptions/${segment(subscriptionId)}/sources/${segment(type)}`,
      body,
      options,
    );
  }

  /** Remove: Sources of an event subscription. `DELETE /event_subscriptions/{subscription_id}/sources/{type}` */
  delete(subscriptionId: string, type: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/event_subscriptions/${segment(subscriptionId)}/sources/${segment(type)}`,
      undefined,
      options,
    );
  }
}

/** API keys. */
export class ApiKeys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List: API keys. `GET /api_keys` */
  list(options: ListOptions = {}): Listing<APIKey, APIKeyList> {
    return this.#transport.list('/api_keys', 'keys', options);
  }

  /** Create: API keys. `POST /api_keys` */
  create(body: APIKeyCreate = {}, options: CallOptions = {}): Promise<APIKey> {
    return this.#transport.call('POST', '/api_keys', body, options);
  }

  /** Get: API keys. `GET /api_keys/{id}` */
  get(id: string, options: CallOptions = {}): Promise<APIKey> {
    return this.#transport.call('GET', `/api_keys/${segment(id)}`, undefined, options);
  }

  /** Update: API keys. `PATCH /api_keys/{id}` */
  update(id: string, body: APIKeyUpdate = {}, options: CallOptions = {}): Promise<APIKey> {
    return this.#transport.call('PATCH', `/api_keys/${segment(id)}`, body, options);
  }

  /** Delete: API keys. `DELETE /api_keys/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/api_keys/${segment(id)}`, undefined, options);
  }
}

/** Users. */
export class Users {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List: Users. `GET /users` */
  list(options: ListOptions = {}): Listing<User, UserList> {
    return this.#transport.list('/users', 'users', options);
  }

  /** Create: Users. `POST /users` */
  create(body: UserCreate, options: CallOptions = {}): Promise<User> {
    return this.#transport.call('POST', '/users', body, options);
  }

  /** Get: Users. `GET /users/{id}` */
  get(id: string, options: CallOptions = {}): Promise<User> {
    return this.#transport.call('GET', `/users/${segment(id)}`, undefined, options);
  }

  /** Update: Users. `PATCH /users/{id}` */
  update(id: string, body: UserUpdate = {}, options: CallOptions = {}): Promise<User> {
    return this.#transport.call('PATCH', `/users/${segment(id)}`, body, options);
  }

  /** Delete: Users. `DELETE /users/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/users/${segment(id)}`, undefined, options);
  }
}

/** Bot users. */
export class BotUsers {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List: Bot users. `GET /bot_users` */
  list(options: ListOptions = {}): Listing<BotUser, BotUserList> {
    return this.#transport.list('/bot_users', 'bot_users', options);
  }

  /** Create: Bot users. `POST /bot_users` */
  create(body: BotUserCreate, options: CallOptions = {}): Promise<BotUser> {
    return this.#transport.call('POST', '/bot_users', body, options);
  }

  /** Get: Bot users. `GET /bot_users/{id}` */
  get(id: string, options: CallOptions = {}): Promise<BotUser> {
    return this.#transport.call('GET', `/bot_users/${segment(id)}`, undefined, options);
  }

  /** Update: Bot users. `PATCH /bot_users/{id}` */
  update(id: string, body: BotUserUpdate = {}, options: CallOptions = {}): Promise<BotUser> {
    return this.#transport.call('PATCH', `/bot_users/${segment(id)}`, body, options);
  }

  /** Delete: Bot users. `DELETE /bot_users/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/bot_users/${segment(id)}`, undefined, options);
  }
}

/** Tunnels that are online. */
export class Tunnels {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List: Tunnels that are online. `GET /tunnels` */
  list(options: ListOptions = {}): Listing<Tunnel, TunnelList> {
    return this.#transport.list('/tunnels', 'tunnels', options);
  }

  /** Get: Tunnels that are online. `GET /tunnels/{id}` */
  get(id: string, options: CallOptions = {}): Promise<Tunnel> {
    return this.#transport.call('GET', `/tunnels/${segment(id)}`, undefined, options);
  }
}

/** Sessions of agents that are connected. */
export class TunnelSessions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List: Sessions of agents that are connected. `GET /tunnel_sessions` */
  list(options: ListOptions = {}): Listing<TunnelSession, TunnelSessionList> {
    return this.#transport.list('/tunnel_sessions', 'tunnel_sessions', options);
  }

  /** Get: Sessions of agents that are connected. `GET /tunnel_sessions/{id}` */
  get(id: string, options: CallOptions = {}): Promise<TunnelSession> {
    return this.#transport.call('GET', `/tunnel_sessions/${segment(id)}`, undefined, options);
  }

  /** Have the agent start anew: it comes back with a new session and the same tunnels. `POST /tunnel_sessions/{id}/restart` */
  restart(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('POST', `/tunnel_sessions/${segment(id)}/restart`, undefined, options);
  }

  /** Have the agent end. `POST /tunnel_sessions/{id}/stop` */
  stop(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('POST', `/tunnel_sessions/${segment(id)}/stop`, undefined, options);
  }

  /** Have the agent update itself to the newest version of its major one, and start anew. `POST /tunnel_sessions/{id}/update` */
  update(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('POST', `/tunnel_sessions/${segment(id)}/update`, undefined, options);
  }
}

/** Endpoints that are active. */
export class Endpoints {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List: Endpoints that are active. `GET /endpoints` */
  list(options: ListOptions = {}): Listing<Endpoint, EndpointList> {
    return this.#transport.list('/endpoints', 'endpoints', options);
  }

  /** Get: Endpoints that are active. `GET /endpoints/{id}` */
  get(id: string, options: CallOptions = {}): Promise<Endpoint> {
    return this.#transport.call('GET', `/endpoints/${segment(id)}`, undefined, options);
  }
}

/** Everything that the API manages, by kind. */
export class Resources {
  readonly httpResponseBackends: HttpResponseBackends;
  readonly tunnelGroupBackends: TunnelGroupBackends;
  readonly failoverBackends: FailoverBackends;
  readonly weightedBackends: WeightedBackends;
  readonly staticBackends: StaticBackends;
  readonly tlsEdges: TlsEdges;
  readonly httpsEdges: HttpsEdges;
  readonly httpsEdgeRoutes: HttpsEdgeRoutes;
  readonly tcpEdges: TcpEdges;
  readonly reservedDomains: ReservedDomains;
  readonly reservedAddrs: ReservedAddrs;
  readonly endpointConfigurations: EndpointConfigurations;
  readonly ipPolicies: IpPolicies;
  readonly ipPolicyRules: IpPolicyRules;
  readonly ipRestrictions: IpRestrictions;
  readonly certificateAuthorities: CertificateAuthorities;
  readonly tlsCertificates: TlsCertificates;
  readonly credentials: Credentials;
  readonly sshCredentials: SshCredentials;
  readonly sshCertificateAuthorities: SshCertificateAuthorities;
  readonly sshHostCertificates: SshHostCertificates;
  readonly sshUserCertificates: SshUserCertificates;
  readonly eventDestinations: EventDestinations;
  readonly eventSubscriptions: EventSubscriptions;
  readonly eventSubscriptionSources: EventSubscriptionSources;
  readonly apiKeys: ApiKeys;
  readonly users: Users;
  readonly botUsers: BotUsers;
  readonly tunnels: Tunnels;
  readonly tunnelSessions: TunnelSessions;
  readonly endpoints: Endpoints;

  constructor(transport: Transport) {
    this.httpResponseBackends = new HttpResponseBackends(transport);
    this.tunnelGroupBackends = new TunnelGroupBackends(transport);
    this.failoverBackends = new FailoverBackends(transport);
    this.weightedBackends = new WeightedBackends(transport);
    this.staticBackends = new StaticBackends(transport);
    this.tlsEdges = new TlsEdges(transport);
    this.httpsEdges = new HttpsEdges(transport);
    this.httpsEdgeRoutes = new HttpsEdgeRoutes(transport);
    this.tcpEdges = new TcpEdges(transport);
    this.reservedDomains = new ReservedDomains(transport);
    this.reservedAddrs = new ReservedAddrs(transport);
    this.endpointConfigurations = new EndpointConfigurations(transport);
    this.ipPolicies = new IpPolicies(transport);
    this.ipPolicyRules = new IpPolicyRules(transport);
    this.ipRestrictions = new IpRestrictions(transport);
    this.certificateAuthorities = new CertificateAuthorities(transport);
    this.tlsCertificates = new TlsCertificates(transport);
    this.credentials = new Credentials(transport);
    this.sshCredentials = new SshCredentials(transport);
    this.sshCertificateAuthorities = new SshCertificateAuthorities(transport);
    this.sshHostCertificates = new SshHostCertificates(transport);
    this.sshUserCertificates = new SshUserCertificates(transport);
    this.eventDestinations = new EventDestinations(transport);
    this.eventSubscriptions = new EventSubscriptions(transport);
    this.eventSubscriptionSources = new EventSubscriptionSources(transport);
    this.apiKeys = new ApiKeys(transport);
    this.users = new Users(transport);
    this.botUsers = new BotUsers(transport);
    this.tunnels = new Tunnels(transport);
    this.tunnelSessions = new TunnelSessions(transport);
    this.endpoints = new Endpoints(transport);
  }
}
