/**
 * Metrics for operators, as docs/run/metrics.md lists them.
 * Invariant: a published metric keeps its name.
 */

import type { Observed } from '../api/server.ts';
import type { SignpostResult } from '../api/signpost.ts';
import { type DnsOutcome, dnsOutcomes } from '../dns/respond.ts';
import type { HandshakeFailure } from '../edge/listeners/handshake-failure.ts';
import type { Observe } from '../edge/sites/exchange-record.ts';
import type { ErrorName } from '../errors/catalogue.ts';
import { type EventResult, eventResults } from '../events/delivery.ts';
import type { StoreObserver } from '../store/observed.ts';
import { countEdgeSeries } from './edge-series.ts';
import { type Parts, watchGauges } from './gauges.ts';
import { Counter, collectDefaultMetrics, counterFromZero, Gauge, Registry } from './prometheus.ts';
import { countRefusals } from './refusals.ts';
import { countApiRequests, countEdgeRequests, countSignpostRequests } from './requests.ts';
import { countStore, type StoreState } from './store.ts';

interface EventsObserver {
  readonly counted: (result: EventResult, events: number) => void;
  readonly dropped: (events: number) => void;
}

export interface Metrics {
  readonly apiRequest: (request: Observed) => void;
  readonly signpostRequest: (result: SignpostResult) => void;
  readonly exchange: Observe;
  readonly agentRefused: (what: 'authentication' | 'bind', reason: ErrorName) => void;
  readonly handshakeFailed: (reason: HandshakeFailure) => void;
  readonly acceptFailed: (code: string) => void;
  readonly listenFailed: (code: string) => void;
  /** Counts a response to a write that other daemons had not applied. */
  readonly notEverywhere: () => void;
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
    signpostRequest: countSignpostRequests(registers),
    exchange(record) {
      if (record.kind === 'http') edge.observe(record.status, record.durationMs);
      edgeSeries(record);
    },
    agentRefused: refusals.agent,
    handshakeFailed: refusals.handshakeFailed,
    acceptFailed: refusals.acceptFailed,
    listenFailed: refusals.listenFailed,
    notEverywhere: countNotEverywhere(registers),
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

/** Counts the results of events. */
function countEvents(registers: Registry[]): EventsObserver {
  const events = counterFromZero({
    name: 'underpass_events_total',
    help: 'Events that were sent, by result="taken", result="retry", which is tried again, or result="given_up"',
    labels: { result: eventResults },
    registers,
  });
  const drops = new Counter({
    name: 'underpass_events_dropped_total',
    help: 'Events that were not kept for a destination because too many of the account wait',
    registers,
  });
  return {
    counted(result, count) {
      if (count > 0) events.inc({ result }, count);
    },
    dropped: (count) => drops.inc(count),
  };
}

function countNotEverywhere(registers: Registry[]): () => void {
  const responses = new Counter({
    name: 'underpass_api_not_everywhere_total',
    help: 'Responses to writes of the API that at least one linked daemon had not applied within 250 ms',
    registers,
  });
  return () => responses.inc();
}

/** Counts questions at the listener for name servers. */
function countDnsQueries(registers: Registry[]): (outcome: DnsOutcome) => void {
  const queries = counterFromZero({
    name: 'underpass_dns_queries_total',
    help: `Questions at --dns-listen, by outcome: ${dnsOutcomes.join(', ')}; truncated: the client retries over TCP, dropped: too many at once`,
    labels: { outcome: dnsOutcomes },
    registers,
  });
  return (outcome) => queries.inc({ outcome });
}
