/**
 * Small responses by this checkout's daemon beside those by an earlier one (`--before DIR`): CPU per request of all
 * processes, with and without a client that reads the list of requests.
 */
import { join } from 'node:path';
import { startScript, stopChild } from '../children.ts';
import { type MeasuredWindow, measureWindow } from '../load-window.ts';
import type { BenchContext } from '../main.ts';
import { PairedRounds } from '../paired-rounds.ts';
import type { Peer } from '../peers/peer.ts';
import { EdgeBench } from '../peers/underpass.ts';
import { spreadText, table } from '../table.ts';
import type { Finding } from '../targets.ts';
import { warmUp } from '../warm-up.ts';

const CONNECTIONS = 64;
/** CPU time per request to that before, if no client reads anything. */
const AT_MOST = 1.03;
const WATCH = '/traffic/requests?limit=1&watch_seconds=3600';

export async function benchBefore(context: BenchContext): Promise<readonly Finding[]> {
  const { before, seconds, rounds } = context;
  if (before === null) {
    console.log('before: not measured, --before DIR names the other checkout\n');
    return [];
  }
  const upstream = await startScript('upstream.ts');
  const daemon = join(before, 'packages/server/bin/underpassd.js');
  const started: EdgeBench[] = [];
  const start = async (through: readonly string[] = []): Promise<EdgeBench> => {
    const bench = await EdgeBench.start(upstream.port, { through });
    started.push(bench);
    return bench;
  };
  try {
    const earlier = await start(['/bin/sh', '-c', `exec '${daemon}' "$@"`]);
    const [now, watched] = [await start(), await start()];
    await watched.platform.api('GET', WATCH);
    const findings: Finding[] = [];
    for (const kind of ['edge', 'tunnel'] as const) {
      const peerOf = async (bench: EdgeBench, name: string): Promise<Peer> => {
        const to = kind === 'edge' ? bench.staticBackend(upstream.port) : bench.tunnelBackend();
        return await bench.httpsEdge(name, await to);
      };
      const base = await peerOf(earlier, 'before');
      const subjects = [await peerOf(now, 'now'), await peerOf(watched, 'now, requests are read')];
      const window = { load: { paths: ['/'], connections: CONNECTIONS }, seconds, upstream: upstream.port };
      for (const peer of [base, ...subjects]) await warmUp(peer, window);
      const measured = await PairedRounds.measure({
        ...{ base, subjects, rounds, judged: cpuOf },
        measure: (peer) => measureWindow(peer, window),
      });
      print(kind, [base, ...subjects], measured);
      const ratio = measured.ratio(0, cpuOf).median;
      findings.push({ what: `CPU per request, ${kind}, to before`, measured: ratio, atMost: AT_MOST });
    }
    return findings;
  } finally {
    for (const bench of started) await bench.stop();
    await stopChild(upstream.child);
  }
}

function print(kind: string, peers: readonly Peer[], measured: PairedRounds<MeasuredWindow>): void {
  const rows = peers.map(({ name }, at) => [
    name,
    measured.of(at - 1, cpuOf).toFixed(1),
    spreadText(measured.ratio(at - 1, cpuOf)),
  ]);
  console.log(`HTTPS edge, ${kind === 'edge' ? 'static backend' : 'tunnel'}: ratios to before`);
  console.log(table(['', 'CPU us/request', 'ratio'], rows));
  console.log();
}

function cpuOf({ cpu }: MeasuredWindow): number {
  return cpu;
}
