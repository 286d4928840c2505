/** Sessions of connected agents, and the actions of their agents (open points, part B 1.21). */
import { formatTime } from '../../core/time-text.ts';
import { Type } from '../../core/type.ts';
import { Problem } from '../../errors/problem.ts';
import type { SessionFacts, SessionRequest } from '../../online/session.ts';
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
    credential: refTo('The credential of the agent.'),
    id: common.id,
    ip: Type.String({ description: 'The address that the agent connected from.' }),
    metadata: Type.String({ description: 'Metadata of the agent, for machines.' }),
    node: Type.String({
      description: 'The name of the daemon that the agent is connected to; "" if it has none.',
    }),
    os: Type.String({ description: 'The operating system of the agent.' }),
    region: Type.String({ description: "The region of the agent's connection." }),
    started_at: timestamp("Time of the agent's connection."),
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
    const session = context.online.session(id, context.account);
    return session === undefined ? null : entry(session.facts, context);
  },
};

function action(name: SessionRequest, summary: string): LiveAction {
  return {
    name,
    summary,
    async run(id, { online, account }) {
      const session = online.session(id, account);
      if (session === undefined) throw new Problem('resourceNotFound');
      await session.ask(name);
    },
  };
}

function entry(facts: SessionFacts, { ref }: ShowContext) {
  const { id, uri } = ref(facts.id);
  return {
    id,
    show: () => ({
      agent_version: facts.agentVersion,
      credential: ref(facts.credential),
      id,
      ip: facts.ip,
      metadata: facts.metadata,
      node: facts.node,
      os: facts.os,
      region: facts.region,
      started_at: formatTime(new Date(facts.startedAt)),
      transport: facts.transport,
      uri,
    }),
  };
}
