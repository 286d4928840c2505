/**
 * Watches the renewals of a daemon, and isolates it if it is cut off from the database while another daemon is not.
 * Invariant: a report counts only while it is recent, by both clocks of this daemon.
 */
import type { Moment } from './fence.ts';
import { canRenew, longest, Outage, type RenewalReport } from './isolation.ts';
import type { Incarnation } from './row.ts';

export interface IsolationOptions {
  /** Milliseconds without a renewal after which a daemon is isolated. */
  readonly afterMs: number;
  /** Requests reports from all daemons that a link leads to, within so many milliseconds. Never rejects. */
  readonly ask: (heard: (report: RenewalReport | null) => void, timeoutMs: number) => Promise<void>;
  /**
   * Has other daemons declare this one dead, which has ended everything. Returns true if one of them has done so. Never
   * rejects.
   */
  readonly leave: () => Promise<boolean>;
  /** Resolves when links to the other daemons are up again after a return, or after a while. Never rejects. */
  readonly linked: () => Promise<void>;
}

export interface WatchOptions extends IsolationOptions {
  readonly now: () => Moment;
  /** Returns the last answered renewal of this life; null: there is none. */
  readonly renewed: () => Moment | null;
  /** Milliseconds between two calls of `look`. */
  readonly lookMs: number;
  /** Called when the daemon must end everything. */
  readonly isolate: () => void;
}

/** A report is late after this part of the time after which a daemon is isolated. */
const LATE = 1 / 12;

export class IsolationWatch {
  readonly #options: WatchOptions;
  readonly #outage: Outage;
  #isAsking = false;
  /** The life that ended here, until another daemon has declared it dead. */
  #left: Incarnation | null = null;
  #isReturning = false;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#outage = new Outage(options.lookMs);
  }

  /** Checks the renewals of this daemon. Call it regularly. */
  look(): void {
    if (this.#isAsking) return;
    const renewed = this.#options.renewed();
    if (this.#left !== null) void this.#alone(() => this.#leave());
    else if (renewed !== null && this.#isCutOff(renewed)) void this.#alone(() => this.#ask(renewed));
  }

  /** A life has ended here, and another daemon must declare it dead. */
  ended(incarnation: Incarnation): void {
    this.#left = incarnation;
    void this.#alone(() => this.#leave());
  }

  /** The next life has begun. */
  joined(): void {
    this.#left = null;
  }

  /** The next life knows the directory. Calls `done` when it can serve. One call is under way at a time. */
  back(done: () => void): void {
    if (this.#isReturning) return;
    this.#isReturning = true;
    void this.#options.linked().then(() => {
      this.#isReturning = false;
      // A life that has ended meanwhile serves nothing.
      if (this.#options.renewed() !== null) done();
    });
  }

  #isCutOff(renewed: Moment): boolean {
    return this.#outage.look(renewed, this.#options.now()) >= this.#options.afterMs;
  }

  async #alone(call: () => Promise<void>): Promise<void> {
    this.#isAsking = true;
    await call();
    this.#isAsking = false;
  }

  async #ask(renewed: Moment): Promise<void> {
    const { ask, now, renewed: last, afterMs, isolate } = this.#options;
    const asked = now();
    const most = LATE * afterMs;
    await ask((report) => {
      const counts = report !== null && longest(asked, now()) <= most && canRenew(report, afterMs);
      if (counts && last() === renewed) isolate();
    }, most);
  }

  async #leave(): Promise<void> {
    const left = this.#left;
    if ((await this.#options.leave()) && this.#left === left) this.#left = null;
  }
}
