// Written by scripts/write-client.ts from the OpenAPI document; do not edit.

import type { Listing, ListOptions, SelectOptions } from '../listing.ts';
import type { CallOptions } from '../options.ts';
import { queryText } from '../query-text.ts';
import { segment, type Transport } from '../transport.ts';
import type {
  AccountOverview,
  APIKey,
  APIKeyCreate,
  APIKeyList,
  APIKeyUpdate,
  BindRulesTest,
  BindRulesVerdict,
  BotUser,
  BotUserCreate,
  BotUserList,
  BotUserUpdate,
  Caller,
  CertificateAuthority,
  CertificateAuthorityCreate,
  CertificateAuthorityList,
  CertificateAuthorityUpdate,
  Change,
  ChangeList,
  ConsoleLink,
  ConsoleLinkCreate,
  ConsoleSession,
  ConsoleSessionList,
  Credential,
  CredentialCreate,
  CredentialList,
  CredentialUpdate,
  Endpoint,
  EndpointBackend,
  EndpointBackendMutate,
  EndpointBasicAuth,
  EndpointBasicAuthMutate,
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
  EndpointOAuth,
  EndpointOAuthMutate,
  EndpointOIDC,
  EndpointOIDCMutate,
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
  EndpointWebhookValidation,
  EndpointWebhookValidationMutate,
  EndpointWebsocketTCPConverter,
  EndpointWebsocketTCPConverterMutate,
  EventDestination,
  EventDestinationCreate,
  EventDestinationList,
  EventDestinationStatus,
  EventDestinationTest,
  EventDestinationUpdate,
  EventSource,
  EventSourceCreate,
  EventSourceList,
  EventSourceUpdate,
  EventSubscription,
  EventSubscriptionCreate,
  EventSubscriptionList,
  EventSubscriptionUpdate,
  Explanation,
  ExplanationRequest,
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
  IPRulesTest,
  IPRulesVerdict,
  NameEntry,
  NameList,
  RecentTraffic,
  ReservedAddr,
  ReservedAddrCreate,
  ReservedAddrList,
  ReservedAddrUpdate,
  ReservedDomain,
  ReservedDomainCheck,
  ReservedDomainCreate,
  ReservedDomainList,
  ReservedDomainProof,
  ReservedDomainRenewal,
  ReservedDomainUpdate,
  ServiceStatus,
  ServiceUser,
  ServiceUserCreate,
  ServiceUserList,
  ServiceUserUpdate,
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
  TrafficRecording,
  TrafficRecordingCreate,
  TrafficRecordingList,
  TrafficRequest,
  TrafficRequestDetails,
  TrafficRequestList,
  TrafficSeries,
  Tunnel,
  TunnelGroupBackend,
  TunnelGroupBackendCreate,
  TunnelGroupBackendList,
  TunnelGroupBackendUpdate,
  TunnelList,
  TunnelSession,
  TunnelSessionList,
  UsedBy,
  UsedByList,
  User,
  UserCreate,
  UserList,
  UserUpdate,
  VisitorLogin,
  VisitorLoginList,
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

  /** List HTTP response backends. `GET /backends/http_response` */
  list(options: SelectOptions = {}): Listing<HTTPResponseBackend, HTTPResponseBackendList> {
    return this.#transport.list('/backends/http_response', 'backends', options);
  }

  /** Create an HTTP response backend. `POST /backends/http_response` */
  create(body: HTTPResponseBackendCreate = {}, options: CallOptions = {}): Promise<HTTPResponseBackend> {
    return this.#transport.call('POST', '/backends/http_response', body, options);
  }

  /** Get an HTTP response backend. `GET /backends/http_response/{id}` */
  get(id: string, options: CallOptions = {}): Promise<HTTPResponseBackend> {
    return this.#transport.call('GET', `/backends/http_response/${segment(id)}`, undefined, options);
  }

  /** Update an HTTP response backend. `PATCH /backends/http_response/{id}` */
  update(
    id: string,
    body: HTTPResponseBackendUpdate = {},
    options: CallOptions = {},
  ): Promise<HTTPResponseBackend> {
    return this.#transport.call('PATCH', `/backends/http_response/${segment(id)}`, body, options);
  }

  /** Delete an HTTP response backend. `DELETE /backends/http_response/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/backends/http_response/${segment(id)}`, undefined, options);
  }

  /** List what refers to an HTTP response backend. `GET /backends/http_response/{id}/used_by` */
  usedBy(id: string, options: ListOptions = {}): Listing<UsedBy, UsedByList> {
    return this.#transport.list(`/backends/http_response/${segment(id)}/used_by`, 'used_by', options);
  }
}

/** Tunnel group backends. */
export class TunnelGroupBackends {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List tunnel group backends. `GET /backends/tunnel_group` */
  list(options: SelectOptions = {}): Listing<TunnelGroupBackend, TunnelGroupBackendList> {
    return this.#transport.list('/backends/tunnel_group', 'backends', options);
  }

  /** Create a tunnel group backend. `POST /backends/tunnel_group` */
  create(body: TunnelGroupBackendCreate, options: CallOptions = {}): Promise<TunnelGroupBackend> {
    return this.#transport.call('POST', '/backends/tunnel_group', body, options);
  }

  /** Get a tunnel group backend. `GET /backends/tunnel_group/{id}` */
  get(id: string, options: CallOptions = {}): Promise<TunnelGroupBackend> {
    return this.#transport.call('GET', `/backends/tunnel_group/${segment(id)}`, undefined, options);
  }

  /** Update a tunnel group backend. `PATCH /backends/tunnel_group/{id}` */
  update(
    id: string,
    body: TunnelGroupBackendUpdate = {},
    options: CallOptions = {},
  ): Promise<TunnelGroupBackend> {
    return this.#transport.call('PATCH', `/backends/tunnel_group/${segment(id)}`, body, options);
  }

  /** Delete a tunnel group backend. `DELETE /backends/tunnel_group/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/backends/tunnel_group/${segment(id)}`, undefined, options);
  }

  /** List what refers to a tunnel group backend. `GET /backends/tunnel_group/{id}/used_by` */
  usedBy(id: string, options: ListOptions = {}): Listing<UsedBy, UsedByList> {
    return this.#transport.list(`/backends/tunnel_group/${segment(id)}/used_by`, 'used_by', options);
  }
}

/** Failover backends. */
export class FailoverBackends {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List failover backends. `GET /backends/failover` */
  list(options: SelectOptions = {}): Listing<FailoverBackend, FailoverBackendList> {
    return this.#transport.list('/backends/failover', 'backends', options);
  }

  /** Create a failover backend. `POST /backends/failover` */
  create(body: FailoverBackendCreate, options: CallOptions = {}): Promise<FailoverBackend> {
    return this.#transport.call('POST', '/backends/failover', body, options);
  }

  /** Get a failover backend. `GET /backends/failover/{id}` */
  get(id: string, options: CallOptions = {}): Promise<FailoverBackend> {
    return this.#transport.call('GET', `/backends/failover/${segment(id)}`, undefined, options);
  }

  /** Update a failover backend. `PATCH /backends/failover/{id}` */
  update(id: string, body: FailoverBackendUpdate = {}, options: CallOptions = {}): Promise<FailoverBackend> {
    return this.#transport.call('PATCH', `/backends/failover/${segment(id)}`, body, options);
  }

  /** Delete a failover backend. `DELETE /backends/failover/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/backends/failover/${segment(id)}`, undefined, options);
  }

  /** List what refers to a failover backend. `GET /backends/failover/{id}/used_by` */
  usedBy(id: string, options: ListOptions = {}): Listing<UsedBy, UsedByList> {
    return this.#transport.list(`/backends/failover/${segment(id)}/used_by`, 'used_by', options);
  }
}

/** Weighted backends. */
export class WeightedBackends {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List weighted backends. `GET /backends/weighted` */
  list(options: SelectOptions = {}): Listing<WeightedBackend, WeightedBackendList> {
    return this.#transport.list('/backends/weighted', 'backends', options);
  }

  /** Create a weighted backend. `POST /backends/weighted` */
  create(body: WeightedBackendCreate, options: CallOptions = {}): Promise<WeightedBackend> {
    return this.#transport.call('POST', '/backends/weighted', body, options);
  }

  /** Get a weighted backend. `GET /backends/weighted/{id}` */
  get(id: string, options: CallOptions = {}): Promise<WeightedBackend> {
    return this.#transport.call('GET', `/backends/weighted/${segment(id)}`, undefined, options);
  }

  /** Update a weighted backend. `PATCH /backends/weighted/{id}` */
  update(id: string, body: WeightedBackendUpdate = {}, options: CallOptions = {}): Promise<WeightedBackend> {
    return this.#transport.call('PATCH', `/backends/weighted/${segment(id)}`, body, options);
  }

  /** Delete a weighted backend. `DELETE /backends/weighted/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/backends/weighted/${segment(id)}`, undefined, options);
  }

  /** List what refers to a weighted backend. `GET /backends/weighted/{id}/used_by` */
  usedBy(id: string, options: ListOptions = {}): Listing<UsedBy, UsedByList> {
    return this.#transport.list(`/backends/weighted/${segment(id)}/used_by`, 'used_by', options);
  }
}

/** Static backends. */
export class StaticBackends {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List static backends. `GET /backends/static` */
  list(options: SelectOptions = {}): Listing<StaticBackend, StaticBackendList> {
    return this.#transport.list('/backends/static', 'backends', options);
  }

  /** Create a static backend. `POST /backends/static` */
  create(body: StaticBackendCreate, options: CallOptions = {}): Promise<StaticBackend> {
    return this.#transport.call('POST', '/backends/static', body, options);
  }

  /** Get a static backend. `GET /backends/static/{id}` */
  get(id: string, options: CallOptions = {}): Promise<StaticBackend> {
    return this.#transport.call('GET', `/backends/static/${segment(id)}`, undefined, options);
  }

  /** Update a static backend. `PATCH /backends/static/{id}` */
  update(id: string, body: StaticBackendUpdate = {}, options: CallOptions = {}): Promise<StaticBackend> {
    return this.#transport.call('PATCH', `/backends/static/${segment(id)}`, body, options);
  }

  /** Delete a static backend. `DELETE /backends/static/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/backends/static/${segment(id)}`, undefined, options);
  }

  /** List what refers to a static backend. `GET /backends/static/{id}/used_by` */
  usedBy(id: string, options: ListOptions = {}): Listing<UsedBy, UsedByList> {
    return this.#transport.list(`/backends/static/${segment(id)}/used_by`, 'used_by', options);
  }
}

/** TLS edges. */
export class TlsEdges {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List TLS edges. `GET /edges/tls` */
  list(options: SelectOptions = {}): Listing<TLSEdge, TLSEdgeList> {
    return this.#transport.list('/edges/tls', 'tls_edges', options);
  }

  /** Create a TLS edge. `POST /edges/tls` */
  create(body: TLSEdgeCreate = {}, options: CallOptions = {}): Promise<TLSEdge> {
    return this.#transport.call('POST', '/edges/tls', body, options);
  }

  /** Get a TLS edge. `GET /edges/tls/{id}` */
  get(id: string, options: CallOptions = {}): Promise<TLSEdge> {
    return this.#transport.call('GET', `/edges/tls/${segment(id)}`, undefined, options);
  }

