/**
 * What the operator can count: API and edge requests, sessions, tunnels, connections, the process itself. Never that a
 * published metric changes its name.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Observed } from './api/server.ts';

interface Countable {
  readonly ingress: { readonly counts: { readonly sessions: number; readonly tunnels: number } };
  readonly frontDoor: { readonly connections: number };
}

export interface Metrics {
  readonly registry: Registry;
  readonly apiRequest: (request: Observed) => void;
  readonly edgeRequest: (targetId: string, status: number, durationMs: number) => void;
  /** Reads the gauges from these parts at each scrape. */
  watch(parts: Countable): void;
}

/** A registry of its own per daemon, so that two can live in one process. */
export function createMetrics(version: string): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  new Gauge({
    name: 'underpass_info',
    help: 'Version of the daemon',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1);
  const apiRequests = new Counter({
    name: 'underpass_api_requests_total',
    help: 'API requests by operation and status',
    labelNames: ['operation', 'status'],
    registers,
  });
  const apiSeconds = new Histogram({
    name: 'underpass_api_request_seconds',
    help: 'Duration of API requests',
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers,
  });
  /** Finding a counter by its labels costs more than counting. Operations and statuses are few. */
  const counters = new Map<string, Counter.Internal>();
  const edgeCounts = edgeRequestCounts(registers);
  return {
    registry,
    apiRequest: ({ operation, status, durationMs }) => {
      const key = `${operation} ${status}`;
      const counter = counters.get(key) ?? apiRequests.labels(operation, String(status));
      counters.set(key, counter);
      counter.inc();
      apiSeconds.observe(durationMs / 1000);
    },
    edgeRequest: (_targetId, status, durationMs) => edgeCounts(status, durationMs),
    watch: (parts) => watchGauges(parts, registers),
  };
}

/** Counts by status class in plain numbers, since this runs per proxied request; the registry reads them at a scrape. */
function edgeRequestCounts(registers: Registry[]): (status: number, durationMs: number) => void {
  const counts = [0, 0, 0, 0, 0, 0];
  let seconds = 0;
  new Counter({
    name: 'underpass_edge_requests_total',
    help: 'HTTP requests answered at the edge, by class of status',
    labelNames: ['class'],
    registers,
    collect() {
      this.reset();
      for (let digit = 1; digit <= 5; digit++) this.inc({ class: `${digit}xx` }, counts[digit] ?? 0);
    },
  });
  new Counter({
    name: 'underpass_edge_request_seconds_total',
    help: 'Time spent on HTTP requests at the edge, summed',
    registers,
    collect() {
      this.reset();
      this.inc(seconds);
    },
  });
  return (status, durationMs) => {
    const digit = Math.floor(status / 100);
    counts[digit] = (counts[digit] ?? 0) + 1;
    seconds += durationMs / 1000;
  };
}

function watchGauges({ ingress, frontDoor }: Countable, registers: Registry[]): void {
  const gauge = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  };
  gauge('underpass_agent_sessions', 'Agent sessions online', () => ingress.counts.sessions);
  gauge('underpass_tunnels', 'Tunnels online', () => ingress.counts.tunnels);
  gauge(
    'underpass_front_door_connections',
    'Open connections at the front door',
    () => frontDoor.connections,
  );
}
