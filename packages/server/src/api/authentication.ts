/**
 * Finds the identity behind a request's key.
 * Invariant: a source without attempts left causes no look-up, unless its key was good from there recently.
 * An attempt is counted before the look-up, and returned if the key is good. A source that guesses too often gets the
 * same response to every guess, right ones included. Guesses that are made at once cannot overtake the count. Clients
 * that share an address with a guesser can still use the keys that were good from there.
 */

import { type ApiKeyGrant, hashToken } from '../access/tokens.ts';
import { sourceKey } from '../core/ip/client-address.ts';
import { LruMap } from '../core/limits/lru.ts';
import type { RateLimiter } from '../core/limits/rate-limiter.ts';
import { Problem } from '../errors/problem.ts';
import type { ErrorNeeding } from '../errors/values.ts';
import type { Peer } from '../http-server/request.ts';
import { apiKeyOf } from './checks.ts';

export type KeyFault = { readonly fault: ErrorNeeding };
export type Identity = ApiKeyGrant | KeyFault;

/** A key that a request gives. */
interface GivenKey {
  readonly header: string | undefined;
  readonly token: string;
  readonly hash: string;
}

/** Finds what a token stands for. `tokenHash`: as `hashToken` makes it. */
export type LookUp<Found extends object> = (token: string, tokenHash: string) => Promise<Found | KeyFault>;

export interface AuthenticationDeps {
  /** `tokenHash`: as `hashToken` makes it. */
  readonly authenticate: (token: string, tokenHash: string) => Promise<Identity>;
  readonly limiter: RateLimiter;
  /** Failed attempts that the limiter allows one source; for the text of the error. */
  readonly limit: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** Milliseconds after its last use for which a key counts as good from a source. */
const REMEMBERED_MS = 3_600_000;
const SOURCES = 4096;
const KEYS_PER_SOURCE = 64;

export class Authentication {
  readonly #deps: AuthenticationDeps;
  /** Hashes of the good keys with the time of their last use, by source. */
  readonly #good = new LruMap<string, LruMap<string, number>>(SOURCES);
  readonly #readLast = new WeakMap<object, GivenKey>();

  constructor(deps: AuthenticationDeps) {
    this.#deps = deps;
  }

  /**
   * `header`: Authorization. `peer`: who sends it. Raises Problem when the source has to wait.
   */
  identify(header: string | undefined, peer: Pick<Peer, 'source'>): Promise<Identity> {
    const given = this.#read(header, peer);
    const from = sourceKey(peer.source);
    if ('fault' in given) return this.#countAttempt(from).then(() => given);
    return this.#lookUp(given, from, this.#deps.authenticate);
  }

  /** Finds another token than an API key, with the same limit of attempts. Raises Problem like `identify`. */
  find<Found extends object>(
    token: string,
    { source }: Pick<Peer, 'source'>,
    lookUp: LookUp<Found>,
  ): Promise<Found | KeyFault> {
    return this.#lookUp({ token, hash: hashToken(token) }, sourceKey(source), lookUp);
  }

  #lookUp<Found extends object>(
    given: Pick<GivenKey, 'token' | 'hash'>,
    from: string,
    lookUp: LookUp<Found>,
  ): Promise<Found | KeyFault> {
    return this.#wasGood(from, given.hash)
      ? this.#identifyKnown(given, from, lookUp)
      : this.#identifyUnknown(given, from, lookUp);
  }

  /** Resolves with true if the key of an earlier request of the account is still good. Counts no attempt. */
  async isStillGood(header: string | undefined, account: string): Promise<boolean> {
    const given = apiKeyOf(header);
    if ('fault' in given) return false;
    const identity = await this.#deps.authenticate(given.token, hashToken(given.token));
    return !('fault' in identity) && identity.account === account;
  }

  /** Reads and hashes a key once, if a peer sends it in successive requests. */
  #read(header: string | undefined, peer: object): GivenKey | KeyFault {
    const last = this.#readLast.get(peer);
    if (last !== undefined && last.header === header) return last;
    const given = apiKeyOf(header);
    if ('fault' in given) return given;
    const read = { header, token: given.token, hash: hashToken(given.token) };
    this.#readLast.set(peer, read);
    return read;
  }

  async #identifyKnown<Found extends object>(
    { token, hash }: Pick<GivenKey, 'token' | 'hash'>,
    from: string,
    lookUp: LookUp<Found>,
  ): Promise<Found | KeyFault> {
    const identity = await lookUp(token, hash);
    if ('fault' in identity) {
      this.#good.get(from)?.delete(hash);
      await this.#countAttempt(from);
    } else {
      this.#remember(from, hash);
    }
    return identity;
  }

  async #identifyUnknown<Found extends object>(
    { token, hash }: Pick<GivenKey, 'token' | 'hash'>,
    from: string,
    lookUp: LookUp<Found>,
  ): Promise<Found | KeyFault> {
    const { limiter } = this.#deps;
    await this.#countAttempt(from);
    let failed = false;
    try {
      const identity = await lookUp(token, hash);
      failed = 'fault' in identity;
      if (!failed) this.#remember(from, hash);
      return identity;
    } finally {
      if (!failed) await limiter.release(attemptsOf(from));
    }
  }

  async #countAttempt(from: string): Promise<void> {
    const { limiter, limit } = this.#deps;
    const seconds = await limiter.admit(attemptsOf(from));
    if (seconds !== null) throw new Problem('authenticationFailuresLimited', { seconds }, { limit }, seconds);
  }

  #wasGood(from: string, key: string): boolean {
    const last = this.#good.get(from)?.get(key);
    return last !== undefined && this.#deps.now() - last < REMEMBERED_MS;
  }

  #remember(from: string, key: string): void {
    let keys = this.#good.get(from);
    if (keys === undefined) {
      keys = new LruMap(KEYS_PER_SOURCE);
      this.#good.set(from, keys);
    }
    keys.set(key, this.#deps.now());
  }
}

function attemptsOf(from: string): string {
  return `source:${from}`;
}
