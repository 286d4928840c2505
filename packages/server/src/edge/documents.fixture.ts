/** Stored edges and backends for the tests of this folder. */
import type { Hostname, HostPattern } from '../core/names/hostname.ts';
import type {
  ChangeOfKind,
  DocumentOfKind,
  Documents,
  EdgeHostport,
  EndpointConfigurationDocument,
  HttpsEdgeDocument,
  KindName,
  TcpEdgeDocument,
  TlsEdgeDocument,
} from '../documents/index.ts';

let revision = 0;

function stored<Kind extends KindName>(id: string, kind: Kind, body: Documents[Kind]): DocumentOfKind<Kind> {
  revision += 1;
  return { id, account: 'ac_1', kind, parent: null, body, revision };
}

export function edgeDocument(
  id: string,
  hostnames: readonly string[],
  modules: Partial<TlsEdgeDocument> = {},
): DocumentOfKind<'tls_edge'> {
  const body: TlsEdgeDocument = {
    description: '',
    metadata: '',
    hostports: hostnames.map(hostportOf),
    backend: null,
    ip_restriction: null,
    mutual_tls: null,
    tls_termination: null,
    ...modules,
  };
  return stored(id, 'tls_edge', body);
}

export function httpsEdgeDocument(
  id: string,
  hostnames: readonly string[],
  modules: Partial<HttpsEdgeDocument> = {},
): DocumentOfKind<'https_edge'> {
  const body: HttpsEdgeDocument = {
    description: '',
    metadata: '',
    hostports: hostnames.map(hostportOf),
    mutual_tls: null,
    tls_termination: null,
    ...modules,
  };
  return stored(id, 'https_edge', body);
}

export function tcpEdgeDocument(
  id: string,
  ports: readonly number[],
  modules: Partial<TcpEdgeDocument> = {},
): DocumentOfKind<'tcp_edge'> {
  const hostports = ports.map((port) => ({
    ...hostportOf('1.tcp.example.com'),
    hostname: '1.tcp.example.com' as Hostname,
    port,
    region: 'us' as const,
    address_id: 'ra_1',
  }));
  const body = { description: '', metadata: '', hostports, backend: null, ip_restriction: null, ...modules };
  return stored(id, 'tcp_edge', body);
}

function hostportOf(hostname: string): EdgeHostport {
  return {
    hostname: hostname as HostPattern,
    port: 443,
    endpoint_id: 'ep_1',
    created_at: '2026-01-01T00:00:00Z',
    domain_id: 'rd_1',
  };
}

export function groupDocument(
  id: string,
  labels: Record<string, string>,
  description = '',
): DocumentOfKind<'tunnel_group_backend'> {
  return stored(id, 'tunnel_group_backend', { description, metadata: '', labels });
}

export function responseDocument(
  id: string,
  body: string,
  headers: Record<string, string> = {},
): DocumentOfKind<'http_response_backend'> {
  return stored(id, 'http_response_backend', {
    description: '',
    metadata: '',
    status_code: 200,
    headers,
    body,
  });
}

export function staticDocument(
  id: string,
  host: string,
  port: number,
  { isTls = false, description = '' } = {},
): DocumentOfKind<'static_backend'> {
  return stored(id, 'static_backend', { description, metadata: '', host, port, tls: { enabled: isTls } });
}

/** One backend of each kind that needs no agent and has no configured response. */
export const emptyBackends = [
  stored('bkdfo_1', 'failover_backend', { description: '', metadata: '', backends: [] }),
  stored('bkdwt_1', 'weighted_backend', { description: '', metadata: '', backends: {} }),
  staticDocument('bkdsc_1', 'a.example.com', 80),
] as const;

export function reservation(id: string, domain: string, description = ''): DocumentOfKind<'reserved_domain'> {
  return stored(id, 'reserved_domain', {
    description,
    metadata: '',
    domain: domain as HostPattern,
    region: 'us',
    cname_target: '',
  });
}

export function proofDocument(
  id: string,
  reservation: string,
  proven_by: 'text' | null,
): DocumentOfKind<'domain_proof'> {
  const document = stored(id, 'domain_proof', { proven_by, checked_at: '2026-01-01T00:00:00Z' });
  return { ...document, parent: reservation };
}

export function addressDocument(
  id: string,
  port: number,
  ec: string | null,
): DocumentOfKind<'reserved_addr'> {
  const place = { hostname: '1.tcp.example.com' as Hostname, port, region: 'us' };
  return stored(id, 'reserved_addr', {
    ...{ description: '', metadata: '' },
    ...place,
    endpoint_configuration_id: ec,
  });
}

/** A reservation with an HTTPS endpoint configuration, or without one. */
export function configuredReservation(
  id: string,
  domain: string,
  ec: string | null,
): DocumentOfKind<'reserved_domain'> {
  const { body } = reservation(id, domain);
  return stored(id, 'reserved_domain', {
    ...body,
    http_endpoint_configuration_id: null,
    https_endpoint_configuration_id: ec,
  });
}

export function configurationDocument(
  id: string,
  modules: Partial<EndpointConfigurationDocument>,
): DocumentOfKind<'endpoint_configuration'> {
  return stored(id, 'endpoint_configuration', {
    description: '',
    metadata: '',
    type: 'https',
    basic_auth: null,
    circuit_breaker: null,
    compression: null,
    request_headers: null,
    response_headers: null,
    ip_policy: null,
    mutual_tls: null,
    tls_termination: null,
    webhook_validation: null,
    websocket_tcp_converter: null,
    user_agent_filter: null,
    saml: null,
    oidc: null,
    oauth: null,
    backend: null,
    ...modules,
  });
}

export function ruleDocument(
  id: string,
  policy: string,
  action: 'allow' | 'deny',
  cidr: string,
): DocumentOfKind<'ip_policy_rule'> {
  return stored(id, 'ip_policy_rule', { description: '', metadata: '', ip_policy_id: policy, action, cidr });
}

export function put<Kind extends KindName>(document: DocumentOfKind<Kind>): ChangeOfKind<Kind> {
  const { id, account, kind } = document;
  return { revision: document.revision, id, account, kind, document };
}

export function gone<Kind extends KindName>(document: DocumentOfKind<Kind>): ChangeOfKind<Kind> {
  revision += 1;
  return { revision, id: document.id, account: document.account, kind: document.kind, document: null };
}

export const atEdge = { enabled: true, terminate_at: 'edge', min_version: '' } as const;

export function backedBy(id: string): { readonly enabled: boolean; readonly backend_id: string } {
  return { enabled: true, backend_id: id };
}

export function authorityDocument(id: string, ca_pem: string): DocumentOfKind<'certificate_authority'> {
  return stored(id, 'certificate_authority', {
    description: '',
    metadata: '',
    subject_common_name: '',
    not_before: '',
    not_after: '',
    key_usages: [],
    extended_key_usages: [],
    ca_pem,
  });
}
