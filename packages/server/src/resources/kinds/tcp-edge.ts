/** TCP edges: reserved addresses, bound to a backend through modules (specification, section 2.7; open points, part B 1.10). */
import { tcpPort } from '../../core/names/bind-target.ts';
import { Type } from '../../core/type.ts';
import type { TcpEdgeDocument } from '../../documents/index.ts';
import {
  addressHostportsField,
  addressReference,
  requireOneRegion,
  resolveAddresses,
} from '../address-hostports.ts';
import type { StoredKind } from '../definition.ts';
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
import { body, common, describedWrite, type Input } from '../schema.ts';

const modules = new ModuleSet(backendModule, ipRestrictionModule);

const write = body(
  {
    ...describedWrite('edgeDescriptionTooLong', 'edgeMetadataTooLong'),
    hostports: addressHostportsField,
    ...modules.write,
  },
  { examples: [{ description: 'The database' }] },
);

type Fields = Input<typeof write>;

export const tcpEdge: StoredKind<TcpEdgeDocument, Fields, Fields> = {
  source: 'stored',
  name: 'tcp_edge',
  eventStem: null,
  prefix: 'edgtcp',
  path: '/edges/tcp',
  listKey: 'tcp_edges',
  schemaName: 'TCPEdge',
  summary: 'TCP edges',
  description:
    'Serves TCP connections on reserved addresses. With an HTTP response backend, connections of visitors are closed.',
  group: 'Edges',
  one: 'a TCP edge',
  operations: ['create', 'list', 'get', 'update', 'delete'],
  create: write,
  update: write,
  read: Type.Object({
    ...common,
    hostports: Type.Array(Type.String()),
    ...modules.read,
  }),
  modules: modules.list,
  references: [backendReference, ipPolicyReference, addressReference],

  async parse(input, context) {
    const { description = '', metadata = '' } = input;
    const hostports = await resolveAddresses(input.hostports ?? [], [], context);
    const configured = await modules.configure(input, null, context);
    return withEndpoints<TcpEdgeDocument>({ description, metadata, hostports, ...configured });
  },

  async merge({ body: current }, patch, context) {
    const { description = current.description, metadata = current.metadata } = patch;
    const hostports =
      patch.hostports === undefined
        ? current.hostports
        : await resolveAddresses(patch.hostports, current.hostports, context);
    const configured = await modules.configure(patch, current, context);
    return withEndpoints<TcpEdgeDocument>({ ...current, description, metadata, hostports, ...configured });
  },

  check: requireOneRegion,
  claims: hostportClaims,
  places: (body) => hostportPlaces(body, ({ port }) => tcpPort(port)),
  taken: hostportTaken,

  show(document, context) {
    const hostports = document.body.hostports.map(formatHostport);
    return { hostports, ...modules.show(document, context) };
  },
};
