/**
 * How many events of an account may wait. Never that counting costs each write a read: what this process knows is too much rather
 * than too little, and is counted anew when it reaches the bound.
 */
import type { DocumentStore } from '../documents/index.ts';

/** Of an account, those of several destinations counted for each. */
export const MOST_WAITING = 100_000;
/** Of their texts, about: visitors choose how long some of what is told of them is. */
export const MOST_BYTES = 512 * 1_048_576;

export interface OutboxBoundOptions {
  readonly store: Pick<DocumentStore, 'countQueued'>;
  /** Events, those of several destinations counted for each. */
  readonly most: number;
  readonly mostBytes: number;
  /** Milliseconds of a clock that never jumps. */
  readonly uptime: () => number;
}

/** Other daemons write as well, and what is delivered makes room. */
const RECOUNT_MS = 2_000;

/** Of an event of which nobody has said it. */
const USUAL_BYTES = 1_024;

/** What is asked for, or waits. */
export interface Amount {
  readonly events: number;
  readonly bytes?: number;
}

interface Known {
  waiting: number;
  bytes: number;
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
  take(
    account: string,
    { events, bytes = events * USUAL_BYTES }: Amount,
    share = 1,
  ): boolean | Promise<boolean> {
    const { uptime } = this.#options;
    const asked = { events, bytes };
    const known = this.#byAccount.get(account);
    if (known !== undefined && this.#takeOf(known, asked, share)) return true;
    if (known !== undefined && uptime() - known.countedAt < RECOUNT_MS) return false;
    return this.#count(account).then((counted) => {
      this.#byAccount.set(account, counted);
      return this.#takeOf(counted, asked, share);
    });
  }

  #takeOf(known: Known, { events, bytes }: Required<Amount>, share: number): boolean {
    const { most, mostBytes } = this.#options;
    if (known.waiting + events > most * share || known.bytes + bytes > mostBytes * share) return false;
    known.waiting += events;
    known.bytes += bytes;
    return true;
  }

  /** Those that wait still are taken to be as long as all that were told since the last count: to measure them would be to read them. */
  async #count(account: string): Promise<Known> {
    const { store, uptime, most } = this.#options;
    const waiting = await store.countQueued({ account, limit: most });
    const before = this.#byAccount.get(account);
    const each = before === undefined || before.waiting === 0 ? USUAL_BYTES : before.bytes / before.waiting;
    return { waiting, bytes: waiting * each, countedAt: uptime() };
  }
}
