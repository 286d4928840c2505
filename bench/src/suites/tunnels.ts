/** How soon a tunnel answers: its first byte when nothing was sent through it for a while, and 99 of 100 answers beside another one that is full. */
import { Platform } from '@underpass/test';
import { startScript, stopChild } from '../children.ts';
import type { BenchContext } from '../main.ts';
import { measureLoad } from '../measured-load.ts';
import type { Peer } from '../peers/peer.ts';
import { median, table } from '../table.ts';
import type { Finding } from '../targets.ts';
import { download, transferMissing } from '../transfer.ts';

/** Few, so that what is measured is how long each waits and not how many the machine can answer. */
const CONNECTIONS = 2;
const COLD_VISITS = 15;
const QUIET_MS = 5;

export async function benchTunnels({ rounds, seconds }: BenchContext): Promise<readonly Finding[]> {
  if (transferMissing !== null) {
    console.log(`Tunnels: not measured, ${transferMissing} is not installed\n`);
    return [];
  }
  const upstream = await startScript('upstream.ts');
  const platform = await Platform.start({ args: ['--log-level', 'warn'] });
  try {
    const cold = await measureCold(platform, upstream.port);
    const [quiet, full] = [await tunnel(platform, upstream.port), await tunnel(platform, upstream.port)];
    const alone: number[] = [];
    const beside: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const load = { paths: ['/'], connections: CONNECTIONS, seconds };
      alone.push((await measureLoad(quiet, load)).p99Ms);
      beside.push(await besideDownload(full, async () => (await measureLoad(quiet, load)).p99Ms));
    }
    const rows = [
      ['first byte of a new tunnel', median(cold).toFixed(2)],
      ['99 of 100 answers of a tunnel, alone', median(alone).toFixed(2)],
      ['99 of 100 answers of a tunnel, beside a full one', median(beside).toFixed(2)],
    ];
    console.log('Tunnels of two agents, one request at a time on each connection of a visitor');
    console.log(table(['', 'ms'], rows));
    console.log();
    return [
      { what: 'p99 of a tunnel beside a full one', measured: median(beside), atMost: QUIET_MS, unit: 'ms' },
    ];
  } finally {
    await platform.stop();
    await stopChild(upstream.child);
  }
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
  // Its failure is told below; until then it must not end the process.
  downloading.catch(() => {});
  const result = await measure();
  isOver = true;
  await downloading;
  return result;
}
