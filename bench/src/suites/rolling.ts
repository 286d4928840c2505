/**
 * Restarts three daemons of two workers each behind HAProxy, one after the other, under `wrk` and with 100 agents of
 * two makers. It counts the requests that failed.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Cluster, ClusterBalancer, eventually, postgresMissing, SteadyVisitors } from '@underpass/test';
import { startScript, stopChild } from '../children.ts';
import type { BenchContext } from '../main.ts';
import { findProgram } from '../peers/peer.ts';
import type { AgentsState, RollingAgents } from '../rolling-agents.ts';
import { SteadyWrk, type WrkCounts } from '../steady-wrk.ts';
import { table } from '../table.ts';
import type { Finding } from '../targets.ts';

const DAEMONS = 3;
const WORKERS = 2;
/** Agents of each maker. */
const AGENTS = 50;
/** Names of each maker that `wrk` requests: half of them over kept connections, half over new ones. */
const LOADED = 4;
const CONNECTIONS = 4;
const KEPT_PAUSE_MS = 80;
const NEW_PAUSE_MS = 400;
/** Visitors of all names in turn, ten requests a second each. */
const VISITORS = 5;
const LEAVE_SECONDS = 5;

const AGENTS_SCRIPT = fileURLToPath(new URL('../rolling-agents.ts', import.meta.url));

const namesOf = (maker: string): string[] =>
  Array.from({ length: AGENTS }, (_, n) => `${maker}-${n}.underpass.localhost`);
const OWN = namesOf('own');
const STOCK = namesOf('stock');

interface Scene {
  readonly cluster: Cluster;
  readonly balancer: ClusterBalancer;
  readonly agents: ChildProcess;
  readonly dir: string;
}

interface Result {
  readonly what: string;
  readonly kept: WrkCounts;
  readonly fresh: WrkCounts;
  readonly visits: number;
  readonly lost: readonly unknown[];
  /** Connects that HAProxy repeated or gave up. */
  readonly connects: number;
  readonly awayMs: readonly number[];
}

export async function benchRolling({ dir }: BenchContext): Promise<readonly Finding[]> {
  const missing = ['wrk', 'haproxy'].filter((name) => findProgram(name) === null);
  if (postgresMissing !== false || missing.length > 0) {
    console.log(`Rolling restart: not measured, ${postgresMissing || `${missing.join(', ')} is missing`}\n`);
    return [];
  }
  const upstream = await startScript('upstream.ts');
  const args = ['--leave-seconds', String(LEAVE_SECONDS), '--proxy-protocol-from', '127.0.0.1/32'];
  const cluster = await Cluster.start({
    ...{ daemons: DAEMONS, workers: WORKERS, direct: true },
    args: () => [...args, '--log-level', 'warn'],
  });
  const balancer = await ClusterBalancer.start(cluster);
  let agents: ChildProcess | null = null;
  try {
    await untilReady(balancer);
    const { port } = balancer;
    const { ca, bootstrap } = cluster.at(0);
    const options: RollingAgents = {
      ...{ port, ca, authtoken: bootstrap.authtoken, upstream: upstream.port },
      ...{ own: OWN, stock: STOCK },
    };
    agents = fork(AGENTS_SCRIPT, [JSON.stringify(options)]);
    const scene = { cluster, balancer, agents, dir };
    await untilOnline(agents);
    return print([
      await measure(scene, 'workers, one after the other', (index) => cluster.restartWorkers(index)),
      await measure(scene, 'daemons, one after the other', (index) => cluster.restart(index)),
    ]);
  } finally {
    if (agents !== null) await stopChild(agents, 'SIGKILL');
    await balancer.stop();
    await cluster.stop();
    await stopChild(upstream.child);
  }
}

