/** CPU and throughput of two workers on one machine, beside one process: with tunnels at each worker, and with hops. */
import { eventually, Platform, Postgres, sharedMegabytes } from '@underpass/test';
import { startScript, stopChild } from './children.ts';
import { processTree } from './cpu.ts';
import { measureWindow } from './load-window.ts';
import type { BenchContext } from './main.ts';
import { PairedRounds } from './paired-rounds.ts';
import type { Peer } from './peers/peer.ts';
import type { Measured } from './suites/cluster.ts';
import { spreadText, table } from './table.ts';
import { warmUp } from './warm-up.ts';

const CONNECTIONS = 64;
const WORKERS = 2;
/** Agents after which each worker has one: the system chooses the worker of a connection. */
const MOST_AGENTS = 20;
/** CPU per request with local tunnels, to one process. */
const AT_MOST = 1.18;

export async function measureWorkers({ seconds, rounds }: BenchContext): Promise<Measured> {
  const upstream = await startScript('upstream.ts');
  const server = await Postgres.shared();
  const peers: Peer[] = [];
  try {
    for (const workers of [0, WORKERS]) peers.push(...(await startPeers(server, workers, upstream.port)));
    const [base, ...subjects] = peers as [Peer, ...Peer[]];
    const window = { load: { paths: ['/'], connections: CONNECTIONS }, seconds, upstream: upstream.port };
    for (const peer of peers)
      if (!(await warmUp(peer, window))) console.log(`not steady after the warm-up: ${peer.name}`);
    const cpuOf = ({ cpu }: { readonly cpu: number }) => cpu;
    const measured = await PairedRounds.measure({
      ...{ base, subjects, rounds, judged: cpuOf },
      measure: (peer) => measureWindow(peer, window),
    });
    const rows = peers.map(({ name }, at) => [
      name,
      measured.of(at - 1, ({ perSecond }) => perSecond).toFixed(0),
      measured.of(at - 1, cpuOf).toFixed(1),
      spreadText(measured.ratio(at - 1, cpuOf)),
    ]);
    console.log(
      `Workers: 13-byte answers over ${CONNECTIONS} connections to a tunnel; CPU of daemons and agents`,
    );
    console.log(table(['daemon', 'requests/s', 'CPU us/request', 'ratio'], rows));
    console.log();
    const local = measured.ratio(0, cpuOf).median;
    const workers = subjects[0]!;
    const { cpu: requestUs } = await measureWindow({ ...workers, pids: workers.pids.slice(0, 1) }, window);
    const mb = await measureMemory(server);
    return {
      findings: [
        { what: 'CPU per request, 2 workers to one process', measured: local, atMost: AT_MOST },
        { what: 'memory of a further worker (PSS)', measured: mb, atMost: 150, unit: 'MB' },
      ],
      costs: { requestUs },
    };
  } finally {
    for (const peer of peers) await peer.stop();
    await server.stop();
    await stopChild(upstream.child);
  }
}

/** Prints the memory of workers without agents. Returns that of the second one, in MB. */
async function measureMemory(server: Postgres): Promise<number> {
  const args = ['--database', await server.database(), '--workers', String(WORKERS), '--node-name', 'bench'];
  const platform = await Platform.start({ args });
  const [supervisor = 0, first = 0, second = 0] = processTree([platform.daemon.pid]).map(sharedMegabytes);
  await platform.stop();
  const text = [supervisor, first, second].map((mb) => mb.toFixed(0));
  console.log(
    `Memory without agents (PSS): supervisor ${text[0]} MB, workers ${text[1]} and ${text[2]} MB\n`,
  );
  return second;
}

/** One peer for a process alone; for workers one with a tunnel at each, and one with a tunnel at one of them. */
async function startPeers(server: Postgres, workers: number, upstream: number): Promise<Peer[]> {
  const database = await server.database();
  const args = ['--database', database, '--workers', String(workers), '--node-name', 'bench'];
  const platform = await Platform.start({ args });
  const names =
    workers === 0 ? ['one process'] : ['2 workers, a tunnel at each', '2 workers, a tunnel at one'];
  const peers: Peer[] = [];
  for (const [at, name] of names.entries()) {
    const isEverywhere = workers > 0 && at === 0;
    const host = `bench-${at}.underpass.localhost`;
    const pids = await startAgents(platform, host, upstream, isEverywhere ? workers : 1);
    const stop = at === 0 ? () => platform.stop() : async () => {};
    const target = { scheme: 'https', host, port: platform.port } as const;
    peers.push({ name, target, pids: [platform.daemon.pid, ...pids], stop });
  }
  return peers;
}

/** Starts agents of one name until so many daemons have one. Resolves with their process ids. */
async function startAgents(
  platform: Platform,
  host: string,
  upstream: number,
  daemons: number,
): Promise<number[]> {
  const pids: number[] = [];
  const first = sessionsIn(platform).length;
  const nodes = () => sessionsIn(platform).slice(first);
  while (new Set(nodes()).size < daemons && pids.length < MOST_AGENTS) {
    const args = ['http', String(upstream), '--domain', host, '--pooling'];
    const { process } = await platform.agent(args, { quiet: true });
    pids.push(process.pid);
    await eventually(() => {
      if (nodes().length < pids.length) throw new Error('no session of the agent in the log');
    });
  }
  return pids;
}

/** The daemon of each session so far, by the log. */
function sessionsIn({ daemon }: Platform): readonly string[] {
  return daemon.lines.flatMap((line) => {
    const { msg, node = '' } = (line.startsWith('{') ? JSON.parse(line) : {}) as {
      msg?: string;
      node?: string;
    };
    return msg === 'session online' ? [node] : [];
  });
}
