/** Sessions of connected agents, and the actions of their agents (open points, part B 1.21). */
import { formatTime } from '../../core/time-text.ts';
import { Type } from '../../core/type.ts';
import { Problem } from '../../errors/problem.ts';
import type { LiveSession, SessionRequest } from '../../online/online.ts';
import type { LiveAction, LiveKind, ShowContext } from '../definition.ts';
import { common, refTo, timestamp } from '../schema.ts';

export const tunnelSession: LiveKind = {
  source: 'live',
  name: 'tunnel_session',
  prefix: 'ts',
  path: '/tunnel_sessions',
  listKey: 'tunnel_sessions',
  schemaName: 'TunnelSession',
  summary: 'Sessions of agents that are connected',
  description: 'The connected agents, and actions on them.',
  group: 'Online now',
  one: 'a session of an agent',
  operations: ['list', 'get'],
  read: Type.Object({
    agent_version: Type.String({ description: 'The version of the agent.' }),
    credential: refTo('What the agent proved itself with.'),
    id: common.id,
    ip: Type.String({ description: 'The address that the agent connected from.' }),
    metadata: Type.String({ description: 'Metadata of the agent, for machines.' }),
    os: Type.String({ description: 'The operating system of the agent.' }),
    region: Type.String({ description: 'Where the agent is connected.' }),
    started_at: timestamp('When the agent connected.'),
    transport: Type.String({ description: 'The protocol of the session.' }),
    uri: common.uri,
  }),
  modules: [],
  actions: [
    action('restart', 'Have the agent start anew: it comes back with a new session and the same tunnels'),
    action('stop', 'Have the agent end'),
    action('update', 'Have the agent update itself to the newest version of its major one, and start anew'),
  ],

  entries(context) {
    return Array.from(context.online.sessions(context.account), (one) => entry(one, context));
  },

  find(id, context) {
    const session = find(id, context);
    return session === null ? null : entry(session, context);
  },
};

function find(id: string, { online, account }: ShowContext): LiveSession | null {
  for (const one of online.sessions(account)) if (one.id === id) return one;
  return null;
}

function action(name: SessionRequest, summary: string): LiveAction {
  return {
    name,
    summary,
    async run(id, context) {
      const session = find(id, context);
      if (session === null) throw new Problem('resourceNotFound');
      await session.ask(name);
    },
  };
}

function entry(live: LiveSession, { ref }: ShowContext) {
  const { id, uri } = ref(live.id);
  return {
    id: live.id,
    show: () => ({
      agent_version: live.agentVersion,
      credential: ref(live.credential),
      id,
      ip: live.ip,
      metadata: live.metadata,
      os: live.os,
      region: live.region,
      started_at: formatTime(live.startedAt),
      transport: live.transport,
      uri,
    }),
  };
}
