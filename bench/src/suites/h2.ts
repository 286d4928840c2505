/** Small answers over HTTP/2, beside our own HTTP/1.1 under the same driver, nginx, Caddy and a bare `node:http2`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startScript, stopChild } from '../children.ts';
import { cpuMicroseconds } from '../cpu.ts';
import { driveByH2load, h2load, type StreamLoad } from '../h2load-driver.ts';
import type { BenchContext } from '../main.ts';
import type { Loaded } from '../measured-load.ts';
import { isMissing, type MissingPeer, type Peer } from '../peers/peer.ts';
import { startCaddy, startNginx } from '../peers/proxies.ts';
import { EdgeBench } from '../peers/underpass.ts';
import { Rounds } from '../rounds.ts';
import { table } from '../table.ts';
import type { Finding } from '../targets.ts';

/** CPU time per request, to that of our own HTTP/1.1 over as many connections. */
const AT_MOST = 1.6;
const ANSWER = 'Hello, world\n';
const SHAPES = [
  { connections: 64, streams: 1 },
  { connections: 8, streams: 8 },
] as const;

interface Contestant extends Loaded {
  readonly protocol: StreamLoad['protocol'];
}

export async function benchH2(context: BenchContext): Promise<readonly Finding[]> {
  if (h2load === null) {
    console.log('HTTP/2: not measured, h2load is not installed (nghttp2-client)\n');
    return [];
  }
  const { dir, certificate } = context;
  const upstream = await startScript('upstream.ts');
  const own = await EdgeBench.start(upstream.port);
  const bodyFile = join(dir, 'answer.txt');
  writeFileSync(bodyFile, ANSWER);
  const bare = await startScript('bare-http2.ts', [certificate.certFile, certificate.keyFile, bodyFile]);
  const peers: readonly (Peer | MissingPeer)[] = [
    await own.httpsEdge('HTTPS edge', await own.staticBackend(upstream.port)),
    await own.httpsEdge('HTTPS edge + tunnel', await own.tunnelBackend()),
    await startNginx(dir, certificate, upstream.port, 'nginx, no tunnel', 'http2'),
    await startCaddy(dir, certificate, upstream.port),
    {
      name: 'bare node:http2',
      target: { scheme: 'https', host: 'bench.localhost', port: bare.port },
      pids: [bare.child.pid as number],
      stop: () => stopChild(bare.child),
    },
  ];
  try {
    return await compare(context, peers);
  } finally {
    for (const peer of peers) if (!isMissing(peer)) await peer.stop();
    await own.stop();
    await stopChild(upstream.child);
  }
}

async function compare(
  { seconds, rounds: count }: BenchContext,
  peers: readonly (Peer | MissingPeer)[],
): Promise<readonly Finding[]> {
  const present = peers.filter((peer): peer is Peer => !isMissing(peer));
  const [edge] = present;
  const contestants: readonly Contestant[] = [
    { ...edge!, name: `${edge!.name}, HTTP/1.1`, protocol: 'http/1.1' },
    ...present.map((peer) => ({ ...peer, protocol: 'h2' as const })),
  ];
  const findings: Finding[] = [];
  for (const shape of SHAPES) {
    // Uncounted: what is not compiled yet is nothing of the protocol's.
    for (const one of contestants) await measure(one, { ...shape, seconds });
    const rounds = await Rounds.measure(contestants, count, (one) => measure(one, { ...shape, seconds }));
    const rows = contestants.map(({ name }, at) => [
      name,
      rounds.of(at, ({ perSecond }) => perSecond).toFixed(0),
      rounds.of(at, ({ cpu }) => cpu).toFixed(1),
      rounds.ratioText(at, 0, ({ cpu }) => cpu),
    ]);
    console.log(
      `HTTP/2: 13-byte answers over ${shape.connections} connections, ${shape.streams} at a time on each; CPU of all processes but the upstream`,
    );
    console.log(table(['', 'requests/s', 'CPU us/request', 'to our HTTP/1.1'], rows));
    console.log();
    findings.push({
      what: `CPU per request, HTTP/2 to HTTP/1.1, ${shape.connections} connections`,
      measured: rounds.ratio(1, 0, ({ cpu }) => cpu),
      atMost: AT_MOST,
    });
  }
  for (const peer of peers) {
    if (isMissing(peer)) console.log(`${peer.name}: not measured, ${peer.missing} is not installed`);
  }
  return findings;
}

/** HTTP/1.1 has one request at a time on a connection, so it gets as many connections as there are requests. */
async function measure(
  { name, target, pids, protocol }: Contestant,
  { connections, streams, seconds }: Omit<StreamLoad, 'protocol'>,
) {
  const shape =
    protocol === 'h2' ? { connections, streams } : { connections: connections * streams, streams: 1 };
  const before = cpuMicroseconds(pids);
  const { requests, perSecond, errors } = await driveByH2load(target, { ...shape, protocol, seconds });
  const cpu = (cpuMicroseconds(pids) - before) / requests;
  if (errors > 0) console.error(`${name}: ${errors} errors`);
  return { perSecond, cpu };
}
