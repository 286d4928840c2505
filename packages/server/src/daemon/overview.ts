/** Wires the overview: its facts, and the state of the service. */
import { Inventory } from '../insight/overview/inventory.ts';
import { Overview } from '../insight/overview/overview.ts';
import { recentTraffic } from '../insight/overview/recent-traffic.ts';
import type { OtherNode } from '../insight/overview/service-state.ts';
import type { TrafficSeries } from '../insight/series/traffic-series.ts';
import { resourceSurfaces } from '../resources/kinds/index.ts';
import { createRef } from '../resources/show.ts';
import { failureLog } from '../store/outage-log.ts';
import type { Ingress } from '../tunnels/ingress.ts';
import type { Foundation } from './foundation.ts';

/** Starts what runs `GET /overview` and `GET /status`. */
export async function startOverview(
  { config, version, readiness, store, log, parts }: Foundation,
  ingress: Pick<Ingress, 'online' | 'directory' | 'peers'>,
  { history }: Pick<TrafficSeries, 'history'>,
): Promise<Overview> {
  const { nodeName: name, region, baseUrl, managedCertificates, requireDomainProof } = config.settings;
  const onError = failureLog(log, 'following resources for overviews failed');
  const inventory = await parts.start({
    start: () => new Inventory(store, onError),
    stop: (it) => it.stop(),
  });
  return new Overview({
    ...{ inventory, online: ingress.online, now: Date.now },
    traffic: recentTraffic(history, Date.now),
    ref: createRef(resourceSurfaces, baseUrl),
    service: { version, name, region, readiness, others: () => othersOf(ingress) },
    hasAuthority: managedCertificates !== null,
    requiresProof: requireDomainProof,
  });
}

/** Other daemons that may live. */
function othersOf({ directory, peers }: Pick<Ingress, 'directory' | 'peers'>): readonly OtherNode[] {
  if (directory === null) return [];
  return [...directory.nodes].flatMap(([incarnation, { facts, isDead, isDraining }]) => {
    if (isDead || incarnation === directory.incarnation) return [];
    return [{ facts, isDraining, isUp: peers?.get(incarnation)?.isUp === true }];
  });
}
