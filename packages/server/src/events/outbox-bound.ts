/**
 * How many events of an account may wait. Never that counting costs each write a read: what this process knows is too much rather
 * than too little, and is counted anew when it reaches the bound.
 */
import type { DocumentStore } from '../documents/index.ts';

/** Of an account, those of several destinations counted for each. */
export const MOST_WAITING = 100_000;

export interface OutboxBoundOptions {
  readonly store: Pick<DocumentStore, 'countQueued'>;
  /** Events, those of several destinations counted for each. */
  readonly most: number;
  /** Milliseconds of a clock that never jumps. */
  readonly uptime: () => number;
}

/** Other daemons write as well, and what is delivered makes room. */
const RECOUNT_MS = 2_000;

interface Known {
  waiting: number;
  countedAt: number;
}

export class OutboxBound {
  readonly #options: OutboxBoundOptions;
  readonly #byAccount = new Map<string, Known>();

  constructor(options: OutboxBoundOptions) {
    this.#options = options;
  }

  /**
   * Takes room for events that are about to be written; false when there is none, or not in this share of it. Rejects when the store
   * is away.
   */
  async take(account: string, events: number, share = 1): Promise<boolean> {
    const { store, uptime } = this.#options;
    const most = this.#options.most * share;
    let known = this.#byAccount.get(account);
    const isStale = known === undefined || uptime() - known.countedAt >= RECOUNT_MS;
    if (known === undefined || (isStale && known.waiting + events > most)) {
      const waiting = await store.countQueued({ account, limit: this.#options.most });
      known = { waiting, countedAt: uptime() };
      this.#byAccount.set(account, known);
    }
    if (known.waiting + events > most) return false;
    known.waiting += events;
    return true;
  }
}
