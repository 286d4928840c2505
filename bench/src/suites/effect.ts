/**
 * Measures the time from the API's response to a write until traffic follows the write. It measures the daemon that
 * responded, where the time must be zero, and another daemon on the same PostgreSQL, idle or busy.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Platform, Postgres, postgresMissing, Visitor } from '@underpass/test';
import { drive } from '../driver.ts';
import type { BenchContext } from '../main.ts';
import type { Target } from '../peers/peer.ts';
import { EdgeBench } from '../peers/underpass.ts';
import { percentile, table } from '../table.ts';
import type { Finding } from '../targets.ts';

/** Statuses for the edge's fixed response, one after the other. The status shows which write has effect. */
const STATUSES = Array.from({ length: 90 }, (_, at) => 210 + at);
const WRITES = 300;
const LOADING = 32;
const AT_MOST_MS = 20;

interface Effects {
  /** Writes that the first request after the answer did not meet, at the daemon that answered. */
  readonly late: number;
  /** Milliseconds from the API's response until a visitor of the other daemon sees the write. */
  readonly delays: readonly number[];
}

export async function benchEffect(context: BenchContext): Promise<readonly Finding[]> {
  if (postgresMissing !== false) {
    console.log(`Effect of a write: not measured: ${postgresMissing}\n`);
    return [];
  }
  const server = await Postgres.start({ durable: true });
  const masterKey = `UNDERPASS_MASTER_KEY=${randomBytes(32).toString('hex')}`;
  const daemon = { args: ['--database', await server.database()], through: ['env', masterKey] };
  const own = await EdgeBench.start(null, daemon);
  const other = await Platform.start({ ...daemon, args: ['--log-level', 'warn', ...daemon.args] });
  try {
    const backend = await own.fixedBackend('');
    const { target } = await own.httpsEdge('edge', backend);
    const { host } = target;
    const resting = await measure(own.platform, other, host, backend);
    const busy = keepBusy({ ...target, port: other.port }, context.seconds);
    const loaded = await measure(own.platform, other, host, backend).finally(() => busy.stop());
    print(resting, loaded);
    return [
      {
        what: 'writes without effect when they are answered',
        measured: resting.late + loaded.late,
        atMost: 0,
      },
      ...[resting, loaded].map(({ delays }, at) => ({
        what: `p99 of a write's effect at another daemon, ${at === 0 ? 'resting' : 'busy'}`,
        measured: percentile(delays, 99),
        atMost: AT_MOST_MS,
        unit: 'ms',
      })),
    ];
  } finally {
    await other.stop();
    await own.stop();
    await server.stop();
  }
}

async function measure(own: Platform, other: Platform, host: string, backend: string): Promise<Effects> {
  const ca = own.ca;
  const [here, there] = await Promise.all(
    [own, other].map(({ port }) => Visitor.connect({ port, servername: host, ca })),
  );
  const path = new URL(`/backends/http_response/${backend}`, own.bootstrap.base_url);
  const headers = {
    authorization: `Bearer ${own.bootstrap.api_key}`,
    'service-version': '2',
    'content-type': 'application/json',
  };
  const delays: number[] = [];
  let late = 0;
  for (let write = 0; write < WRITES; write++) {
    const status = STATUSES[write % STATUSES.length]!;
    const effective = until(there!, status);
    const body = JSON.stringify({ status_code: status });
    const answer = await own.client.unchecked(path, { method: 'PATCH', headers, body });
    const answeredAt = performance.now();
    if (answer.status !== 200) throw new Error(answer.text);
    if ((await here!.get()).status !== status) late += 1;
    delays.push(Math.max(0, (await effective) - answeredAt));
  }
  here!.close();
  there!.close();
  return { late, delays };
}

/**
 * Resolves with the time at which a visitor first receives this status. It requests every other millisecond, to leave
 * the processors to the daemons.
 */
async function until(visitor: Visitor, status: number): Promise<number> {
  while ((await visitor.get()).status !== status) await pause(1);
  return performance.now();
}

function keepBusy(target: Target, seconds: number): { stop(): Promise<void> } {
  let isOver = false;
  const load = { paths: ['/'], connections: LOADING, seconds };
  const running = (async () => {
    while (!isOver) await drive(target, load);
  })();
  // A failure is reported at the stop; before that it must not end the process.
  running.catch(() => {});
  return {
    stop: () => {
      isOver = true;
      return running;
    },
  };
}

function print(resting: Effects, busy: Effects): void {
  const rows = [['that rests', resting] as const, [`that answers ${LOADING} visitors`, busy] as const].map(
    ([name, { delays }]) => [name, ...[50, 99, 100].map((share) => percentile(delays, share).toFixed(1))],
  );
  console.log(
    `Effect of ${WRITES} writes: ms from the API's answer, at another daemon on the same PostgreSQL`,
  );
  console.log(table(['a daemon', 'p50', 'p99', 'longest'], rows));
  console.log();
}
