/** What a start of the daemon costs until it is ready: from the sources of the checkout, and from what is built for an installation. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePorts, Process } from '@underpass/test';
import { stagePackages } from '../../../scripts/packages/stage.ts';
import { cpuMicroseconds } from '../cpu.ts';
import type { BenchContext } from '../main.ts';
import { median, table } from '../table.ts';
import type { Finding } from '../targets.ts';

/** Of each kind. */
const STARTS = 15;
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const COMMAND = 'bin/underpassd.js';

interface Start {
  readonly wallMs: number;
  readonly cpuMs: number;
}

export async function benchStart({ dir }: BenchContext): Promise<readonly Finding[]> {
  await stagePackages(ROOT, join(dir, 'packages'));
  const commands = {
    checkout: join(ROOT, 'packages/server', COMMAND),
    built: join(dir, 'packages/server', COMMAND),
  };
  const rows: string[][] = [];
  const findings: Finding[] = [];
  for (const [name, command] of Object.entries(commands)) {
    const used = join(dir, `${name}-data`);
    // Fills the compile cache and the data folder.
    await start(command, used);
    const starts: Record<'first' | 'later', Start[]> = { first: [], later: [] };
    for (let number = 0; number < STARTS; number++) {
      starts.first.push(await start(command, join(dir, `${name}-data-${number}`)));
      starts.later.push(await start(command, used));
    }
    for (const [which, of] of Object.entries(starts)) {
      const wallMs = median(of.map((one) => one.wallMs));
      rows.push([`${name}, ${which}`, wallMs.toFixed(0), median(of.map((one) => one.cpuMs)).toFixed(0)]);
      if (name === 'built')
        findings.push({ what: `start, ${which}`, measured: wallMs, atMost: 350, unit: 'ms' });
    }
  }
  console.log(`Start: until "ready", median of ${STARTS}; "first" makes a data folder`);
  console.log(table(['', 'ms', 'ms of CPU'], rows));
  console.log();
  return findings;
}

async function start(command: string, dataDir: string): Promise<Start> {
  const [port = 0] = await freePorts(1);
  const startedAt = performance.now();
  const daemon = Process.node(command, [
    ...['serve', '--listen', `127.0.0.1:${port}`, '--domain', 'underpass.localhost', '--data-dir', dataDir],
    ...['--log-level', 'warn'],
  ]);
  try {
    await daemon.line(/^ready /);
    return { wallMs: performance.now() - startedAt, cpuMs: cpuMicroseconds([daemon.pid]) / 1000 };
  } finally {
    await daemon.stop();
  }
}
