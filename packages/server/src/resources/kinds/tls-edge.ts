/** TLS edges: reserved domains, bound to a backend through modules (specification, sections 2.5 and 4.3). */
import { Type } from '../../core/type.ts';
import type { TlsEdgeDocument } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import type { StoredKind } from '../definition.ts';
import { domainHostportsField, domainReference, resolveDomains } from '../domain-hostports.ts';
import {
  formatHostport,
  hostportClaims,
  hostportPlaces,
  hostportTaken,
  withEndpoints,
} from '../hostports.ts';
import { backendModule, backendReference } from '../modules/backend.ts';
import { ipPolicyReference, ipRestrictionModule } from '../modules/ip-restriction.ts';
import { ModuleSet } from '../modules/module-set.ts';
import { certificateAuthorityReference, mutualTlsModule } from '../modules/mutual-tls.ts';
import { terminatesTls, tlsTerminationModule } from '../modules/tls-termination.ts';
import { body, common, describedWrite, type Input } from '../schema.ts';

const modules = new ModuleSet(backendModule, ipRestrictionModule, mutualTlsModule, tlsTerminationModule);

const write = body(
  {
    ...describedWrite('edgeDescriptionTooLong', 'edgeMetadataTooLong'),
    hostports: domainHostportsField,
    ...modules.write,
  },
  {
    examples: [
      { description: 'The web shop', tls_termination: { terminate_at: 'edge', min_version: '1.2' } },
    ],
  },
);

type Fields = Input<typeof write>;

export const tlsEdge: StoredKind<TlsEdgeDocument, Fields, Fields> = {
  source: 'stored',
  name: 'tls_edge',
  eventStem: null,
  prefix: 'edgtls',
  path: '/edges/tls',
  listKey: 'tls_edges',
  schemaName: 'TLSEdge',
  summary: 'TLS edges',
  description:
    'Serves TLS connections on reserved domains: the edge ends TLS, or passes it through to the backend.',
  group: 'Edges',
  one: 'a TLS edge',
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
    ...modules.read,
  }),
  modules: modules.list,
  references: [backendReference, ipPolicyReference, certificateAuthorityReference, domainReference],

  async parse(input, context) {
    const { description = '', metadata = '' } = input;
    const hostports = await resolveDomains(input.hostports ?? [], [], context, 'hostportIsAddressForTls');
    const configured = await modules.configure(input, null, context);
    return withEndpoints<TlsEdgeDocument>({ description, metadata, hostports, ...configured });
  },

  async merge({ body: current }, patch, context) {
    const { description = current.description, metadata = current.metadata } = patch;
    const hostports =
      patch.hostports === undefined
        ? current.hostports
        : await resolveDomains(patch.hostports, current.hostports, context, 'hostportIsAddressForTls');
    const configured = await modules.configure(patch, current, context);
    return withEndpoints<TlsEdgeDocument>({ ...current, description, metadata, hostports, ...configured });
  },

  check({ mutual_tls, tls_termination }) {
    if (mutual_tls?.enabled === true && !terminatesTls(tls_termination)) {
      throw new Problem('tlsNotTerminated', { module: 'mutual_tls' }, { field: '/mutual_tls' });
    }
  },

  claims: hostportClaims,
  places: (body) => hostportPlaces(body, ({ hostname }) => hostname),
  taken: hostportTaken,

  show(document, context) {
    return {
      hostports: document.body.hostports.map(formatHostport),
      ...modules.show(document, context),
    };
  },
};
