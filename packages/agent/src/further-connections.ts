/**
 * Opens the further connections of an agent, one after the other.
 * Invariant: attempts are bounded in number, and random waits spread those of many agents.
 */

/** Result of an attempt: it is open, another attempt may reach another daemon, or it is of no use. */
export type Attempt = 'open' | 'again' | 'refused';

export interface FurtherOptions {
  readonly open: () => Promise<Attempt>;
  /** True if a connection is missing, and there is one already. */
  readonly isMissing: () => boolean;
  /** Returns numbers in [0, 1). */
  readonly random: () => number;
  /** Aborts when the agent ends. */
  readonly signal: AbortSignal;
}

/** Attempts in vain, after which a connection is left out until something changes. */
const ATTEMPTS = 12;
/**
 * Attempts in a row. A balancer leads each to another daemon, unless agents take turns: then each of two may get the daemon
 * that the other one needs, again and again.
 */
const IN_A_ROW = 3;
const QUICK_MS = 100;
const FIRST_MS = 1_000;
/** Longest first wait after a loss, which many agents may have had at the same time. */
const AFTER_LOSS_MS = 5_000;
const LONGEST_MS = 30_000;

/** Attempts in vain, and connections in a row that did not last. */
export interface Tries {
  readonly attempts: number;
  readonly short: number;
}

/** Returns the milliseconds before an attempt, between a fifth or half of its longest wait and all of it. */
export function waitBefore({ attempts, short }: Tries, isAfterLoss: boolean, random: number): number {
  if (attempts + short === 0) return (isAfterLoss ? AFTER_LOSS_MS : FIRST_MS) * (0.2 + 0.8 * random);
  const doublings = 2 * Math.floor(attempts / IN_A_ROW) + short;
  const longest = attempts % IN_A_ROW === 0 ? Math.min(LONGEST_MS, FIRST_MS * 2 ** doublings) : QUICK_MS;
  return longest * (0.5 + random / 2);
}

export class FurtherConnections {
  readonly #options: FurtherOptions;
  #attempts = 0;
  /** Connections in a row that did not last. */
  #short = 0;
  #isAfterLoss = false;
  #isOpening = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: FurtherOptions) {
    this.#options = options;
    options.signal.addEventListener('abort', () => this.#cancel(), { once: true });
  }

  /** Call it when another number of connections is useful, or the first connection is open. */
  changed(): void {
    this.#attempts = 0;
    this.#short = 0;
    this.#plan();
  }

  /** Call it when a connection is lost. `isGood`: it lasted. */
  lost(isGood: boolean): void {
    this.#isAfterLoss = true;
    this.#attempts = 0;
    this.#short = isGood ? 0 : this.#short + 1;
    this.#plan();
  }

  #plan(): void {
    const { isMissing, random, signal } = this.#options;
    const tries = { attempts: this.#attempts, short: this.#short };
    if (this.#timer !== null || this.#isOpening || signal.aborted) return;
    if (tries.attempts + tries.short >= ATTEMPTS || !isMissing()) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = null;
        void this.#attempt();
      },
      waitBefore(tries, this.#isAfterLoss, random()),
    );
  }

  async #attempt(): Promise<void> {
    if (!this.#options.isMissing()) return;
    this.#isOpening = true;
    const result = await this.#options.open();
    this.#isOpening = false;
    if (result === 'open') this.#attempts = 0;
    else this.#attempts = result === 'again' ? this.#attempts + 1 : ATTEMPTS;
    this.#plan();
  }

  #cancel(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
