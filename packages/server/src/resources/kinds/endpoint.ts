/** Endpoints: names that are served, by an agent's own tunnel or by an edge (open points, part B 1.6). Read only. */
import Type from 'typebox';
import type { JsonObject, StoredDocument } from '../../store/store.ts';
import type { LiveTunnel } from '../../tunnels/online.ts';
import type { LiveEntry, LiveKind, ShowContext } from '../definition.ts';
import type { EdgeHostport, TlsEdgeDocument } from '../documents.ts';
import { nearestHolder } from '../domain-owners.ts';
import { formatHostport } from '../hostports.ts';
import { everyDocument } from '../list.ts';
import { formatTime, nullable, Ref } from '../schema.ts';

export const endpoint: LiveKind = {
  source: 'live',
  name: 'endpoint',
  prefix: 'ep',
  path: '/endpoints',
  listKey: 'endpoints',
  schemaName: 'Endpoint',
  summary: 'Endpoints that are active',
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
    for await (const edge of everyDocument(context.store, context.account, 'tls_edge')) {
      for (const hostport of (edge.body as TlsEdgeDocument).hostports) {
        found.push({ id: hostport.endpoint_id, show: () => ofEdge(edge, hostport, context) });
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
    const hostport = (edge.body as TlsEdgeDocument).hostports.find((one) => one.endpoint_id === id);
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

function ofEdge(edge: StoredDocument, hostport: EdgeHostport, { ref, settings }: ShowContext): JsonObject {
  const { region, publicPort } = settings;
  return {
    ...ref(hostport.endpoint_id),
    region,
    created_at: hostport.created_at,
    updated_at: hostport.created_at,
    public_url: `tls://${hostport.hostname}${publicPort === 443 ? '' : `:${publicPort}`}`,
    proto: 'tls',
    hostport: formatHostport(hostport),
    type: 'edge',
    metadata: (edge.body as TlsEdgeDocument).metadata,
    domain: ref(hostport.domain_id),
    tcp_addr: null,
    tunnel: null,
    edge: ref(edge.id),
  };
}
