/**
 * Measures the latency of tunnels: the first byte after a pause, and the 99th percentile beside another tunnel that
 * is full. It measures nginx beside a download as well, because on a busy machine both wait for a processor.
 */
import { Platform } from '@underpass/test';
import { startScript, stopChild } from '../children.ts';
import type { BenchContext } from '../main.ts';
import { measureLoad } from '../measured-load.ts';
import { isMissing, type Peer } from '../peers/peer.ts';
import { startNginx } from '../peers/proxies.ts';
import { Rounds } from '../rounds.ts';
import { median, table } from '../table.ts';
import type { Finding } from '../targets.ts';
import { download, transferMissing } from '../transfer.ts';

/** Few, so that what is measured is how long each waits and not how many the machine can answer. */
const CONNECTIONS = 2;
const COLD_VISITS = 15;
const QUIET_MS = 5;

interface Pair {
  readonly name: string;
  /** The subject of the requests, and the subject that downloads go through meanwhile. */
  readonly asked: Peer;
  readonly full: Peer;
}

interface Waits {
  /** Milliseconds within which 99 of 100 are answered. */
  readonly alone: number;
  readonly beside: number;
}

export async function benchTunnels(context: BenchContext): Promise<readonly Finding[]> {
  if (transferMissing !== null) {
    console.log(`Tunnels: not measured, ${transferMissing} is not installed\n`);
    return [];
  }
  const upstream = await startScript('upstream.ts');
  const platform = await Platform.start({ args: ['--log-level', 'warn'] });
  const nginx = await startNginx(context.dir, context.certificate, upstream.port, 'nginx, no tunnel');
  try {
    const cold = await measureCold(platform, upstream.port);
    const [asked, full] = [await tunnel(platform, upstream.port), await tunnel(platform, upstream.port)];
    const pairs: readonly Pair[] = [
      { name: 'a tunnel', asked, full },
      ...(isMissing(nginx) ? [] : [{ name: nginx.name, asked: nginx, full: nginx }]),
    ];
    const waits = await Rounds.measure(pairs, context.rounds, (pair) => measureWaits(pair, context.seconds));
    console.log('Tunnels of two agents, one request at a time on each connection of a visitor');
    console.log(`first byte of a new tunnel: ${median(cold).toFixed(2)} ms`);
    const rows = pairs.map(({ name }, at) => [
      name,
      waits.of(at, ({ alone }) => alone).toFixed(2),
      waits.of(at, ({ beside }) => beside).toFixed(2),
    ]);
    console.log(table(['ms for 99 of 100 answers', 'alone', 'beside a full one'], rows));
    if (isMissing(nginx)) console.log(`${nginx.name}: not measured, ${nginx.missing} is not installed`);
    console.log();
    const measured = waits.of(0, ({ beside }) => beside);
    return [{ what: 'p99 of a tunnel beside a full one', measured, atMost: QUIET_MS, unit: 'ms' }];
  } finally {
    if (!isMissing(nginx)) await nginx.stop();
    await platform.stop();
    await stopChild(upstream.child);
  }
}

async function measureWaits({ asked, full }: Pair, seconds: number): Promise<Waits> {
  const load = { paths: ['/'], connections: CONNECTIONS, seconds };
  const alone = await measureLoad(asked, load);
  const beside = await besideDownload(full, () => measureLoad(asked, load));
  return { alone: alone.p99Ms, beside: beside.p99Ms };
}

/** The visitor's TLS is made before, by a request for a name that nothing serves. */
async function measureCold(platform: Platform, upstreamPort: number): Promise<number[]> {
  const ms: number[] = [];
  for (let visit = 0; visit < COLD_VISITS; visit++) {
    const name = `cold-${visit}.${platform.bootstrap.domain}`;
    await platform.visit(name);
    const { process } = await platform.agent(['http', String(upstreamPort), '--domain', name], {
      quiet: true,
    });
    const startedAt = performance.now();
    const { status } = await platform.visit(name);
    if (status === 200) ms.push(performance.now() - startedAt);
    await process.stop();
  }
  return ms;
}

async function tunnel(platform: Platform, upstreamPort: number): Promise<Peer> {
  const { url, process } = await platform.agent(['http', String(upstreamPort)], { quiet: true });
  const { hostname } = new URL(url);
  const target = { scheme: 'https', host: hostname, port: platform.port } as const;
  return { name: hostname, target, pids: [platform.daemon.pid, process.pid], stop: async () => {} };
}

async function besideDownload<Result>({ target }: Peer, measure: () => Promise<Result>): Promise<Result> {
  let isOver = false;
  const downloading = (async () => {
    while (!isOver) await download(target);
  })();
  // A failure is reported below; before that it must not end the process.
  downloading.catch(() => {});
  const result = await measure();
  isOver = true;
  await downloading;
  return result;
}
