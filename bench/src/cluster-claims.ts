/** Time of binds at three daemons, until the response and until another daemon serves the name. */
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
import { Cluster, eventually } from '@underpass/test';
import { KeptVisitor } from '../../test/system/kept-visitor.fixture.ts';
import { StockAgent } from '../../test/system/stock-agent.fixture.ts';
import type { BindLoad, BindOutcome } from './bind-load.ts';
import { runScript } from './children.ts';
import { cpuMicroseconds } from './cpu.ts';
import type { BenchContext } from './main.ts';
import type { Measured } from './suites/cluster.ts';
import { percentile, table } from './table.ts';
import type { Finding } from './targets.ts';

const DAEMONS = 3;
/** Binds a second. A machine that misses one rate by a larger part is measured at the next one. */
const RATES = [1000, 500, 250];
const MISSED = 0.03;
/** Probes while nothing else is bound. */
const IDLE_PROBES = 100;
/** Milliseconds between two visits of a probe. */
const PROBE_MS = 1;
/** A session has at most 256 tunnels. */
const PROBES_OF_SESSION = 200;

export async function measureClaims({ seconds }: BenchContext): Promise<Measured> {
  const cluster = await Cluster.start({
    ...{ daemons: DAEMONS, durable: true, direct: true },
    args: () => ['--log-level', 'warn'],
  });
  try {
    const probes = new Probes(cluster);
    await probes.run('warm', () => probes.count >= IDLE_PROBES);
    const idle = await probes.run('idle', () => probes.count >= IDLE_PROBES);
    let most = await connectionsOf(cluster);
    for (const [at, rate] of RATES.entries()) {
      await untilQuiet(cluster);
      let isOver = false;
      const loading = bindAt(cluster, rate, seconds).finally(() => {
        isOver = true;
      });
      const cpus = cpuOf(cluster);
      const served = await probes.run(`at-${rate}`, () => isOver);
      const binds = await loading;
      const cpu = cpuOf(cluster).map((us, of) => (us - cpus[of]!) / 1000 / (rate * seconds));
      most = Math.max(most, await connectionsOf(cluster));
      if (binds.perSecond < rate * (1 - MISSED) && at < RATES.length - 1) continue;
      const findings = report(idle, served, { ...binds, cpu, connections: most / DAEMONS });
      const [bindMs = 0, bindDatabaseMs = 0] = cpu;
      return { findings, costs: { bindMs, bindDatabaseMs } };
    }
    return { findings: [], costs: {} };
  } finally {
    await cluster.stop();
  }
}

/** Binds names at the first daemon one after the other, and visits each at the second one until it is served. */
class Probes {
  readonly #cluster: Cluster;
  count = 0;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Returns the milliseconds from each bind's request to the first response of its service. */
  async run(prefix: string, isOver: () => boolean): Promise<readonly number[]> {
    const times: number[] = [];
    const agents: StockAgent[] = [];
    for (this.count = 0; !isOver(); this.count++) {
      if (this.count % PROBES_OF_SESSION === 0)
        agents.unshift(await StockAgent.connect(this.#cluster.at(0), (_, response) => response.end('here')));
      times.push(await this.#probe(agents[0]!, `probe-${prefix}-${this.count}.underpass.localhost`));
    }
    await Promise.all(agents.map((agent) => agent.stop()));
    return times;
  }

  async #probe(agent: StockAgent, host: string): Promise<number> {
    const { address, port, ca } = this.#cluster.at(1);
    const options = { address, port, host, secureContext: createSecureContext({ ca }) };
    const visitor = await KeptVisitor.connect(options);
    try {
      const startedAt = performance.now();
      const bound = agent.bind({}, { Name: host });
      while ((await visitor.get('/'))?.status !== 200) await pause(PROBE_MS);
      const ms = performance.now() - startedAt;
      await bound;
      return ms;
    } finally {
      visitor.close();
    }
  }
}

async function bindAt(cluster: Cluster, rate: number, seconds: number): Promise<BindOutcome> {
  const places = Array.from({ length: DAEMONS }, (_, index) => cluster.at(index));
  const load: BindLoad = { places, rate, seconds, prefix: `load-${rate}` };
  return JSON.parse(await runScript('bind-load.ts', [JSON.stringify(load)])) as BindOutcome;
}

/** Waits until the directory has the ends of all tunnels. */
async function untilQuiet({ postgres, database }: Cluster): Promise<void> {
  const sql = 'SELECT count(*)::int AS count FROM underpass.tunnels WHERE held_until IS NULL AND NOT over';
  await eventually(async () => {
    if (Number((await postgres.query(database, sql))[0]?.count) > 0) throw new Error('tunnels are not ended');
  });
}

/** Microseconds of CPU that all daemons and PostgreSQL have used. */
function cpuOf({ nodes, postgres }: Cluster): readonly [number, number] {
  const server = Number.parseInt(readFileSync(join(postgres.dataDir, 'postmaster.pid'), 'utf8'), 10);
  return [cpuMicroseconds(nodes.map(({ platform }) => platform.daemon.pid)), cpuMicroseconds([server])];
}

/** Number of connections of all daemons to the database. */
async function connectionsOf({ postgres, database }: Cluster): Promise<number> {
  const sql = `SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`;
  return await eventually(async () => Number((await postgres.query(database, sql))[0]?.count));
}

function report(
  idle: readonly number[],
  served: readonly number[],
  binds: BindOutcome & { readonly connections: number; readonly cpu: readonly number[] },
): readonly Finding[] {
  const times = (of: readonly number[]) => [50, 99].map((share) => percentile(of, share).toFixed(1));
  const rate = binds.perSecond.toFixed(0);
  console.log(`Binds at ${DAEMONS} daemons; PostgreSQL with fsync in ${tmpdir()}; milliseconds`);
  console.log(
    table(
      ['', 'p50', 'p99'],
      [
        ['bind at A until B serves it, one at a time', ...times(idle)],
        [`bind at A until B serves it, at ${rate} binds/s`, ...times(served)],
        [`bind until its response, at ${rate} binds/s`, binds.p50Ms.toFixed(1), binds.p99Ms.toFixed(1)],
      ],
    ),
  );
  console.log(
    `${binds.refused} binds were refused; ${binds.connections.toFixed(1)} connections to PostgreSQL for each daemon`,
  );
  const [daemons = 0, server = 0] = binds.cpu;
  console.log(
    `CPU ms/bind, its end included: ${daemons.toFixed(2)} of the daemons, ${server.toFixed(2)} of PostgreSQL`,
  );
  console.log();
  const at = `at ${rate} binds/s`;
  return [
    {
      what: `a bind until another daemon serves it, p50 ${at}`,
      measured: percentile(served, 50),
      atMost: 5,
      unit: 'ms',
    },
    {
      what: `a bind until another daemon serves it, p99 ${at}`,
      measured: percentile(served, 99),
      atMost: 50,
      unit: 'ms',
    },
    { what: `a bind until its response, p99 ${at}`, measured: binds.p99Ms, atMost: 25, unit: 'ms' },
    { what: 'connections to PostgreSQL for each daemon', measured: binds.connections, atMost: 6 },
  ];
}
