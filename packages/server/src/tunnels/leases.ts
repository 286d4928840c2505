/** Names whose tunnel was lost, held for a while for the credential that had them. Bounded per account; the clock is handed in. */
import type { HostPattern } from '../core/hostname.ts';

export interface Lease {
  readonly name: HostPattern;
  readonly account: string;
  readonly credential: string;
  /** Milliseconds of the clock. */
  readonly until: number;
}

export class Leases {
  readonly #perAccount: number;
  readonly #now: () => number;
  readonly #leases = new Map<HostPattern, Lease>();
  /** Oldest first. */
  readonly #byAccount = new Map<string, Set<HostPattern>>();

  constructor(options: { readonly now: () => number; readonly perAccount: number }) {
    this.#now = options.now;
    this.#perAccount = options.perAccount;
  }

  get(name: HostPattern): Lease | undefined {
    const lease = this.#leases.get(name);
    if (lease === undefined || lease.until > this.#now()) return lease;
    this.release(name);
    return undefined;
  }

  /** Holds a name from now on; the account's oldest lease gives way when it has too many. */
  hold(
    name: HostPattern,
    bearer: { readonly account: string; readonly credential: string },
    ms: number,
  ): void {
    this.release(name);
    const names = this.#byAccount.get(bearer.account) ?? new Set();
    this.#byAccount.set(bearer.account, names.add(name));
    const { account, credential } = bearer;
    this.#leases.set(name, { name, account, credential, until: this.#now() + ms });
    for (const oldest of names) {
      if (names.size <= this.#perAccount) break;
      this.release(oldest);
    }
  }

  release(name: HostPattern): void {
    const lease = this.#leases.get(name);
    if (lease === undefined) return;
    this.#leases.delete(name);
    const names = this.#byAccount.get(lease.account);
    names?.delete(name);
    if (names?.size === 0) this.#byAccount.delete(lease.account);
  }

  releaseWhere(matches: (lease: Lease) => boolean): void {
    for (const lease of [...this.#leases.values()]) if (matches(lease)) this.release(lease.name);
  }
}
