/** Groups by which documents are found, besides their ids. */

import { remembered } from '../../core/limits/remembered.ts';
import type { Hostname, HostPattern } from '../../core/names/hostname.ts';
import type { StoredDocument } from '../../documents/index.ts';
import type { BackendKind, SiteDocument } from './site-documents.ts';

declare const brand: unique symbol;
export type Group = string & { readonly [brand]: 'Group' };

export const groups = {
  /** The edge of a hostname at the front door. */
  edgeAt: remembered((name: HostPattern | Hostname) => `edge at ${name}` as Group),
  /** The TCP edge of a port. */
  edgeOn: (port: number) => `edge on ${port}` as Group,
  routesOf: (edge: string) => `routes of ${edge}` as Group,
  reservationOf: remembered((name: HostPattern | Hostname) => `reservation of ${name}` as Group),
  /** The proofs of a reservation. */
  proofsOf: (reservation: string) => `proofs of ${reservation}` as Group,
  addressOn: (port: number) => `address on ${port}` as Group,
  restrictionsOf: (account: string) => `restrictions of ${account}` as Group,
} as const;

/** The port that a group is the TCP edge of; null for any other group. */
export function edgePort(key: string): number | null {
  return key.startsWith('edge on ') ? Number(key.slice('edge on '.length)) : null;
}

/** Returns true if a change in the group may change the site of a name or port. */
export function namesSites(key: string): boolean {
  return /^(?:edge (?:at|on)|reservation of|proofs of|address on) /.test(key);
}

/** Every group that a document belongs to. */
export function groupsOf(document: SiteDocument): readonly Group[] {
  switch (document.kind) {
    case 'tls_edge':
    case 'https_edge':
      return document.body.hostports.map(({ hostname }) => groups.edgeAt(hostname));
    case 'tcp_edge':
      return document.body.hostports.map(({ port }) => groups.edgeOn(port));
    case 'https_edge_route':
      return [groups.routesOf(document.body.edge_id)];
    case 'reserved_domain':
      return [groups.reservationOf(document.body.domain)];
    case 'domain_proof':
      return document.parent === null ? [] : [groups.proofsOf(document.parent)];
    case 'reserved_addr':
      return [groups.addressOn(document.body.port)];
    case 'ip_restriction':
      return [groups.restrictionsOf(document.account)];
    case 'endpoint_configuration':
    case 'certificate_authority':
      return [];
    default:
      // Backends are found by their ids alone.
      document satisfies StoredDocument<BackendKind>;
      return [];
  }
}
