/**
 * Runs many agents in a process of its own, with one tunnel each. On each IPC message it reports the number of agents
 * that are online.
 */
import { type Agent, connect } from '@underpass/agent';

export interface ManyAgents {
  readonly server: string;
  readonly ca: string;
  readonly authtoken: string;
  readonly count: number;
}

const { count, ...service } = JSON.parse(process.argv[2] ?? '') as ManyAgents;
const online = new Set<number>();

async function keep(index: number): Promise<Agent> {
  const agent = await connect({ ...service, onState: () => online.delete(index) });
  const onBound = () => void online.add(index);
  const listener = await agent.listen({ proto: 'http', onBound });
  listener.on('connection', (connection) => connection.destroy());
  return agent;
}

process.on('message', () => process.send?.(online.size));
process.on('disconnect', () => process.exit());
await Promise.all(Array.from({ length: count }, (_, index) => keep(index)));
