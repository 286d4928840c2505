/**
 * Measures the end of a minute in the series of traffic: the longest stall of the event loop, and CPU.
 * Many keys have traffic in 1, 6 or all seconds of the minute.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { until } from '@underpass/test';
import { visit } from '../../../packages/server/src/edge/sites/exchange-record.fixture.ts';
import { MOST_KEYS } from '../../../packages/server/src/insight/series/tally.ts';
import { TrafficSeries } from '../../../packages/server/src/insight/series/traffic-series.ts';
import { median, table } from '../table.ts';

const MINUTES = 9;
const ACTIVE_SECONDS = [1, 6, 60];

interface End {
  readonly stallMs: number;
  readonly cpuMs: number;
}

export async function benchMinute(): Promise<void> {
  const rows: string[][] = [];
  for (const active of ACTIVE_SECONDS) {
    const ends = await measure(active);
    const stalls = ends.map(({ stallMs }) => stallMs);
    const cpu = median(ends.map(({ cpuMs }) => cpuMs));
    rows.push([String(active), median(stalls).toFixed(1), Math.max(...stalls).toFixed(1), cpu.toFixed(0)]);
  }
  console.log(`The end of a minute with ${MOST_KEYS} series, of ${MINUTES} minutes`);
  console.log(table(['seconds with traffic', 'longest stall ms', 'at most', 'CPU ms'], rows));
  console.log();
}

async function measure(active: number): Promise<readonly End[]> {
  const clock = { now: Date.parse('2030-01-02T03:00:00Z') };
  let written = 0;
  const write = async (build: Parameters<TrafficStore['write']>[0]): Promise<void> => {
    for (const operation of build()) if (operation.op === 'keep_series') written += operation.rows.length;
    // A database writes in a thread or process of its own.
    await wait(2);
  };
  const store: TrafficStore = { write, series: async () => [] };
  const series = new TrafficSeries({ store, now: () => clock.now, errorPrefix: 'ERR_' });
  const records = Array.from({ length: MOST_KEYS }, (_, at) => {
    const site = `edgtls_${at}`;
    return { ...visit, account: `ac_${at % 10}`, site, route: site, backend: '', credential: '' };
  });
  const ends: End[] = [];
  for (let minute = 0; minute < MINUTES; minute += 1) {
    for (let second = 0; second < 60; second += 1) {
      for (const [at, record] of records.entries())
        if (((at + second) * active) % 60 < active)
          series.observe(Object.assign(record, { durationMs: 1 + ((at * 7 + second * 13) % 500) }));
      if (second < 59) clock.now += 1_000;
      await wait(1);
    }
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    // The first delay is that of the monitor's own begin.
    await wait(10);
    delay.reset();
    await wait(5);
    const cpu = process.cpuUsage();
    const all = written + 2 * MOST_KEYS;
    clock.now += 1_000;
    series.observe(records[0]!);
    await until(() => written >= all);
    await wait(5);
    delay.disable();
    const { user, system } = process.cpuUsage(cpu);
    ends.push({ stallMs: delay.max / 1e6, cpuMs: (user + system) / 1e3 });
  }
  await series.stop();
  return ends;
}

type TrafficStore = ConstructorParameters<typeof TrafficSeries>[0]['store'];
