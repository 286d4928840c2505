/**
 * Traffic of each route and each backend.
 * Invariant: the number of series is bounded, and labels are ids of edges, routes and backends only.
 */

import type { ExchangeRecord, Observe } from '../edge/sites/exchange-record.ts';
import { Counter, type Registry } from './prometheus.ts';

/** So many routes, and so many backends, have series of their own until they are deleted; what comes after them is counted together. */
export const MOST_SERIES = 1000;
const CLASSES = ['none', '1xx', '2xx', '3xx', '4xx', '5xx'] as const;

interface Tally<Labels> {
  readonly labels: Labels;
  /** Counts by class of status. */
  readonly requests: number[];
  connections: number;
  bytesIn: number;
  bytesOut: number;
  bytesSaved: number;
}

class Tallies<Labels> {
  readonly #tallies = new Map<string, Tally<Labels>>();
  readonly #labelsOfOthers: Labels;
  readonly #exists: (id: string) => boolean;

  constructor(labelsOfOthers: Labels, exists: (id: string) => boolean) {
    this.#labelsOfOthers = labelsOfOthers;
    this.#exists = exists;
  }

  /** Forgets deleted resources only here, because their last connections are counted after the deletion. */
  get all(): Iterable<Tally<Labels>> {
    for (const key of this.#tallies.keys()) {
      if (!TOGETHER.includes(key) && !this.#exists(key)) this.#tallies.delete(key);
    }
    return this.#tallies.values();
  }

  count(key: string, labels: () => Labels, record: ExchangeRecord): void {
    const { kind, status, bytesIn, bytesOut, bytesSaved } = record;
    const tally = this.#tallies.get(key) ?? this.#begin(key, labels);
    if (kind === 'bytes') tally.connections += 1;
    else tally.requests[Math.min(Math.floor(status / 100), 5)]! += 1;
    tally.bytesIn += bytesIn;
    tally.bytesOut += bytesOut;
    // Compression of what hardly can be compressed costs some bytes; a counter never goes down.
    tally.bytesSaved += Math.max(bytesSaved, 0);
  }

  #begin(key: string, labels: () => Labels): Tally<Labels> {
    const isOther = key !== OTHER && this.#tallies.size >= MOST_SERIES;
    if (isOther) {
      const others = this.#tallies.get(OTHER);
      if (others !== undefined) return others;
    }
    const tally: Tally<Labels> = {
      labels: isOther || key === OTHER ? this.#labelsOfOthers : labels(),
      requests: CLASSES.map(() => 0),
      connections: 0,
      bytesIn: 0,
      bytesOut: 0,
      bytesSaved: 0,
    };
    this.#tallies.set(isOther ? OTHER : key, tally);
    return tally;
  }
}

const OTHER = 'other';
const ENDPOINT = 'endpoint';
/** Labels that are no ids. */
const TOGETHER: readonly string[] = [OTHER, ENDPOINT];

/** Counted in plain numbers, since this runs per request; the registry reads them at a scrape. `exists`: of edges, routes and backends. */
export function countEdgeSeries(registers: Registry[], exists: (id: string) => boolean): Observe {
  const routes = new Tallies({ site: OTHER, route: OTHER }, exists);
  const backends = new Tallies({ backend: OTHER }, exists);
  publish(registers, routes, {
    of: 'route',
    labelNames: ['site', 'route'],
    help: `by edge and route; site="endpoint": of all endpoints of agents, site="other": of names that nothing serves, of plain HTTP that no agent serves, and of what is beyond ${MOST_SERIES} routes`,
  });
  publish(registers, backends, {
    of: 'backend',
    labelNames: ['backend'],
    help: `by backend of the route; backend="endpoint": of all endpoints of agents, backend="other": of what reached none, and of what is beyond ${MOST_SERIES} backends`,
  });
  return (record) => {
    const site = labelOfSite(record.site);
    // A route has one edge; where none was chosen, the edge's own id stands for it.
    const key = site === record.site ? record.route || site : site;
    routes.count(key, () => ({ site, route: site === record.site ? record.route : site }), record);
    const backend = record.backend.startsWith('bkd') ? record.backend : site === ENDPOINT ? site : OTHER;
    backends.count(backend, () => ({ backend }), record);
  };
}

/** Endpoints come and go with their agents: a series for each would leave none for edges. */
function labelOfSite(site: string): string {
  if (/^edg[a-z]+_/.test(site)) return site;
  return /^(?:ep|tn)_/.test(site) ? ENDPOINT : OTHER;
}

interface Published<Label extends string> {
  readonly of: string;
  readonly labelNames: Label[];
  readonly help: string;
}

function publish<Label extends string>(
  registers: Registry[],
  tallies: Tallies<Record<Label, string>>,
  { of, labelNames, help }: Published<Label>,
): void {
  new Counter<Label | 'class'>({
    name: `underpass_edge_${of}_requests_total`,
    help: `HTTP requests by class of status, class="none" without an answer, ${help}`,
    labelNames: [...labelNames, 'class'],
    registers,
    collect() {
      this.reset();
      for (const { labels, requests } of tallies.all) {
        for (const [at, name] of CLASSES.entries())
          if (requests[at]! > 0) this.inc({ ...labels, class: name }, requests[at]);
      }
    },
  });
  new Counter<Label>({
    name: `underpass_edge_${of}_connections_total`,
    help: `Ended connections whose bytes were passed on unread, ${help}`,
    labelNames,
    registers,
    collect() {
      this.reset();
      for (const { labels, connections } of tallies.all) if (connections > 0) this.inc(labels, connections);
    },
  });
  new Counter<Label | 'direction'>({
    name: `underpass_edge_${of}_bytes_total`,
    help: `Bytes of ended exchanges and connections, from visitors (direction="in": request bodies) and to them (direction="out": responses with their headers), ${help}`,
    labelNames: [...labelNames, 'direction'],
    registers,
    collect() {
      this.reset();
      for (const { labels, bytesIn, bytesOut } of tallies.all) {
        this.inc({ ...labels, direction: 'in' }, bytesIn);
        this.inc({ ...labels, direction: 'out' }, bytesOut);
      }
    },
  });
  new Counter<Label>({
    name: `underpass_edge_${of}_saved_bytes_total`,
    help: `Bytes that answers were shorter by compression, ${help}`,
    labelNames,
    registers,
    collect() {
      this.reset();
      for (const { labels, bytesSaved } of tallies.all) if (bytesSaved > 0) this.inc(labels, bytesSaved);
    },
  });
}
