/**
 * Limits the cost of queries by transport and source.
 * Guarantees: queries with forged addresses take nothing from sources that have used TCP, whose addresses cannot be
 * forged.
 */
import { LruMap } from '../core/limits/lru.ts';
import { type Rate, TokenBuckets } from '../core/limits/token-buckets.ts';
import type { Transport } from './respond.ts';

/** A lookup costs some 30 µs of the thread that serves all, a truncated answer a fraction of it. */
const rates = {
  tcp: { burst: 4000, perSecond: 4000 },
  /** Budget of UDP sources that have also used TCP. */
  proven: { burst: 2000, perSecond: 2000 },
  /** Budget of all other UDP sources. */
  unproven: { burst: 2000, perSecond: 2000 },
  truncated: { burst: 20_000, perSecond: 20_000 },
  source: { burst: 400, perSecond: 400 },
} as const satisfies Record<string, Rate>;
type Share = Exclude<keyof typeof rates, 'source'>;
/** Number of the most recent TCP sources that are remembered. */
const provenSources = 10_000;

/** `truncate`: respond without a lookup, so that the client returns over TCP. */
export type QueryDecision = 'answer' | 'truncate' | 'drop';

export class QueryBudgets {
  readonly #shares = {
    tcp: new TokenBuckets(rates.tcp),
    proven: new TokenBuckets(rates.proven),
    unproven: new TokenBuckets(rates.unproven),
    truncated: new TokenBuckets(rates.truncated),
  } as const satisfies Record<Share, TokenBuckets>;
  /** Budgets by source. Each share has a map of its own, so that forged sources evict none of the others. */
  readonly #sources = {
    tcp: new TokenBuckets(rates.source),
    proven: new TokenBuckets(rates.source),
    unproven: new TokenBuckets(rates.source),
  } as const satisfies Partial<Record<Share, TokenBuckets>>;
  readonly #proven = new LruMap<string, true>(provenSources);

  /** `now`: milliseconds of a clock that never goes back. */
  decide(transport: Transport, source: string, now: number): QueryDecision {
    if (transport === 'tcp') {
      const isWithin = this.#spend('tcp', source, now);
      if (isWithin) this.#proven.set(source, true);
      return isWithin ? 'answer' : 'drop';
    }
    if (this.#proven.get(source) !== undefined) {
      return this.#spend('proven', source, now) ? 'answer' : this.#truncate(now);
    }
    // An address that is forged is not sent more than its own share.
    if (!this.#sources.unproven.has(source, now)) return 'drop';
    if (this.#spend('unproven', source, now)) return 'answer';
    this.#sources.unproven.take(source, now);
    return this.#truncate(now);
  }

  #truncate(now: number): QueryDecision {
    const { truncated } = this.#shares;
    if (!truncated.has('', now)) return 'drop';
    truncated.take('', now);
    return 'truncate';
  }

  #spend(share: 'tcp' | 'proven' | 'unproven', source: string, now: number): boolean {
    const all = this.#shares[share];
    const own = this.#sources[share];
    if (!all.has('', now) || !own.has(source, now)) return false;
    all.take('', now);
    own.take(source, now);
    return true;
  }
}
