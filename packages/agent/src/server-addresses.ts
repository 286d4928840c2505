/**
 * Orders the addresses of the service's name for the next connection.
 * Invariant: after an address was used, every other address of its family comes first.
 */
import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** Milliseconds until the next address is tried, at first and at most. The last address has the whole time of the dial. */
const ATTEMPT_MS = 250;
const MAX_ATTEMPT_MS = 4_000;
/** Addresses that are kept and tried. */
const MAX_ADDRESSES = 64;

export interface ServerAddressesParts {
  /** Resolves names; `dns.lookup` by default. */
  readonly lookup?: LookupFunction;
  /** Returns numbers in [0, 1). */
  readonly random?: () => number;
}

/** The order of the families stays that of the system, because IP restrictions may accept only one of them. */
export class ServerAddresses {
  readonly #lookup: LookupFunction;
  readonly #random: () => number;
  /** Known addresses, the next one first. */
  #ring: readonly LookupAddress[] = [];
  #failures = 0;

  constructor({ lookup: resolve = lookup, random = Math.random }: ServerAddressesParts = {}) {
    this.#lookup = resolve;
    this.#random = random;
  }

  /** Options of `tls.connect` for the next connection. A network that is slow gets more time after each failure. */
  get route() {
    return {
      lookup: this.lookup,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: Math.min(MAX_ATTEMPT_MS, ATTEMPT_MS * 2 ** this.#failures),
    };
  }

  /** Resolves a name like `dns.lookup`. Addresses that were not used yet come first, in random order. */
  readonly lookup: LookupFunction = (host, options: LookupOptions, callback) => {
    this.#lookup(host, options, (error, found, family) => {
      if (error !== null || typeof found === 'string') callback(error, found, family);
      else callback(null, [...this.#arrange(found)]);
    });
  };

  /** A connection reached this address: it and those that were tried before it come last. */
  reached(address: string | undefined): void {
    this.#failures = 0;
    const at = this.#ring.findIndex((one) => one.address === address);
    this.#rotate(at + 1);
  }

  /** No address was reached: the next connection begins with another one. */
  failed(): void {
    this.#failures = Math.min(this.#failures + 1, 10);
    this.#rotate(1);
  }

  #rotate(by: number): void {
    this.#ring = [...this.#ring.slice(by), ...this.#ring.slice(0, by)];
  }

  #arrange(found: readonly LookupAddress[]): readonly LookupAddress[] {
    const known = new Set(this.#ring.map(({ address }) => address));
    const present = new Set(found.map(({ address }) => address));
    const fresh = shuffled(
      found.filter(({ address }) => !known.has(address)),
      this.#random,
    );
    const kept = this.#ring.filter(({ address }) => present.has(address));
    const ring = [...fresh, ...kept].slice(0, MAX_ADDRESSES);
    const isFirstFamily = ({ family }: LookupAddress) => family === found[0]?.family;
    this.#ring = [...ring.filter(isFirstFamily), ...ring.filter((one) => !isFirstFamily(one))];
    return this.#ring;
  }
}

function shuffled<T>(items: readonly T[], random: () => number): readonly T[] {
  return items
    .map((item) => ({ item, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
