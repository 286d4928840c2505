/**
 * Metrics for operators, as docs/run/metrics.md lists them.
 * Invariant: a published metric keeps its name.
 */

import type { Observed } from '../api/server.ts';
import type { DnsOutcome } from '../dns/respond.ts';
import type { HandshakeFailure } from '../edge/listeners/handshake-failure.ts';
import type { Observe } from '../edge/sites/exchange-record.ts';
import type { ErrorName } from '../errors/catalogue.ts';
import type { StoreObserver } from '../store/observed.ts';
import { countDnsQueries } from './dns.ts';
import { countEdgeSeries } from './edge-series.ts';
import { countEvents, type EventsObserver } from './events.ts';
import { type Parts, watchGauges } from './gauges.ts';
import { collectDefaultMetrics, Gauge, Registry } from './prometheus.ts';
import { countRefusals } from './refusals.ts';
import { countApiRequests, countEdgeRequests } from './requests.ts';
import { countStore, type StoreState } from './store.ts';

export interface Metrics {
  readonly apiRequest: (request: Observed) => void;
  readonly exchange: Observe;
  readonly agentRefused: (what: 'authentication' | 'bind', reason: ErrorName) => void;
  readonly handshakeFailed: (reason: HandshakeFailure) => void;
  readonly acceptFailed: (code: string) => void;
  readonly listenFailed: (code: string) => void;
  readonly dnsQuery: (outcome: DnsOutcome) => void;
  readonly store: StoreObserver;
  readonly events: EventsObserver;
  readonly contentType: string;
  /** Registers the store's state, which each scrape reads. */
  watchStore(state: StoreState): void;
  watch(parts: Parts): void;
  text(): Promise<string>;
}

/** A registry of its own per daemon, so that two can live in one process. */
export function createMetrics(version: string): Metrics {
  const registry = new Registry();
  const registers = [registry];
  let watched: Parts | null = null;
  let storeState: StoreState | null = null;
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'underpass_build_info',
    help: 'Always 1; the version of the daemon and of the Node that runs it',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version, node: process.version }, 1);
  const api = countApiRequests(registers);
  const edge = countEdgeRequests(registers);
  const edgeSeries = countEdgeSeries(registers, (id) => watched?.exists(id) ?? true);
  const refusals = countRefusals(registers);
  const store = countStore(registers, () => storeState);
  watchGauges(registers, () => watched);
  return {
    store,
    events: countEvents(registers),
    contentType: registry.contentType,
    apiRequest(request) {
      api.observe(request);
      refusals.apiRequest(request);
    },
    exchange(record) {
      if (record.kind === 'http') edge.observe(record.status, record.durationMs);
      edgeSeries(record);
    },
    agentRefused: refusals.agent,
    handshakeFailed: refusals.handshakeFailed,
    acceptFailed: refusals.acceptFailed,
    listenFailed: refusals.listenFailed,
    dnsQuery: countDnsQueries(registers),
    watchStore(state) {
      storeState = state;
    },
    watch(parts) {
      watched = parts;
    },
    text: async () => `${await registry.metrics()}\n${api.latency.text()}${edge.latency.text()}`,
  };
}
