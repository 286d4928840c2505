/** Kinds of documents from which sites are compiled. */
import type { KindName, StoredDocument } from '../../documents/index.ts';

/** All kinds whose name ends like this are backends. */
export type BackendKind = Extract<KindName, `${string}_backend`>;

export const kindsBesideBackends = [
  'tls_edge',
  'https_edge',
  'https_edge_route',
  'tcp_edge',
  'reserved_domain',
  'domain_proof',
  'reserved_addr',
  'endpoint_configuration',
  'ip_restriction',
  'certificate_authority',
] as const satisfies readonly Exclude<KindName, BackendKind>[];

export type SiteKind = BackendKind | (typeof kindsBesideBackends)[number];

export type SiteDocument = StoredDocument<SiteKind>;
