/** Wires the overview: its facts, and the state of the service. */
import type { EdgeRules } from '../edge/edge.ts';
import { namesRuns } from '../insight/names/list-names.ts';
import { Inventory } from '../insight/overview/inventory.ts';
import { Overview } from '../insight/overview/overview.ts';
import type { OtherNode } from '../insight/overview/service-state.ts';
import type { TrafficSeries } from '../insight/series/traffic-series.ts';
import { resourceSurfaces } from '../resources/kinds/index.ts';
import { createRef } from '../resources/show.ts';
import type { StandaloneRuns } from '../resources/standalone/definition.ts';
import { failureLog } from '../store/outage-log.ts';
import type { Ingress } from '../tunnels/ingress.ts';
import type { Foundation } from './foundation.ts';

/** Starts what runs `GET /overview` and `GET /status`, with the facts that others read, too. */
export async function startOverview(
  { config, version, readiness, store, log, parts }: Foundation,
  ingress: Pick<Ingress, 'online' | 'directory' | 'peers'>,
  series: Pick<TrafficSeries, 'recent'>,
): Promise<{ readonly overview: Overview; readonly inventory: Inventory }> {
  const { nodeName: name, region, baseUrl, managedCertificates, requireDomainProof } = config.settings;
  const onError = failureLog(log, 'following resources for overviews failed');
  const inventory = await parts.start({
    start: () => new Inventory(store, onError),
    stop: (it) => it.stop(),
  });
  const overview = new Overview({
    ...{ inventory, online: ingress.online, now: Date.now },
    traffic: (account) => series.recent(account),
    ref: createRef(resourceSurfaces, baseUrl),
    service: { version, name, region, readiness, others: () => othersOf(ingress) },
    hasAuthority: managedCertificates !== null,
    requiresProof: requireDomainProof,
  });
  return { overview, inventory };
}

/** Returns what runs `GET /names`. */
export function namesOf(
  { config }: Pick<Foundation, 'config'>,
  { online }: Pick<Ingress, 'online'>,
  inventory: Inventory,
  rules: EdgeRules,
): StandaloneRuns {
  const ref = createRef(resourceSurfaces, config.settings.baseUrl);
  return namesRuns({ inventory, online, rules, ref });
}

/** Other daemons that may live. */
function othersOf({ directory, peers }: Pick<Ingress, 'directory' | 'peers'>): readonly OtherNode[] {
  if (directory === null) return [];
  return [...directory.nodes].flatMap(([incarnation, { facts, isDead, isDraining }]) => {
    if (isDead || incarnation === directory.incarnation) return [];
    return [{ facts, isDraining, isUp: peers?.get(incarnation)?.isUp === true }];
  });
}
