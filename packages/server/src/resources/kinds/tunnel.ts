/** Tunnels that are online (specification, section 2.18; open points, part B 1.22). Read only. */
import { formatTime } from '../../core/time-text.ts';
import { Type } from '../../core/type.ts';
import type { TunnelFacts } from '../../online/tunnel-facts.ts';
import type { JsonObject } from '../../store/store.ts';
import type { LiveKind, ShowContext } from '../definition.ts';
import { everyDocument } from '../list.ts';
import { common, Ref, refTo, timestamp } from '../schema.ts';

export const tunnel: LiveKind = {
  source: 'live',
  name: 'tunnel',
  prefix: 'tn',
  path: '/tunnels',
  listKey: 'tunnels',
  schemaName: 'Tunnel',
  summary: 'Tunnels that are online',
  description: 'Tunnels that agents serve at this moment.',
  group: 'Online now',
  one: 'a tunnel that is online',
  operations: ['list', 'get'],
  read: Type.Object({
    id: common.id,
    public_url: Type.Optional(
      Type.String({
        description: 'Its URL for visitors. Absent for labelled tunnels, as are proto and endpoint.',
      }),
    ),
    started_at: timestamp('Time of its start by the agent.'),
    metadata: Type.String({ description: 'Metadata of the agent, for machines.' }),
    proto: Type.Optional(Type.String({ description: 'The protocol for visitors: http, https, tcp or tls.' })),
    region: Type.String({ description: 'The region that serves it.' }),
    node: Type.String({
      description: 'The name of the daemon that the agent is connected to; "" if it has none.',
    }),
    tunnel_session: refTo('The session of the agent.'),
    endpoint: Type.Optional(refTo('The endpoint that it serves.')),
    labels: Type.Record(Type.String(), Type.String(), {
      description: 'Labels by which tunnel group backends find it; empty for one with a URL of its own.',
    }),
    backends: Type.Array(Ref, { description: 'Tunnel group backends that a labelled tunnel belongs to.' }),
    forwards_to: Type.String({ description: 'The address that the agent forwards to.' }),
  }),
  modules: [],

  entries(context) {
    const groups = groupsOnce(context);
    return Array.from(context.online.tunnels(context.account), (one) => entry(one, context, groups));
  },

  find(id, context) {
    for (const one of context.online.tunnels(context.account)) {
      if (one.id === id) return entry(one, context, groupsOnce(context));
    }
    return null;
  },
};

interface Group {
  readonly id: string;
  readonly labels: readonly (readonly [string, string])[];
}

function entry(facts: TunnelFacts, context: ShowContext, groups: () => Promise<readonly Group[]>) {
  return { id: facts.id, show: () => show(facts, context, groups) };
}

async function show(
  facts: TunnelFacts,
  { ref }: ShowContext,
  groups: () => Promise<readonly Group[]>,
): Promise<JsonObject> {
  const { endpoint, labels } = facts;
  const backends = endpoint === null ? (await groups()).filter((group) => belongs(labels, group)) : [];
  return {
    id: facts.id,
    ...(endpoint === null ? {} : { public_url: endpoint.url }),
    started_at: formatTime(new Date(facts.startedAt)),
    metadata: facts.metadata,
    ...(endpoint === null ? {} : { proto: endpoint.proto }),
    region: facts.region,
    node: facts.node,
    tunnel_session: ref(facts.session),
    ...(endpoint === null ? {} : { endpoint: ref(endpoint.id) }),
    labels: labels,
    backends: backends.map((group) => ref(group.id)),
    forwards_to: facts.forwardsTo,
  };
}

function belongs(labels: TunnelFacts['labels'], group: Group): boolean {
  return group.labels.every(([key, value]) => labels[key] === value);
}

/** The account's tunnel groups, read at most once for an answer, and not at all when no tunnel has labels. */
function groupsOnce({ store, account }: ShowContext): () => Promise<readonly Group[]> {
  let read: Promise<readonly Group[]> | undefined;
  return () => {
    read ??= readGroups(store, account);
    return read;
  };
}

async function readGroups(store: ShowContext['store'], account: string): Promise<readonly Group[]> {
  const groups: Group[] = [];
  for await (const { id, body } of everyDocument(store, account, 'tunnel_group_backend')) {
    groups.push({ id, labels: Object.entries(body.labels) });
  }
  return groups;
}
