/**
 * Stored edges and backends for the tests of this folder.
 * In: what matters to a test. Out: documents. What may change here: what the tests need.
 */
import type { HostPattern } from '../core/hostname.ts';
import type { EdgeHostport, HttpsEdgeDocument, TlsEdgeDocument } from '../resources/documents.ts';
import type { Change, JsonObject, StoredDocument } from '../store/store.ts';

let revision = 0;

function stored(id: string, kind: string, body: object): StoredDocument {
  revision += 1;
  return { id, account: 'ac_1', kind, parent: null, body: body as JsonObject, revision };
}

export function edgeDocument(
  id: string,
  hostnames: readonly string[],
  modules: Partial<TlsEdgeDocument> = {},
): StoredDocument {
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
): StoredDocument {
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

function hostportOf(hostname: string): EdgeHostport {
  return {
    hostname: hostname as HostPattern,
    port: 443,
    endpoint_id: 'ep_1',
    created_at: '2026-01-01T00:00:00Z',
    domain_id: 'rd_1',
  };
}

export function groupDocument(id: string, labels: Record<string, string>, description = ''): StoredDocument {
  return stored(id, 'tunnel_group_backend', { description, metadata: '', labels });
}

export function responseDocument(
  id: string,
  body: string,
  headers: Record<string, string> = {},
): StoredDocument {
  return stored(id, 'http_response_backend', {
    description: '',
    metadata: '',
    status_code: 200,
    headers,
    body,
  });
}

export function reservation(id: string, domain: string, description = ''): StoredDocument {
  return stored(id, 'reserved_domain', { description, metadata: '', domain, region: 'us', cname_target: '' });
}

/** A reservation with an HTTPS endpoint configuration, or without one. */
export function configuredReservation(id: string, domain: string, ec: string | null): StoredDocument {
  const { body } = reservation(id, domain);
  return stored(id, 'reserved_domain', {
    ...body,
    http_endpoint_configuration_id: null,
    https_endpoint_configuration_id: ec,
  });
}

export function configurationDocument(id: string, modules: JsonObject): StoredDocument {
  const unset = { compression: null, ip_policy: null, backend: null };
  return stored(id, 'endpoint_configuration', {
    description: '',
    metadata: '',
    type: 'https',
    ...unset,
    ...modules,
  });
}

export function ruleDocument(
  id: string,
  policy: string,
  action: 'allow' | 'deny',
  cidr: string,
): StoredDocument {
  return stored(id, 'ip_policy_rule', { description: '', metadata: '', ip_policy_id: policy, action, cidr });
}

export function put(document: StoredDocument): Change {
  const { id, account, kind } = document;
  return { revision: document.revision, id, account, kind, document };
}

export function gone(document: StoredDocument): Change {
  revision += 1;
  return { revision, id: document.id, account: document.account, kind: document.kind, document: null };
}

export const atEdge = { enabled: true, terminate_at: 'edge', min_version: '' } as const;

export function backedBy(id: string): { readonly enabled: boolean; readonly backend_id: string } {
  return { enabled: true, backend_id: id };
}
