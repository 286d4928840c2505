/** TLS edges: reserved domains, bound to a backend through modules (specification, sections 2.5 and 4.3). */
import Type from 'typebox';
import { Problem } from '../../errors/problem.ts';
import type { Draft, StoredKind } from '../definition.ts';
import type { TlsEdgeDocument } from '../documents.ts';
import { assignEndpoints, formatHostport, hostportClaim, resolveHostports } from '../hostports.ts';
import { backendModule, backendReference } from '../modules/backend.ts';
import { ipPolicyReference, ipRestrictionModule } from '../modules/ip-restriction.ts';
import { certificateAuthorityReference, mutualTlsModule } from '../modules/mutual-tls.ts';
import { terminatesTls, tlsTerminationModule } from '../modules/tls-termination.ts';
import { body, common, describedWrite, type Input, nullable, optional } from '../schema.ts';

const write = body({
  ...describedWrite('edgeDescriptionTooLong', 'edgeMetadataTooLong'),
  hostports: optional(
    Type.Array(Type.String(), {
      maxItems: 100,
      'x-error': 'hostportCount',
      description: 'Reserved domains with port 443 or the port of the base URL, which mean the same.',
    }),
  ),
  backend: optional(backendModule.write),
  ip_restriction: optional(ipRestrictionModule.write),
  mutual_tls: optional(mutualTlsModule.write),
  tls_termination: optional(tlsTerminationModule.write),
});

type Fields = Input<typeof write>;

export const tlsEdge: StoredKind<TlsEdgeDocument, Fields, Fields> = {
  source: 'stored',
  name: 'tls_edge',
  prefix: 'edgtls',
  path: '/edges/tls',
  listKey: 'tls_edges',
  schemaName: 'TLSEdge',
  summary: 'TLS edges',
  operations: ['create', 'list', 'get', 'update', 'delete'],
  create: write,
  update: write,
  read: Type.Object({
    id: common.id,
    description: common.description,
    metadata: common.metadata,
    created_at: common.created_at,
    uri: common.uri,
    hostports: Type.Array(Type.String()),
    backend: nullable(backendModule.read),
    ip_restriction: nullable(ipRestrictionModule.read),
    mutual_tls: nullable(mutualTlsModule.read),
    tls_termination: nullable(tlsTerminationModule.read),
  }),
  modules: [backendModule, ipRestrictionModule, mutualTlsModule, tlsTerminationModule],
  references: [
    backendReference,
    ipPolicyReference,
    certificateAuthorityReference,
    {
      field: 'hostports.*.domain_id',
      prefixes: ['rd'],
      wrongPrefix: 'hostportNotReserved',
      unknown: 'hostportNotReserved',
      binding: true,
    },
  ],

  async parse(input, context) {
    const { description = '', metadata = '' } = input;
    const hostports = await resolveHostports(input.hostports ?? [], [], context);
    return draft({ description, metadata, hostports, ...configure(input, unset) });
  },

  async merge({ body: current }, patch, context) {
    const { description = current.description, metadata = current.metadata } = patch;
    const hostports =
      patch.hostports === undefined
        ? current.hostports
        : await resolveHostports(patch.hostports, current.hostports, context);
    return draft({ description, metadata, hostports, ...configure(patch, current) });
  },

  check({ mutual_tls, tls_termination }) {
    if (mutual_tls?.enabled === true && !terminatesTls(tls_termination)) {
      throw new Problem('tlsNotTerminated', { module: 'mutual_tls' }, { field: '/mutual_tls' });
    }
  },

  /** The endpoint claims let an endpoint be found by its id. */
  claims({ hostports }) {
    return hostports.flatMap((hostport) => [
      hostportClaim(hostport),
      { kind: 'endpoint', value: hostport.endpoint_id },
    ]);
  },

  taken({ value }) {
    return new Problem('hostportTaken', { value }, { field: '/hostports' });
  },

  show({ body: { hostports, backend, ip_restriction, mutual_tls, tls_termination } }, context) {
    return {
      hostports: hostports.map(formatHostport),
      backend: backend && backendModule.show(backend, context),
      ip_restriction: ip_restriction && ipRestrictionModule.show(ip_restriction, context),
      mutual_tls: mutual_tls && mutualTlsModule.show(mutual_tls, context),
      tls_termination: tls_termination && tlsTerminationModule.show(tls_termination),
    };
  },
};

type Modules = Pick<TlsEdgeDocument, 'backend' | 'ip_restriction' | 'mutual_tls' | 'tls_termination'>;

const unset: Modules = { backend: null, ip_restriction: null, mutual_tls: null, tls_termination: null };

/** A module in the request replaces the whole module that stood there; one that is not stays. */
function configure(input: Fields, current: Modules): Modules {
  const { backend, ip_restriction, mutual_tls, tls_termination } = input;
  return {
    backend: backend ? backendModule.parse(backend) : current.backend,
    ip_restriction: ip_restriction
      ? ipRestrictionModule.parse(ip_restriction, '/ip_restriction')
      : current.ip_restriction,
    mutual_tls: mutual_tls ? mutualTlsModule.parse(mutual_tls) : current.mutual_tls,
    tls_termination: tls_termination
      ? tlsTerminationModule.parse(tls_termination, '/tls_termination')
      : current.tls_termination,
  };
}

function draft(body: TlsEdgeDocument): Draft<TlsEdgeDocument> {
  return {
    body,
    complete: (_id, newId) => ({ body: { ...body, hostports: assignEndpoints(body.hostports, newId) } }),
  };
}