  /** Update a TLS edge. `PATCH /edges/tls/{id}` */
  update(id: string, body: TLSEdgeUpdate = {}, options: CallOptions = {}): Promise<TLSEdge> {
    return this.#transport.call('PATCH', `/edges/tls/${segment(id)}`, body, options);
  }

  /** Delete a TLS edge. `DELETE /edges/tls/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/edges/tls/${segment(id)}`, undefined, options);
  }

  /** Get the backend of a TLS edge. `GET /edges/tls/{id}/backend` */
  getBackend(id: string, options: CallOptions = {}): Promise<EndpointBackend> {
    return this.#transport.call('GET', `/edges/tls/${segment(id)}/backend`, undefined, options);
  }

  /** Replace the backend of a TLS edge. `PUT /edges/tls/{id}/backend` */
  putBackend(id: string, body: EndpointBackendMutate, options: CallOptions = {}): Promise<EndpointBackend> {
    return this.#transport.call('PUT', `/edges/tls/${segment(id)}/backend`, body, options);
  }

  /** Remove the backend of a TLS edge. `DELETE /edges/tls/{id}/backend` */
  deleteBackend(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/edges/tls/${segment(id)}/backend`, undefined, options);
  }

  /** Get the IP restriction of a TLS edge. `GET /edges/tls/{id}/ip_restriction` */
  getIpRestriction(id: string, options: CallOptions = {}): Promise<EndpointIPPolicy> {
    return this.#transport.call('GET', `/edges/tls/${segment(id)}/ip_restriction`, undefined, options);
  }

  /** Replace the IP restriction of a TLS edge. `PUT /edges/tls/{id}/ip_restriction` */
  putIpRestriction(
    id: string,
    body: EndpointIPPolicyMutate,
    options: CallOptions = {},
  ): Promise<EndpointIPPolicy> {
    return this.#transport.call('PUT', `/edges/tls/${segment(id)}/ip_restriction`, body, options);
  }

  /** Remove the IP restriction of a TLS edge. `DELETE /edges/tls/{id}/ip_restriction` */
  deleteIpRestriction(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/edges/tls/${segment(id)}/ip_restriction`, undefined, options);
  }

  /** Get the mutual TLS of a TLS edge. `GET /edges/tls/{id}/mutual_tls` */
  getMutualTls(id: string, options: CallOptions = {}): Promise<EndpointMutualTLS> {
    return this.#transport.call('GET', `/edges/tls/${segment(id)}/mutual_tls`, undefined, options);
  }

  /** Replace the mutual TLS of a TLS edge. `PUT /edges/tls/{id}/mutual_tls` */
  putMutualTls(
    id: string,
    body: EndpointMutualTLSMutate = {},
    options: CallOptions = {},
  ): Promise<EndpointMutualTLS> {
    return this.#transport.call('PUT', `/edges/tls/${segment(id)}/mutual_tls`, body, options);
  }

  /** Remove the mutual TLS of a TLS edge. `DELETE /edges/tls/{id}/mutual_tls` */
  deleteMutualTls(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/edges/tls/${segment(id)}/mutual_tls`, undefined, options);
  }

  /** Get the TLS termination of a TLS edge. `GET /edges/tls/{id}/tls_termination` */
  getTlsTermination(id: string, options: CallOptions = {}): Promise<EndpointTLSTermination> {
    return this.#transport.call('GET', `/edges/tls/${segment(id)}/tls_termination`, undefined, options);
  }

  /** Replace the TLS termination of a TLS edge. `PUT /edges/tls/{id}/tls_termination` */
  putTlsTermination(
    id: string,
    body: EndpointTLSTerminationMutate = {},
    options: CallOptions = {},
  ): Promise<EndpointTLSTermination> {
    return this.#transport.call('PUT', `/edges/tls/${segment(id)}/tls_termination`, body, options);
  }

  /** Remove the TLS termination of a TLS edge. `DELETE /edges/tls/{id}/tls_termination` */
  deleteTlsTermination(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/edges/tls/${segment(id)}/tls_termination`, undefined, options);
  }

  /** List what refers to a TLS edge. `GET /edges/tls/{id}/used_by` */
  usedBy(id: string, options: ListOptions = {}): Listing<UsedBy, UsedByList> {
    return this.#transport.list(`/edges/tls/${segment(id)}/used_by`, 'used_by', options);
  }
}

/** HTTPS edges. */
export class HttpsEdges {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List HTTPS edges. `GET /edges/https` */
  list(options: SelectOptions = {}): Listing<HTTPSEdge, HTTPSEdgeList> {
    return this.#transport.list('/edges/https', 'https_edges', options);
  }

  /** Create an HTTPS edge. `POST /edges/https` */
  create(body: HTTPSEdgeCreate = {}, options: CallOptions = {}): Promise<HTTPSEdge> {
    return this.#transport.call('POST', '/edges/https', body, options);
  }

  /** Get an HTTPS edge. `GET /edges/https/{id}` */
  get(id: string, options: CallOptions = {}): Promise<HTTPSEdge> {
    return this.#transport.call('GET', `/edges/https/${segment(id)}`, undefined, options);
  }

  /** Update an HTTPS edge. `PATCH /edges/https/{id}` */
  update(id: string, body: HTTPSEdgeUpdate = {}, options: CallOptions = {}): Promise<HTTPSEdge> {
    return this.#transport.call('PATCH', `/edges/https/${segment(id)}`, body, options);
  }

  /** Delete an HTTPS edge. `DELETE /edges/https/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/edges/https/${segment(id)}`, undefined, options);
  }

  /** Get the mutual TLS of an HTTPS edge. `GET /edges/https/{id}/mutual_tls` */
  getMutualTls(id: string, options: CallOptions = {}): Promise<EndpointMutualTLS> {
    return this.#transport.call('GET', `/edges/https/${segment(id)}/mutual_tls`, undefined, options);
  }

  /** Replace the mutual TLS of an HTTPS edge. `PUT /edges/https/{id}/mutual_tls` */
  putMutualTls(
    id: string,
    body: EndpointMutualTLSMutate = {},
    options: CallOptions = {},
  ): Promise<EndpointMutualTLS> {
    return this.#transport.call('PUT', `/edges/https/${segment(id)}/mutual_tls`, body, options);
  }

  /** Remove the mutual TLS of an HTTPS edge. `DELETE /edges/https/{id}/mutual_tls` */
  deleteMutualTls(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/edges/https/${segment(id)}/mutual_tls`, undefined, options);
  }

  /** Get the TLS termination of an HTTPS edge. `GET /edges/https/{id}/tls_termination` */
  getTlsTermination(id: string, options: CallOptions = {}): Promise<EndpointTLSTerminationAtEdge> {
    return this.#transport.call('GET', `/edges/https/${segment(id)}/tls_termination`, undefined, options);
  }

  /** Replace the TLS termination of an HTTPS edge. `PUT /edges/https/{id}/tls_termination` */
  putTlsTermination(
    id: string,
    body: EndpointTLSTerminationAtEdgeMutate = {},
    options: CallOptions = {},
  ): Promise<EndpointTLSTerminationAtEdge> {
    return this.#transport.call('PUT', `/edges/https/${segment(id)}/tls_termination`, body, options);
  }

  /** Remove the TLS termination of an HTTPS edge. `DELETE /edges/https/{id}/tls_termination` */
  deleteTlsTermination(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/edges/https/${segment(id)}/tls_termination`, undefined, options);
  }

  /** List what refers to an HTTPS edge. `GET /edges/https/{id}/used_by` */
  usedBy(id: string, options: ListOptions = {}): Listing<UsedBy, UsedByList> {
    return this.#transport.list(`/edges/https/${segment(id)}/used_by`, 'used_by', options);
  }
}

/** Routes of HTTPS edges. */
export class HttpsEdgeRoutes {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Create a route of an HTTPS edge. `POST /edges/https/{edge_id}/routes` */
  create(edgeId: string, body: HTTPSEdgeRouteCreate, options: CallOptions = {}): Promise<HTTPSEdgeRoute> {
    return this.#transport.call('POST', `/edges/https/${segment(edgeId)}/routes`, body, options);
  }

