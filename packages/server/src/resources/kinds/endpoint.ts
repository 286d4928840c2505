/** Endpoints: names that are served, by an agent's own tunnel or by an edge (open points, part B 1.6). Read only. */
import { formatTime } from '../../core/time-text.ts';
import { Type } from '../../core/type.ts';
import type { AddressHostport, EdgeHostport, Hostport, StoredDocument } from '../../documents/index.ts';
import { portClaim } from '../../documents/name-claims.ts';
import type { EndpointFacts, TunnelFacts } from '../../online/tunnel-facts.ts';
import type { JsonObject } from '../../store/store.ts';
import type { LiveEntry, LiveKind, ShowContext, Ref as ShownRef } from '../definition.ts';
import { nearestHolder } from '../domain-owners.ts';
import { formatHostport } from '../hostports.ts';
import { everyDocument } from '../list.ts';
import { common, nullable, refTo, timestamp } from '../schema.ts';

/** Public address of a hostport of an edge, and the resource that it depends on. */
interface Location extends Address {
  readonly region: string;
  readonly domain: ShownRef | null;
  readonly tcp_addr: ShownRef | null;
}

/** The kinds of edges, whose hostports are endpoints. */
const edgeKinds = ['tls_edge', 'https_edge', 'tcp_edge'] as const;
type Edge = StoredDocument<(typeof edgeKinds)[number]>;

const read = Type.Object({
  id: common.id,
  uri: common.uri,
  region: Type.String({ description: 'The region that serves it.' }),
  node: Type.String({
    description: 'The name of the daemon that the agent is connected to; "" if it has none, and for an edge.',
  }),
  created_at: timestamp('Start of its service.'),
  updated_at: timestamp('The same as created_at.'),
  public_url: Type.String({ description: 'Its URL for visitors.' }),
  url: Type.String({ description: 'The same as public_url.' }),
  proto: Type.String({ description: 'The protocol for visitors: http, https, tls or tcp.' }),
  scheme: Type.String({ description: 'The same as proto.' }),
  hostport: Type.String({ description: 'The host and port of public_url.' }),
  host: Type.String({ description: 'The host of public_url.' }),
  port: Type.Integer({ description: 'The port of public_url.' }),
  type: Type.String({
    description: '"ephemeral": of an agent\'s own tunnel; "edge": of a hostport of an edge.',
  }),
  name: Type.String({ description: 'Its name in the agent; "" for none.' }),
  description: Type.String({ description: 'The text of the agent, or of the edge.' }),
  metadata: Type.String({ description: 'The text of the agent, or of the edge.' }),
  bindings: Type.Array(Type.String(), { description: 'Always "public": who may reach it.' }),
  pooling_enabled: Type.Boolean({
    description: 'True if other tunnels of the account with pooling may share the name; false for an edge.',
  }),
  traffic_policy: Type.String({ description: 'Always "": there are no traffic policies.' }),
  upstream_url: Type.String({ description: 'The address that the agent forwards to; "" for an edge.' }),
  upstream_protocol: Type.String({
    description: 'The protocol for the service behind the agent; "" for an edge.',
  }),
  principal: nullable(refTo("The owner of the agent's credential.")),
  domain: nullable(refTo('The reserved domain that it is on.')),
  tcp_addr: nullable(refTo('The reserved address that it is on.')),
  tunnel: nullable(refTo('The tunnel that serves it.')),
  tunnel_session: nullable(refTo('The session of the agent that serves it.')),
  edge: nullable(refTo('The edge that serves it.')),
});

const fields = Object.keys(read.properties);

export const endpoint: LiveKind = {
  source: 'live',
  name: 'endpoint',
  prefix: 'ep',
  path: '/endpoints',
  listKey: 'endpoints',
  schemaName: 'Endpoint',
  summary: 'Endpoints that are active',
  description:
    'The public names and addresses of online tunnels and of edges. An edge is listed even if its backend cannot serve: the access log has the reason for each visitor.',
  group: 'Online now',
  one: 'an endpoint that is active',
  operations: ['list', 'get'],
  read,
  modules: [],

  async entries(context) {
    const found: LiveEntry[] = [];
    for (const facts of context.online.tunnels(context.account)) {
      if (hasEndpoint(facts)) found.push({ id: facts.endpoint.id, show: () => ofTunnel(facts, context) });
    }
    for (const kind of edgeKinds) {
      for await (const edge of everyDocument(context.store, context.account, kind))
        found.push(...entriesOf(edge, context));
    }
    return found;
  },

  async find(id, context) {
    for (const facts of context.online.tunnels(context.account)) {
      if (hasEndpoint(facts) && facts.endpoint.id === id) return { id, show: () => ofTunnel(facts, context) };
    }
    const holder = await context.store.findName({ kind: 'endpoint', value: id });
    const edge = holder === null ? null : await context.store.get(holder.id);
    if (edge === null || edge.account !== context.account || !isEdge(edge)) return null;
    return entriesOf(edge, context).find((entry) => entry.id === id) ?? null;
  },
};

