/**
 * API reads and creates beside a bare `node:https` server that answers with the bytes of one resource and does nothing else. Never that
 * two things are compared that were measured at different times: each round measures all of them, and the ratios are of rounds.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Platform } from '@underpass/test';
import { cpuMicroseconds, startScript, stopChild } from '../children.ts';
import { drive, type Load } from '../driver.ts';
import type { BenchContext } from '../main.ts';
import type { Target } from '../peers/peer.ts';
import { median, ratio, table } from '../table.ts';

const CONNECTIONS = 32;
const PAGE = 100;
const COLLECTION = '/backends/http_response';
const BACKEND = {
  description: 'a bench',
  body: 'hello',
  status_code: 200,
  headers: { 'content-type': 'text/plain' },
};

interface Subject {
  readonly name: string;
  readonly target: Target;
  /** Of the process that answers. */
  readonly pid: number;
  readonly load: Omit<Load, 'connections' | 'seconds'>;
}

interface Measured {
  readonly perSecond: number;
  /** CPU of the answering process, all its threads and the kernel's work for it, in microseconds per request. */
  readonly cpu: number;
}

export async function benchApi(context: BenchContext): Promise<void> {
  const platform = await Platform.start({ args: ['--log-level', 'warn'] });
  const created = await platform.api('POST', COLLECTION, BACKEND);
  for (let count = 1; count < PAGE; count++) await platform.api('POST', COLLECTION, BACKEND);
  const bodyFile = join(context.dir, 'resource.json');
  writeFileSync(bodyFile, created.text);
  const { certFile, keyFile } = context.certificate;
  const bare = await startScript('bare-https.ts', [certFile, keyFile, bodyFile]);
  const headers = { authorization: `Bearer ${platform.bootstrap.api_key}`, 'service-version': '2' };
  const own = (name: string, load: Subject['load']): Subject => ({
    name,
    target: { scheme: 'https', host: 'api.underpass.localhost', port: platform.port, headers },
    pid: platform.daemon.pid,
    load,
  });
  const one = { paths: [`${COLLECTION}/${created.json.id}`] };
  const subjects: readonly Subject[] = [
    {
      name: 'bare node:https',
      target: { scheme: 'https', host: 'bench.localhost', port: bare.port, headers },
      pid: bare.child.pid ?? 0,
      load: one,
    },
    own('read one', one),
    own(`list, a page of ${PAGE}`, { paths: [COLLECTION] }),
    own('create (durable)', { paths: [COLLECTION], method: 'POST', body: JSON.stringify(BACKEND) }),
  ];
  try {
    const rounds: Measured[][] = [];
    for (let round = 0; round < context.rounds; round++) rounds.push(await measureAll(subjects, context));
    print(subjects, rounds);
  } finally {
    await platform.stop();
    await stopChild(bare.child);
  }
}

async function measureAll(subjects: readonly Subject[], { seconds }: BenchContext): Promise<Measured[]> {
  const results: Measured[] = [];
  for (const { name, target, pid, load } of subjects) {
    const before = cpuMicroseconds(pid);
    const outcome = await drive(target, { ...load, connections: CONNECTIONS, seconds });
    const cpu = (cpuMicroseconds(pid) - before) / outcome.requests;
    if (outcome.errors > 0) console.error(`${name}: ${outcome.errors} errors`);
    results.push({ perSecond: outcome.requestsPerSecond, cpu });
  }
  return results;
}

/** The first subject is what the second is measured by, and that what the others are. */
function print(subjects: readonly Subject[], rounds: readonly (readonly Measured[])[]): void {
  const of = (read: (round: readonly Measured[]) => number): number => median(rounds.map(read));
  const rows = subjects.map(({ name }, at) => [
    name,
    of((round) => round[at]?.perSecond ?? 0).toFixed(0),
    of((round) => round[at]?.cpu ?? 0).toFixed(1),
    ratio(
      of((round) => (round[at]?.cpu ?? 0) / (round[0]?.cpu ?? 1)),
      1,
    ),
    ratio(
      of((round) => (round[at]?.cpu ?? 0) / (round[1]?.cpu ?? 1)),
      1,
    ),
  ]);
  console.log(`API over ${CONNECTIONS} connections; the bare server answers with one resource each time`);
  console.log(table(['', 'requests/s', 'CPU us/request', 'to the bare one', 'to read one'], rows));
  console.log();
}
