/**
 * What the daemon's flags for its heap cost and bring: the same get of the API and the same download by daemons that differ in one flag.
 * Never that they are measured with more than one flag apart.
 */
import { startScript, stopChild } from '../children.ts';
import { cpuMicroseconds } from '../cpu.ts';
import type { BenchContext } from '../main.ts';
import { measureLoad } from '../measured-load.ts';
import type { Peer, Target } from '../peers/peer.ts';
import { EdgeBench } from '../peers/underpass.ts';
import { Rounds } from '../rounds.ts';
import { table } from '../table.ts';
import { BULK_BYTES, download, transferMissing } from '../transfer.ts';

const CONNECTIONS = 32;
const MEGABYTE_SIZES = [4, 8, 16];
const FULL_COLLECTION = /Mark-Compact/;
const GIB = 1024 ** 3;

interface Variant {
  readonly name: string;
  readonly bench: EdgeBench;
  readonly edge: Peer;
  readonly api: Target;
}

interface Measured {
  /** Microseconds of CPU for each get. */
  readonly get: number;
  /** Seconds of CPU for each GiB. */
  readonly bulk: number;
  /** Full collections for each GiB. */
  readonly full: number;
}

export async function benchHeap(context: BenchContext): Promise<void> {
  if (transferMissing !== null) {
    console.log(`Heap: not measured, ${transferMissing} is not installed\n`);
    return;
  }
  const upstream = await startScript('upstream.ts');
  const variants: Variant[] = [];
  try {
    variants.push(await start('no flag', [], upstream.port));
    for (const size of MEGABYTE_SIZES) {
      const flag = `--max-semi-space-size=${size}`;
      variants.push(await start(flag, [flag], upstream.port));
    }
    const rounds = await Rounds.measure(variants, context.rounds, (variant) => measure(variant, context));
    const rows = variants.map(({ name }, at) => [
      name,
      rounds.of(at, ({ get }) => get).toFixed(1),
      rounds.ratioText(at, 0, ({ get }) => get),
      rounds.of(at, ({ bulk }) => bulk).toFixed(2),
      rounds.ratioText(at, 0, ({ bulk }) => bulk),
      rounds.of(at, ({ full }) => full).toFixed(0),
    ]);
    console.log(
      'Heap: all with --initial-heap-size=128; get by id over 32 connections, downloads of 256 MiB through a tunnel',
    );
    console.log(
      table(['', 'CPU us/get', 'to no flag', 'CPU s/GiB', 'to no flag', 'full collections/GiB'], rows),
    );
    console.log();
  } finally {
    for (const { bench } of variants) await bench.stop();
    await stopChild(upstream.child);
  }
}

async function start(name: string, flags: readonly string[], upstreamPort: number): Promise<Variant> {
  const through = [process.execPath, '--initial-heap-size=128', '--trace-gc', ...flags];
  const bench = await EdgeBench.start(upstreamPort, { through });
  const { platform } = bench;
  const edge = await bench.httpsEdge('bulk', await bench.tunnelBackend());
  const headers = { authorization: `Bearer ${platform.bootstrap.api_key}`, 'service-version': '2' };
  const api: Target = { scheme: 'https', host: 'api.underpass.localhost', port: platform.port, headers };
  return { name, bench, edge, api };
}

async function measure({ name, bench, edge, api }: Variant, { seconds }: BenchContext): Promise<Measured> {
  const { daemon, bootstrap } = bench.platform;
  const pids = [daemon.pid];
  const load = { paths: [`/users/${bootstrap.user_id}`], connections: CONNECTIONS, seconds };
  const { cpu: get } = await measureLoad({ name, target: api, pids }, load);
  const full = (): number => daemon.lines.filter((line) => FULL_COLLECTION.test(line)).length;
  const fullBefore = full();
  const before = cpuMicroseconds(pids);
  await download(edge.target);
  const share = BULK_BYTES / GIB;
  const bulk = (cpuMicroseconds(pids) - before) / 1e6 / share;
  return { get, bulk, full: (full() - fullBefore) / share };
}
