/**
 * Measures cost and benefit of the daemon's heap settings: the same API read and the same downloads by daemons that
 * differ in one setting.
 * Invariant: compared daemons differ in exactly one setting.
 */
import { residentMegabytes } from '@underpass/test';
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
/** Each with what differs from the first line of the command and from what it sets itself. */
const VARIANTS = {
  'semi-space 2 MB, as installed': ['--max-semi-space-size=2'],
  'semi-space 1 MB': ['--max-semi-space-size=1'],
  'semi-space 4 MB': ['--max-semi-space-size=4'],
  "semi-space of V8's": [],
};
/** Downloads in a row. A single one ends before V8 has adapted. */
const DOWNLOADS = 8;
const FULL_COLLECTION = /Mark-Compact/;
const GIB = 1024 ** 3;

interface Variant {
  readonly name: string;
  readonly bench: EdgeBench;
  readonly edge: Peer;
  readonly api: Target;
}

interface Measured {
  /** Seconds of CPU for each GiB. */
  readonly bulk: number;
  /** Full collections for each GiB. */
  readonly full: number;
  /** Resident, after the downloads. */
  readonly megabytes: number;
  /** Microseconds of CPU for each get. */
  readonly get: number;
}

export async function benchHeap(context: BenchContext): Promise<void> {
  if (transferMissing !== null) {
    console.log(`Heap: not measured, ${transferMissing} is not installed\n`);
    return;
  }
  const upstream = await startScript('upstream.ts');
  const variants: Variant[] = [];
  try {
    for (const [name, flags] of Object.entries(VARIANTS))
      variants.push(await start(name, flags, upstream.port));
    const rounds = await Rounds.measure(variants, context.rounds, (variant) => measure(variant, context));
    const rows = variants.map(({ name }, at) => [
      name,
      rounds.of(at, ({ bulk }) => bulk).toFixed(2),
      rounds.ratioText(at, 0, ({ bulk }) => bulk),
      rounds.of(at, ({ full }) => full).toFixed(0),
      rounds.of(at, ({ megabytes }) => megabytes).toFixed(0),
      rounds.of(at, ({ get }) => get).toFixed(1),
      rounds.ratioText(at, 0, ({ get }) => get),
    ]);
    console.log(
      'Heap: all with --initial-heap-size=128; downloads through a TCP tunnel, get by id over 32 connections; the daemon alone',
    );
    console.log(
      table(
        ['', 'CPU s/GiB', 'to the first', 'full collections/GiB', 'MB', 'CPU us/get', 'to the first'],
        rows,
      ),
    );
    console.log();
  } finally {
    for (const { bench } of variants) await bench.stop();
    await stopChild(upstream.child);
  }
}

async function start(name: string, flags: readonly string[], upstreamPort: number): Promise<Variant> {
  const through = [process.execPath, '--initial-heap-size=128', '--trace-gc', ...flags];
  const bench = await EdgeBench.start(null, { through });
  const { platform } = bench;
  const edge = await bench.tcpTunnel('bulk', upstreamPort);
  const headers = { authorization: `Bearer ${platform.bootstrap.api_key}`, 'service-version': '2' };
  const api: Target = { scheme: 'https', host: 'api.underpass.localhost', port: platform.port, headers };
  return { name, bench, edge, api };
}

/** The downloads first: what an API leaves on the heap changes when V8 collects it. */
async function measure({ name, bench, edge, api }: Variant, { seconds }: BenchContext): Promise<Measured> {
  const { daemon, bootstrap } = bench.platform;
  const pids = [daemon.pid];
  const collections = (): number => daemon.lines.filter((line) => FULL_COLLECTION.test(line)).length;
  const collectionsBefore = collections();
  const before = cpuMicroseconds(pids);
  for (let at = 0; at < DOWNLOADS; at++) await download(edge.target);
  const share = (DOWNLOADS * BULK_BYTES) / GIB;
  const bulk = (cpuMicroseconds(pids) - before) / 1e6 / share;
  const full = (collections() - collectionsBefore) / share;
  const megabytes = residentMegabytes(daemon.pid);
  const load = { paths: [`/users/${bootstrap.user_id}`], connections: CONNECTIONS, seconds };
  const { cpu: get } = await measureLoad({ name, target: api, pids }, load);
  return { get, bulk, full, megabytes };
}
