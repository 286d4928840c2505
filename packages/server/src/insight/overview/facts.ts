/**
 * Facts of documents that the overview needs.
 * Invariant: they contain no secret, and are far smaller than the documents.
 */
import type { StoredDocument } from '../../documents/index.ts';

/** Kinds that the overview knows. */
export const overviewKinds = [
  'reserved_domain',
  'reserved_addr',
  'tls_edge',
  'tcp_edge',
  'https_edge',
  'https_edge_route',
  'tunnel_group_backend',
  'tls_certificate',
  'event_destination',
  'event_delivery',
  'event_subscription',
  'ip_restriction',
  'domain_proof',
] as const;
export type OverviewKind = (typeof overviewKinds)[number];

/** State of a certificate that the service obtains. Times are milliseconds since 1970. */
export interface ManagedFacts {
  readonly renewsAt: number | null;
  readonly failure: { readonly code: string; readonly msg: string } | null;
}

/** Facts of a document, by kind. */
export interface FactsByKind {
  readonly reserved_domain: {
    readonly name: string;
    readonly isCustom: boolean;
    readonly certificate: string | null;
    readonly managed: ManagedFacts | null;
  };
  readonly reserved_addr: { readonly name: string };
  /** `reservations`: ids of what its names are below. `backend`: null for none, and for a disabled one. */
  readonly edge: {
    readonly kind: 'tls_edge' | 'tcp_edge' | 'https_edge';
    readonly names: readonly string[];
    readonly reservations: readonly string[];
    readonly backend: string | null;
  };
  readonly https_edge_route: {
    readonly edge: string;
    readonly match: string;
    readonly backend: string | null;
  };
  readonly tunnel_group_backend: { readonly labels: ReadonlyMap<string, string> };
  /** `notAfter`: milliseconds since 1970. */
  readonly tls_certificate: { readonly name: string; readonly notAfter: number };
  readonly event_destination: { readonly description: string };
  readonly event_delivery: {
    readonly destination: string;
    readonly attempts: number;
    readonly error: string;
  };
  readonly event_subscription: { readonly sources: number; readonly destinations: number };
  readonly ip_restriction: { readonly type: string; readonly isEnforced: boolean };
  readonly domain_proof: { readonly domain: string; readonly isProven: boolean };
}
export type FactName = keyof FactsByKind;
export type AnyFact = {
  [Name in FactName]: { readonly is: Name; readonly facts: FactsByKind[Name] };
}[FactName];

/** Characters of a text of another party. */
const TEXT = 300;

export function factOf({ parent, ...document }: StoredDocument<OverviewKind>): AnyFact {
  switch (document.kind) {
    case 'reserved_domain': {
      const {
        domain,
        cname_target,
        certificate_id = null,
        certificate_management_policy: managed,
      } = document.body;
      return fact('reserved_domain', {
        ...{ name: domain, isCustom: cname_target !== '', certificate: certificate_id },
        managed: managed == null ? null : managedFacts(managed),
      });
    }
    case 'reserved_addr':
      return fact('reserved_addr', { name: `${document.body.hostname}:${document.body.port}` });
    case 'tls_edge':
    case 'https_edge':
      return fact('edge', {
        kind: document.kind,
        names: document.body.hostports.map(({ hostname }) => hostname),
        reservations: document.body.hostports.map(({ domain_id }) => domain_id),
        backend: document.kind === 'tls_edge' ? enabledBackend(document.body.backend) : null,
      });
    case 'tcp_edge':
      return fact('edge', {
        kind: document.kind,
        names: document.body.hostports.map(({ hostname, port }) => `${hostname}:${port}`),
        reservations: document.body.hostports.map(({ address_id }) => address_id),
        backend: enabledBackend(document.body.backend),
      });
    case 'https_edge_route': {
      const { edge_id: edge, match, backend } = document.body;
      return fact('https_edge_route', { edge, match, backend: enabledBackend(backend) });
    }
    case 'tunnel_group_backend':
      return fact('tunnel_group_backend', { labels: new Map(Object.entries(document.body.labels)) });
    case 'tls_certificate': {
      const { subject_alternative_names: names, subject_common_name: common, not_after: end } = document.body;
      return fact('tls_certificate', { name: names.dns_names[0] ?? common, notAfter: Date.parse(end) });
    }
    case 'event_destination':
      return fact('event_destination', { description: document.body.description });
    case 'event_delivery': {
      const { attempts, last_error: error } = document.body;
      return fact('event_delivery', { destination: parent ?? '', attempts, error: error.slice(0, TEXT) });
    }
    case 'event_subscription': {
      const { sources, destination_ids } = document.body;
      return fact('event_subscription', { sources: sources.length, destinations: destination_ids.length });
    }
    case 'ip_restriction':
      return fact('ip_restriction', { type: document.body.type, isEnforced: document.body.enforced });
    case 'domain_proof':
      return fact('domain_proof', { domain: parent ?? '', isProven: document.body.proven_by !== null });
    default:
      return document satisfies never;
  }
}

function fact<Name extends FactName>(is: Name, facts: FactsByKind[Name]): AnyFact {
  return { is, facts } as AnyFact;
}

function enabledBackend(
  module: { readonly enabled: boolean; readonly backend_id: string } | null,
): string | null {
  return module?.enabled === true ? module.backend_id : null;
}

function managedFacts({ renews_at, job }: ManagedDocument): ManagedFacts {
  const failure = job?.failure ?? null;
  return {
    renewsAt: renews_at,
    failure: failure && { code: failure.error_code, msg: failure.msg.slice(0, TEXT) },
  };
}

type ManagedDocument = NonNullable<
  StoredDocument<'reserved_domain'>['body']['certificate_management_policy']
>;