async function measure(
  { cluster, balancer, agents, dir }: Scene,
  what: string,
  restart: (index: number) => Promise<void>,
): Promise<Result> {
  const { port } = balancer;
  await stateOf(agents);
  const before = await balancer.connects();
  const loaded = [...OWN.slice(0, LOADED), ...STOCK.slice(0, LOADED)];
  const load = (host: string, isKept: boolean): SteadyWrk => {
    const pauseMs = isKept ? KEPT_PAUSE_MS : NEW_PAUSE_MS;
    return new SteadyWrk(dir, { host, port, connections: CONNECTIONS, isKept, pauseMs });
  };
  const kept = loaded.filter((_, at) => at % 2 === 0).map((host) => load(host, true));
  const fresh = loaded.filter((_, at) => at % 2 === 1).map((host) => load(host, false));
  const hosts = [...OWN, ...STOCK];
  const visitors = new SteadyVisitors({ port, ca: cluster.at(0).ca, body: () => 'Hello, world\n' });
  visitors.start(VISITORS, hosts);
  const awayMs: number[] = [];
  for (let index = 0; index < DAEMONS; index += 1) {
    const { served } = visitors;
    await restart(index);
    await untilReady(balancer);
    awayMs.push(...(await untilOnline(agents)));
    await eventually(() => {
      if (visitors.served < served + hosts.length) throw new Error('not every name was visited yet');
    });
  }
  const counts = async (all: readonly SteadyWrk[]) => sum(await Promise.all(all.map((one) => one.stop())));
  const [keptCounts, freshCounts] = [await counts(kept), await counts(fresh)];
  await visitors.stop();
  const after = await balancer.connects();
  return {
    ...{ what, kept: keptCounts, fresh: freshCounts, visits: visitors.served, lost: visitors.lost },
    connects: after.failed + after.repeated - before.failed - before.repeated,
    awayMs: awayMs.sort((a, b) => a - b),
  };
}

async function untilReady(balancer: ClusterBalancer): Promise<void> {
  await eventually(async () => {
    const ready = await balancer.ready();
    if (ready < DAEMONS) throw new Error(`HAProxy has ${ready} of ${DAEMONS} daemons`);
  });
}

/** Resolves with the milliseconds of absences since the last call, when every agent is online. */
async function untilOnline(agents: ChildProcess): Promise<readonly number[]> {
  const awayMs: number[] = [];
  await eventually(async () => {
    const state = await stateOf(agents);
    awayMs.push(...state.awayMs);
    if (state.online < 2 * AGENTS) throw new Error(`${state.online} of ${2 * AGENTS} agents are online`);
  });
  return awayMs;
}

async function stateOf(agents: ChildProcess): Promise<AgentsState> {
  agents.send('look');
  const [state] = (await once(agents, 'message')) as [AgentsState];
  return state;
}

function sum(all: readonly WrkCounts[]): WrkCounts {
  const of = (field: keyof WrkCounts): number => all.reduce((total, counts) => total + counts[field], 0);
  return {
    ...{ requests: of('requests'), connect: of('connect'), read: of('read'), write: of('write') },
    ...{ timeout: of('timeout'), status: of('status') },
    longestMs: Math.max(...all.map(({ longestMs }) => longestMs)),
  };
}

/** Returns the number of requests of `wrk` that failed. */
function failures({ connect, read, write, timeout, status }: WrkCounts): number {
  return connect + read + write + timeout + status;
}

function print(results: readonly Result[]): readonly Finding[] {
  console.log(
    `Rolling restart: ${DAEMONS} daemons of ${WORKERS} workers behind HAProxy, ${AGENTS} agents of each of two makers, --leave-seconds ${LEAVE_SECONDS}`,
  );
  const wrkRow = (what: string, how: string, counts: WrkCounts): string[] => {
    const { requests, connect, read, write, timeout, status, longestMs } = counts;
    const numbers = [requests, connect, read, write, timeout, status, Math.round(longestMs)];
    return [what, how, ...numbers.map(String)];
  };
  console.log(
    table(
      ['restart of', 'wrk', 'requests', 'connect', 'read', 'write', 'timeout', 'non-2xx', 'longest ms'],
      results.flatMap(({ what, kept, fresh }) => [
        wrkRow(what, 'kept connections', kept),
        wrkRow(what, 'new connections', fresh),
      ]),
    ),
  );
  console.log(
    table(
      [
        'restart of',
        'visits of all names',
        'failed',
        'refused connects',
        'absences',
        'p50 ms',
        'p99 ms',
        'max ms',
      ],
      results.map(({ what, visits, lost, connects, awayMs }) => [
        ...[what, String(visits), String(lost.length), String(connects), String(awayMs.length)],
        ...[0.5, 0.99, 1].map((share) => quantile(awayMs, share)),
      ]),
    ),
  );
  for (const { lost } of results) for (const one of lost.slice(0, 10)) console.log(JSON.stringify(one));
  console.log();
  return results.map(({ what, kept, fresh, lost }) => ({
    what: `failed requests in a restart of ${what}`,
    measured: failures(kept) + failures(fresh) + lost.length,
    ...{ atMost: 0, unit: 'requests' },
  }));
}

/** `sorted`: ascending. */
function quantile(sorted: readonly number[], share: number): string {
  const value = sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  return value === undefined ? '-' : value.toFixed(0);
}
