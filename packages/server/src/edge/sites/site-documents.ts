/** Which documents sites are made from. */
import type { KindName, StoredDocument } from '../../documents/index.ts';

export const siteKinds = [
  'tls_edge',
  'https_edge',
  'https_edge_route',
  'tcp_edge',
  'http_response_backend',
  'tunnel_group_backend',
  'failover_backend',
  'weighted_backend',
  'static_backend',
  'reserved_domain',
  'reserved_addr',
  'endpoint_configuration',
  'ip_restriction',
  'certificate_authority',
] as const satisfies readonly KindName[];
export type SiteKind = (typeof siteKinds)[number];

export type SiteDocument = StoredDocument<SiteKind>;
