/**
 * Agents of two makers in a process of its own, with a name each. It notes how long each agent is away. On each IPC
 * message it reports its state, and forgets the times.
 */
import { setInterval as ticks } from 'node:timers/promises';
import { connect as connectOwn } from '@underpass/agent';
import { FamilyAgent, families, localPort } from '@underpass/test/agents';

export interface RollingAgents {
  readonly port: number;
  readonly ca: string;
  readonly authtoken: string;
  /** Port of the upstream. */
  readonly upstream: number;
  /** Names of Underpass's own agents. */
  readonly own: readonly string[];
  /** Names of agents of another maker, with its protocol and its retries. */
  readonly stock: readonly string[];
}

export interface AgentsState {
  readonly online: number;
  /** Milliseconds of each absence that has ended. */
  readonly awayMs: readonly number[];
}

const LOOK_MS = 10;
/** Absences that are noted between two reports. */
const MOST = 100_000;

const { port, ca, authtoken, upstream, own, stock } = JSON.parse(process.argv[2] ?? '') as RollingAgents;
const looks: (() => boolean)[] = [];

async function startOwn(domain: string): Promise<void> {
  let isOnline = false;
  const agent = await connectOwn({
    ...{ server: `connect.underpass.localhost:${port}`, authtoken, ca },
    onState: () => {
      isOnline = false;
    },
  });
  const onBound = (): void => {
    isOnline = true;
  };
  await agent.forward(upstream, { domain, onBound });
  looks.push(() => isOnline);
}

async function startStock(name: string): Promise<void> {
  const service = { port, ca, host: 'connect.underpass.localhost' };
  const agent = await FamilyAgent.start(families[0], service, authtoken);
  await agent.bind('https', localPort(upstream), { name });
  looks.push(() => agent.isOnline);
}

/** Start of the absence of each agent that is away, by its index. */
const since = new Map<number, number>();
let awayMs: number[] = [];

function look(): void {
  const now = performance.now();
  for (const [at, isOnline] of looks.entries()) {
    const left = since.get(at);
    if (isOnline() === (left === undefined)) continue;
    if (left === undefined) since.set(at, now);
    else {
      since.delete(at);
      if (awayMs.length < MOST) awayMs.push(now - left);
    }
  }
}

process.on('disconnect', () => process.exit());
for (const name of own) await startOwn(name);
for (const name of stock) await startStock(name);
process.on('message', () => {
  process.send?.({ online: looks.length - since.size, awayMs } satisfies AgentsState);
  awayMs = [];
});
for await (const _ of ticks(LOOK_MS)) look();
