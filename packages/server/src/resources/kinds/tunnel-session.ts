/** Sessions of agents that are connected (open points, part B 1.21). Read only. */
import Type from 'typebox';
import type { LiveSession } from '../../tunnels/online.ts';
import type { LiveKind, ShowContext } from '../definition.ts';
import { formatTime, Ref } from '../schema.ts';

export const tunnelSession: LiveKind = {
  source: 'live',
  name: 'tunnel_session',
  prefix: 'ts',
  path: '/tunnel_sessions',
  listKey: 'tunnel_sessions',
  schemaName: 'TunnelSession',
  summary: 'Sessions of agents that are connected',
  operations: ['list', 'get'],
  read: Type.Object({
    agent_version: Type.String(),
    credential: Ref,
    id: Type.String(),
    ip: Type.String({ description: 'The address that the agent connected from.' }),
    metadata: Type.String(),
    os: Type.String(),
    region: Type.String(),
    started_at: Type.String(),
    transport: Type.String(),
    uri: Type.String(),
  }),
  modules: [],

  entries(context) {
    return Array.from(context.online.sessions(context.account), (one) => entry(one, context));
  },

  find(id, context) {
    for (const one of context.online.sessions(context.account)) {
      if (one.id === id) return entry(one, context);
    }
    return null;
  },
};

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
