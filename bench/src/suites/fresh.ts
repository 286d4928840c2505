/**
 * The first ten seconds of a fresh daemon under load, second by second, beside the cost of the same requests once its code is compiled. The main
 * thread runs the code; the threads of V8 compile it and collect garbage.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startScript, stopChild } from '../children.ts';
import { threadMicroseconds } from '../cpu.ts';
import { requestsAt, underLoad } from '../load-window.ts';
import type { BenchContext } from '../main.ts';
import type { Peer } from '../peers/peer.ts';
import { EdgeBench } from '../peers/underpass.ts';
import { table } from '../table.ts';
import { warmUp } from '../warm-up.ts';

const LOAD = { paths: ['/'], connections: 64 };
const FIRST_SECONDS = 10;
const STEADY_SECONDS = 5;

/** CPU time in microseconds. */
interface Cost {
  readonly requests: number;
  readonly main: number;
  readonly v8: number;
}

export async function benchFresh({ seconds }: BenchContext): Promise<void> {
  const upstream = await startScript('upstream.ts');
  const own = await EdgeBench.start(upstream.port);
  try {
    const peer = await own.httpsEdge('HTTPS edge', await own.staticBackend(upstream.port));
    const measure = (length: number) => costs(peer, own.platform.daemon.pid, upstream.port, length);
    const first = await measure(FIRST_SECONDS);
    const isSteady = await warmUp(peer, { load: LOAD, seconds, upstream: upstream.port });
    const [, ...later] = await measure(STEADY_SECONDS);
    const steady = sum(later);
    const rows = first.map((cost, at) => [at === 0 ? 'connections' : `second ${at}`, ...cells(cost)]);
    console.log(
      `A fresh daemon: 13-byte answers of an HTTPS edge over ${LOAD.connections} connections; CPU us/request of the daemon's threads`,
    );
    console.log(table(['', 'requests', 'all', 'main', 'V8'], [...rows, ['steady', ...cells(steady)]]));
    const whole = sum(first);
    const extra = (whole.main + whole.v8 - costEach(steady) * whole.requests) / 1e6;
    console.log(
      `the first ${FIRST_SECONDS} seconds took ${extra.toFixed(1)} s of CPU more than as many requests take later`,
    );
    if (!isSteady) console.log('not steady after the warm-up');
    console.log();
  } finally {
    await own.stop();
    await stopChild(upstream.child);
  }
}

/** The first cost is that of the connections and their first requests, each further one of a second. */
async function costs(peer: Peer, pid: number, upstream: number, seconds: number): Promise<readonly Cost[]> {
  const sample = async (): Promise<Cost> => ({
    requests: await requestsAt(upstream),
    ...threadMicroseconds(pid),
  });
  const samples = [await sample()];
  await underLoad(peer.target, LOAD, upstream, async () => {
    samples.push(await sample());
    for (let second = 0; second < seconds; second++) {
      await sleep(1000);
      samples.push(await sample());
    }
  });
  return samples.slice(1).map((to, at) => difference(to, samples[at] ?? to));
}

function difference(to: Cost, from: Cost): Cost {
  return { requests: to.requests - from.requests, main: to.main - from.main, v8: to.v8 - from.v8 };
}

function sum(of: readonly Cost[]): Cost {
  return of.reduce((all, { requests, main, v8 }) => ({
    ...{ requests: all.requests + requests, main: all.main + main, v8: all.v8 + v8 },
  }));
}

function costEach({ requests, main, v8 }: Cost): number {
  return (main + v8) / requests;
}

function cells(cost: Cost): readonly string[] {
  const each = [costEach(cost), cost.main / cost.requests, cost.v8 / cost.requests];
  return [String(cost.requests), ...each.map((spent) => spent.toFixed(1))];
}
