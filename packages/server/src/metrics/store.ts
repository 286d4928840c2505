/** Counts operations of the store. */

import { failureReasons, type StoreObserver } from '../store/observed.ts';
import { Counter, counterFromZero, Gauge, type Registry } from './prometheus.ts';

/** Read at each scrape. */
export interface StoreState {
  readonly queueLength: number;
  readonly followerLagMs: number;
}

/** `state`: null until there is a store. */
export function countStore(registers: Registry[], state: () => StoreState | null): StoreObserver {
  const commits = new Counter({
    name: 'underpass_store_commits_total',
    help: 'Batches that were committed, durably',
    registers,
  });
  const conflicts = new Counter({
    name: 'underpass_store_conflicts_total',
    help: 'Batches that were refused because of a concurrent write or a conflicting document; most are retried',
    registers,
  });
  const failures = counterFromZero({
    name: 'underpass_store_failures_total',
    help: 'Failures of the store, by operation="read" or operation="write" and by reason="unavailable", reason="unknown_outcome" or reason="other"',
    labels: { operation: ['read', 'write'], reason: failureReasons },
    registers,
  });
  new Gauge({
    name: 'underpass_store_queue_length',
    help: 'Batches that wait for their commit',
    registers,
    collect() {
      this.set(state()?.queueLength ?? 0);
    },
  });
  new Gauge({
    name: 'underpass_store_follower_lag_seconds',
    help: 'For how long the part that is furthest behind has not known all that is committed; up to 5 while nothing is written',
    registers,
    collect() {
      this.set((state()?.followerLagMs ?? 0) / 1000);
    },
  });
  return {
    committed: () => commits.inc(),
    conflicted: () => conflicts.inc(),
    failed: (operation, reason) => failures.inc({ operation, reason }),
  };
}
