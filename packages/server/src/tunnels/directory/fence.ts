/**
 * Time limits that keep two daemons apart: a daemon stops to serve before another may declare it dead.
 * Invariant: no rule reads a clock of another machine.
 */
import type { Incarnation, NodeState } from './row.ts';

export interface NodeTimes {
  /** Milliseconds after a renewal for which a daemon certainly lives. */
  readonly leaseMs: number;
  /** Milliseconds for which service outlives the database. */
  readonly graceMs: number;
}

/** The part of lease and grace after which a daemon serves no more. The rest is for clocks that differ. */
const GUARD = 0.85;

/** A moment on two clocks of one machine, in milliseconds: one that never goes back, and one that counts sleep. */
export interface Moment {
  /** `performance.now()`, which may not count the sleep of the machine. */
  readonly uptime: number;
  /** `Date.now()`, which an operator may set. */
  readonly wall: number;
}

/** Returns true if a daemon may serve tunnels. `renewed` is the moment at which its last answered renewal was sent. */
export function mayServe(renewed: Moment | null, now: Moment, { leaseMs, graceMs }: NodeTimes): boolean {
  if (renewed === null) return false;
  const most = GUARD * (leaseMs + graceMs);
  return now.uptime - renewed.uptime < most && now.wall - renewed.wall < most;
}

/** Finds daemons whose renewals have stopped, by the observer's own clock. Each states how long it serves without one. */
export class DeathWatch {
  readonly #times: NodeTimes;
  readonly #seen = new Map<Incarnation, { readonly round: number; readonly since: number }>();

  constructor(times: NodeTimes) {
    this.#times = times;
  }

  /**
   * Takes the state of all daemons at `now`, in milliseconds of `performance.now()`. Returns those to declare dead, with
   * the round that must still be theirs when they are.
   */
  observe(
    nodes: ReadonlyMap<Incarnation, NodeState>,
    now: number,
  ): readonly { readonly incarnation: Incarnation; readonly round: number }[] {
    const dead: { incarnation: Incarnation; round: number }[] = [];
    for (const known of this.#seen.keys()) if (!nodes.has(known)) this.#seen.delete(known);
    const own = this.#times.leaseMs + this.#times.graceMs;
    for (const [incarnation, { round, deadSince, lifeMs = own }] of nodes) {
      const seen = this.#seen.get(incarnation);
      if (seen?.round !== round) this.#seen.set(incarnation, { round, since: now });
      else if (deadSince === null && now - seen.since >= lifeMs) dead.push({ incarnation, round });
    }
    return dead;
  }
}
