/** Endpoints: names that are served, by an agent's own tunnel or by an edge (open points, part B 1.6). Read only. */
import Type from 'typebox';
import type { JsonObject, JsonValue, StoredDocument } from '../../store/store.ts';
import type { LiveTunnel } from '../../tunnels/online.ts';
import type { LiveEntry, LiveKind, ShowContext } from '../definition.ts';
import type { AddressHostport, EdgeDocument, EdgeHostport, Hostport, KindName } from '../documents.ts';
import { nearestHolder } from '../domain-owners.ts';
import { formatHostport } from '../hostports.ts';
import { everyDocument } from '../list.ts';
import { formatTime, nullable, Ref } from '../schema.ts';

/** Where a hostport of an edge is served, and what it stands on. */
type Place = Readonly<Record<'region' | 'public_url' | 'proto' | 'domain' | 'tcp_addr', JsonValue>>;
type ShowPlace = (hostport: Hostport, context: ShowContext) => Place;

/** The kinds of edges, whose hostports are endpoints. */
const edgeKinds: ReadonlyMap<string, ShowPlace> = new Map<KindName, ShowPlace>([
  ['tls_edge', atFrontDoor('tls')],
  ['https_edge', atFrontDoor('https')],
  ['tcp_edge', atAddress],
]);

export const endpoint: LiveKind = {
  source: 'live',
  name: 'endpoint',
  prefix: 'ep',
  path: '/endpoints',
  listKey: 'endpoints',
  schemaName: 'Endpoint',
  summary: 'Endpoints that are active',
  one: 'an endpoint that is active',
  operations: ['list', 'get'],
  read: Type.Object({
    id: Type.String(),
    uri: Type.String(),
    region: Type.String(),
    created_at: Type.String(),
    updated_at: Type.String(),
    public_url: Type.String(),
    proto: Type.String(),
    hostport: Type.String(),
    type: Type.String({
      description: '"ephemeral": of an agent\'s own tunnel; "edge": of a hostport of an edge.',
    }),
    metadata: Type.String(),
    domain: nullable(Ref),
    tcp_addr: nullable(Ref),
    tunnel: nullable(Ref),
    edge: nullable(Ref),
  }),
  modules: [],

  async entries(context) {
    const found: LiveEntry[] = [];
    for (const live of context.online.tunnels(context.account)) {
      if (live.endpoint !== undefined) found.push({ id: live.endpoint, show: () => ofTunnel(live, context) });
    }
    for (const kind of edgeKinds.keys()) {
      for await (const edge of everyDocument(context.store, context.account, kind)) {
        for (const hostport of (edge.body as EdgeDocument<Hostport>).hostports) {
          found.push({ id: hostport.endpoint_id, show: () => ofEdge(edge, hostport, context) });
        }
      }
    }
    return found;
  },

  async find(id, context) {
    for (const live of context.online.tunnels(context.account)) {
      if (live.endpoint === id) return { id, show: () => ofTunnel(live, context) };
    }
    const holder = await context.store.findName({ kind: 'endpoint', value: id });
    const edge = holder === null ? null : await context.store.get(holder.id);
    if (edge === null || edge.account !== context.account) return null;
    const hostport = (edge.body as EdgeDocument<Hostport>).hostports.find((one) => one.endpoint_id === id);
    return hostport === undefined ? null : { id, show: () => ofEdge(edge, hostport, context) };
  },
};

async function ofTunnel(live: LiveTunnel, { ref, store, account }: ShowContext): Promise<JsonObject> {
  const { id, endpoint: endpointId, hostname, publicUrl, proto } = live;
  if (endpointId === undefined || hostname === undefined || publicUrl === undefined || proto === undefined) {
    throw new Error(`the tunnel ${id} has an endpoint but no name`);
  }
  const domain = await nearestHolder(store, hostname);
  const port = /:(\d+)$/.exec(publicUrl)?.[1] ?? (proto === 'http' ? '80' : '443');
  return {
    ...ref(endpointId),
    region: live.region,
    created_at: formatTime(live.startedAt),
    updated_at: formatTime(live.startedAt),
    public_url: publicUrl,
    proto,
    hostport: `${hostname}:${port}`,
    type: 'ephemeral',
    metadata: live.metadata,
    domain: domain?.account === account ? ref(domain.id) : null,
    tcp_addr: null,
    tunnel: ref(id),
    edge: null,
  };
}

function ofEdge(edge: StoredDocument, hostport: Hostport, context: ShowContext): JsonObject {
  const { region, public_url, proto, domain, tcp_addr } = edgeKinds.get(edge.kind)!(hostport, context);
  return {
    ...context.ref(hostport.endpoint_id),
    region,
    created_at: hostport.created_at,
    updated_at: hostport.created_at,
    public_url,
    proto,
    hostport: formatHostport(hostport),
    type: 'edge',
    metadata: (edge.body as EdgeDocument<Hostport>).metadata,
    domain,
    tcp_addr,
    tunnel: null,
    edge: context.ref(edge.id),
  };
}

function atFrontDoor(proto: string): ShowPlace {
  return (hostport, { ref, settings: { region, publicPort } }) => ({
    region,
    public_url: `${proto}://${hostport.hostname}${publicPort === 443 ? '' : `:${publicPort}`}`,
    proto,
    domain: ref((hostport as EdgeHostport).domain_id),
    tcp_addr: null,
  });
}

function atAddress(hostport: Hostport, { ref }: ShowContext): Place {
  const { region, address_id } = hostport as AddressHostport;
  return {
    region,
    public_url: `tcp://${formatHostport(hostport)}`,
    proto: 'tcp',
    domain: null,
    tcp_addr: ref(address_id),
  };
}
