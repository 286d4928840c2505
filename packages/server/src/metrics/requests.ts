/** Counters and latencies of requests. Never a label that comes from outside. */

import type { Observed } from '../api/server.ts';
import { type SignpostResult, signpostResults } from '../api/signpost.ts';
import { LatencyHistogram } from './latency.ts';
import { Counter, counterFromZero, type Registry } from './prometheus.ts';

export interface ApiRequests {
  readonly observe: (request: Observed) => void;
  readonly latency: LatencyHistogram;
}

/** API requests: how many, how long, and those that were refused for who sent them or for how many there were. */
export function countApiRequests(registers: Registry[]): ApiRequests {
  const requests = new Counter({
    name: 'underpass_api_requests_total',
    help: 'API requests by operation of the OpenAPI document (empty: none was reached) and status',
    labelNames: ['operation', 'status'],
    registers,
  });
  const latency = new LatencyHistogram('underpass_api_request_duration_seconds', 'Duration of API requests');
  const limited = new Counter({
    name: 'underpass_api_rate_limit_refusals_total',
    help: 'API requests answered with 429, by reason, a name of docs/build/errors.md',
    labelNames: ['reason'],
    registers,
  });
  /** Finding a counter by its labels costs more than counting. Operations and statuses are few. */
  const counters = new Map<string, Counter.Internal>();
  const observe = ({ operation, status, durationMs, fault }: Observed): void => {
    const key = `${operation} ${status}`;
    const counter = counters.get(key) ?? requests.labels(operation, String(status));
    counters.set(key, counter);
    counter.inc();
    latency.observe(durationMs / 1000);
    if (status === 429 && fault !== null) limited.inc({ reason: fault });
  };
  return { observe, latency };
}

/** Counts requests where the service has no pages of its own. */
export function countSignpostRequests(registers: Registry[]): (result: SignpostResult) => void {
  const requests = counterFromZero({
    name: 'underpass_signpost_requests_total',
    help: 'Requests at the domain itself and at connect.<domain>, by result: redirected (to the console), not_found, or refused (malformed, unfinished or too many)',
    labels: { result: signpostResults },
    registers,
  });
  return (result) => requests.inc({ result });
}

export interface EdgeRequests {
  readonly observe: (status: number, durationMs: number) => void;
  readonly latency: LatencyHistogram;
}

/** Counts by status class in plain numbers, since this runs per proxied request; the registry reads them at a scrape. */
export function countEdgeRequests(registers: Registry[]): EdgeRequests {
  const counts = [0, 0, 0, 0, 0, 0];
  new Counter({
    name: 'underpass_edge_requests_total',
    help: 'HTTP requests answered at the edge, by class of status, such as class="2xx"',
    labelNames: ['class'],
    registers,
    collect() {
      this.reset();
      for (let digit = 1; digit <= 5; digit++) this.inc({ class: `${digit}xx` }, counts[digit] ?? 0);
    },
  });
  const latency = new LatencyHistogram(
    'underpass_edge_request_duration_seconds',
    'Duration of HTTP requests at the edge, from the whole head to the last byte of the answer',
  );
  return {
    latency,
    observe(status, durationMs) {
      // RFC 9110, section 15: an unknown status from 600 on counts as one of servers.
      const digit = Math.min(Math.floor(status / 100), 5);
      counts[digit] = (counts[digit] ?? 0) + 1;
      latency.observe(durationMs / 1000);
    },
  };
}
