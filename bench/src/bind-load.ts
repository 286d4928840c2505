/**
 * Binds names at several daemons at a steady rate, in a process of its own. Argument: JSON of BindLoad. Prints a
 * BindOutcome as JSON.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Place } from '@underpass/test';
import { StockAgent } from '../../test/system/stock-agent.fixture.ts';
import { percentile } from './table.ts';

export interface BindLoad {
  readonly places: readonly Place[];
  /** Binds a second. */
  readonly rate: number;
  readonly seconds: number;
  /** Beginning of all names. */
  readonly prefix: string;
}

export interface BindOutcome {
  readonly perSecond: number;
  readonly refused: number;
  /** Milliseconds from the moment at which a bind was due to its response. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** A session has at most 256 tunnels. */
const BINDS_OF_SESSION = 240;
const TICK_MS = 2;

const { places, rate, seconds, prefix } = JSON.parse(process.argv[2] ?? '') as BindLoad;
const total = rate * seconds;
const agents: StockAgent[] = [];
for (let n = 0; n * BINDS_OF_SESSION < total; n++)
  agents.push(await StockAgent.connect(places[n % places.length]!, (_, response) => response.end()));

const latencies: number[] = [];
let refused = 0;
const startedAt = performance.now();
let endedAt = startedAt;

async function bind(n: number): Promise<void> {
  const dueAt = startedAt + (n * 1000) / rate;
  const agent = agents[n % agents.length]!;
  if ((await agent.refusal({}, { Name: `${prefix}-${n}.underpass.localhost` })) !== '') refused += 1;
  endedAt = performance.now();
  latencies.push(endedAt - dueAt);
}

const binds: Promise<void>[] = [];
while (binds.length < total) {
  const due = Math.min(total, ((performance.now() - startedAt) * rate) / 1000);
  while (binds.length < due) binds.push(bind(binds.length));
  await pause(TICK_MS);
}
await Promise.all(binds);
await Promise.all(agents.map((agent) => agent.stop()));
const outcome: BindOutcome = {
  perSecond: (total * 1000) / (endedAt - startedAt),
  ...{ refused, p50Ms: percentile(latencies, 50), p99Ms: percentile(latencies, 99) },
};
console.log(JSON.stringify(outcome));
