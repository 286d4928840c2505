/**
 * Assembles the daemon in two halves: one decides (store, API, events, certificates), the other carries (tunnels,
 * edge). Parts start in the order of their dependencies. The rules themselves are in the parts.
 */
import type { Logger } from 'pino';
import { Vocabularies } from '../api/vocabularies.ts';
import type { Config } from '../command/config.ts';
import { inFile } from '../command/profile-file.ts';
import { siteKinds } from '../edge/compile/sources.ts';
import { Readiness } from '../health/readiness.ts';
import { explainRuns } from '../insight/explain/operation.ts';
import { OperationRuns } from '../insight/operation-runs.ts';
import { AccessLog } from '../logs/access-log.ts';
import { createMetrics, type Metrics } from '../metrics/metrics.ts';
import type { ServiceCertificates } from '../pki/service-certificates.ts';
import { resourceSurfaces } from '../resources/kinds/index.ts';
import { standaloneOperations } from '../resources/standalone/index.ts';
import { streamOpen } from '../resources/standalone/stream.ts';
import { ingressKinds } from '../tunnels/ingress.ts';
import { startAuditing } from './auditing.ts';
import { ensureFirstAccount } from './bootstrap.ts';
import { Carrying, startDns, startSshGateway } from './carrying.ts';
import { loadServiceCertificates, startCertificates } from './certificates.ts';
import { consoleRuns, startConsole } from './console.ts';
import { startDeciding, startRules } from './deciding.ts';
import { type Start, startFoundation } from './foundation.ts';
import { lateNodes } from './late-nodes.ts';
import { startLeaving } from './leave.ts';
import { startOperating } from './operating.ts';
import { namesOf, startOverview } from './overview.ts';
import { Parts } from './parts.ts';
import { Siblings } from './siblings.ts';
import { asStartError } from './start-error.ts';
import { createStreams } from './streaming.ts';
import { connectTrafficSeries, startTrafficSeries } from './traffic-series.ts';

export interface Daemon {
  /** The file that the first start wrote; null on later starts. */
  readonly bootstrapFile: string | null;
  readonly accessLog: AccessLog;
  readonly certificates: Pick<ServiceCertificates, 'readAgain'>;
  readonly metrics: Pick<Metrics, 'text'>;
  readonly readiness: Pick<Readiness, 'reasons' | 'warnings'>;
  /** Stops accepting from the inherited sockets, from which another process accepts. Everything else goes on. */
  readonly handOver: () => void;
  /** The other workers of the same supervisor. */
  readonly siblings: Siblings;
  stop(): Promise<void>;
}

/** Starts everything. Rejects with StartError and leaves nothing running when a part cannot start. */
export async function startDaemon(config: Config, log: Logger, version: string): Promise<Daemon> {
  const { settings } = config;
  const parts = new Parts();
  const readiness = new Readiness();
  const metrics = createMetrics(version);
  const stop = (): Promise<void> => {
    readiness.register('draining', () => 'the daemon is stopping');
    return parts.stop();
  };
  try {
    const siblings = new Siblings(config.group);
    const start = { config, log, version, metrics, readiness, parts, siblings };
    const errorPrefix = settings.profile?.errorPrefix ?? settings.errorPrefix;
    const accessLog = new AccessLog(config.accessLog, log, errorPrefix);
    const certificates = await loadServiceCertificates(start);
    const assembled = await assemble(start, certificates, accessLog);
    return { ...assembled, accessLog, certificates, metrics, readiness, siblings, stop };
  } catch (error) {
    await stop();
    throw asStartError(error, config);
  }
}

async function assemble(
  start: Start,
  service: ServiceCertificates,
  accessLog: AccessLog,
): Promise<Pick<Daemon, 'bootstrapFile' | 'handOver'>> {
  const { settings } = start.config;
  // Before anything is made: a word of the profile that cannot be must leave nothing behind.
  const words = () => new Vocabularies(settings, resourceSurfaces);
  const vocabularies = inFile(settings.profile?.path ?? '', words);
  const foundation = await startFoundation(start);
  const { parts, observed, store, readiness } = foundation;
  if (start.config.writesBootstrap) await ensureFirstAccount(store, settings);
  // More than one part follows most documents.
  const listed = observed.listTogether([...ingressKinds, ...siteKinds]);
  await parts.start({ start: () => {}, stop: listed });

  const rules = await startRules(foundation);
  const series = await startTrafficSeries(foundation);
  const carrying = await Carrying.start(foundation, rules);
  connectTrafficSeries(series, carrying);
  const { ingress, loginRefused } = carrying;
  const consoleAccess = await startConsole(foundation);
  const runs = new OperationRuns(standaloneOperations);
  const { overview, inventory } = await startOverview(foundation, ingress, series);
  const streams = createStreams(foundation, rules, ingress.online, carrying, overview);
  consoleAccess.sessions.onEnd((accounts) => streams.recheckAccounts(accounts));
  runs.addStreams({ [streamOpen.operation]: async (call) => streams.open(call) });
  const needs = {
    ...rules,
    ...{ runs: runs.all(), streams: runs.allStreams(), endStreams: () => streams.end() },
    console: consoleAccess,
    vocabularies,
    online: ingress.online,
    loginRefused,
    unreachable: () => ingress.unreachable,
    late: lateNodes(foundation, ingress.peers),
  };
  const deciding = await startDeciding(foundation, needs);
  runs.add(consoleRuns(foundation, deciding, consoleAccess));
  runs.add(carrying.runs);
  runs.add(series.runs());
  await startAuditing(foundation, { ingress, login: deciding.login }, runs);
  runs.add(overview.runs());
  const certificates = await startCertificates(foundation, service, deciding);

  const edge = await carrying.startEdge(deciding, certificates, accessLog);
  series.start((id) => edge.exists(id));
  runs.add(explainRuns(edge.rules, Date.now));
  runs.add(namesOf(foundation, ingress, inventory, edge.rules));
  rules.events.start();
  const gateway = await startSshGateway(foundation, ingress);
  await startDns(foundation);
  await certificates.acme?.start();
  const bootstrapFile = await startOperating(foundation, { ingress, edge, certificates });
  const leaving = await startLeaving(foundation, ingress);
  listed();
  runs.assertComplete();
  readiness.remove('starting');
  const handOver = (): void => {
    edge.handOver();
    gateway?.stop();
    leaving?.handOver();
  };
  return { bootstrapFile, handOver };
}
