/**
 * Names that were given to binds which are not online yet. Never that two credentials have a claim on one name at a time.
 */
import type { BindTarget } from '../core/bind-target.ts';

export interface Claimant {
  readonly account: string;
  readonly credential: string;
}

/** The right to bring one tunnel online under a name. */
export interface Generation extends Claimant {
  readonly name: BindTarget;
}

export class Claims {
  readonly #byName = new Map<BindTarget, Set<Generation>>();

  /** Any of those on the name: they are of one credential. */
  get(name: BindTarget): Generation | undefined {
    return this.#byName.get(name)?.values().next().value;
  }

  names(): Iterable<BindTarget> {
    return this.#byName.keys();
  }

  add(name: BindTarget, { account, credential }: Claimant): Generation {
    const generation = { name, account, credential };
    const claims = this.#byName.get(name) ?? new Set();
    this.#byName.set(name, claims.add(generation));
    return generation;
  }

  /** Idempotent. */
  release(generation: Generation): void {
    const claims = this.#byName.get(generation.name);
    claims?.delete(generation);
    if (claims?.size === 0) this.#byName.delete(generation.name);
  }
}
