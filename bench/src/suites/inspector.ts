/** What the agent's inspector costs while nobody looks: small answers and large ones through a tunnel, with it and without. */
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

/** What is measured, in this order. */
const WITHOUT = 0;
const WITH = 1;

export async function benchInspector(context: BenchContext): Promise<readonly Finding[]> {
  const upstream = await startScript('upstream.ts');
  const platform = await Platform.start({ args: ['--log-level', 'warn'] });
  try {
    const agents = [
      await tunnel(platform, upstream.port, 'without', ['--inspect=false']),
      await tunnel(platform, upstream.port, 'with', ['--inspect=127.0.0.1:0']),
    ];
    const load = { paths: ['/'], connections: CONNECTIONS, seconds: context.seconds };
    const small = await Rounds.measure(agents, context.rounds, (agent) => measureLoad(agent, load));
    const finding = ratio('a small request', AT_MOST.small, small);
    console.log('The inspector: CPU of daemon and agent, with it to without it');
    const bulk = transferMissing === null ? await measureTransfers(agents, context) : [];
    const findings = [finding, ...bulk];
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
    await stopChild(upstream.child);
  }
}

async function measureTransfers(
  agents: readonly Loaded[],
  { dir, rounds, seconds }: BenchContext,
): Promise<readonly Finding[]> {
  const file = bulkFile(dir);
  const measure = (transfer: Parameters<typeof measureBulk>[2]): Promise<Rounds<Bulk>> =>
    Rounds.measure(agents, rounds, (agent) => measureBulk(agent, seconds, transfer));
  return [
    ratio('a GiB down', AT_MOST.bulk, await measure(download)),
    ratio('a GiB up', AT_MOST.bulk, await measure((target) => upload(target, file))),
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