  /** Get a route of an HTTPS edge. `GET /edges/https/{edge_id}/routes/{id}` */
  get(edgeId: string, id: string, options: CallOptions = {}): Promise<HTTPSEdgeRoute> {
    return this.#transport.call(
      'GET',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}`,
      undefined,
      options,
    );
  }

  /** Update a route of an HTTPS edge. `PATCH /edges/https/{edge_id}/routes/{id}` */
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

  /** Delete a route of an HTTPS edge. `DELETE /edges/https/{edge_id}/routes/{id}` */
  delete(edgeId: string, id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}`,
      undefined,
      options,
    );
  }

  /** Get the backend of a route of an HTTPS edge. `GET /edges/https/{edge_id}/routes/{id}/backend` */
  getBackend(edgeId: string, id: string, options: CallOptions = {}): Promise<EndpointBackend> {
    return this.#transport.call(
      'GET',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/backend`,
      undefined,
      options,
    );
  }

  /** Replace the backend of a route of an HTTPS edge. `PUT /edges/https/{edge_id}/routes/{id}/backend` */
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

  /** Remove the backend of a route of an HTTPS edge. `DELETE /edges/https/{edge_id}/routes/{id}/backend` */
  deleteBackend(edgeId: string, id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/backend`,
      undefined,
      options,
    );
  }

  /** Get the IP restriction of a route of an HTTPS edge. `GET /edges/https/{edge_id}/routes/{id}/ip_restriction` */
  getIpRestriction(edgeId: string, id: string, options: CallOptions = {}): Promise<EndpointIPPolicy> {
    return this.#transport.call(
      'GET',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/ip_restriction`,
      undefined,
      options,
    );
  }

  /** Replace the IP restriction of a route of an HTTPS edge. `PUT /edges/https/{edge_id}/routes/{id}/ip_restriction` */
  putIpRestriction(
    edgeId: string,
    id: string,
    body: EndpointIPPolicyMutate,
    options: CallOptions = {},
  ): Promise<EndpointIPPolicy> {
    return this.#transport.call(
      'PUT',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/ip_restriction`,
      body,
      options,
    );
  }

  /** Remove the IP restriction of a route of an HTTPS edge. `DELETE /edges/https/{edge_id}/routes/{id}/ip_restriction` */
  deleteIpRestriction(edgeId: string, id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/ip_restriction`,
      undefined,
      options,
    );
  }

  /** Get the circuit breaker of a route of an HTTPS edge. `GET /edges/https/{edge_id}/routes/{id}/circuit_breaker` */
  getCircuitBreaker(edgeId: string, id: string, options: CallOptions = {}): Promise<EndpointCircuitBreaker> {
    return this.#transport.call(
      'GET',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/circuit_breaker`,
      undefined,
      options,
    );
  }

  /** Replace the circuit breaker of a route of an HTTPS edge. `PUT /edges/https/{edge_id}/routes/{id}/circuit_breaker` */
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

  /** Remove the circuit breaker of a route of an HTTPS edge. `DELETE /edges/https/{edge_id}/routes/{id}/circuit_breaker` */
  deleteCircuitBreaker(edgeId: string, id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/circuit_breaker`,
      undefined,
      options,
    );
  }

  /** Get the compression of a route of an HTTPS edge. `GET /edges/https/{edge_id}/routes/{id}/compression` */
  getCompression(edgeId: string, id: string, options: CallOptions = {}): Promise<EndpointCompression> {
    return this.#transport.call(
      'GET',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/compression`,
      undefined,
      options,
    );
  }

  /** Replace the compression of a route of an HTTPS edge. `PUT /edges/https/{edge_id}/routes/{id}/compression` */
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

  /** Remove the compression of a route of an HTTPS edge. `DELETE /edges/https/{edge_id}/routes/{id}/compression` */
  deleteCompression(edgeId: string, id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/compression`,
      undefined,
      options,
    );
  }

  /** Get the request headers of a route of an HTTPS edge. `GET /edges/https/{edge_id}/routes/{id}/request_headers` */
  getRequestHeaders(edgeId: string, id: string, options: CallOptions = {}): Promise<EndpointRequestHeaders> {
    return this.#transport.call(
      'GET',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/request_headers`,
      undefined,
      options,
    );
  }

  /** Replace the request headers of a route of an HTTPS edge. `PUT /edges/https/{edge_id}/routes/{id}/request_headers` */
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

  /** Remove the request headers of a route of an HTTPS edge. `DELETE /edges/https/{edge_id}/routes/{id}/request_headers` */
  deleteRequestHeaders(edgeId: string, id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/request_headers`,
      undefined,
      options,
    );
  }

  /** Get the response headers of a route of an HTTPS edge. `GET /edges/https/{edge_id}/routes/{id}/response_headers` */
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

  /** Replace the response headers of a route of an HTTPS edge. `PUT /edges/https/{edge_id}/routes/{id}/response_headers` */
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

  /** Remove the response headers of a route of an HTTPS edge. `DELETE /edges/https/{edge_id}/routes/{id}/response_headers` */
  deleteResponseHeaders(edgeId: string, id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/response_headers`,
      undefined,
      options,
    );
  }

  /** Get the webhook verification of a route of an HTTPS edge. `GET /edges/https/{edge_id}/routes/{id}/webhook_verification` */
  getWebhookVerification(
    edgeId: string,
    id: string,
    options: CallOptions = {},
  ): Promise<EndpointWebhookValidation> {
    return this.#transport.call(
      'GET',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/webhook_verification`,
      undefined,
      options,
    );
  }

  /** Replace the webhook verification of a route of an HTTPS edge. `PUT /edges/https/{edge_id}/routes/{id}/webhook_verification` */
  putWebhookVerification(
    edgeId: string,
    id: string,
    body: EndpointWebhookValidationMutate,
    options: CallOptions = {},
  ): Promise<EndpointWebhookValidation> {
    return this.#transport.call(
      'PUT',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/webhook_verification`,
      body,
      options,
    );
  }

  /** Remove the webhook verification of a route of an HTTPS edge. `DELETE /edges/https/{edge_id}/routes/{id}/webhook_verification` */
  deleteWebhookVerification(edgeId: string, id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/webhook_verification`,
      undefined,
      options,
    );
  }

  /** Get the SAML of a route of an HTTPS edge. `GET /edges/https/{edge_id}/routes/{id}/saml` */
  getSaml(edgeId: string, id: string, options: CallOptions = {}): Promise<EndpointSAML> {
    return this.#transport.call(
      'GET',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/saml`,
      undefined,
      options,
    );
  }

  /** Replace the SAML of a route of an HTTPS edge. `PUT /edges/https/{edge_id}/routes/{id}/saml` */
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

  /** Remove the SAML of a route of an HTTPS edge. `DELETE /edges/https/{edge_id}/routes/{id}/saml` */
  deleteSaml(edgeId: string, id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/saml`,
      undefined,
      options,
    );
  }

  /** Get the openID Connect of a route of an HTTPS edge. `GET /edges/https/{edge_id}/routes/{id}/oidc` */
  getOidc(edgeId: string, id: string, options: CallOptions = {}): Promise<EndpointOIDC> {
    return this.#transport.call(
      'GET',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/oidc`,
      undefined,
      options,
    );
  }

  /** Replace the openID Connect of a route of an HTTPS edge. `PUT /edges/https/{edge_id}/routes/{id}/oidc` */
  putOidc(
    edgeId: string,
    id: string,
    body: EndpointOIDCMutate = {},
    options: CallOptions = {},
  ): Promise<EndpointOIDC> {
    return this.#transport.call(
      'PUT',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/oidc`,
      body,
      options,
    );
  }

  /** Remove the openID Connect of a route of an HTTPS edge. `DELETE /edges/https/{edge_id}/routes/{id}/oidc` */
  deleteOidc(edgeId: string, id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/oidc`,
      undefined,
      options,
    );
  }

  /** Get the OAuth of a route of an HTTPS edge. `GET /edges/https/{edge_id}/routes/{id}/oauth` */
  getOauth(edgeId: string, id: string, options: CallOptions = {}): Promise<EndpointOAuth> {
    return this.#transport.call(
      'GET',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/oauth`,
      undefined,
      options,
    );
  }

  /** Replace the OAuth of a route of an HTTPS edge. `PUT /edges/https/{edge_id}/routes/{id}/oauth` */
  putOauth(
    edgeId: string,
    id: string,
    body: EndpointOAuthMutate = {},
    options: CallOptions = {},
  ): Promise<EndpointOAuth> {
    return this.#transport.call(
      'PUT',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/oauth`,
      body,
      options,
    );
  }

  /** Remove the OAuth of a route of an HTTPS edge. `DELETE /edges/https/{edge_id}/routes/{id}/oauth` */
  deleteOauth(edgeId: string, id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/oauth`,
      undefined,
      options,
    );
  }

  /** Get the webSocket to TCP converter of a route of an HTTPS edge. `GET /edges/https/{edge_id}/routes/{id}/websocket_tcp_converter` */
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

  /** Replace the webSocket to TCP converter of a route of an HTTPS edge. `PUT /edges/https/{edge_id}/routes/{id}/websocket_tcp_converter` */
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

  /** Remove the webSocket to TCP converter of a route of an HTTPS edge. `DELETE /edges/https/{edge_id}/routes/{id}/websocket_tcp_converter` */
  deleteWebsocketTcpConverter(edgeId: string, id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/websocket_tcp_converter`,
      undefined,
      options,
    );
  }

  /** Get the user agent filter of a route of an HTTPS edge. `GET /edges/https/{edge_id}/routes/{id}/user_agent_filter` */
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

  /** Replace the user agent filter of a route of an HTTPS edge. `PUT /edges/https/{edge_id}/routes/{id}/user_agent_filter` */
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

  /** Remove the user agent filter of a route of an HTTPS edge. `DELETE /edges/https/{edge_id}/routes/{id}/user_agent_filter` */
  deleteUserAgentFilter(edgeId: string, id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/user_agent_filter`,
      undefined,
      options,
    );
  }

  /** List what refers to a route of an HTTPS edge. `GET /edges/https/{edge_id}/routes/{id}/used_by` */
  usedBy(edgeId: string, id: string, options: ListOptions = {}): Listing<UsedBy, UsedByList> {
    return this.#transport.list(
      `/edges/https/${segment(edgeId)}/routes/${segment(id)}/used_by`,
      'used_by',
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

  /** List TCP edges. `GET /edges/tcp` */
  list(options: SelectOptions = {}): Listing<TCPEdge, TCPEdgeList> {
    return this.#transport.list('/edges/tcp', 'tcp_edges', options);
  }

  /** Create a TCP edge. `POST /edges/tcp` */
  create(body: TCPEdgeCreate = {}, options: CallOptions = {}): Promise<TCPEdge> {
    return this.#transport.call('POST', '/edges/tcp', body, options);
  }

  /** Get a TCP edge. `GET /edges/tcp/{id}` */
  get(id: string, options: CallOptions = {}): Promise<TCPEdge> {
    return this.#transport.call('GET', `/edges/tcp/${segment(id)}`, undefined, options);
  }

  /** Update a TCP edge. `PATCH /edges/tcp/{id}` */
  update(id: string, body: TCPEdgeUpdate = {}, options: CallOptions = {}): Promise<TCPEdge> {
    return this.#transport.call('PATCH', `/edges/tcp/${segment(id)}`, body, options);
  }

  /** Delete a TCP edge. `DELETE /edges/tcp/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/edges/tcp/${segment(id)}`, undefined, options);
  }

  /** Get the backend of a TCP edge. `GET /edges/tcp/{id}/backend` */
  getBackend(id: string, options: CallOptions = {}): Promise<EndpointBackend> {
    return this.#transport.call('GET', `/edges/tcp/${segment(id)}/backend`, undefined, options);
  }

  /** Replace the backend of a TCP edge. `PUT /edges/tcp/{id}/backend` */
  putBackend(id: string, body: EndpointBackendMutate, options: CallOptions = {}): Promise<EndpointBackend> {
    return this.#transport.call('PUT', `/edges/tcp/${segment(id)}/backend`, body, options);
  }

  /** Remove the backend of a TCP edge. `DELETE /edges/tcp/{id}/backend` */
  deleteBackend(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/edges/tcp/${segment(id)}/backend`, undefined, options);
  }

  /** Get the IP restriction of a TCP edge. `GET /edges/tcp/{id}/ip_restriction` */
  getIpRestriction(id: string, options: CallOptions = {}): Promise<EndpointIPPolicy> {
    return this.#transport.call('GET', `/edges/tcp/${segment(id)}/ip_restriction`, undefined, options);
  }

  /** Replace the IP restriction of a TCP edge. `PUT /edges/tcp/{id}/ip_restriction` */
  putIpRestriction(
    id: string,
    body: EndpointIPPolicyMutate,
    options: CallOptions = {},
  ): Promise<EndpointIPPolicy> {
    return this.#transport.call('PUT', `/edges/tcp/${segment(id)}/ip_restriction`, body, options);
  }

  /** Remove the IP restriction of a TCP edge. `DELETE /edges/tcp/{id}/ip_restriction` */
  deleteIpRestriction(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/edges/tcp/${segment(id)}/ip_restriction`, undefined, options);
  }

  /** List what refers to a TCP edge. `GET /edges/tcp/{id}/used_by` */
  usedBy(id: string, options: ListOptions = {}): Listing<UsedBy, UsedByList> {
    return this.#transport.list(`/edges/tcp/${segment(id)}/used_by`, 'used_by', options);
  }
}

/** Reserved domains. */
export class ReservedDomains {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List reserved domains. `GET /reserved_domains` */
  list(options: SelectOptions = {}): Listing<ReservedDomain, ReservedDomainList> {
    return this.#transport.list('/reserved_domains', 'reserved_domains', options);
  }

  /** Create a reserved domain. `POST /reserved_domains` */
  create(body: ReservedDomainCreate = {}, options: CallOptions = {}): Promise<ReservedDomain> {
    return this.#transport.call('POST', '/reserved_domains', body, options);
  }

  /** Get a reserved domain. `GET /reserved_domains/{id}` */
  get(id: string, options: CallOptions = {}): Promise<ReservedDomain> {
    return this.#transport.call('GET', `/reserved_domains/${segment(id)}`, undefined, options);
  }

  /** Update a reserved domain. `PATCH /reserved_domains/{id}` */
  update(id: string, body: ReservedDomainUpdate = {}, options: CallOptions = {}): Promise<ReservedDomain> {
    return this.#transport.call('PATCH', `/reserved_domains/${segment(id)}`, body, options);
  }

  /** Delete a reserved domain. `DELETE /reserved_domains/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/reserved_domains/${segment(id)}`, undefined, options);
  }

  /** Detach the certificate of a reserved domain. `DELETE /reserved_domains/{id}/certificate` */
  deleteCertificate(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/reserved_domains/${segment(id)}/certificate`, undefined, options);
  }

  /** Detach the managed certificate of a reserved domain. `DELETE /reserved_domains/{id}/certificate_management_policy` */
  deleteCertificateManagementPolicy(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/reserved_domains/${segment(id)}/certificate_management_policy`,
      undefined,
      options,
    );
  }

  /** Detach the HTTP endpoint configuration of a reserved domain. `DELETE /reserved_domains/{id}/http_endpoint_configuration` */
  deleteHttpEndpointConfiguration(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/reserved_domains/${segment(id)}/http_endpoint_configuration`,
      undefined,
      options,
    );
  }

  /** Detach the HTTPS endpoint configuration of a reserved domain. `DELETE /reserved_domains/{id}/https_endpoint_configuration` */
  deleteHttpsEndpointConfiguration(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/reserved_domains/${segment(id)}/https_endpoint_configuration`,
      undefined,
      options,
    );
  }

  /** List what refers to a reserved domain. `GET /reserved_domains/{id}/used_by` */
  usedBy(id: string, options: ListOptions = {}): Listing<UsedBy, UsedByList> {
    return this.#transport.list(`/reserved_domains/${segment(id)}/used_by`, 'used_by', options);
  }

  /** Get the proof that a reserved domain belongs to its account. `GET /reserved_domains/{id}/proof` */
  proof(id: string, options: CallOptions = {}): Promise<ReservedDomainProof> {
    return this.#transport.call('GET', `/reserved_domains/${segment(id)}/proof`, undefined, options);
  }

  /** Check the DNS of a reserved domain now. `POST /reserved_domains/{id}/check` */
  check(id: string, options: CallOptions = {}): Promise<ReservedDomainCheck> {
    return this.#transport.call('POST', `/reserved_domains/${segment(id)}/check`, undefined, options);
  }

  /** Renew the managed certificate of a reserved domain now. `POST /reserved_domains/{id}/renew` */
  renew(id: string, options: CallOptions = {}): Promise<ReservedDomainRenewal> {
    return this.#transport.call('POST', `/reserved_domains/${segment(id)}/renew`, undefined, options);
  }
}

/** Reserved addresses. */
export class ReservedAddrs {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List reserved addresses. `GET /reserved_addrs` */
  list(options: SelectOptions = {}): Listing<ReservedAddr, ReservedAddrList> {
    return this.#transport.list('/reserved_addrs', 'reserved_addrs', options);
  }

  /** Create a reserved address. `POST /reserved_addrs` */
  create(body: ReservedAddrCreate = {}, options: CallOptions = {}): Promise<ReservedAddr> {
    return this.#transport.call('POST', '/reserved_addrs', body, options);
  }

  /** Get a reserved address. `GET /reserved_addrs/{id}` */
  get(id: string, options: CallOptions = {}): Promise<ReservedAddr> {
    return this.#transport.call('GET', `/reserved_addrs/${segment(id)}`, undefined, options);
  }

  /** Update a reserved address. `PATCH /reserved_addrs/{id}` */
  update(id: string, body: ReservedAddrUpdate = {}, options: CallOptions = {}): Promise<ReservedAddr> {
    return this.#transport.call('PATCH', `/reserved_addrs/${segment(id)}`, body, options);
  }

  /** Delete a reserved address. `DELETE /reserved_addrs/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/reserved_addrs/${segment(id)}`, undefined, options);
  }

  /** Detach the endpoint configuration of a reserved address. `DELETE /reserved_addrs/{id}/endpoint_configuration` */
  deleteEndpointConfiguration(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/reserved_addrs/${segment(id)}/endpoint_configuration`,
      undefined,
      options,
    );
  }

  /** List what refers to a reserved address. `GET /reserved_addrs/{id}/used_by` */
  usedBy(id: string, options: ListOptions = {}): Listing<UsedBy, UsedByList> {
    return this.#transport.list(`/reserved_addrs/${segment(id)}/used_by`, 'used_by', options);
  }
}