/** Fields with the same value for every endpoint. */
const always = { bindings: ['public'], traffic_policy: '' };

interface Served extends TunnelFacts {
  readonly endpoint: EndpointFacts;
}

function hasEndpoint(facts: TunnelFacts): facts is Served {
  return facts.endpoint !== null;
}

async function ofTunnel(facts: Served, { ref, store, account }: ShowContext): Promise<JsonObject> {
  const { endpoint } = facts;
  const { hostname, url, proto } = endpoint;
  const port = Number(/:(\d+)$/.exec(url)?.[1] ?? (proto === 'http' ? 80 : 443));
  const [domain, address, credential] = await Promise.all([
    endpoint.port === null ? nearestHolder(store, hostname) : null,
    endpoint.port === null ? null : store.findName(portClaim(endpoint.port)),
    store.get(facts.credential),
  ]);
  const startedAt = formatTime(new Date(facts.startedAt));
  return inOrder({
    ...ref(endpoint.id),
    ...always,
    ...addressOf(proto, hostname, port, url),
    region: facts.region,
    node: facts.node,
    created_at: startedAt,
    updated_at: startedAt,
    hostport: `${hostname}:${port}`,
    type: 'ephemeral',
    pooling_enabled: facts.isPooled,
    name: endpoint.name,
    description: endpoint.description,
    metadata: facts.metadata,
    upstream_url: facts.forwardsTo,
    upstream_protocol: proto === 'http' || proto === 'https' ? 'http1' : proto,
    // A credential that was deleted a moment ago takes its tunnels along.
    principal: credential?.kind === 'credential' ? ref(credential.body.owner_id) : null,
    domain: domain?.account === account ? ref(domain.id) : null,
    tcp_addr: address?.account === account ? ref(address.id) : null,
    tunnel: ref(facts.id),
    tunnel_session: ref(facts.session),
    edge: null,
  });
}

function isEdge(document: StoredDocument): document is Edge {
  return edgeKinds.some((kind) => kind === document.kind);
}

/** One for each hostport. */
function entriesOf(edge: Edge, context: ShowContext): readonly LiveEntry[] {
  const entry = (hostport: Hostport, place: () => Location): LiveEntry => ({
    id: hostport.endpoint_id,
    show: () => ofEdge(edge, hostport, place(), context),
  });
  switch (edge.kind) {
    case 'tls_edge':
      return edge.body.hostports.map((one) => entry(one, () => atFrontDoor('tls', one, context)));
    case 'https_edge':
      return edge.body.hostports.map((one) => entry(one, () => atFrontDoor('https', one, context)));
    case 'tcp_edge':
      return edge.body.hostports.map((one) => entry(one, () => atAddress(one, context)));
  }
}

function ofEdge(edge: Edge, hostport: Hostport, place: Location, context: ShowContext): JsonObject {
  const { description, metadata } = edge.body;
  return inOrder({
    ...context.ref(hostport.endpoint_id),
    ...always,
    ...place,
    created_at: hostport.created_at,
    updated_at: hostport.created_at,
    hostport: formatHostport(hostport),
    type: 'edge',
    pooling_enabled: false,
    name: '',
    description,
    metadata,
    upstream_url: '',
    upstream_protocol: '',
    node: '',
    principal: null,
    tunnel: null,
    tunnel_session: null,
    edge: context.ref(edge.id),
  });
}

/** Returns the fields in the order of the document. */
function inOrder(shown: JsonObject): JsonObject {
  return Object.fromEntries(fields.map((name) => [name, shown[name] ?? null]));
}

/** Address of visitors, in the forms for clients. */
interface Address {
  readonly public_url: string;
  readonly url: string;
  readonly proto: string;
  readonly scheme: string;
  readonly host: string;
  readonly port: number;
}

function addressOf(proto: string, host: string, port: number, url: string): Address {
  return { public_url: url, url, proto, scheme: proto, host, port };
}

function atFrontDoor(
  proto: 'tls' | 'https',
  { hostname, domain_id }: EdgeHostport,
  { ref, settings: { region, publicPort } }: ShowContext,
): Location {
  const url = `${proto}://${hostname}${publicPort === 443 ? '' : `:${publicPort}`}`;
  return { ...addressOf(proto, hostname, publicPort, url), region, domain: ref(domain_id), tcp_addr: null };
}

function atAddress(hostport: AddressHostport, { ref }: ShowContext): Location {
  const { hostname, port, region, address_id } = hostport;
  return {
    ...addressOf('tcp', hostname, port, `tcp://${formatHostport(hostport)}`),
    region,
    domain: null,
    tcp_addr: ref(address_id),
  };
}
