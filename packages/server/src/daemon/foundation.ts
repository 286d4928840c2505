/** The parts that all others need: the data dir, metrics, readiness, the store and its keys. */
import { accessSync, constants } from 'node:fs';
import type { Logger } from 'pino';
import type { Config } from '../command/config.ts';
import { type DocumentStore, documentsIn } from '../documents/store.ts';
import { ClockWatch } from '../health/clock-watch.ts';
import type { Readiness } from '../health/readiness.ts';
import { registerStore, storeNotices } from '../health/store-readiness.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { loadMasterKeys } from '../pki/master-key.ts';
import { Sealer } from '../pki/seal.ts';
import { openStore } from '../store/databases/open.ts';
import { ObservedStore } from '../store/observed.ts';
import { OutageLog } from '../store/outage-log.ts';
import {
  type DescriptorPlan,
  descriptorLimit,
  descriptorsInUse,
  planDescriptors,
} from '../system/descriptors.ts';
import { otherWritersOf } from '../system/folder-access.ts';
import { makeFolder } from '../system/make-folder.ts';
import { startAdmin } from './admin.ts';
import { requireContents, requireDatabaseFile } from './lost-database.ts';
import type { Parts } from './parts.ts';
import type { Siblings } from './siblings.ts';

/** Milliseconds for the last bytes of sessions and connections. Meanwhile agents try to come back, each time later. */
export const LINGER_MS = 200;

/** The facts of a start that every part may need. */
export interface Start {
  readonly config: Config;
  readonly log: Logger;
  readonly version: string;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
  readonly parts: Parts;
  readonly siblings: Siblings;
}

export interface Foundation extends Start {
  readonly descriptors: DescriptorPlan;
  /** The store with timed calls. */
  readonly observed: ObservedStore;
  readonly store: DocumentStore;
  readonly sealer: Sealer;
  /** The prefix of error codes as clients see it. */
  readonly errorPrefix: string;
  /** True if other daemons may use the database as well. */
  readonly isShared: boolean;
  /** Called if the address of the database leads to another server than before. */
  readonly moved: Set<() => void>;
}

export async function startFoundation(start: Start): Promise<Foundation> {
  const { config, log, metrics, readiness, parts } = start;
  const { settings, database } = config;
  prepareDataDir(settings.dataDir, log);
  makeFolder(config.ownDir);
  const descriptors = plannedDescriptors(start);
  readiness.register('starting', () => 'the daemon is starting');
  const { adminListen: listen, adminHosts: hosts } = config;
  // Starts first and ends last, so that readiness checks get a response for as long as the daemon lives.
  if (listen !== null) {
    const connections = descriptors.admin;
    await parts.start({
      start: () => startAdmin(listen, { metrics, readiness, connections, hosts }, log),
      stop: (admin) => admin.close(LINGER_MS),
    });
  }
  const place = { dataDir: settings.dataDir, database };
  requireDatabaseFile(place);
  const moved = new Set<() => void>();
  const { observed, store } = await startStore(start, metrics, moved);
  const clock = new ClockWatch({ lastId: () => observed.lastId(), now: Date.now, log });
  readiness.registerWarning('clock_ahead', () => clock.message);
  await parts.start({ start: () => clock.start(), stop: (stop) => stop() });
  await requireContents(store, place);
  const inUse = (await store.snapshot(['local_ca'])).documents.length > 0;
  const sealer = new Sealer(
    ...(await loadMasterKeys({ dataDir: settings.dataDir, env: process.env, inUse })),
  );
  const errorPrefix = settings.profile?.errorPrefix ?? settings.errorPrefix;
  const isShared = database.kind === 'postgres';
  return { ...start, descriptors, observed, store, sealer, errorPrefix, isShared, moved };
}

function prepareDataDir(dataDir: string, log: Logger): void {
  makeFolder(dataDir);
  accessSync(dataDir, constants.W_OK | constants.X_OK);
  for (const reason of otherWritersOf(dataDir))
    log.warn(
      { dataDir },
      `other users may change the data dir: ${reason}. Give it to the daemon's user, with mode 0700.`,
    );
}

function plannedDescriptors({ config, log }: Start): DescriptorPlan {
  const wanted = config.connections ?? undefined;
  const takesSsh = config.settings.sshListen !== null;
  const plan = planDescriptors(descriptorLimit(), descriptorsInUse(), { wanted, takesSsh });
  if (wanted !== undefined && wanted > plan.connections) {
    log.warn(
      { connections: plan.connections, expected: wanted },
      'there are file descriptors for fewer connections than --connections sets: allow the daemon more of them (ulimit -n)',
    );
  }
  return plan;
}

async function startStore(
  { config, readiness, log, parts }: Start,
  metrics: Metrics,
  moved: ReadonlySet<() => void>,
) {
  const notices = storeNotices(readiness, log);
  const opened = await openStore(config.database, {
    ...{ ...notices, isAlone: config.isAlone },
    onOtherServer: () => {
      notices.onOtherServer?.();
      for (const one of moved) one();
    },
  });
  const now = (): number => performance.now();
  const observed = new ObservedStore(opened, metrics.store, new OutageLog(log, now), now);
  metrics.watchStore(observed);
  registerStore(readiness, observed);
  const store = await parts.start({ start: () => documentsIn(observed), stop: (it) => it.close() });
  return { observed, store };
}