/** Endpoint configurations. */
export class EndpointConfigurations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List endpoint configurations. `GET /endpoint_configurations` */
  list(options: SelectOptions = {}): Listing<EndpointConfiguration, EndpointConfigurationList> {
    return this.#transport.list('/endpoint_configurations', 'endpoint_configurations', options);
  }

  /** Create an endpoint configuration. `POST /endpoint_configurations` */
  create(body: EndpointConfigurationCreate, options: CallOptions = {}): Promise<EndpointConfiguration> {
    return this.#transport.call('POST', '/endpoint_configurations', body, options);
  }

  /** Get an endpoint configuration. `GET /endpoint_configurations/{id}` */
  get(id: string, options: CallOptions = {}): Promise<EndpointConfiguration> {
    return this.#transport.call('GET', `/endpoint_configurations/${segment(id)}`, undefined, options);
  }

  /** Update an endpoint configuration. `PATCH /endpoint_configurations/{id}` */
  update(
    id: string,
    body: EndpointConfigurationUpdate = {},
    options: CallOptions = {},
  ): Promise<EndpointConfiguration> {
    return this.#transport.call('PATCH', `/endpoint_configurations/${segment(id)}`, body, options);
  }

  /** Delete an endpoint configuration. `DELETE /endpoint_configurations/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/endpoint_configurations/${segment(id)}`, undefined, options);
  }

  /** Get the basic authentication of an endpoint configuration. `GET /endpoint_configurations/{id}/basic_auth` */
  getBasicAuth(id: string, options: CallOptions = {}): Promise<EndpointBasicAuth> {
    return this.#transport.call(
      'GET',
      `/endpoint_configurations/${segment(id)}/basic_auth`,
      undefined,
      options,
    );
  }

  /** Replace the basic authentication of an endpoint configuration. `PUT /endpoint_configurations/{id}/basic_auth` */
  putBasicAuth(
    id: string,
    body: EndpointBasicAuthMutate = {},
    options: CallOptions = {},
  ): Promise<EndpointBasicAuth> {
    return this.#transport.call('PUT', `/endpoint_configurations/${segment(id)}/basic_auth`, body, options);
  }

  /** Remove the basic authentication of an endpoint configuration. `DELETE /endpoint_configurations/{id}/basic_auth` */
  deleteBasicAuth(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/endpoint_configurations/${segment(id)}/basic_auth`,
      undefined,
      options,
    );
  }

  /** Get the circuit breaker of an endpoint configuration. `GET /endpoint_configurations/{id}/circuit_breaker` */
  getCircuitBreaker(id: string, options: CallOptions = {}): Promise<EndpointCircuitBreaker> {
    return this.#transport.call(
      'GET',
      `/endpoint_configurations/${segment(id)}/circuit_breaker`,
      undefined,
      options,
    );
  }

  /** Replace the circuit breaker of an endpoint configuration. `PUT /endpoint_configurations/{id}/circuit_breaker` */
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

  /** Remove the circuit breaker of an endpoint configuration. `DELETE /endpoint_configurations/{id}/circuit_breaker` */
  deleteCircuitBreaker(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/endpoint_configurations/${segment(id)}/circuit_breaker`,
      undefined,
      options,
    );
  }

  /** Get the compression of an endpoint configuration. `GET /endpoint_configurations/{id}/compression` */
  getCompression(id: string, options: CallOptions = {}): Promise<EndpointCompression> {
    return this.#transport.call(
      'GET',
      `/endpoint_configurations/${segment(id)}/compression`,
      undefined,
      options,
    );
  }

  /** Replace the compression of an endpoint configuration. `PUT /endpoint_configurations/{id}/compression` */
  putCompression(
    id: string,
    body: EndpointCompressionMutate = {},
    options: CallOptions = {},
  ): Promise<EndpointCompression> {
    return this.#transport.call('PUT', `/endpoint_configurations/${segment(id)}/compression`, body, options);
  }

  /** Remove the compression of an endpoint configuration. `DELETE /endpoint_configurations/{id}/compression` */
  deleteCompression(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/endpoint_configurations/${segment(id)}/compression`,
      undefined,
      options,
    );
  }

  /** Get the request headers of an endpoint configuration. `GET /endpoint_configurations/{id}/request_headers` */
  getRequestHeaders(id: string, options: CallOptions = {}): Promise<EndpointRequestHeaders> {
    return this.#transport.call(
      'GET',
      `/endpoint_configurations/${segment(id)}/request_headers`,
      undefined,
      options,
    );
  }

  /** Replace the request headers of an endpoint configuration. `PUT /endpoint_configurations/{id}/request_headers` */
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

  /** Remove the request headers of an endpoint configuration. `DELETE /endpoint_configurations/{id}/request_headers` */
  deleteRequestHeaders(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/endpoint_configurations/${segment(id)}/request_headers`,
      undefined,
      options,
    );
  }

  /** Get the response headers of an endpoint configuration. `GET /endpoint_configurations/{id}/response_headers` */
  getResponseHeaders(id: string, options: CallOptions = {}): Promise<EndpointResponseHeaders> {
    return this.#transport.call(
      'GET',
      `/endpoint_configurations/${segment(id)}/response_headers`,
      undefined,
      options,
    );
  }

  /** Replace the response headers of an endpoint configuration. `PUT /endpoint_configurations/{id}/response_headers` */
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

  /** Remove the response headers of an endpoint configuration. `DELETE /endpoint_configurations/{id}/response_headers` */
  deleteResponseHeaders(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/endpoint_configurations/${segment(id)}/response_headers`,
      undefined,
      options,
    );
  }

  /** Get the IP policy of an endpoint configuration. `GET /endpoint_configurations/{id}/ip_policy` */
  getIpPolicy(id: string, options: CallOptions = {}): Promise<EndpointIPPolicy> {
    return this.#transport.call(
      'GET',
      `/endpoint_configurations/${segment(id)}/ip_policy`,
      undefined,
      options,
    );
  }

  /** Replace the IP policy of an endpoint configuration. `PUT /endpoint_configurations/{id}/ip_policy` */
  putIpPolicy(
    id: string,
    body: EndpointIPPolicyMutate,
    options: CallOptions = {},
  ): Promise<EndpointIPPolicy> {
    return this.#transport.call('PUT', `/endpoint_configurations/${segment(id)}/ip_policy`, body, options);
  }

  /** Remove the IP policy of an endpoint configuration. `DELETE /endpoint_configurations/{id}/ip_policy` */
  deleteIpPolicy(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/endpoint_configurations/${segment(id)}/ip_policy`,
      undefined,
      options,
    );
  }

  /** Get the mutual TLS of an endpoint configuration. `GET /endpoint_configurations/{id}/mutual_tls` */
  getMutualTls(id: string, options: CallOptions = {}): Promise<EndpointMutualTLS> {
    return this.#transport.call(
      'GET',
      `/endpoint_configurations/${segment(id)}/mutual_tls`,
      undefined,
      options,
    );
  }

  /** Replace the mutual TLS of an endpoint configuration. `PUT /endpoint_configurations/{id}/mutual_tls` */
  putMutualTls(
    id: string,
    body: EndpointMutualTLSMutate = {},
    options: CallOptions = {},
  ): Promise<EndpointMutualTLS> {
    return this.#transport.call('PUT', `/endpoint_configurations/${segment(id)}/mutual_tls`, body, options);
  }

  /** Remove the mutual TLS of an endpoint configuration. `DELETE /endpoint_configurations/{id}/mutual_tls` */
  deleteMutualTls(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/endpoint_configurations/${segment(id)}/mutual_tls`,
      undefined,
      options,
    );
  }

  /** Get the TLS termination of an endpoint configuration. `GET /endpoint_configurations/{id}/tls_termination` */
  getTlsTermination(id: string, options: CallOptions = {}): Promise<EndpointTLSTermination> {
    return this.#transport.call(
      'GET',
      `/endpoint_configurations/${segment(id)}/tls_termination`,
      undefined,
      options,
    );
  }

  /** Replace the TLS termination of an endpoint configuration. `PUT /endpoint_configurations/{id}/tls_termination` */
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

  /** Remove the TLS termination of an endpoint configuration. `DELETE /endpoint_configurations/{id}/tls_termination` */
  deleteTlsTermination(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/endpoint_configurations/${segment(id)}/tls_termination`,
      undefined,
      options,
    );
  }

  /** Get the webhook verification of an endpoint configuration. `GET /endpoint_configurations/{id}/webhook_validation` */
  getWebhookValidation(id: string, options: CallOptions = {}): Promise<EndpointWebhookValidation> {
    return this.#transport.call(
      'GET',
      `/endpoint_configurations/${segment(id)}/webhook_validation`,
      undefined,
      options,
    );
  }

  /** Replace the webhook verification of an endpoint configuration. `PUT /endpoint_configurations/{id}/webhook_validation` */
  putWebhookValidation(
    id: string,
    body: EndpointWebhookValidationMutate,
    options: CallOptions = {},
  ): Promise<EndpointWebhookValidation> {
    return this.#transport.call(
      'PUT',
      `/endpoint_configurations/${segment(id)}/webhook_validation`,
      body,
      options,
    );
  }

  /** Remove the webhook verification of an endpoint configuration. `DELETE /endpoint_configurations/{id}/webhook_validation` */
  deleteWebhookValidation(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/endpoint_configurations/${segment(id)}/webhook_validation`,
      undefined,
      options,
    );
  }

  /** Get the SAML of an endpoint configuration. `GET /endpoint_configurations/{id}/saml` */
  getSaml(id: string, options: CallOptions = {}): Promise<EndpointSAML> {
    return this.#transport.call('GET', `/endpoint_configurations/${segment(id)}/saml`, undefined, options);
  }

  /** Replace the SAML of an endpoint configuration. `PUT /endpoint_configurations/{id}/saml` */
  putSaml(id: string, body: EndpointSAMLMutate = {}, options: CallOptions = {}): Promise<EndpointSAML> {
    return this.#transport.call('PUT', `/endpoint_configurations/${segment(id)}/saml`, body, options);
  }

  /** Remove the SAML of an endpoint configuration. `DELETE /endpoint_configurations/{id}/saml` */
  deleteSaml(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/endpoint_configurations/${segment(id)}/saml`, undefined, options);
  }

  /** Get the openID Connect of an endpoint configuration. `GET /endpoint_configurations/{id}/oidc` */
  getOidc(id: string, options: CallOptions = {}): Promise<EndpointOIDC> {
    return this.#transport.call('GET', `/endpoint_configurations/${segment(id)}/oidc`, undefined, options);
  }

  /** Replace the openID Connect of an endpoint configuration. `PUT /endpoint_configurations/{id}/oidc` */
  putOidc(id: string, body: EndpointOIDCMutate = {}, options: CallOptions = {}): Promise<EndpointOIDC> {
    return this.#transport.call('PUT', `/endpoint_configurations/${segment(id)}/oidc`, body, options);
  }

  /** Remove the openID Connect of an endpoint configuration. `DELETE /endpoint_configurations/{id}/oidc` */
  deleteOidc(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/endpoint_configurations/${segment(id)}/oidc`, undefined, options);
  }

  /** Get the OAuth of an endpoint configuration. `GET /endpoint_configurations/{id}/oauth` */
  getOauth(id: string, options: CallOptions = {}): Promise<EndpointOAuth> {
    return this.#transport.call('GET', `/endpoint_configurations/${segment(id)}/oauth`, undefined, options);
  }

  /** Replace the OAuth of an endpoint configuration. `PUT /endpoint_configurations/{id}/oauth` */
  putOauth(id: string, body: EndpointOAuthMutate = {}, options: CallOptions = {}): Promise<EndpointOAuth> {
    return this.#transport.call('PUT', `/endpoint_configurations/${segment(id)}/oauth`, body, options);
  }

  /** Remove the OAuth of an endpoint configuration. `DELETE /endpoint_configurations/{id}/oauth` */
  deleteOauth(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/endpoint_configurations/${segment(id)}/oauth`,
      undefined,
      options,
    );
  }

  /** Get the webSocket to TCP converter of an endpoint configuration. `GET /endpoint_configurations/{id}/websocket_tcp_converter` */
  getWebsocketTcpConverter(id: string, options: CallOptions = {}): Promise<EndpointWebsocketTCPConverter> {
    return this.#transport.call(
      'GET',
      `/endpoint_configurations/${segment(id)}/websocket_tcp_converter`,
      undefined,
      options,
    );
  }

  /** Replace the webSocket to TCP converter of an endpoint configuration. `PUT /endpoint_configurations/{id}/websocket_tcp_converter` */
  putWebsocketTcpConverter(
    id: string,
    body: EndpointWebsocketTCPConverterMutate = {},
    options: CallOptions = {},
  ): Promise<EndpointWebsocketTCPConverter> {
    return this.#transport.call(
      'PUT',
      `/endpoint_configurations/${segment(id)}/websocket_tcp_converter`,
      body,
      options,
    );
  }

  /** Remove the webSocket to TCP converter of an endpoint configuration. `DELETE /endpoint_configurations/{id}/websocket_tcp_converter` */
  deleteWebsocketTcpConverter(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/endpoint_configurations/${segment(id)}/websocket_tcp_converter`,
      undefined,
      options,
    );
  }

  /** Get the user agent filter of an endpoint configuration. `GET /endpoint_configurations/{id}/user_agent_filter` */
  getUserAgentFilter(id: string, options: CallOptions = {}): Promise<EndpointUserAgentFilter> {
    return this.#transport.call(
      'GET',
      `/endpoint_configurations/${segment(id)}/user_agent_filter`,
      undefined,
      options,
    );
  }

  /** Replace the user agent filter of an endpoint configuration. `PUT /endpoint_configurations/{id}/user_agent_filter` */
  putUserAgentFilter(
    id: string,
    body: EndpointUserAgentFilterMutate = {},
    options: CallOptions = {},
  ): Promise<EndpointUserAgentFilter> {
    return this.#transport.call(
      'PUT',
      `/endpoint_configurations/${segment(id)}/user_agent_filter`,
      body,
      options,
    );
  }

  /** Remove the user agent filter of an endpoint configuration. `DELETE /endpoint_configurations/{id}/user_agent_filter` */
  deleteUserAgentFilter(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/endpoint_configurations/${segment(id)}/user_agent_filter`,
      undefined,
      options,
    );
  }

  /** Get the backend of an endpoint configuration. `GET /endpoint_configurations/{id}/backend` */
  getBackend(id: string, options: CallOptions = {}): Promise<EndpointBackend> {
    return this.#transport.call('GET', `/endpoint_configurations/${segment(id)}/backend`, undefined, options);
  }

  /** Replace the backend of an endpoint configuration. `PUT /endpoint_configurations/{id}/backend` */
  putBackend(id: string, body: EndpointBackendMutate, options: CallOptions = {}): Promise<EndpointBackend> {
    return this.#transport.call('PUT', `/endpoint_configurations/${segment(id)}/backend`, body, options);
  }

  /** Remove the backend of an endpoint configuration. `DELETE /endpoint_configurations/{id}/backend` */
  deleteBackend(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/endpoint_configurations/${segment(id)}/backend`,
      undefined,
      options,
    );
  }

  /** List what refers to an endpoint configuration. `GET /endpoint_configurations/{id}/used_by` */
  usedBy(id: string, options: ListOptions = {}): Listing<UsedBy, UsedByList> {
    return this.#transport.list(`/endpoint_configurations/${segment(id)}/used_by`, 'used_by', options);
  }
}

/** IP policies. */
export class IpPolicies {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List IP policies. `GET /ip_policies` */
  list(options: SelectOptions = {}): Listing<IPPolicy, IPPolicyList> {
    return this.#transport.list('/ip_policies', 'ip_policies', options);
  }

  /** Create an IP policy. `POST /ip_policies` */
  create(body: IPPolicyCreate = {}, options: CallOptions = {}): Promise<IPPolicy> {
    return this.#transport.call('POST', '/ip_policies', body, options);
  }

  /** Get an IP policy. `GET /ip_policies/{id}` */
  get(id: string, options: CallOptions = {}): Promise<IPPolicy> {
    return this.#transport.call('GET', `/ip_policies/${segment(id)}`, undefined, options);
  }

  /** Update an IP policy. `PATCH /ip_policies/{id}` */
  update(id: string, body: IPPolicyUpdate = {}, options: CallOptions = {}): Promise<IPPolicy> {
    return this.#transport.call('PATCH', `/ip_policies/${segment(id)}`, body, options);
  }

  /** Delete an IP policy. `DELETE /ip_policies/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/ip_policies/${segment(id)}`, undefined, options);
  }

  /** List what refers to an IP policy. `GET /ip_policies/{id}/used_by` */
  usedBy(id: string, options: ListOptions = {}): Listing<UsedBy, UsedByList> {
    return this.#transport.list(`/ip_policies/${segment(id)}/used_by`, 'used_by', options);
  }
}

/** IP policy rules. */
export class IpPolicyRules {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List IP policy rules. `GET /ip_policy_rules` */
  list(options: SelectOptions = {}): Listing<IPPolicyRule, IPPolicyRuleList> {
    return this.#transport.list('/ip_policy_rules', 'ip_policy_rules', options);
  }

  /** Create an IP policy rule. `POST /ip_policy_rules` */
  create(body: IPPolicyRuleCreate, options: CallOptions = {}): Promise<IPPolicyRule> {
    return this.#transport.call('POST', '/ip_policy_rules', body, options);
  }

  /** Get an IP policy rule. `GET /ip_policy_rules/{id}` */
  get(id: string, options: CallOptions = {}): Promise<IPPolicyRule> {
    return this.#transport.call('GET', `/ip_policy_rules/${segment(id)}`, undefined, options);
  }

  /** Update an IP policy rule. `PATCH /ip_policy_rules/{id}` */
  update(id: string, body: IPPolicyRuleUpdate = {}, options: CallOptions = {}): Promise<IPPolicyRule> {
    return this.#transport.call('PATCH', `/ip_policy_rules/${segment(id)}`, body, options);
  }

  /** Delete an IP policy rule. `DELETE /ip_policy_rules/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/ip_policy_rules/${segment(id)}`, undefined, options);
  }

  /** List what refers to an IP policy rule. `GET /ip_policy_rules/{id}/used_by` */
  usedBy(id: string, options: ListOptions = {}): Listing<UsedBy, UsedByList> {
    return this.#transport.list(`/ip_policy_rules/${segment(id)}/used_by`, 'used_by', options);
  }
}

/** IP restrictions. */
export class IpRestrictions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List IP restrictions. `GET /ip_restrictions` */
  list(options: SelectOptions = {}): Listing<IPRestriction, IPRestrictionList> {
    return this.#transport.list('/ip_restrictions', 'ip_restrictions', options);
  }

  /** Create an IP restriction. `POST /ip_restrictions` */
  create(body: IPRestrictionCreate, options: CallOptions = {}): Promise<IPRestriction> {
    return this.#transport.call('POST', '/ip_restrictions', body, options);
  }

  /** Get an IP restriction. `GET /ip_restrictions/{id}` */
  get(id: string, options: CallOptions = {}): Promise<IPRestriction> {
    return this.#transport.call('GET', `/ip_restrictions/${segment(id)}`, undefined, options);
  }

  /** Update an IP restriction. `PATCH /ip_restrictions/{id}` */
  update(id: string, body: IPRestrictionUpdate = {}, options: CallOptions = {}): Promise<IPRestriction> {
    return this.#transport.call('PATCH', `/ip_restrictions/${segment(id)}`, body, options);
  }

  /** Delete an IP restriction. `DELETE /ip_restrictions/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/ip_restrictions/${segment(id)}`, undefined, options);
  }

  /** List what refers to an IP restriction. `GET /ip_restrictions/{id}/used_by` */
  usedBy(id: string, options: ListOptions = {}): Listing<UsedBy, UsedByList> {
    return this.#transport.list(`/ip_restrictions/${segment(id)}/used_by`, 'used_by', options);
  }
}

/** Certificate authorities. */
export class CertificateAuthorities {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List certificate authorities. `GET /certificate_authorities` */
  list(options: SelectOptions = {}): Listing<CertificateAuthority, CertificateAuthorityList> {
    return this.#transport.list('/certificate_authorities', 'certificate_authorities', options);
  }

  /** Create a certificate authority. `POST /certificate_authorities` */
  create(body: CertificateAuthorityCreate, options: CallOptions = {}): Promise<CertificateAuthority> {
    return this.#transport.call('POST', '/certificate_authorities', body, options);
  }

  /** Get a certificate authority. `GET /certificate_authorities/{id}` */
  get(id: string, options: CallOptions = {}): Promise<CertificateAuthority> {
    return this.#transport.call('GET', `/certificate_authorities/${segment(id)}`, undefined, options);
  }

  /** Update a certificate authority. `PATCH /certificate_authorities/{id}` */
  update(
    id: string,
    body: CertificateAuthorityUpdate = {},
    options: CallOptions = {},
  ): Promise<CertificateAuthority> {
    return this.#transport.call('PATCH', `/certificate_authorities/${segment(id)}`, body, options);
  }

  /** Delete a certificate authority. `DELETE /certificate_authorities/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/certificate_authorities/${segment(id)}`, undefined, options);
  }

  /** List what refers to a certificate authority. `GET /certificate_authorities/{id}/used_by` */
  usedBy(id: string, options: ListOptions = {}): Listing<UsedBy, UsedByList> {
    return this.#transport.list(`/certificate_authorities/${segment(id)}/used_by`, 'used_by', options);
  }
}

/** TLS certificates. */
export class TlsCertificates {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List TLS certificates. `GET /tls_certificates` */
  list(options: SelectOptions = {}): Listing<TLSCertificate, TLSCertificateList> {
    return this.#transport.list('/tls_certificates', 'tls_certificates', options);
  }

  /** Create a TLS certificate. `POST /tls_certificates` */
  create(body: TLSCertificateCreate, options: CallOptions = {}): Promise<TLSCertificate> {
    return this.#transport.call('POST', '/tls_certificates', body, options);
  }

  /** Get a TLS certificate. `GET /tls_certificates/{id}` */
  get(id: string, options: CallOptions = {}): Promise<TLSCertificate> {
    return this.#transport.call('GET', `/tls_certificates/${segment(id)}`, undefined, options);
  }

  /** Update a TLS certificate. `PATCH /tls_certificates/{id}` */
  update(id: string, body: TLSCertificateUpdate = {}, options: CallOptions = {}): Promise<TLSCertificate> {
    return this.#transport.call('PATCH', `/tls_certificates/${segment(id)}`, body, options);
  }

  /** Delete a TLS certificate. `DELETE /tls_certificates/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/tls_certificates/${segment(id)}`, undefined, options);
  }

  /** List what refers to a TLS certificate. `GET /tls_certificates/{id}/used_by` */
  usedBy(id: string, options: ListOptions = {}): Listing<UsedBy, UsedByList> {
    return this.#transport.list(`/tls_certificates/${segment(id)}/used_by`, 'used_by', options);
  }
}

/** Tunnel credentials. */
export class Credentials {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List tunnel credentials. `GET /credentials` */
  list(options: SelectOptions = {}): Listing<Credential, CredentialList> {
    return this.#transport.list('/credentials', 'credentials', options);
  }

  /** Create a tunnel credential. `POST /credentials` */
  create(body: CredentialCreate = {}, options: CallOptions = {}): Promise<Credential> {
    return this.#transport.call('POST', '/credentials', body, options);
  }

  /** Get a tunnel credential. `GET /credentials/{id}` */
  get(id: string, options: CallOptions = {}): Promise<Credential> {
    return this.#transport.call('GET', `/credentials/${segment(id)}`, undefined, options);
  }

  /** Update a tunnel credential. `PATCH /credentials/{id}` */
  update(id: string, body: CredentialUpdate = {}, options: CallOptions = {}): Promise<Credential> {
    return this.#transport.call('PATCH', `/credentials/${segment(id)}`, body, options);
  }

  /** Delete a tunnel credential. `DELETE /credentials/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/credentials/${segment(id)}`, undefined, options);
  }

  /** List what refers to a tunnel credential. `GET /credentials/{id}/used_by` */
  usedBy(id: string, options: ListOptions = {}): Listing<UsedBy, UsedByList> {
    return this.#transport.list(`/credentials/${segment(id)}/used_by`, 'used_by', options);
  }
}

/** SSH credentials. */
export class SshCredentials {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List SSH credentials. `GET /ssh_credentials` */
  list(options: SelectOptions = {}): Listing<SSHCredential, SSHCredentialList> {
    return this.#transport.list('/ssh_credentials', 'ssh_credentials', options);
  }

  /** Create an SSH credential. `POST /ssh_credentials` */
  create(body: SSHCredentialCreate, options: CallOptions = {}): Promise<SSHCredential> {
    return this.#transport.call('POST', '/ssh_credentials', body, options);
  }

  /** Get an SSH credential. `GET /ssh_credentials/{id}` */
  get(id: string, options: CallOptions = {}): Promise<SSHCredential> {
    return this.#transport.call('GET', `/ssh_credentials/${segment(id)}`, undefined, options);
  }

  /** Update an SSH credential. `PATCH /ssh_credentials/{id}` */
  update(id: string, body: SSHCredentialUpdate = {}, options: CallOptions = {}): Promise<SSHCredential> {
    return this.#transport.call('PATCH', `/ssh_credentials/${segment(id)}`, body, options);
  }

  /** Delete an SSH credential. `DELETE /ssh_credentials/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/ssh_credentials/${segment(id)}`, undefined, options);
  }

  /** List what refers to an SSH credential. `GET /ssh_credentials/{id}/used_by` */
  usedBy(id: string, options: ListOptions = {}): Listing<UsedBy, UsedByList> {
    return this.#transport.list(`/ssh_credentials/${segment(id)}/used_by`, 'used_by', options);
  }
}

/** SSH certificate authorities. */
export class SshCertificateAuthorities {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List SSH certificate authorities. `GET /ssh_certificate_authorities` */
  list(options: SelectOptions = {}): Listing<SSHCertificateAuthority, SSHCertificateAuthorityList> {
    return this.#transport.list('/ssh_certificate_authorities', 'ssh_certificate_authorities', options);
  }

  /** Create an SSH certificate authority. `POST /ssh_certificate_authorities` */
  create(
    body: SSHCertificateAuthorityCreate = {},
    options: CallOptions = {},
  ): Promise<SSHCertificateAuthority> {
    return this.#transport.call('POST', '/ssh_certificate_authorities', body, options);
  }

  /** Get an SSH certificate authority. `GET /ssh_certificate_authorities/{id}` */
  get(id: string, options: CallOptions = {}): Promise<SSHCertificateAuthority> {
    return this.#transport.call('GET', `/ssh_certificate_authorities/${segment(id)}`, undefined, options);
  }

  /** Update an SSH certificate authority. `PATCH /ssh_certificate_authorities/{id}` */
  update(
    id: string,
    body: SSHCertificateAuthorityUpdate = {},
    options: CallOptions = {},
  ): Promise<SSHCertificateAuthority> {
    return this.#transport.call('PATCH', `/ssh_certificate_authorities/${segment(id)}`, body, options);
  }

  /** Delete an SSH certificate authority. `DELETE /ssh_certificate_authorities/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/ssh_certificate_authorities/${segment(id)}`, undefined, options);
  }

  /** List what refers to an SSH certificate authority. `GET /ssh_certificate_authorities/{id}/used_by` */
  usedBy(id: string, options: ListOptions = {}): Listing<UsedBy, UsedByList> {
    return this.#transport.list(`/ssh_certificate_authorities/${segment(id)}/used_by`, 'used_by', options);
  }
}

/** SSH host certificates. */
export class SshHostCertificates {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List SSH host certificates. `GET /ssh_host_certificates` */
  list(options: SelectOptions = {}): Listing<SSHHostCertificate, SSHHostCertificateList> {
    return this.#transport.list('/ssh_host_certificates', 'ssh_host_certificates', options);
  }

  /** Create an SSH host certificate. `POST /ssh_host_certificates` */
  create(body: SSHHostCertificateCreate, options: CallOptions = {}): Promise<SSHHostCertificate> {
    return this.#transport.call('POST', '/ssh_host_certificates', body, options);
  }

  /** Get an SSH host certificate. `GET /ssh_host_certificates/{id}` */
  get(id: string, options: CallOptions = {}): Promise<SSHHostCertificate> {
    return this.#transport.call('GET', `/ssh_host_certificates/${segment(id)}`, undefined, options);
  }

  /** Update an SSH host certificate. `PATCH /ssh_host_certificates/{id}` */
  update(
    id: string,
    body: SSHHostCertificateUpdate = {},
    options: CallOptions = {},
  ): Promise<SSHHostCertificate> {
    return this.#transport.call('PATCH', `/ssh_host_certificates/${segment(id)}`, body, options);
  }

  /** Delete an SSH host certificate. `DELETE /ssh_host_certificates/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/ssh_host_certificates/${segment(id)}`, undefined, options);
  }

  /** List what refers to an SSH host certificate. `GET /ssh_host_certificates/{id}/used_by` */
  usedBy(id: string, options: ListOptions = {}): Listing<UsedBy, UsedByList> {
    return this.#transport.list(`/ssh_host_certificates/${segment(id)}/used_by`, 'used_by', options);
  }
}

/** SSH user certificates. */
export class SshUserCertificates {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List SSH user certificates. `GET /ssh_user_certificates` */
  list(options: SelectOptions = {}): Listing<SSHUserCertificate, SSHUserCertificateList> {
    return this.#transport.list('/ssh_user_certificates', 'ssh_user_certificates', options);
  }

  /** Create an SSH user certificate. `POST /ssh_user_certificates` */
  create(body: SSHUserCertificateCreate, options: CallOptions = {}): Promise<SSHUserCertificate> {
    return this.#transport.call('POST', '/ssh_user_certificates', body, options);
  }

  /** Get an SSH user certificate. `GET /ssh_user_certificates/{id}` */
  get(id: string, options: CallOptions = {}): Promise<SSHUserCertificate> {
    return this.#transport.call('GET', `/ssh_user_certificates/${segment(id)}`, undefined, options);
  }

  /** Update an SSH user certificate. `PATCH /ssh_user_certificates/{id}` */
  update(
    id: string,
    body: SSHUserCertificateUpdate = {},
    options: CallOptions = {},
  ): Promise<SSHUserCertificate> {
    return this.#transport.call('PATCH', `/ssh_user_certificates/${segment(id)}`, body, options);
  }

  /** Delete an SSH user certificate. `DELETE /ssh_user_certificates/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/ssh_user_certificates/${segment(id)}`, undefined, options);
  }

  /** List what refers to an SSH user certificate. `GET /ssh_user_certificates/{id}/used_by` */
  usedBy(id: string, options: ListOptions = {}): Listing<UsedBy, UsedByList> {
    return this.#transport.list(`/ssh_user_certificates/${segment(id)}/used_by`, 'used_by', options);
  }
}

/** Event destinations. */
export class EventDestinations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List event destinations. `GET /event_destinations` */
  list(options: SelectOptions = {}): Listing<EventDestination, EventDestinationList> {
    return this.#transport.list('/event_destinations', 'event_destinations', options);
  }

  /** Create an event destination. `POST /event_destinations` */
  create(body: EventDestinationCreate, options: CallOptions = {}): Promise<EventDestination> {
    return this.#transport.call('POST', '/event_destinations', body, options);
  }

  /** Get an event destination. `GET /event_destinations/{id}` */
  get(id: string, options: CallOptions = {}): Promise<EventDestination> {
    return this.#transport.call('GET', `/event_destinations/${segment(id)}`, undefined, options);
  }

  /** Update an event destination. `PATCH /event_destinations/{id}` */
  update(
    id: string,
    body: EventDestinationUpdate = {},
    options: CallOptions = {},
  ): Promise<EventDestination> {
    return this.#transport.call('PATCH', `/event_destinations/${segment(id)}`, body, options);
  }

  /** Delete an event destination. `DELETE /event_destinations/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/event_destinations/${segment(id)}`, undefined, options);
  }

  /** List what refers to an event destination. `GET /event_destinations/{id}/used_by` */
  usedBy(id: string, options: ListOptions = {}): Listing<UsedBy, UsedByList> {
    return this.#transport.list(`/event_destinations/${segment(id)}/used_by`, 'used_by', options);
  }

  /** Get the delivery status of an event destination. `GET /event_destinations/{id}/status` */
  status(id: string, options: CallOptions = {}): Promise<EventDestinationStatus> {
    return this.#transport.call('GET', `/event_destinations/${segment(id)}/status`, undefined, options);
  }

  /** Send a test event to an event destination. `POST /event_destinations/{id}/test` */
  test(id: string, options: CallOptions = {}): Promise<EventDestinationTest> {
    return this.#transport.call('POST', `/event_destinations/${segment(id)}/test`, undefined, options);
  }
}

/** Event subscriptions. */
export class EventSubscriptions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List event subscriptions. `GET /event_subscriptions` */
  list(options: SelectOptions = {}): Listing<EventSubscription, EventSubscriptionList> {
    return this.#transport.list('/event_subscriptions', 'event_subscriptions', options);
  }

  /** Create an event subscription. `POST /event_subscriptions` */
  create(body: EventSubscriptionCreate = {}, options: CallOptions = {}): Promise<EventSubscription> {
    return this.#transport.call('POST', '/event_subscriptions', body, options);
  }

  /** Get an event subscription. `GET /event_subscriptions/{id}` */
  get(id: string, options: CallOptions = {}): Promise<EventSubscription> {
    return this.#transport.call('GET', `/event_subscriptions/${segment(id)}`, undefined, options);
  }

  /** Update an event subscription. `PATCH /event_subscriptions/{id}` */
  update(
    id: string,
    body: EventSubscriptionUpdate = {},
    options: CallOptions = {},
  ): Promise<EventSubscription> {
    return this.#transport.call('PATCH', `/event_subscriptions/${segment(id)}`, body, options);
  }

  /** Delete an event subscription. `DELETE /event_subscriptions/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/event_subscriptions/${segment(id)}`, undefined, options);
  }

  /** List what refers to an event subscription. `GET /event_subscriptions/{id}/used_by` */
  usedBy(id: string, options: ListOptions = {}): Listing<UsedBy, UsedByList> {
    return this.#transport.list(`/event_subscriptions/${segment(id)}/used_by`, 'used_by', options);
  }
}

/** Sources of an event subscription. */
export class EventSubscriptionSources {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List sources of an event subscription. `GET /event_subscriptions/{subscription_id}/sources` */
  list(subscriptionId: string, options: ListOptions = {}): Listing<EventSource, EventSourceList> {
    return this.#transport.list(
      `/event_subscriptions/${segment(subscriptionId)}/sources`,
      'sources',
      options,
    );
  }

  /** Add a source of an event subscription. `POST /event_subscriptions/{subscription_id}/sources` */
  create(subscriptionId: string, body: EventSourceCreate, options: CallOptions = {}): Promise<EventSource> {
    return this.#transport.call(
      'POST',
      `/event_subscriptions/${segment(subscriptionId)}/sources`,
      body,
      options,
    );
  }

  /** Get a source of an event subscription. `GET /event_subscriptions/{subscription_id}/sources/{type}` */
  get(subscriptionId: string, type: string, options: CallOptions = {}): Promise<EventSource> {
    return this.#transport.call(
      'GET',
      `/event_subscriptions/${segment(subscriptionId)}/sources/${segment(type)}`,
      undefined,
      options,
    );
  }

  /** Update a source of an event subscription. `PATCH /event_subscriptions/{subscription_id}/sources/{type}` */
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

  /** Remove a source of an event subscription. `DELETE /event_subscriptions/{subscription_id}/sources/{type}` */
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

  /** List API keys. `GET /api_keys` */
  list(options: SelectOptions = {}): Listing<APIKey, APIKeyList> {
    return this.#transport.list('/api_keys', 'keys', options);
  }

  /** Create an API key. `POST /api_keys` */
  create(body: APIKeyCreate = {}, options: CallOptions = {}): Promise<APIKey> {
    return this.#transport.call('POST', '/api_keys', body, options);
  }

  /** Get an API key. `GET /api_keys/{id}` */
  get(id: string, options: CallOptions = {}): Promise<APIKey> {
    return this.#transport.call('GET', `/api_keys/${segment(id)}`, undefined, options);
  }

  /** Update an API key. `PATCH /api_keys/{id}` */
  update(id: string, body: APIKeyUpdate = {}, options: CallOptions = {}): Promise<APIKey> {
    return this.#transport.call('PATCH', `/api_keys/${segment(id)}`, body, options);
  }

  /** Delete an API key. `DELETE /api_keys/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/api_keys/${segment(id)}`, undefined, options);
  }

  /** List what refers to an API key. `GET /api_keys/{id}/used_by` */
  usedBy(id: string, options: ListOptions = {}): Listing<UsedBy, UsedByList> {
    return this.#transport.list(`/api_keys/${segment(id)}/used_by`, 'used_by', options);
  }
}

/** Users. */
export class Users {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List users. `GET /users` */
  list(options: SelectOptions = {}): Listing<User, UserList> {
    return this.#transport.list('/users', 'users', options);
  }

  /** Create a user. `POST /users` */
  create(body: UserCreate, options: CallOptions = {}): Promise<User> {
    return this.#transport.call('POST', '/users', body, options);
  }

  /** Get a user. `GET /users/{id}` */
  get(id: string, options: CallOptions = {}): Promise<User> {
    return this.#transport.call('GET', `/users/${segment(id)}`, undefined, options);
  }

  /** Update a user. `PATCH /users/{id}` */
  update(id: string, body: UserUpdate = {}, options: CallOptions = {}): Promise<User> {
    return this.#transport.call('PATCH', `/users/${segment(id)}`, body, options);
  }

  /** Delete a user. `DELETE /users/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/users/${segment(id)}`, undefined, options);
  }

  /** List what refers to a user. `GET /users/{id}/used_by` */
  usedBy(id: string, options: ListOptions = {}): Listing<UsedBy, UsedByList> {
    return this.#transport.list(`/users/${segment(id)}/used_by`, 'used_by', options);
  }
}

/** Bot users. */
export class BotUsers {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List bot users. `GET /bot_users` */
  list(options: SelectOptions = {}): Listing<BotUser, BotUserList> {
    return this.#transport.list('/bot_users', 'bot_users', options);
  }

  /** Create a bot user. `POST /bot_users` */
  create(body: BotUserCreate, options: CallOptions = {}): Promise<BotUser> {
    return this.#transport.call('POST', '/bot_users', body, options);
  }

  /** Get a bot user. `GET /bot_users/{id}` */
  get(id: string, options: CallOptions = {}): Promise<BotUser> {
    return this.#transport.call('GET', `/bot_users/${segment(id)}`, undefined, options);
  }

  /** Update a bot user. `PATCH /bot_users/{id}` */
  update(id: string, body: BotUserUpdate = {}, options: CallOptions = {}): Promise<BotUser> {
    return this.#transport.call('PATCH', `/bot_users/${segment(id)}`, body, options);
  }

  /** Delete a bot user. `DELETE /bot_users/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/bot_users/${segment(id)}`, undefined, options);
  }

  /** List what refers to a bot user. `GET /bot_users/{id}/used_by` */
  usedBy(id: string, options: ListOptions = {}): Listing<UsedBy, UsedByList> {
    return this.#transport.list(`/bot_users/${segment(id)}/used_by`, 'used_by', options);
  }
}

/** Service users. */
export class ServiceUsers {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List service users. `GET /service_users` */
  list(options: SelectOptions = {}): Listing<ServiceUser, ServiceUserList> {
    return this.#transport.list('/service_users', 'service_users', options);
  }

  /** Create a service user. `POST /service_users` */
  create(body: ServiceUserCreate, options: CallOptions = {}): Promise<ServiceUser> {
    return this.#transport.call('POST', '/service_users', body, options);
  }

  /** Get a service user. `GET /service_users/{id}` */
  get(id: string, options: CallOptions = {}): Promise<ServiceUser> {
    return this.#transport.call('GET', `/service_users/${segment(id)}`, undefined, options);
  }

  /** Update a service user. `PATCH /service_users/{id}` */
  update(id: string, body: ServiceUserUpdate = {}, options: CallOptions = {}): Promise<ServiceUser> {
    return this.#transport.call('PATCH', `/service_users/${segment(id)}`, body, options);
  }

  /** Delete a service user. `DELETE /service_users/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/service_users/${segment(id)}`, undefined, options);
  }

  /** List what refers to a service user. `GET /service_users/{id}/used_by` */
  usedBy(id: string, options: ListOptions = {}): Listing<UsedBy, UsedByList> {
    return this.#transport.list(`/service_users/${segment(id)}/used_by`, 'used_by', options);
  }
}

/** Tunnels that are online. */
export class Tunnels {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List tunnels that are online. `GET /tunnels` */
  list(options: SelectOptions = {}): Listing<Tunnel, TunnelList> {
    return this.#transport.list('/tunnels', 'tunnels', options);
  }

  /** Get a tunnel that is online. `GET /tunnels/{id}` */
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

  /** List sessions of agents that are connected. `GET /tunnel_sessions` */
  list(options: SelectOptions = {}): Listing<TunnelSession, TunnelSessionList> {
    return this.#transport.list('/tunnel_sessions', 'tunnel_sessions', options);
  }

  /** Get a session of an agent. `GET /tunnel_sessions/{id}` */
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

  /** List endpoints that are active. `GET /endpoints` */
  list(options: SelectOptions = {}): Listing<Endpoint, EndpointList> {
    return this.#transport.list('/endpoints', 'endpoints', options);
  }

  /** Get an endpoint that is active. `GET /endpoints/{id}` */
  get(id: string, options: CallOptions = {}): Promise<Endpoint> {
    return this.#transport.call('GET', `/endpoints/${segment(id)}`, undefined, options);
  }
}

/** Own access. */
export class Me {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Get the caller. `GET /me` */
  get(options: CallOptions = {}): Promise<Caller> {
    return this.#transport.call('GET', '/me', undefined, options);
  }
}

/** Overview. */
export class Overview {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Get warnings, counts and figures of the account. `GET /overview` */
  get(options: CallOptions = {}): Promise<AccountOverview> {
    return this.#transport.call('GET', '/overview', undefined, options);
  }
}

/** Status. */
export class Status {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Get the state of the service and all warnings of the account. `GET /status` */
  get(options: CallOptions = {}): Promise<ServiceStatus> {
    return this.#transport.call('GET', '/status', undefined, options);
  }
}

/** Names. */
export class Names {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List names and addresses. `GET /names` */
  list(
    options: ListOptions & {
      /** Only names after this one, in the order of the list. */
      readonly after?: string;
      /** Only this name or address. */
      readonly name?: string;
      /** Selects names, such as `served_by = agent and state = served`. */
      readonly filter?: string;
      /** Only names with this text in one of their fields. */
      readonly q?: string;
    } = {},
  ): Listing<NameEntry, NameList> {
    return this.#transport.list('/names', 'names', options, ['after', 'name', 'filter', 'q']);
  }
}

/** Changes. */
export class Changes {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List changes, newest first. `GET /changes` */
  list(
    options: ListOptions & {
      /** Only of this kind, such as "reserved_domain". */
      readonly kind?: string;
      /** Only of this resource. */
      readonly resource_id?: string;
      /** Only by this user, bot user or API key. */
      readonly actor_id?: string;
      /** Only by actors of this type. */
      readonly actor_type?: 'user' | 'bot_user' | 'operator' | 'daemon';
      /** Only with this action, such as "deleted". */
      readonly action?: string;
      /** Only at this time or later. RFC 3339. */
      readonly since?: string;
      /** Only before this time. RFC 3339. */
      readonly until?: string;
    } = {},
  ): Listing<Change, ChangeList> {
    return this.#transport.list('/changes', 'changes', options, [
      'kind',
      'resource_id',
      'actor_id',
      'actor_type',
      'action',
      'since',
      'until',
    ]);
  }
}

/** Explain. */
export class Explain {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Explain the decision about a request. `POST /explain` */
  request(body: ExplanationRequest, options: CallOptions = {}): Promise<Explanation> {
    return this.#transport.call('POST', '/explain', body, options);
  }
}

/** Requests. */
export class TrafficRequests {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List requests. `GET /traffic/requests` */
  list(
    options: ListOptions & {
      /** Selects entries, such as `status_code >= 500 and decisions.module = ip_restriction`. */
      readonly filter?: string;
      /** Seconds for which successful requests are recorded, too. Failures are always recorded, at least the last 1,000 of an account if memory allows. Default: 60. */
      readonly watch_seconds?: number;
    } = {},
  ): Listing<TrafficRequest, TrafficRequestList> {
    return this.#transport.list('/traffic/requests', 'requests', options, ['filter', 'watch_seconds']);
  }

  /** Get a request. `GET /traffic/requests/{id}` */
  get(id: string, options: CallOptions = {}): Promise<TrafficRequestDetails> {
    return this.#transport.call('GET', `/traffic/requests/${segment(id)}`, undefined, options);
  }
}

/** Recordings of bodies. */
export class TrafficRecordings {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List recordings of bodies. `GET /traffic/recordings` */
  list(options: ListOptions = {}): Listing<TrafficRecording, TrafficRecordingList> {
    return this.#transport.list('/traffic/recordings', 'recordings', options);
  }

  /** Begin a recording of bodies. `POST /traffic/recordings` */
  create(body: TrafficRecordingCreate, options: CallOptions = {}): Promise<TrafficRecording> {
    return this.#transport.call('POST', '/traffic/recordings', body, options);
  }

  /** End a recording of bodies. `DELETE /traffic/recordings/{id}` */
  delete(
    id: string,
    query: {
      /** True removes the recorded bodies at once. Else they stay for an hour at most. Default: false. */
      readonly discard?: boolean;
    } = {},
    options: CallOptions = {},
  ): Promise<void> {
    return this.#transport.call(
      'DELETE',
      `/traffic/recordings/${segment(id)}${queryText(query)}`,
      undefined,
      options,
    );
  }
}

/** Traffic. */
export class Traffic {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Get traffic over time. `GET /traffic/series` */
  getSeries(
    query: {
      /** The kind of the key. Without it the response is about the whole account. */
      readonly by?: 'edge' | 'route' | 'endpoint' | 'backend' | 'credential';
      /** The key: an id, or for an endpoint the name that its agent has bound, such as "app.example.com" or "1.tcp.example.com:20000". A deleted resource has its series until they are too old. */
      readonly id?: string;
      /** Length of a step. Seconds are kept for 10 minutes, minutes for 24 hours, and hours for 90 days. Default: "1m". */
      readonly resolution?: '1s' | '1m' | '1h';
      /** Start of the first step: a time of RFC 3339, or a number of seconds before now. Default: 600 steps of 1 s, 1,440 of 1 min, or 720 of 1 h before the end. */
      readonly since?: string;
      /** End of the last step, like `since`. Default: the last step that has passed. A later time includes the running step. */
      readonly until?: string;
    } = {},
    options: CallOptions = {},
  ): Promise<TrafficSeries> {
    return this.#transport.call('GET', `/traffic/series${queryText(query)}`, undefined, options);
  }

  /** Get the last hour of many keys. `GET /traffic/recent` */
  getRecent(
    query: {
      /** The kind of the keys, as in `GET /traffic/series`. */
      readonly by: 'edge' | 'route' | 'endpoint' | 'backend' | 'credential';
      /** The keys, at most 100, with commas between them. */
      readonly ids: string;
    },
    options: CallOptions = {},
  ): Promise<RecentTraffic> {
    return this.#transport.call('GET', `/traffic/recent${queryText(query)}`, undefined, options);
  }
}

/** Console. */
export class Console {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Create a link that signs in to the console. `POST /console/links` */
  createLink(body: ConsoleLinkCreate = {}, options: CallOptions = {}): Promise<ConsoleLink> {
    return this.#transport.call('POST', '/console/links', body, options);
  }
}

/** The sessions of the console. */
export class ConsoleSessions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List the sessions of the console. `GET /console/sessions` */
  list(options: ListOptions = {}): Listing<ConsoleSession, ConsoleSessionList> {
    return this.#transport.list('/console/sessions', 'console_sessions', options);
  }

  /** End a session of the console. `DELETE /console/sessions/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/console/sessions/${segment(id)}`, undefined, options);
  }
}

/** Tests of bind rules. */
export class BindRules {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Test bind rules. `POST /credentials/test` */
  test(body: BindRulesTest, options: CallOptions = {}): Promise<BindRulesVerdict> {
    return this.#transport.call('POST', '/credentials/test', body, options);
  }
}

/** Tests of IP rules. */
export class IpRules {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Test IP rules. `POST /ip_policies/test` */
  test(body: IPRulesTest, options: CallOptions = {}): Promise<IPRulesVerdict> {
    return this.#transport.call('POST', '/ip_policies/test', body, options);
  }
}

/** Visitors' logins. */
export class VisitorLogins {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List visitors' logins, newest first. `GET /visitor_logins` */
  list(
    options: ListOptions & {
      /** Only of the user with this id or e-mail address. */
      readonly user?: string;
      /** Only at this name. */
      readonly hostname?: string;
      /** Only of this resource. */
      readonly resource_id?: string;
    } = {},
  ): Listing<VisitorLogin, VisitorLoginList> {
    return this.#transport.list('/visitor_logins', 'visitor_logins', options, [
      'user',
      'hostname',
      'resource_id',
    ]);
  }

  /** End a visitor's login. `DELETE /visitor_logins/{id}` */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.call('DELETE', `/visitor_logins/${segment(id)}`, undefined, options);
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
  readonly serviceUsers: ServiceUsers;
  readonly tunnels: Tunnels;
  readonly tunnelSessions: TunnelSessions;
  readonly endpoints: Endpoints;
  readonly me: Me;
  readonly overview: Overview;
  readonly status: Status;
  readonly names: Names;
  readonly changes: Changes;
  readonly explain: Explain;
  readonly trafficRequests: TrafficRequests;
  readonly trafficRecordings: TrafficRecordings;
  readonly traffic: Traffic;
  readonly console: Console;
  readonly consoleSessions: ConsoleSessions;
  readonly bindRules: BindRules;
  readonly ipRules: IpRules;
  readonly visitorLogins: VisitorLogins;

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
    this.serviceUsers = new ServiceUsers(transport);
    this.tunnels = new Tunnels(transport);
    this.tunnelSessions = new TunnelSessions(transport);
    this.endpoints = new Endpoints(transport);
    this.me = new Me(transport);
    this.overview = new Overview(transport);
    this.status = new Status(transport);
    this.names = new Names(transport);
    this.changes = new Changes(transport);
    this.explain = new Explain(transport);
    this.trafficRequests = new TrafficRequests(transport);
    this.trafficRecordings = new TrafficRecordings(transport);
    this.traffic = new Traffic(transport);
    this.console = new Console(transport);
    this.consoleSessions = new ConsoleSessions(transport);
    this.bindRules = new BindRules(transport);
    this.ipRules = new IpRules(transport);
    this.visitorLogins = new VisitorLogins(transport);
  }
}
