/** Agents of a daemon that is killed, until they are online at two others, beside agents of one that starts again. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Cluster, residentMegabytes } from '@underpass/test';
import { stopChild } from './children.ts';
import { cpuMicroseconds } from './cpu.ts';
import type { ManyAgents } from './many-agents.ts';
import type { Measured } from './suites/cluster.ts';
import { table } from './table.ts';

const AGENTS = 2000;
/** Heartbeats of agents come every 10 s. */
const IDLE_SECONDS = 20;
/** Milliseconds after which nothing of the handshakes is under way. */
const REST_MS = 2000;
const SCRIPT = fileURLToPath(new URL('many-agents.ts', import.meta.url));

interface Return {
  readonly seconds: number;
  /** Milliseconds of CPU of the daemons for each agent. */
  readonly cpuMs: number;
}

interface Idle {
  /** Microseconds of CPU of the daemon each second for each agent. */
  readonly us: number;
  readonly kb: number;
}

export async function measureReturns(): Promise<Measured> {
  const moved = await measureMoved();
  const { idle, restarted } = await measureRestarted();
  const row = ({ seconds, cpuMs }: Return) => [seconds.toFixed(2), cpuMs.toFixed(2)];
  console.log(`${AGENTS} agents of a daemon that is killed; CPU of the daemons that they come to`);
  console.log(
    table(
      ['', 's until all are back', 'CPU ms/agent'],
      [
        ['to two other daemons', ...row(moved)],
        ['to the daemon itself, from its ready on', ...row(restarted)],
      ],
    ),
  );
  console.log(
    `an agent without visitors: ${idle.kb.toFixed(0)} KB, ${idle.us.toFixed(0)} us of CPU each second`,
  );
  console.log();
  const findings = [
    {
      what: `${AGENTS} agents of a killed daemon back at others`,
      measured: moved.seconds,
      atMost: 10,
      unit: 's',
    },
    { what: 'CPU per agent, to that of a restart', measured: moved.cpuMs / restarted.cpuMs, atMost: 1.3 },
  ];
  return { findings, costs: { idleAgentUs: idle.us, agentKb: idle.kb, returnMs: moved.cpuMs } };
}

async function measureMoved(): Promise<Return> {
  return await withAgents(3, async ({ cluster, balancer, agents }) => {
    const others = [1, 2].map((index) => cluster.node(index).platform.daemon.pid);
    balancer.places = [1, 2];
    const before = cpuMicroseconds(others);
    const startedAt = performance.now();
    await cluster.kill(0);
    await untilOnline(agents, (online) => online < AGENTS / 2);
    await untilOnline(agents, (online) => online === AGENTS);
    return returned(startedAt, cpuMicroseconds(others) - before);
  });
}

/** One daemon with all agents: without visitors, and when it starts again. */
async function measureRestarted(): Promise<{ readonly idle: Idle; readonly restarted: Return }> {
  return await withAgents(1, async ({ cluster, agents, emptyMb }) => {
    const idle = await measureIdle(cluster.node(0).platform.daemon.pid, emptyMb);
    await cluster.kill(0);
    await cluster.restart(0);
    const pids = [cluster.node(0).platform.daemon.pid];
    const before = cpuMicroseconds(pids);
    const startedAt = performance.now();
    await untilOnline(agents, (online) => online === AGENTS);
    return { idle, restarted: returned(startedAt, cpuMicroseconds(pids) - before) };
  });
}

async function measureIdle(pid: number, emptyMb: number): Promise<Idle> {
  await pause(REST_MS);
  const before = cpuMicroseconds([pid]);
  await pause(IDLE_SECONDS * 1000);
  const us = (cpuMicroseconds([pid]) - before) / IDLE_SECONDS / AGENTS;
  return { us, kb: ((residentMegabytes(pid) - emptyMb) * 1024) / AGENTS };
}

function returned(startedAt: number, cpu: number): Return {
  return { seconds: (performance.now() - startedAt) / 1000, cpuMs: cpu / 1000 / AGENTS };
}

interface Running {
  readonly cluster: Cluster;
  readonly balancer: Balancer;
  readonly agents: ChildProcess;
  /** Resident memory of the first daemon before the first agent, in MB. */
  readonly emptyMb: number;
}

async function withAgents<Result>(
  daemons: number,
  measure: (running: Running) => Promise<Result>,
): Promise<Result> {
  const cluster = await Cluster.start({
    daemons,
    durable: true,
    direct: true,
    args: () => ['--log-level', 'warn'],
  });
  const balancer = await Balancer.start(cluster);
  const { domain, authtoken } = cluster.bootstrap;
  const server = `connect.${domain}:${balancer.port}`;
  const options: ManyAgents = { server, authtoken, ca: cluster.at(0).ca, count: AGENTS };
  const emptyMb = residentMegabytes(cluster.node(0).platform.daemon.pid);
  const agents = fork(SCRIPT, [JSON.stringify(options)]);
  try {
    await untilOnline(agents, (online) => online === AGENTS);
    return await measure({ cluster, balancer, agents, emptyMb });
  } finally {
    await stopChild(agents, 'SIGKILL');
    await balancer.stop();
    await cluster.stop();
  }
}

async function untilOnline(agents: ChildProcess, isReached: (online: number) => boolean): Promise<void> {
  for (;;) {
    agents.send('look');
    const [online] = (await once(agents, 'message')) as [number];
    if (isReached(online)) return;
    await pause(20);
  }
}

/** Passes each connection to the next of some daemons. */
class Balancer {
  /** Indices of the daemons. */
  places: readonly number[] = [0];
  readonly #server = createServer({ allowHalfOpen: true });
  readonly #sockets = new Set<Socket>();
  #next = 0;

  static async start(cluster: Cluster): Promise<Balancer> {
    const balancer = new Balancer();
    balancer.#server.on('connection', (near) => balancer.#pass(near, cluster));
    balancer.#server.listen(0, '127.0.0.1');
    await once(balancer.#server, 'listening');
    return balancer;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #pass(near: Socket, cluster: Cluster): void {
    this.#next += 1;
    const { address, port } = cluster.at(this.places[this.#next % this.places.length]!);
    const far = connect({ host: address, port, allowHalfOpen: true });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from);
      from.pipe(to);
      from
        .on('error', () => {})
        .on('close', () => {
          this.#sockets.delete(from);
          to.destroy();
        });
    }
  }
}
