/**
 * Measures reconnection: of a thousand agents after the daemon was killed and restarted, and of one name after its
 * connection was cut.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Platform, Relay, startUpstream } from '@underpass/test';
import { stopChild } from '../children.ts';
import type { BenchContext } from '../main.ts';
import type { ManyAgents } from '../many-agents.ts';
import { median, table } from '../table.ts';
import type { Finding } from '../targets.ts';

const AGENTS = 1000;
const OUTAGE_MS = 20_000;
const CUTS_A_ROUND = 5;
const SCRIPT = fileURLToPath(new URL('../many-agents.ts', import.meta.url));

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Mishaps of the daemon, and the most seconds until all agents are back after it is ready. */
const mishaps: readonly {
  readonly name: string;
  readonly atMost: number;
  readonly befall: (platform: Platform) => Promise<void>;
}[] = [
  { name: 'kill -9', atMost: 5, befall: (platform) => platform.killAndRestart() },
  { name: 'restart', atMost: 5, befall: (platform) => platform.restart() },
  {
    name: 'outage of 20 s',
    atMost: 8,
    befall: async (platform) => {
      await platform.daemon.stop('SIGKILL');
      await pause(OUTAGE_MS);
      await platform.restart();
    },
  },
];

export async function benchAgents({ rounds }: BenchContext): Promise<readonly Finding[]> {
  const findings = [...(await measureThousand(rounds)), await measureCut(rounds)];
  const rows = findings.map(({ what, measured }) => [what, measured.toFixed(2)]);
  console.log(
    `Agents that come back, median of ${rounds} rounds; seconds from the moment that there is a daemon`,
  );
  console.log(table(['', 's'], rows));
  console.log();
  return findings;
}

async function measureThousand(rounds: number): Promise<Finding[]> {
  const platform = await Platform.start({ args: ['--log-level', 'warn'] });
  const { connect_addr, authtoken } = platform.bootstrap;
  const options: ManyAgents = { server: connect_addr, authtoken, ca: platform.ca, count: AGENTS };
  const agents = fork(SCRIPT, [JSON.stringify(options)]);
  try {
    await untilOnline(agents);
    const findings: Finding[] = [];
    for (const { name, atMost, befall } of mishaps) {
      const seconds: number[] = [];
      for (let round = 0; round < rounds; round++) {
        await befall(platform);
        const readyAt = performance.now();
        await untilOnline(agents);
        seconds.push((performance.now() - readyAt) / 1000);
      }
      findings.push({
        what: `${AGENTS} agents back after ${name}`,
        measured: median(seconds),
        atMost,
        unit: 's',
      });
    }
    return findings;
  } finally {
    await stopChild(agents, 'SIGKILL');
    await platform.stop();
  }
}

async function untilOnline(agents: ChildProcess): Promise<void> {
  for (let online = 0; online < AGENTS; await pause(20)) {
    agents.send('look');
    [online] = (await once(agents, 'message')) as [number];
  }
}

/** Measures the time from the cut to the first response of the service behind the agent. */
async function measureCut(rounds: number): Promise<Finding> {
  const upstream = await startUpstream((_request, response) => response.end('ok'));
  const platform = await Platform.start({ args: ['--log-level', 'warn'] });
  const relay = await Relay.start({ port: platform.port, delayMs: () => 0 });
  try {
    const { url } = await platform.agent(['http', String(upstream.port)], { quiet: true, port: relay.port });
    const seconds: number[] = [];
    for (let cut = 0; cut < CUTS_A_ROUND * rounds; cut++) {
      // A session that was a short one is followed by a pause.
      await pause(OUTAGE_MS / 2);
      const cutAt = performance.now();
      relay.cut();
      for (let status = 0; status !== 200; ) ({ status } = await platform.visit(url));
      seconds.push((performance.now() - cutAt) / 1000);
    }
    return { what: 'a name answers again after a cut', measured: median(seconds), atMost: 1, unit: 's' };
  } finally {
    await relay.stop();
    await platform.stop();
    await upstream.stop();
  }
}
