/**
 * Limits the queued events of an account.
 * Invariant: a write normally costs no count. This process overestimates the number, and counts again at the limit.
 */
import type { DocumentStore } from '../documents/index.ts';

/** Events of an account. An event counts once for each destination. */
export const MOST_WAITING = 100_000;
/** Approximate bytes of their texts. Visitors determine the length of some fields. */
export const MOST_BYTES = 512 * 1_048_576;

export interface OutboxBoundOptions {
  readonly store: Pick<DocumentStore, 'countQueued'>;
  /** Events at most. An event counts once for each destination. */
  readonly most: number;
  readonly mostBytes: number;
  /** Milliseconds of a monotonic clock. */
  readonly uptime: () => number;
}

/** Milliseconds between two counts. Other daemons also write, and deliveries free room. */
const RECOUNT_MS = 2_000;

/** Bytes of an event of unknown size. */
const USUAL_BYTES = 1_024;

/** Requested or used room. */
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
   * Reserves room for events that are about to be written. Returns false if there is none, or none in this share.
   * Rejects if the store is unavailable.
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

  /**
   * Counts events. Their size is estimated by the average since the last count, because measuring would need to read
   * them.
   */
  async #count(account: string): Promise<Known> {
    const { store, uptime, most } = this.#options;
    const waiting = await store.countQueued({ account, limit: most });
    const before = this.#byAccount.get(account);
    const each = before === undefined || before.waiting === 0 ? USUAL_BYTES : before.bytes / before.waiting;
    return { waiting, bytes: waiting * each, countedAt: uptime() };
  }
}
