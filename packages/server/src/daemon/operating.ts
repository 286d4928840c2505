/** The parts for operators: their socket, metrics of what lives, warnings of expiry, and the bootstrap file. */
import type { Edge } from '../edge/edge.ts';
import { performerInDaemon } from '../operator/in-daemon.ts';
import { listenForOperators, socketPath } from '../operator/socket.ts';
import { ExpiryLog } from '../pki/expiry-log.ts';
import type { Ingress } from '../tunnels/ingress.ts';
import type { SharedDirectory } from '../tunnels/shared-directory.ts';
import { publishBootstrap } from './bootstrap.ts';
import type { Certificates } from './certificates.ts';
import type { Foundation } from './foundation.ts';

export interface Watched {
  readonly ingress: Ingress;
  readonly edge: Edge;
  readonly certificates: Certificates;
}

/** Resolves with the file of the first start; null on later starts. */
export async function startOperating(foundation: Foundation, watched: Watched): Promise<string | null> {
  await startOperatorSocket(foundation);
  watchMetrics(foundation, watched);
  const { config, log, parts } = foundation;
  const { domains, expiries, caFile } = watched.certificates;
  const expiryLog = new ExpiryLog({ expiries, now: Date.now, log });
  await parts.start({ start: () => expiryLog.start(), stop: (stop) => stop() });
  // At the first look they may not be known.
  void domains.loaded().then(() => expiryLog.look());
  if (!config.writesBootstrap) return null;
  return await publishBootstrap(config.settings, caFile).catch((error: unknown) => {
    log.warn({ err: error }, 'bootstrap.json is left as it is: its addresses may be those of another start');
    return null;
  });
}

async function startOperatorSocket({ config, store, sealer, log, parts }: Foundation): Promise<void> {
  const { database, settings } = config;
  const socket = socketPath(database);
  if (socket === null) return;
  const installation = { store, sealer, database, dataDir: settings.dataDir };
  await parts.start({
    start: () => listenForOperators(socket, performerInDaemon(installation, log), log),
    stop: (operators) => operators?.close(),
  });
}

function watchMetrics(
  { config, metrics, descriptors }: Foundation,
  { ingress, edge, certificates }: Watched,
): void {
  const { directory, peers } = ingress;
  const { nodeName: name } = config.settings;
  metrics.watch({
    sessions: () => ingress.counts.sessions,
    tunnels: () => ingress.counts.tunnels,
    connections: () => edge.connections,
    exists: (id) => edge.exists(id),
    tcpListeners: () => edge.tcpListeners,
    node: () => {
      const incarnation = directory?.incarnation ?? null;
      return incarnation === null ? null : { name, incarnation };
    },
    nodes: () => (directory === null ? 1 : livingIn(directory)),
    isIsolated: () => directory?.isolated.is === true,
    links: () => [...(peers?.all() ?? [])].filter(({ isUp }) => isUp).length,
    remoteTunnels: () => ingress.others?.size ?? 0,
    hops: () => edge.hops,
    connectionLimit: descriptors.connections,
    certificates: certificates.expiries,
  });
}

/** The number of daemons that may live. One that is not known yet is this one, which has joined a moment ago. */
function livingIn({ nodes, incarnation }: SharedDirectory): number {
  let count = incarnation !== null && !nodes.has(incarnation) ? 1 : 0;
  for (const { isDead } of nodes.values()) if (!isDead) count += 1;
  return count;
}
