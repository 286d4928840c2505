/**
 * Resolves names of places that accounts chose.
 * Invariant: every address is checked at each connection, so that a name which resolves differently the next time
 * gains nothing.
 */
import { isIP, type LookupFunction } from 'node:net';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** All addresses of a name, which an account chose. */
export type Resolve = (host: string, account: string) => Promise<readonly ResolvedAddress[]>;

/** Returns the addresses that may be connected to, at least one. Throws the reason if there is none. */
export type Judge = (addresses: readonly ResolvedAddress[]) => readonly ResolvedAddress[];

export class JudgedLookup {
  readonly #resolve: Resolve;
  /** Lookups in progress, shared by callers that need the same name: the system resolves few names at once. */
  readonly #resolving = new Map<string, ReturnType<Resolve>>();

  constructor(resolve: Resolve) {
    this.#resolve = resolve;
  }

  /** `account`: who chose the name. For a connection with `autoSelectFamily`. Throws what `judge` throws about a host that is an address: Node looks none up. */
  to(host: string, account: string, judge: Judge): LookupFunction {
    const family = isIP(host);
    if (family !== 0) judge([{ address: host, family }]);
    return (_host, _options, done) => {
      this.#all(host, account)
        .then(judge)
        .then(
          (addresses) => done(null, [...addresses]),
          (error: NodeJS.ErrnoException) => done(error, []),
        );
    };
  }

  #all(host: string, account: string): ReturnType<Resolve> {
    // One of another account may wait behind names of its own.
    const key = `${account} ${host}`;
    const underway = this.#resolving.get(key);
    if (underway !== undefined) return underway;
    const found = this.#resolve(host, account).finally(() => this.#resolving.delete(key));
    this.#resolving.set(key, found);
    return found;
  }
}
