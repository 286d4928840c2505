/**
 * Measures the cost of events: delivery to a target, recording of API writes and of visitors' requests, and a
 * backlog.
 * Invariant: recording is measured while no target accepts events, so that the cost of delivery is not part of it.
 */
import { daemonFlags, runScript, startScript, stopChild } from '../children.ts';
import type { Drain, Drained } from '../events-drain.ts';
import type { BenchContext } from '../main.ts';
import { type Loaded, measureLoad } from '../measured-load.ts';
import { EdgeBench } from '../peers/underpass.ts';
import { Rounds } from '../rounds.ts';
import { table } from '../table.ts';
import type { Finding } from '../targets.ts';

const CONNECTIONS = 32;
const EVENTS = 20_000;
/** An account's outbox takes no more, and half of it from visitors. */
const MOST_WAITING = 100_000;
const NOBODY_THERE = 'http://127.0.0.1:1';
const MIB = 1_048_576;

export async function benchEvents(context: BenchContext): Promise<readonly Finding[]> {
  return [...(await benchDelivery()), ...(await benchTelling(context))];
}

/** A million with 10,000 resources. */
export function benchBacklogs({ resources }: BenchContext): Promise<readonly Finding[]> {
  return benchBacklog(resources * 100);
}

async function drain(what: Omit<Drain, 'sinkPort'>): Promise<Drained> {
  const sink = await startScript('event-sink.ts');
  try {
    const given: Drain = { ...what, sinkPort: sink.port };
    const printed = await runScript('events-drain.ts', [JSON.stringify(given)], daemonFlags());
    return JSON.parse(printed) as Drained;
  } finally {
    await stopChild(sink.child);
  }
}

async function benchDelivery(): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const rows: string[][] = [];
  for (const target of ['monitoring', 'stream'] as const) {
    const { perSecond, cpu } = await drain({ target, accounts: 1, events: EVENTS });
    rows.push([target, perSecond.toFixed(0), cpu.toFixed(1)]);
    const what = `seconds for 5,000 events to a ${target} target`;
    findings.push({ what, measured: 5_000 / perSecond, atMost: 1, unit: 's' });
  }
  console.log(`${EVENTS} events of one destination, from the outbox to a target on this machine`);
  console.log(table(['', 'events/s', 'CPU us/event'], rows));
  console.log();
  return findings;
}

/** A daemon, with a subscription to both or without. */
interface Telling {
  readonly write: Loaded;
  readonly visit: Loaded;
  stop(): Promise<void>;
  /** Events that wait for the destination. */
  waiting(): Promise<number>;
}

async function benchTelling(context: BenchContext): Promise<readonly Finding[]> {
  const sink = await startScript('event-sink.ts');
  const upstream = await startScript('upstream.ts');
  const intakes = [null, NOBODY_THERE, `http://127.0.0.1:${sink.port}`];
  const daemons: Telling[] = [];
  try {
    for (const intake of intakes) daemons.push(await startTelling(intake, upstream.port));
    const [, away] = daemons;
    // Empties the queue first: events that find no room are not recorded, and recording is measured.
    for (let round = 0; away !== undefined && round < 20; round++) {
      if ((await away.waiting()) >= MOST_WAITING / 2) break;
      await measureLoad(away.visit, { paths: ['/'], connections: CONNECTIONS, seconds: 2 });
    }
    return await measureTelling(daemons, context);
  } finally {
    for (const { stop } of daemons) await stop();
    await stopChild(sink.child);
    await stopChild(upstream.child);
  }
}

async function measureTelling(
  daemons: readonly Telling[],
  { seconds, rounds: count }: BenchContext,
): Promise<readonly Finding[]> {
  const load = { connections: CONNECTIONS, seconds };
  const subjects = daemons.flatMap(({ write, visit }) => [
    { on: write, load: { ...load, paths: ['/ip_policies'], method: 'POST', body: '{}' } },
    { on: visit, load: { ...load, paths: ['/'] } },
  ]);
  const rounds = await Rounds.measure(subjects, count, (subject) => measureLoad(subject.on, subject.load));
  const names = ['no subscription', 'recorded, target away', 'told and delivered'];
  const rows = names.map((name, at) => [
    name,
    ...[0, 1].flatMap((what) => [
      rounds.of(2 * at + what, ({ cpu }) => cpu).toFixed(1),
      rounds.ratioText(2 * at + what, what, ({ cpu }) => cpu),
    ]),
  ]);
  console.log(`Cost of recording, as the daemon's CPU us over ${CONNECTIONS} connections`);
  console.log(table(['', 'API write', 'ratio', 'request', 'ratio'], rows));
  console.log();
  const told = (what: number) => rounds.ratio(2 + what, what, ({ cpu }) => cpu);
  return [
    { what: 'CPU of an API write that is recorded, to one that is not', measured: told(0), atMost: 1.15 },
    { what: 'CPU of a request that is recorded, to one that is not', measured: told(1), atMost: 1.2 },
  ];
}

async function startTelling(intake: string | null, upstreamPort: number): Promise<Telling> {
  const args = intake === null ? [] : ['--monitoring-intake-url', intake];
  const own = await EdgeBench.start(null, { args });
  const visit = await own.httpsEdge('told', await own.staticBackend(upstreamPort));
  let destination = '';
  if (intake !== null) {
    const target = { monitoring: { api_key: 'bench' } };
    destination = await own.create('/event_destinations', { format: 'json', target });
    const sources = [{ type: 'ip_policy_created.v0' }, { type: 'http_request_complete.v0' }];
    await own.create('/event_subscriptions', { sources, destination_ids: [destination] });
  }
  const { platform } = own;
  const headers = { authorization: `Bearer ${platform.bootstrap.api_key}`, 'service-version': '2' };
  return {
    write: {
      name: 'API',
      target: { scheme: 'https', host: 'api.underpass.localhost', port: platform.port, headers },
      pids: [platform.daemon.pid],
    },
    visit,
    stop: () => own.stop(),
    waiting: async () =>
      (await platform.api('GET', `/event_destinations/${destination}/status`)).json.backlog,
  };
}

async function benchBacklog(events: number): Promise<readonly Finding[]> {
  const accounts = Math.ceil(events / MOST_WAITING);
  const each = Math.ceil(events / accounts);
  const { perSecond, before, early, peak, cpu, wrong } = await drain({
    target: 'monitoring',
    accounts,
    events: each,
  });
  const grown = (peak - before) / MIB;
  console.log(`A backlog of ${accounts * each} events in ${accounts} accounts`);
  const first = (early - before) / MIB;
  const row = [perSecond.toFixed(0), cpu.toFixed(1), first.toFixed(0), grown.toFixed(0), String(wrong)];
  const heads = [
    'events/s',
    'CPU us/event',
    'MiB more after a tenth',
    'after all',
    'lost, twice or misplaced',
  ];
  console.log(table(heads, [row]));
  console.log();
  return [
    { what: 'memory for a backlog', measured: grown, atMost: 128, unit: 'MiB' },
    { what: 'events of a backlog that are lost, twice or misplaced', measured: wrong, atMost: 0 },
  ];
}
