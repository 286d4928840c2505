/**
 * Bounds what messages cost that come to nothing, over all sources together. Every message takes its cost from a budget, and gets it back if
 * its user is let in. There is one budget for messages that answer a login begun here, one for other messages, and one for networks whose users
 * were let in lately. Of the first two, networks that have failed lately may use one half: a flood keeps its own networks out first.
 * Invariant: failing messages cost no more than the three budgets together, and the accounts of networks are bounded in number.
 */
import { networkKey, sourceKey } from '../core/ip/client-address.ts';
import { LruMap } from '../core/limits/lru.ts';
import { type Rate, TokenBuckets } from '../core/limits/token-buckets.ts';
import { LoginFault } from './login-fault.ts';

/** Functions are called at each use, for rates that change. */
export interface FailureBudgetRates {
  /** Rate of all modules together. */
  readonly all: Rate | (() => Rate);
  /** Rate of each module: a flood of one must not use up the budget of the others. */
  readonly module: Rate | (() => Rate);
  /** Rate of networks whose users were let in lately. */
  readonly known: Rate | (() => Rate);
}

export interface FailureBudgetOptions {
  readonly rates: FailureBudgetRates;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Networks that are remembered. */
  readonly networks?: number;
}

/** The cost of a message, and the budgets that it counts for. */
export interface Charge {
  /** Address of the client. */
  readonly client: string;
  readonly module: string;
  /** Id of the login begun here that the message answers; '' for none. */
  readonly flow: string;
  /** Tokens of the rates. */
  readonly cost: number;
}

const mostNetworks = 10_000;
/** Milliseconds for which a network is known by a failure. */
const failedMs = 10 * 60_000;
/** Milliseconds for which a network is known by a user who was let in. */
const knownMs = 24 * 60 * 60_000;
/** Failures since the last user was let in, after which a network is known no longer. */
const mostFailures = 10;
/** Failures of one login: beyond, its messages count like those that answer none. */
const flowRate = { burst: 5, perSecond: 0.01 };
/** Share of a budget that is kept for networks without a recent failure. */
const keptShare = 0.5;

interface Known {
  readonly at: number;
  readonly failures: number;
}

export class FailureBudget {
  readonly #now: () => number;
  readonly #all: TokenBuckets;
  readonly #modules: TokenBuckets;
  readonly #knownRate: TokenBuckets;
  /** Times at which networks last failed. */
  readonly #failed: LruMap<string, number>;
  readonly #known: LruMap<string, Known>;
  readonly #flows = new TokenBuckets(flowRate);

  constructor({ rates, now, networks = mostNetworks }: FailureBudgetOptions) {
    this.#now = now;
    this.#failed = new LruMap(networks);
    this.#known = new LruMap(networks);
    this.#all = new TokenBuckets(rates.all);
    this.#modules = new TokenBuckets(rates.module);
    this.#knownRate = new TokenBuckets(rates.known);
  }

  /** Rejects with what `act` rejects with, or with LoginFault if the budget has nothing left for the network. */
  async spend<Result>({ client, module, cost, flow }: Charge, act: () => Promise<Result>): Promise<Result> {
    const network = networkKey(sourceKey(client));
    const isKnown = this.#isKnown(network);
    const kind = flow !== '' && this.#flows.has(flow, this.#now()) ? 'answer' : 'unsolicited';
    const budgets: readonly [TokenBuckets, string][] = isKnown
      ? [[this.#knownRate, '']]
      : [
          [this.#all, kind],
          [this.#modules, `${kind} ${module}`],
        ];
    const least = isKnown || !this.#hasFailed(network) ? 0 : keptShare;
    if (budgets.some(([budget, key]) => budget.share(key, this.#now()) <= least)) throw exhausted;
    for (const [budget, key] of budgets) budget.take(key, this.#now(), cost);
    const giveBack = (): void => {
      for (const [budget, key] of budgets) budget.release(key, this.#now(), cost);
    };
    try {
      const result = await act();
      giveBack();
      this.#letIn(network);
      return result;
    } catch (error) {
      // Anything else is a fault of this service.
      if (error instanceof LoginFault) this.#fail(network, flow);
      else giveBack();
      throw error;
    }
  }

  #isKnown(network: string): boolean {
    const known = this.#known.get(network);
    return known !== undefined && this.#isWithin(known.at, knownMs) && known.failures < mostFailures;
  }

  #hasFailed(network: string): boolean {
    const at = this.#failed.get(network);
    return at !== undefined && this.#isWithin(at, failedMs);
  }

  /** A clock that was put back makes everything long ago. */
  #isWithin(at: number, ms: number): boolean {
    const age = this.#now() - at;
    return age >= 0 && age < ms;
  }

  #letIn(network: string): void {
    this.#known.set(network, { at: this.#now(), failures: 0 });
  }

  #fail(network: string, flow: string): void {
    if (flow !== '') this.#flows.take(flow, this.#now());
    this.#failed.set(network, this.#now());
    const known = this.#known.get(network);
    if (known !== undefined) this.#known.set(network, { ...known, failures: known.failures + 1 });
  }
}

const exhausted = new LoginFault(
  'loginBusy',
  'budget',
  'too many messages from many addresses have come to nothing',
);
