/**
 * Limits of the logins of one module or of the console, over all browsers.
 * Invariant: requests to the provider that come to nothing are bounded for each source, and over all sources.
 */
import { sourceKey } from '../core/ip/client-address.ts';
import { partOf } from '../core/limits/shared-rate.ts';
import { TokenBuckets } from '../core/limits/token-buckets.ts';
import { FailureBudget } from './failure-budget.ts';
import { LoginFault } from './login-fault.ts';

/** Logins that one source may finish: many users can have one address. */
const rate = { burst: 200, perSecond: 5 };
/** Failing logins of one source: each has sent a request to the provider. */
const failureRate = { burst: 20, perSecond: 0.2 };
/** Logins that one source may begin: a signature each with SAML. */
const beginRate = { burst: 500, perSecond: 50 };
/** Failing logins of all sources together. */
const budgetRate = { burst: 200, perSecond: 10 };
const partOfBudget = () => partOf(budgetRate);
const budgetRates = { all: partOfBudget, module: partOfBudget, known: partOfBudget };
const mostNetworks = 2_000;
/** Logins that may send a request to the provider at a time. */
const mostFinishing = 64;

export const loginBusy = new LoginFault(
  'loginBusy',
  'rate',
  'too many logins are under way, or came from one address',
);

/** Each `client` is the address of a browser. */
export class LoginTurns {
  readonly #now: () => number;
  readonly #begun = new TokenBuckets(beginRate);
  readonly #attempts = new TokenBuckets(rate);
  readonly #failures = new TokenBuckets(() => partOf(failureRate));
  readonly #budget: FailureBudget;
  #finishing = 0;

  /** `now`: milliseconds since 1970. */
  constructor(now: () => number) {
    this.#now = now;
    this.#budget = new FailureBudget({ rates: budgetRates, now, networks: mostNetworks });
  }

  mayBegin(client: string): boolean {
    return this.#begun.has(sourceKey(client), this.#now());
  }

  /** Counts the begin of a login. Throws LoginFault. */
  begin(client: string): void {
    this.#take(client, this.#begun);
  }

  /** Counts a request that may cost one to the provider. Throws LoginFault. */
  attempt(client: string): void {
    this.#take(client, this.#attempts);
  }

  /** Finishes a login with `act`, whose failures count. Rejects with LoginFault, or with what `act` rejects with. */
  async finish<Result>(client: string, act: () => Promise<Result>): Promise<Result> {
    const source = sourceKey(client);
    if (this.#finishing >= mostFinishing || !this.#failures.has(source, this.#now())) throw loginBusy;
    this.attempt(client);
    const charge = { client, module: '', flow: '', cost: 1 };
    return await this.#budget.spend(charge, async () => {
      this.#finishing += 1;
      try {
        return await act();
      } catch (error) {
        this.#failures.take(source, this.#now());
        throw error;
      } finally {
        this.#finishing -= 1;
      }
    });
  }

  #take(client: string, turns: TokenBuckets): void {
    const source = sourceKey(client);
    if (!turns.has(source, this.#now())) throw loginBusy;
    turns.take(source, this.#now());
  }
}
