/** What a new connection costs, what memory the daemon takes and how long it takes to start where ten uploaded certificates are in use, and more. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { residentMegabytes } from '@underpass/test';
import { makeCertificate } from '../certificate.ts';
import type { BenchContext } from '../main.ts';
import { type MeasuredConnections, measureConnections } from '../measured-connections.ts';
import type { Peer } from '../peers/peer.ts';
import { EdgeBench, terminated } from '../peers/underpass.ts';
import { Rounds } from '../rounds.ts';
import { table } from '../table.ts';
import type { Finding } from '../targets.ts';

const SIZES = [10, 1000, 100_000] as const;
const DOMAIN = 'many.example.com';
const CONNECTIONS = 8;
/** CPU time with the most of them, to that with the fewest. */
const AT_MOST = 1.5;

interface Daemon {
  readonly bench: EdgeBench;
  readonly peer: Peer;
  readonly startSeconds: number;
}

export async function benchCertificates(context: BenchContext): Promise<readonly Finding[]> {
  const daemons: Daemon[] = [];
  try {
    for (const size of SIZES) {
      daemons.push(await fill(context, size));
      console.error(`${size.toLocaleString('en')} certificates are there`);
    }
    const peers = daemons.map(({ peer }) => peer);
    const measured = await Rounds.measure(peers, context.rounds, (peer) =>
      measureConnections(
        { ...peer, path: '/' },
        { connections: CONNECTIONS, seconds: context.seconds, resumed: false },
      ),
    );
    print(daemons, measured);
    const ratio = measured.ratio(SIZES.length - 1, 0, ({ cpu }) => cpu);
    return [{ what: 'CPU of a connection, 100,000 certificates to 10', measured: ratio, atMost: AT_MOST }];
  } finally {
    for (const { bench } of daemons) await bench.stop();
  }
}

/** So many names, each with a certificate of its own, and an edge at one of them; the daemon was started again since. */
async function fill({ dir }: BenchContext, size: number): Promise<Daemon> {
  const bench = await EdgeBench.start(null);
  const folder = mkdtempSync(join(dir, 'certificates-'));
  const { certFile, keyFile } = makeCertificate(folder, `*.${DOMAIN}`);
  const certificate = {
    certificate_pem: readFileSync(certFile, 'utf8'),
    private_key_pem: readFileSync(keyFile, 'utf8'),
  };
  const ids = join(folder, 'ids');
  await bench.fill('/tls_certificates', certificate, size, { idsTo: ids });
  const domain = { domain: `n{n}.${DOMAIN}`, certificate_id: '{id}' };
  await bench.fill('/reserved_domains', domain, size, { idsFrom: ids });
  const host = `n1.${DOMAIN}`;
  const backend = { backend_id: await bench.fixedBackend('Hello, world\n') };
  await bench.create('/edges/tls', { hostports: [`${host}:443`], backend, ...terminated });
  const before = performance.now();
  await bench.platform.restart();
  const startSeconds = (performance.now() - before) / 1000;
  const { port, daemon } = bench.platform;
  const target = { scheme: 'https', host, port } as const;
  const name = size.toLocaleString('en');
  return { bench, startSeconds, peer: { name, target, pids: [daemon.pid], stop: async () => {} } };
}

function print(daemons: readonly Daemon[], measured: Rounds<MeasuredConnections>): void {
  const rows = daemons.map(({ bench, startSeconds }, at) => [
    SIZES[at]?.toLocaleString('en') ?? '',
    measured.of(at, ({ cpu }) => cpu).toFixed(0),
    measured.ratioText(at, 0, ({ cpu }) => cpu),
    residentMegabytes(bench.platform.daemon.pid).toFixed(0),
    startSeconds.toFixed(1),
  ]);
  console.log(
    'Certificates in use: CPU us of a new connection, resident MB, and seconds to stop and start again',
  );
  console.log(table(['', 'a connection', 'ratio', 'MB', 'start'], rows));
  console.log();
}
