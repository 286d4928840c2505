/**
 * Measures the cost of the agent's inspector while it is not open: small and large responses through a tunnel, with
 * and without it, for each upstream protocol.
 */
import { Platform } from '@underpass/test';
import { startScript, stopChild } from '../children.ts';
import type { BenchContext } from '../main.ts';
import { type Bulk, measureBulk } from '../measured-bulk.ts';
import { type Loaded, measureLoad } from '../measured-load.ts';
import { Rounds } from '../rounds.ts';
import { table } from '../table.ts';
import type { Finding } from '../targets.ts';
import { bulkFile, download, transferMissing, upload } from '../transfer.ts';

const CONNECTIONS = 64;
/** CPU time with the inspector, to that without. */
const AT_MOST = { small: 1.25, bulk: 1.05 } as const;

/** Protocols between agent and service, which the inspector parses. */
const PROTOCOLS = [
  { protocol: 'HTTP/1.1', script: 'upstream.ts', flags: [] },
  { protocol: 'HTTP/2', script: 'http2-upstream.ts', flags: ['--upstream-protocol', 'http2'] },
] as const;

/** Indices of the two measurements, in their order. */
const WITHOUT = 0;
const WITH = 1;

export async function benchInspector(context: BenchContext): Promise<readonly Finding[]> {
  const platform = await Platform.start({ args: ['--log-level', 'warn'] });
  try {
    const findings: Finding[] = [];
    for (const { protocol, script, flags } of PROTOCOLS) {
      const upstream = await startScript(script);
      try {
        const agents = [
          await tunnel(platform, upstream.port, 'without', [...flags, '--inspect=false']),
          await tunnel(platform, upstream.port, 'with', [...flags, '--inspect=127.0.0.1:0']),
        ];
        findings.push(...(await measure(agents, context, protocol)));
      } finally {
        await stopChild(upstream.child);
      }
    }
    console.log('The inspector: CPU of daemon and agent, with it to without it');
    console.log(
      table(
        ['', 'to without'],
        findings.map(({ what, measured }) => [what, measured.toFixed(2)]),
      ),
    );
    console.log();
    return findings;
  } finally {
    await platform.stop();
  }
}

async function measure(
  agents: readonly Loaded[],
  context: BenchContext,
  protocol: string,
): Promise<readonly Finding[]> {
  const { dir, rounds, seconds } = context;
  const load = { paths: ['/'], connections: CONNECTIONS, seconds };
  const small = await Rounds.measure(agents, rounds, (agent) => measureLoad(agent, load));
  const findings = [ratio(`a small request over ${protocol}`, AT_MOST.small, small)];
  if (transferMissing !== null) return findings;
  const file = bulkFile(dir);
  const measured = (transfer: Parameters<typeof measureBulk>[2]): Promise<Rounds<Bulk>> =>
    Rounds.measure(agents, rounds, (agent) => measureBulk(agent, seconds, transfer));
  return [
    ...findings,
    ratio(`a GiB down over ${protocol}`, AT_MOST.bulk, await measured(download)),
    ratio(`a GiB up over ${protocol}`, AT_MOST.bulk, await measured((target) => upload(target, file))),
  ];
}

function ratio(what: string, atMost: number, rounds: Rounds<{ readonly cpu: number }>): Finding {
  return {
    what: `CPU of ${what}, inspected to not`,
    measured: rounds.ratio(WITH, WITHOUT, ({ cpu }) => cpu),
    atMost,
  };
}

async function tunnel(
  platform: Platform,
  upstreamPort: number,
  name: string,
  flags: readonly string[],
): Promise<Loaded> {
  const { url, process } = await platform.agent(['http', String(upstreamPort), ...flags], { quiet: true });
  const target = { scheme: 'https', host: new URL(url).hostname, port: platform.port } as const;
  return { name, target, pids: [platform.daemon.pid, process.pid] };
}
