/** CPU of requests to a tunnel at another daemon, beside requests to one at the visitor's daemon. */
import { Cluster } from '@underpass/test';
import { startScript, stopChild } from './children.ts';
import { measureWindow } from './load-window.ts';
import type { BenchContext } from './main.ts';
import { measureBulk } from './measured-bulk.ts';
import { PairedRounds } from './paired-rounds.ts';
import type { Peer } from './peers/peer.ts';
import { Rounds } from './rounds.ts';
import type { Measured } from './suites/cluster.ts';
import { spreadText, table } from './table.ts';
import type { Finding } from './targets.ts';
import { bulkFile, download, transferMissing, upload } from './transfer.ts';
import { warmUp } from './warm-up.ts';

const CONNECTIONS = 64;
/** CPU of a hop, to a request without one. */
const AT_MOST = { small: 1.9, bulk: 1.7 } as const;

export async function measureHops(context: BenchContext): Promise<Measured> {
  const upstream = await startScript('upstream.ts');
  const cluster = await Cluster.start({ daemons: 2, direct: true, args: () => ['--log-level', 'warn'] });
  try {
    const agent = await cluster.node(0).platform.agent(['http', String(upstream.port)], { quiet: true });
    const host = new URL(agent.url).hostname;
    const pids = [agent.process.pid, ...[0, 1].map((index) => cluster.node(index).platform.daemon.pid)];
    const [local, hop] = ['at its own daemon', 'at another daemon'].map((name, index): Peer => {
      const target = {
        scheme: 'https',
        host,
        port: cluster.port,
        address: cluster.at(index).address,
      } as const;
      return { name, target, pids, stop: async () => {} };
    }) as [Peer, Peer];
    const small = await measureSmall(context, local, hop, upstream.port);
    const findings = [small, ...(await measureLarge(context, local, hop))];
    return { findings, costs: { hop: small.measured } };
  } finally {
    await cluster.stop();
    await stopChild(upstream.child);
  }
}

async function measureSmall(
  { seconds, rounds }: BenchContext,
  base: Peer,
  hop: Peer,
  upstream: number,
): Promise<Finding> {
  const window = { load: { paths: ['/'], connections: CONNECTIONS }, seconds, upstream };
  for (const peer of [base, hop])
    if (!(await warmUp(peer, window))) console.log(`not steady after the warm-up: ${peer.name}`);
  const cpuOf = ({ cpu }: { readonly cpu: number }) => cpu;
  const measured = await PairedRounds.measure({
    ...{ base, subjects: [hop], rounds, judged: cpuOf },
    measure: (peer) => measureWindow(peer, window),
  });
  const rows = [base, hop].map(({ name }, at) => [
    name,
    measured.of(at - 1, ({ perSecond }) => perSecond).toFixed(0),
    measured.of(at - 1, cpuOf).toFixed(1),
    spreadText(measured.ratio(at - 1, cpuOf)),
  ]);
  console.log(
    `Hops: 13-byte answers over ${CONNECTIONS} connections to a tunnel; CPU of both daemons and the agent`,
  );
  console.log(table(['visitors', 'requests/s', 'CPU us/request', 'ratio'], rows));
  console.log();
  const { median } = measured.ratio(0, cpuOf);
  return { what: 'CPU per request, hop to none', measured: median, atMost: AT_MOST.small };
}

async function measureLarge(context: BenchContext, base: Peer, hop: Peer): Promise<readonly Finding[]> {
  if (transferMissing !== null) {
    console.log(`Bulk over hops: not measured, ${transferMissing} is not installed\n`);
    return [];
  }
  const file = bulkFile(context.dir);
  const ways = [
    ['down', download],
    ['up', (target: Peer['target']) => upload(target, file)],
  ] as const;
  const findings: Finding[] = [];
  const rows: string[][] = [];
  for (const [way, transfer] of ways) {
    const measured = await Rounds.measure([base, hop], context.rounds, (peer) =>
      measureBulk(peer, context.seconds, transfer),
    );
    const ratio = measured.ratio(1, 0, ({ cpu }) => cpu);
    const cpus = [0, 1].map((at) => measured.of(at, ({ cpu }) => cpu).toFixed(2));
    rows.push([way, ...cpus, ratio.toFixed(2)]);
    findings.push({ what: `CPU of bulk ${way}, hop to none`, measured: ratio, atMost: AT_MOST.bulk });
  }
  console.log('Hops: one transfer of 256 MiB at a time; CPU s/GiB of both daemons and the agent');
  console.log(table(['', base.name, hop.name, 'ratio'], rows));
  console.log();
  return findings;
}
