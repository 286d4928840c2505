/**
 * Measures the effect of a restart on visitors and an agent, with an inherited listening socket and with one that
 * each daemon opens.
 */
import { Platform, startUpstream } from '@underpass/test';
import type { BenchContext } from '../main.ts';
import { median, table } from '../table.ts';

/** Visitors at a time, each with a new connection for each request. */
const VISITORS = 8;

interface Visit {
  readonly endedAt: number;
  readonly ms: number;
  readonly isAnswered: boolean;
}

interface Restart {
  readonly drainMs: number;
  readonly readyMs: number;
  /** Milliseconds from the end of the old process to the first response through the tunnel. */
  readonly tunnelMs: number;
  readonly failed: number;
  readonly longestMs: number;
}

export async function benchRestart({ rounds }: BenchContext): Promise<void> {
  const rows: string[][] = [];
  for (const inherited of [true, false]) {
    const restarts = await measure(inherited, rounds);
    const of = (value: (restart: Restart) => number): string => median(restarts.map(value)).toFixed(0);
    rows.push([
      inherited ? 'inherited socket' : 'socket of its own',
      ...[of(({ drainMs }) => drainMs), of(({ readyMs }) => readyMs), of(({ tunnelMs }) => tunnelMs)],
      ...[of(({ failed }) => failed), of(({ longestMs }) => longestMs)],
    ]);
  }
  console.log(`Restart: ${VISITORS} visitors of a tunnel, each request on a new connection`);
  const columns = ['SIGTERM to exit', 'start to ready', 'exit to first answer', 'failed', 'longest wait'];
  console.log(table(['milliseconds, requests', ...columns], rows));
  console.log();
}

async function measure(inherited: boolean, rounds: number): Promise<Restart[]> {
  const upstream = await startUpstream((_request, response) => response.end('ok'));
  const platform = await Platform.start({ inherited, args: ['--log-level', 'warn'] });
  const { url } = await platform.agent(['http', String(upstream.port)], { quiet: true });
  let visits: Visit[] = [];
  let isOver = false;
  const keepVisiting = async (): Promise<void> => {
    while (!isOver) {
      const startedAt = performance.now();
      const isAnswered = await platform
        .visit(url, { headers: { connection: 'close' } })
        .then(({ status }) => status === 200)
        .catch(() => false);
      const endedAt = performance.now();
      visits.push({ endedAt, ms: endedAt - startedAt, isAnswered });
      // A refused visitor retries, but not in every turn of the event loop.
      if (!isAnswered) await new Promise((done) => setTimeout(done, 10));
    }
  };
  const answered = async (count: number): Promise<void> => {
    const from = visits.length;
    while (visits.slice(from).filter(({ isAnswered }) => isAnswered).length < count) {
      await new Promise((done) => setTimeout(done, 10));
    }
  };
  const visitors = Array.from({ length: VISITORS }, keepVisiting);
  const restarts: Restart[] = [];
  for (let round = 0; round < rounds; round++) {
    await answered(10 * VISITORS);
    visits = [];
    const stoppedAt = performance.now();
    await platform.daemon.stop();
    const exitedAt = performance.now();
    await platform.restart();
    const readyAt = performance.now();
    await answered(10 * VISITORS);
    const first = visits.find(({ endedAt, isAnswered }) => isAnswered && endedAt > exitedAt);
    restarts.push({
      drainMs: exitedAt - stoppedAt,
      readyMs: readyAt - exitedAt,
      tunnelMs: (first?.endedAt ?? Number.NaN) - exitedAt,
      failed: visits.filter(({ isAnswered }) => !isAnswered).length,
      longestMs: Math.max(...visits.map(({ ms }) => ms)),
    });
  }
  isOver = true;
  await Promise.all(visitors);
  await platform.stop();
  await upstream.stop();
  return restarts;
}
