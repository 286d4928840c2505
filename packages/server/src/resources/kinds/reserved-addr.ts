/** Reserved addresses (specification, sections 2.14 and 4.7): a host and a port that TCP edges are bound to. */

import { tcpPort } from '../../core/names/bind-target.ts';
import { defaultRegion, regions } from '../../core/names/region.ts';
import { Type } from '../../core/type.ts';
import type { ReservedAddrDocument } from '../../documents/index.ts';
import { hostportClaim, portClaim } from '../../documents/name-claims.ts';
import { Problem } from '../../errors/problem.ts';
import type { StoredKind } from '../definition.ts';
import {
  attach,
  configurationId,
  configurationReferences,
  isConfigured,
  onAddresses,
} from '../endpoint-configurations.ts';
import { formatHostport } from '../hostports.ts';
import {
  body,
  choice,
  common,
  describedWrite,
  type Input,
  immutable,
  nullable,
  optional,
  refTo,
} from '../schema.ts';
import { drawAddress } from '../tcp-addresses.ts';

const described = describedWrite('addressDescriptionTooLong', 'addressMetadataTooLong');

const regionText = 'The region that serves it.';
const create = body(
  {
    ...described,
    region: optional(choice(regions, 'addressRegionInvalid', regionText, { default: defaultRegion })),
  },
  { examples: [{ description: 'The database' }] },
);

const update = body(
  {
    ...described,
    region: optional(immutable(choice(regions, 'addressRegionInvalid', regionText))),
    endpoint_configuration_id: configurationId('The endpoint configuration, of type tcp. "" detaches it.'),
  },
  { examples: [{ description: 'The old database' }] },
);

type Create = Input<typeof create>;
type Update = Input<typeof update>;

export const reservedAddr: StoredKind<ReservedAddrDocument, Create, Update> = {
  source: 'stored',
  name: 'reserved_addr',
  eventStem: 'tcp_address',
  prefix: 'ra',
  path: '/reserved_addrs',
  listKey: 'reserved_addrs',
  schemaName: 'ReservedAddr',
  summary: 'Reserved addresses',
  description: 'A host and port that belong to the account, for TCP.',
  group: 'Names and addresses',
  one: 'a reserved address',
  operations: ['create', 'list', 'get', 'update', 'delete'],
  create,
  update,
  read: Type.Object({
    ...common,
    addr: Type.String({
      description:
        'The address: host:port, assigned at creation; the host contains the region unless it is us.',
    }),
    region: Type.String(),
    endpoint_configuration: nullable(refTo('The endpoint configuration.')),
  }),
  modules: [],
  detachments: [
    {
      name: 'endpoint_configuration',
      field: 'endpoint_configuration_id',
      summary: 'Endpoint configuration of a reserved address',
    },
  ],
  references: configurationReferences(onAddresses),
  inUse: 'addressInUse',

  async parse({ description = '', metadata = '', region = defaultRegion }, context) {
    const address = await drawAddress(region, context);
    return { body: { description, metadata, region, ...address, endpoint_configuration_id: null } };
  },

  async merge(document, patch, context) {
    const { body: current } = document;
    const { description = current.description, metadata = current.metadata, region = current.region } = patch;
    if (region !== current.region) {
      const values = { current: current.region, value: region };
      throw new Problem('addressRegionFixed', values, { field: '/region' });
    }
    const attached = await attach(onAddresses, document, patch, context);
    return { body: { ...current, description, metadata, ...attached } };
  },

  /** A configured address claims the hostport as an edge does, so that at most one of them decides about visitors. */
  claims(body) {
    const port = portClaim(body.port);
    return isConfigured(onAddresses, body) ? [port, hostportClaim(body)] : [port];
  },

  /** Another port is drawn when an agent has bound this one meanwhile. */
  places: ({ port }) => [{ name: tcpPort(port), includesOwn: true, occupied: () => null }],

  /** The port was drawn at random, so another one serves as well. */
  taken({ kind, value }) {
    if (kind !== 'hostport') return null;
    const field = '/endpoint_configuration_id';
    return new Problem('addressOnEdge', { id: value, by: 'an edge' }, { field });
  },

  show({ body: { hostname, port, region, endpoint_configuration_id: id } }, { ref }) {
    return { addr: formatHostport({ hostname, port }), region, endpoint_configuration: id && ref(id) };
  },
};
