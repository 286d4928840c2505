/** Groups by which documents are found, besides their ids. */

import type { Hostname, HostPattern } from '../../core/names/hostname.ts';
import type { StoredDocument } from '../../documents/index.ts';
import type { BackendKind, SiteDocument } from './site-documents.ts';

/** The kinds of groups, each with the type of what its documents share. */
export interface Groups {
  /** The edge of a hostname at the front door. */
  readonly edgeAt: HostPattern | Hostname;
  /** The TCP edge of a port. */
  readonly edgeOn: number;
  /** The routes of an edge. */
  readonly routesOf: string;
  readonly reservationOf: HostPattern | Hostname;
  /** The proofs of a reservation. */
  readonly proofsOf: string;
  /** The reserved address of a port. */
  readonly addressOn: number;
  /** The IP restrictions of an account. */
  readonly restrictionsOf: string;
}

export type GroupKind = keyof Groups;

export type Group = {
  readonly [Kind in GroupKind]: { readonly kind: Kind; readonly of: Groups[Kind] };
}[GroupKind];

/** Every group that a document belongs to. */
export function groupsOf(document: SiteDocument): readonly Group[] {
  switch (document.kind) {
    case 'tls_edge':
    case 'https_edge':
      return document.body.hostports.map(({ hostname }) => ({ kind: 'edgeAt', of: hostname }));
    case 'tcp_edge':
      return document.body.hostports.map(({ port }) => ({ kind: 'edgeOn', of: port }));
    case 'https_edge_route':
      return [{ kind: 'routesOf', of: document.body.edge_id }];
    case 'reserved_domain':
      return [{ kind: 'reservationOf', of: document.body.domain }];
    case 'domain_proof':
      return document.parent === null ? [] : [{ kind: 'proofsOf', of: document.parent }];
    case 'reserved_addr':
      return [{ kind: 'addressOn', of: document.body.port }];
    case 'ip_restriction':
      return [{ kind: 'restrictionsOf', of: document.account }];
    case 'endpoint_configuration':
    case 'certificate_authority':
      return [];
    default:
      // Backends are found by their ids alone.
      document satisfies StoredDocument<BackendKind>;
      return [];
  }
}
