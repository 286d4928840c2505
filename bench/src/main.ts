/**
 * `npm run bench`: measures Underpass beside its peers, in one run on one machine. `--seconds N`, `--rounds N`,
 * `--resources N`, `--before DIR` and names of suites choose the measurements; `edge` chooses all suites of the edge. Results with
 * targets are printed last.
 * Invariant: a result is never asserted, and a missing peer is always named.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { makeCertificate } from './certificate.ts';
import { driverName } from './driver.ts';
import { benchAgents } from './suites/agents.ts';
import { benchApi } from './suites/api.ts';
import { benchBefore } from './suites/before.ts';
import { benchBulk } from './suites/bulk.ts';
import { benchCertificates } from './suites/certificates.ts';
import { benchCluster, benchWorkers } from './suites/cluster.ts';
import { benchConnections } from './suites/connections.ts';
import { benchEffect } from './suites/effect.ts';
import { benchBacklogs, benchEvents } from './suites/events.ts';
import { benchFresh } from './suites/fresh.ts';
import { benchH2 } from './suites/h2.ts';
import { benchHeap } from './suites/heap.ts';
import { benchInspector } from './suites/inspector.ts';
import { benchLatency } from './suites/latency.ts';
import { benchLookup } from './suites/lookup.ts';
import { benchMemory } from './suites/memory.ts';
import { benchMinute } from './suites/minute.ts';
import { benchModules } from './suites/modules.ts';
import { benchResources } from './suites/resources.ts';
import { benchRestart } from './suites/restart.ts';
import { benchRolling } from './suites/rolling.ts';
import { benchStart } from './suites/start.ts';
import { benchTraffic } from './suites/traffic.ts';
import { benchTunnels } from './suites/tunnels.ts';
import { benchUnread } from './suites/unread.ts';
import { benchVisitors } from './suites/visitors.ts';
import { type Finding, printFindings } from './targets.ts';

export interface BenchContext {
  /** A temporary folder, removed afterwards. */
  readonly dir: string;
  readonly certificate: ReturnType<typeof makeCertificate>;
  readonly seconds: number;
  /** Each peer is measured this often, in turn with the others; the median counts. */
  readonly rounds: number;
  /** The size of the largest account. */
  readonly resources: number;
  /** Folder of an earlier checkout with its packages installed; null: none. */
  readonly before: string | null;
}

type Suites<Result> = Readonly<Record<string, (context: BenchContext) => Promise<Result>>>;

const EDGE_SUITES: Suites<readonly Finding[]> = {
  traffic: benchTraffic,
  bulk: benchBulk,
  connections: benchConnections,
  latency: benchLatency,
  modules: benchModules,
  lookup: benchLookup,
  certificates: benchCertificates,
  effect: benchEffect,
  visitors: benchVisitors,
  h2: benchH2,
};

/** Suites whose findings have targets. */
const TARGETED_SUITES: Suites<readonly Finding[]> = {
  ...EDGE_SUITES,
  agents: benchAgents,
  before: benchBefore,
  tunnels: benchTunnels,
  cluster: benchCluster,
  rolling: benchRolling,
  workers: benchWorkers,
  inspector: benchInspector,
  api: benchApi,
  events: benchEvents,
  backlog: benchBacklogs,
  start: benchStart,
};

const OTHER_SUITES: Suites<void> = {
  fresh: benchFresh,
  heap: benchHeap,
  memory: () => benchMemory(),
  minute: benchMinute,
  resources: benchResources,
  restart: benchRestart,
  unread: benchUnread,
};

const SUITES = [...Object.keys(TARGETED_SUITES), ...Object.keys(OTHER_SUITES)];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    resources: { type: 'string', default: '10000' },
    before: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const chosen = positionals.flatMap((name) => (name === 'edge' ? Object.keys(EDGE_SUITES) : [name]));
const unknown = chosen.filter((name) => !SUITES.includes(name));
const seconds = Number(values.seconds);
const rounds = Number(values.rounds);
const resources = Number(values.resources);
const isWrong =
  unknown.length > 0 ||
  !(Number.isInteger(seconds) && seconds >= 1) ||
  !(rounds >= 1) ||
  !(resources >= 1000);
if (values.help || isWrong) {
  console.error(
    `usage: npm run bench -- [--seconds N] [--rounds N] [--resources N] [--before DIR] [edge|${SUITES.join('|')}]...`,
  );
  process.exit(isWrong ? 2 : 0);
}

const dir = mkdtempSync(join(tmpdir(), 'underpass-bench-'));
const before = values.before === undefined ? null : resolve(values.before);
const context = { dir, certificate: makeCertificate(dir), seconds, rounds, resources, before };
console.log(`${cpus().length} x ${cpus()[0]?.model.trim()}, Node ${process.version}, driver: ${driverName}`);
console.log(`median of ${context.rounds} rounds of ${context.seconds} s; all processes share the machine\n`);
try {
  const findings: Finding[] = [];
  for (const name of chosen.length > 0 ? chosen : SUITES) {
    findings.push(...((await TARGETED_SUITES[name]?.(context)) ?? []));
    await OTHER_SUITES[name]?.(context);
  }
  printFindings(findings);
} finally {
  rmSync(dir, { recursive: true, force: true });
}
