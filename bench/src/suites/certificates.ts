/**
 * Measures new connections, memory and start time of daemons with ten certificates and with more. Connections go to
 * one name repeatedly, and to random names. A daemon with many certificates has most of them not in memory.
 */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { residentMegabytes } from '@underpass/test';
import { makeCertificate } from '../certificate.ts';
import { runScript } from '../children.ts';
import type { CertificateFill } from '../fill-certificates.ts';
import type { BenchContext } from '../main.ts';
import { type MeasuredConnections, measureConnections } from '../measured-connections.ts';
import type { Loaded } from '../measured-load.ts';
import { EdgeBench, terminated } from '../peers/underpass.ts';
import { Rounds } from '../rounds.ts';
import { table } from '../table.ts';
import type { Finding } from '../targets.ts';

const SIZES = [10, 1000, 100_000] as const;
const DOMAIN = 'many.example.com';
const CONNECTIONS = 8;
/** CPU time with the most of them, to that with the fewest. */
const AT_MOST = 1.5;
/** Target in MB for the daemon with the most certificates. */
const AT_MOST_MB = 512;

interface Daemon {
  readonly bench: EdgeBench;
  readonly size: number;
  readonly startSeconds: number;
}

/** Connections to a daemon: to one name, or to any. */
interface Visits extends Loaded {
  readonly names: number;
}

export async function benchCertificates(context: BenchContext): Promise<readonly Finding[]> {
  const daemons: Daemon[] = [];
  try {
    for (const size of SIZES) {
      daemons.push(await fill(context, size));
      console.error(`${size.toLocaleString('en')} certificates are there`);
    }
    const visits = daemons.flatMap((daemon) => [visitsOf(daemon, 1), visitsOf(daemon, daemon.size)]);
    const measure = ({ names, ...target }: Visits) =>
      measureConnections(
        { ...target, path: '/' },
        { connections: CONNECTIONS, seconds: context.seconds, resumed: false, names },
      );
    // A daemon that has just started has code to compile.
    for (const each of visits) await measure(each);
    const measured = await Rounds.measure(visits, context.rounds, measure);
    print(daemons, measured);
    const most = daemons.at(-1)!;
    return [
      {
        what: 'CPU of a connection, 100,000 certificates to 10',
        measured: measured.ratio(visits.length - 2, 0, ({ cpu }) => cpu),
        atMost: AT_MOST,
      },
      { what: 'memory with 100,000 certificates', measured: memoryOf(most), atMost: AT_MOST_MB, unit: 'MB' },
    ];
  } finally {
    for (const { bench } of daemons) await bench.stop();
  }
}

/** So many names, each with a certificate of its own, and an edge at all of them; the daemon was started again since. */
async function fill({ dir }: BenchContext, size: number): Promise<Daemon> {
  const bench = await EdgeBench.start(null);
  const { platform } = bench;
  await bench.create('/reserved_domains', { domain: `*.${DOMAIN}` });
  const backend = { backend_id: await bench.fixedBackend('Hello, world\n') };
  await bench.create('/edges/tls', { hostports: [`*.${DOMAIN}:443`], backend, ...terminated });
  const certificate = makeCertificate(mkdtempSync(join(dir, 'certificates-')), `*.${DOMAIN}`);
  const { account_id: account } = platform.bootstrap;
  const { dataDir } = platform;
  const filled: CertificateFill = { dataDir, account, certificate, domain: DOMAIN, count: size };
  await platform.restart(async () => {
    await runScript('fill-certificates.ts', [JSON.stringify(filled)]);
  });
  const before = performance.now();
  await platform.restart();
  return { bench, size, startSeconds: (performance.now() - before) / 1000 };
}

function visitsOf({ bench: { platform }, size }: Daemon, names: number): Visits {
  const target = { scheme: 'https', host: `n{n}.${DOMAIN}`, port: platform.port } as const;
  return { name: size.toLocaleString('en'), target, pids: [platform.daemon.pid], names };
}

function memoryOf({ bench }: Daemon): number {
  return residentMegabytes(bench.platform.daemon.pid);
}

function print(daemons: readonly Daemon[], measured: Rounds<MeasuredConnections>): void {
  const rows = daemons.map((daemon, at) => [
    daemon.size.toLocaleString('en'),
    ...[2 * at, 2 * at + 1].flatMap((visits) => [
      measured.of(visits, ({ cpu }) => cpu).toFixed(0),
      measured.ratioText(visits, 0, ({ cpu }) => cpu),
    ]),
    memoryOf(daemon).toFixed(0),
    daemon.startSeconds.toFixed(1),
  ]);
  console.log(
    'Certificates in use: CPU us of a new connection, resident MB, and seconds to stop and start again',
  );
  console.log(table(['', 'one name', 'ratio', 'any name', 'ratio', 'MB', 'start'], rows));
  console.log();
}
