/** Small responses and bulk through edge and tunnel, beside plain proxies and `ssh -R`. */
import { Platform } from '@underpass/test';
import { startScript, stopChild } from '../children.ts';
import { download, downloadMissing, drive } from '../driver.ts';
import type { BenchContext } from '../main.ts';
import { isMissing, type MissingPeer, type Peer } from '../peers/peer.ts';
import { startCaddy, startNginx } from '../peers/proxies.ts';
import { startSshTunnel } from '../peers/ssh.ts';
import { median, ratio, table } from '../table.ts';

const CONNECTIONS = 64;

export async function benchTraffic(context: BenchContext): Promise<void> {
  const upstream = await startScript('upstream.ts');
  const { dir, certificate } = context;
  const ssh = await startSshTunnel(dir, upstream.port);
  const started = [
    await startUnderpass(upstream.port),
    await startNginx(dir, certificate, upstream.port),
    await startCaddy(dir, certificate, upstream.port),
    ...(isMissing(ssh)
      ? []
      : [await startNginx(dir, certificate, ssh.target.port, 'nginx with TLS + ssh -R')]),
    ssh,
  ];
  const peers = started.filter((peer): peer is Peer => !isMissing(peer));
  try {
    const small = await inTurn(peers, context.rounds, async (peer) => {
      const { requestsPerSecond, errors } = await drive(peer.target, {
        paths: ['/'],
        connections: CONNECTIONS,
        seconds: context.seconds,
      });
      if (errors > 0) console.error(`${peer.name}: ${errors} errors`);
      return requestsPerSecond;
    });
    const bulk = await inTurn(peers, context.rounds, async (peer) => download(peer.target, '/bulk') / 1e6);
    print(peers, small, bulk, started.filter(isMissing));
  } finally {
    for (const peer of peers) await peer.stop();
    await stopChild(upstream.child);
  }
}

async function startUnderpass(upstreamPort: number): Promise<Peer> {
  const platform = await Platform.start({ args: ['--log-level', 'warn'] });
  const { url } = await platform.agent(['http', String(upstreamPort)], { quiet: true });
  return {
    name: 'Underpass, edge + tunnel',
    target: { scheme: 'https', host: new URL(url).hostname, port: platform.port },
    stop: () => platform.stop(),
  };
}

/** Round by round, each peer in turn, so that a machine whose speed drifts treats them alike. */
async function inTurn(
  peers: readonly Peer[],
  rounds: number,
  measure: (peer: Peer) => Promise<number>,
): Promise<number[]> {
  const results = peers.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, peer] of peers.entries()) results[index]?.push(await measure(peer));
  }
  return results.map(median);
}

function print(
  peers: readonly Peer[],
  small: number[],
  bulk: number[],
  missing: readonly MissingPeer[],
): void {
  const [ownSmall = 0, ownBulk = 0] = [small[0], bulk[0]];
  const rows = peers.map((peer, index) => [
    peer.name,
    (small[index] ?? 0).toFixed(0),
    ratio(ownSmall, small[index] ?? 0),
    downloadMissing === null ? (bulk[index] ?? 0).toFixed(0) : '-',
    ratio(ownBulk, bulk[index] ?? 0),
  ]);
  console.log(`Traffic: 13-byte responses over ${CONNECTIONS} connections; one download of 256 MiB`);
  console.log(table(['', 'requests/s', 'Underpass is', 'MB/s', 'Underpass is'], rows));
  if (downloadMissing !== null) console.log(`MB/s: not measured, ${downloadMissing} is not installed`);
  for (const peer of missing) console.log(`${peer.name}: not measured, ${peer.missing} is not installed`);
  console.log();
}
