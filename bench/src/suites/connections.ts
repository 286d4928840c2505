/** New TLS connections, with a full handshake and resumed, each for one request that is answered on the spot, beside a bare `node:https` and nginx. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startScript, stopChild } from '../children.ts';
import type { BenchContext } from '../main.ts';
import {
  type ConnectionSubject,
  type MeasuredConnections,
  measureConnections,
} from '../measured-connections.ts';
import { isMissing, type Peer } from '../peers/peer.ts';
import { startNginx } from '../peers/proxies.ts';
import { EdgeBench } from '../peers/underpass.ts';
import { Rounds } from '../rounds.ts';
import { table } from '../table.ts';
import type { Finding } from '../targets.ts';

/** Connections at a time. */
const CONNECTIONS = 8;
/** Connections before the measurement. Until V8 has compiled the code, each costs twice as much. */
const UNCOUNTED = 1000;
const ANSWER = 'Hello, world\n';
/** CPU time per connection, to that of a bare `node:https`. */
const AT_MOST = 1.25;

export async function benchConnections(context: BenchContext): Promise<readonly Finding[]> {
  const { dir, certificate, rounds, seconds } = context;
  const upstream = await startScript('upstream.ts');
  const own = await EdgeBench.start(upstream.port);
  const nginx = await startNginx(dir, certificate, upstream.port, 'nginx');
  const bodyFile = join(dir, 'answer.txt');
  writeFileSync(bodyFile, ANSWER);
  const bare = await startScript('bare-https.ts', [certificate.certFile, certificate.keyFile, bodyFile]);
  try {
    const subjects: readonly ConnectionSubject[] = [
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
    // The first connections are not counted: a daemon that has been running for a while is measured.
    for (const resumed of [false, true]) {
      for (const one of subjects)
        await measureConnections(one, { ...load, seconds: 1, least: UNCOUNTED, resumed });
    }
    const full = await Rounds.measure(subjects, rounds, (one) =>
      measureConnections(one, { ...load, resumed: false }),
    );
    const resumed = await Rounds.measure(subjects, rounds, (one) =>
      measureConnections(one, { ...load, resumed: true }),
    );
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

function at(peer: Peer, path: string): ConnectionSubject {
  return { ...peer, path };
}

const [BARE, EDGE] = [0, 1];

function ofEdge(rounds: Rounds<MeasuredConnections>): number {
  return rounds.ratio(EDGE, BARE, ({ cpu }) => cpu);
}

function print(
  subjects: readonly ConnectionSubject[],
  full: Rounds<MeasuredConnections>,
  resumed: Rounds<MeasuredConnections>,
): void {
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
