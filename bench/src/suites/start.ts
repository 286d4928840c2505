/**
 * Measures the time from the start of the daemon until it is ready: from the sources, from an installation, and from
 * an installation with many certificates of reserved domains.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePorts, Process, residentMegabytes } from '@underpass/test';
import { stagePackages } from '../../../scripts/packages/stage.ts';
import { makeCertificate } from '../certificate.ts';
import { runScript } from '../children.ts';
import { cpuMicroseconds } from '../cpu.ts';
import type { CertificateFill } from '../fill-certificates.ts';
import type { BenchContext } from '../main.ts';
import { median, table } from '../table.ts';
import type { Finding } from '../targets.ts';

/** Starts of each kind. */
const STARTS = 15;
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const COMMAND = 'bin/underpassd.js';
const CERTIFICATES = 20_000;
const DOMAIN = 'many.example.com';

interface Start {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly megabytes: number;
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
    const starts: Record<string, Start[]> = { first: [], later: [] };
    for (let number = 0; number < STARTS; number++) {
      starts.first!.push(await start(command, join(dir, `${name}-data-${number}`)));
      starts.later!.push(await start(command, used));
    }
    if (name === 'built') {
      await fill(dir, used);
      starts.many = [];
      for (let number = 0; number < STARTS; number++) starts.many.push(await start(command, used));
    }
    for (const [which, of] of Object.entries(starts)) {
      const wallMs = median(of.map((one) => one.wallMs));
      const others = [of.map((one) => one.cpuMs), of.map((one) => one.megabytes)];
      rows.push([`${name}, ${which}`, wallMs.toFixed(0), ...others.map((each) => median(each).toFixed(0))]);
      if (name === 'built' && which !== 'many')
        findings.push({ what: `start, ${which}`, measured: wallMs, atMost: 350, unit: 'ms' });
    }
  }
  console.log(
    `Start: until "ready", median of ${STARTS}; "first" makes a data folder, "many" has ${CERTIFICATES.toLocaleString('en')} certificates`,
  );
  console.log(table(['', 'ms', 'ms of CPU', 'MB'], rows));
  console.log();
  return findings;
}

async function fill(dir: string, dataDir: string): Promise<void> {
  const { account_id: account } = JSON.parse(readFileSync(join(dataDir, 'bootstrap.json'), 'utf8'));
  const certificate = makeCertificate(dir, `*.${DOMAIN}`);
  const filled: CertificateFill = { dataDir, account, certificate, domain: DOMAIN, count: CERTIFICATES };
  await runScript('fill-certificates.ts', [JSON.stringify(filled)]);
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
    const wallMs = performance.now() - startedAt;
    const cpuMs = cpuMicroseconds([daemon.pid]) / 1000;
    return { wallMs, cpuMs, megabytes: residentMegabytes(daemon.pid) };
  } finally {
    await daemon.stop();
  }
}
