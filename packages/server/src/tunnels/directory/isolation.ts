/**
 * Isolation: a daemon that cannot renew for a while although another one can, ends its life in the directory.
 * Invariant: while no daemon can renew, none is isolated.
 */
import type { Moment } from './fence.ts';

/** The renewals of a daemon, as it reports them to another one. */
export interface RenewalReport {
  /** Milliseconds since the last answered renewal was sent. */
  readonly agoMs: number;
  /** Milliseconds for which renewals have been answered without a gap of half a lease. */
  readonly steadyMs: number;
}

/** A report is recent for this part of the time after which a daemon is isolated. */
const RECENT = 1 / 3;
/** A daemon could not use the database meanwhile if its renewals have a gap of this part of a lease. */
const GAP = 1 / 2;

/**
 * Returns true if another daemon could renew all the time in which this one could not. `afterMs`: milliseconds without a
 * renewal after which a daemon is isolated.
 */
export function canRenew({ agoMs, steadyMs }: RenewalReport, afterMs: number): boolean {
  return agoMs < RECENT * afterMs && steadyMs >= afterMs;
}

/** Answered renewals of this daemon. */
export class Renewals {
  readonly #gapMs: number;
  #last: Moment | null = null;
  #first: Moment | null = null;

  constructor(leaseMs: number) {
    this.#gapMs = GAP * leaseMs;
  }

  /** The moment at which the last answered renewal was sent; null: there was none in this life. */
  get last(): Moment | null {
    return this.#last;
  }

  /** Takes an answered renewal by the moment at which it was sent. An answer may be late, and have no effect. */
  answered(sent: Moment): void {
    const last = this.#last;
    if (last !== null && sent.uptime <= last.uptime) return;
    if (last === null || longest(last, sent) >= this.#gapMs) this.#first = sent;
    this.#last = sent;
  }

  /** A life has ended. */
  clear(): void {
    this.#last = null;
    this.#first = null;
  }

  report(now: Moment): RenewalReport | null {
    const [last, first] = [this.#last, this.#first];
    if (last === null || first === null) return null;
    return { agoMs: longest(last, now), steadyMs: shortest(first, now) };
  }
}

/** Counts milliseconds in which this daemon ran and could not renew. Pauses of its process count little. */
export class Outage {
  readonly #mostMs: number;
  #renewed: Moment | null = null;
  #lookedAt = 0;
  #ms = 0;

  /** `lookMs`: milliseconds between two calls of `look`. */
  constructor(lookMs: number) {
    this.#mostMs = 2 * lookMs;
  }

  /** `renewed`: the last answered renewal. Returns the milliseconds since then. */
  look(renewed: Moment, { uptime }: Moment): number {
    const isNew = renewed !== this.#renewed;
    const gap = uptime - (isNew ? renewed.uptime : this.#lookedAt);
    this.#ms = (isNew ? 0 : this.#ms) + Math.min(gap, this.#mostMs);
    this.#renewed = renewed;
    this.#lookedAt = uptime;
    return this.#ms;
  }
}

/** Milliseconds between two moments. Sleep and changed clocks make it longer, and never shorter. */
export function longest(from: Moment, to: Moment): number {
  return Math.max(to.uptime - from.uptime, to.wall - from.wall);
}

function shortest(from: Moment, to: Moment): number {
  return Math.min(to.uptime - from.uptime, to.wall - from.wall);
}
