/** New TLS connections, with a full handshake and resumed, each for one request that is answered on the spot, beside a bare `node:https` and nginx. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runScript, startScript, stopChild } from '../children.ts';
import type { ConnectionLoad, ConnectionOutcome } from '../connection-driver.ts';
import { cpuMicroseconds } from '../cpu.ts';
import type { BenchContext } from '../main.ts';
import type { Loaded } from '../measured-load.ts';
import { isMissing, type Peer } from '../peers/peer.ts';
import { startNginx } from '../peers/proxies.ts';
import { EdgeBench } from '../peers/underpass.ts';
import { Rounds } from '../rounds.ts';
import { table } from '../table.ts';
import type { Finding } from '../targets.ts';

/** At a time. */
const CONNECTIONS = 8;
const ANSWER = 'Hello, world\n';
/** CPU time per connection, to that of a bare `node:https`. */
const AT_MOST = 1.25;

interface Subject extends Loaded {
  readonly path: string;
}

interface Measured {
  readonly perSecond: number;
  /** Microseconds per connection. */
  readonly cpu: number;
}

export async function benchConnections(context: BenchContext): Promise<readonly Finding[]> {
  const { dir, certificate, rounds, seconds } = context;
  const upstream = await startScript('upstream.ts');
  const own = await EdgeBench.start(upstream.port);
  const nginx = await startNginx(dir, certificate, upstream.port, 'nginx');
  const bodyFile = join(dir, 'answer.txt');
  writeFileSync(bodyFile, ANSWER);
  const bare = await startScript('bare-https.ts', [certificate.certFile, certificate.keyFile, bodyFile]);
  try {
    const subjects: readonly Subject[] = [
      {
        name: 'bare node:https',
        target: { scheme: 'https', host: 'bench.localhost', port: bare.port },
        pids: [bare.child.pid as number],
        path: '/',
      },
      at(await own.httpsEdge('HTTPS edge', await own.fixedBackend(ANSWER)), '/'),
      at(await own.tlsEdge('TLS edge', await own.fixedBackend(ANSWER)), '/'),
      at(await own.httpsEdge('HTTPS edge + tunnel', await own.tunnelBackend()), '/'),
      ...(isMissing(nginx) ? [] : [at(nginx, '/fixed')]),
    ];
    const load = { connections: CONNECTIONS, seconds };
    const full = await Rounds.measure(subjects, rounds, (one) => measure(one, { ...load, resumed: false }));
    const resumed = await Rounds.measure(subjects, rounds, (one) => measure(one, { ...load, resumed: true }));
    print(subjects, full, resumed);
    if (isMissing(nginx)) console.log(`nginx: not measured, ${nginx.missing} is not installed\n`);
    return [
      {
        what: 'CPU of a new connection, HTTPS edge to bare node:https',
        measured: ofEdge(full),
        atMost: AT_MOST,
      },
      { what: 'CPU of a resumed connection, the same', measured: ofEdge(resumed), atMost: AT_MOST },
    ];
  } finally {
    if (!isMissing(nginx)) await nginx.stop();
    await own.stop();
    await stopChild(bare.child);
    await stopChild(upstream.child);
  }
}

function at(peer: Peer, path: string): Subject {
  return { ...peer, path };
}

async function measure(
  { name, target, pids, path }: Subject,
  how: Pick<ConnectionLoad, 'connections' | 'seconds' | 'resumed'>,
): Promise<Measured> {
  const load: ConnectionLoad = { target, path, ...how };
  const before = cpuMicroseconds(pids);
  const printed = await runScript('connection-driver.ts', [JSON.stringify(load)]);
  const { connections, perSecond, errors } = JSON.parse(printed) as ConnectionOutcome;
  if (errors > 0) console.error(`${name}: ${errors} errors`);
  return { perSecond, cpu: (cpuMicroseconds(pids) - before) / connections };
}

const [BARE, EDGE] = [0, 1];

function ofEdge(rounds: Rounds<Measured>): number {
  return rounds.ratio(EDGE, BARE, ({ cpu }) => cpu);
}

function print(subjects: readonly Subject[], full: Rounds<Measured>, resumed: Rounds<Measured>): void {
  const rows = subjects.map(({ name }, subject) => [
    name,
    ...[full, resumed].flatMap((kind) => [
      kind.of(subject, ({ perSecond }) => perSecond).toFixed(0),
      kind.of(subject, ({ cpu }) => cpu).toFixed(0),
      kind.ratioText(subject, BARE, ({ cpu }) => cpu),
    ]),
  ]);
  const columns = ['a second', 'CPU us', 'to the bare one'];
  console.log(`New connections, ${CONNECTIONS} at a time, one request on each: full, and resumed`);
  console.log(table(['', ...columns, ...columns], rows));
  console.log();
}
