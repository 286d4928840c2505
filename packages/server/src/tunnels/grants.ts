/**
 * Names that were granted to binds which are not online yet. Whether one may be claimed is not decided here.
 */
import type { BindTarget } from '../core/names/bind-target.ts';
import type { Claimant } from './directory/decide.ts';

/** The right to bring one tunnel online under a name. */
export interface Grant {
  readonly name: BindTarget;
  readonly facts: Claimant;
}

export class Grants {
  readonly #byName = new Map<BindTarget, Set<Grant>>();

  of(name: BindTarget): Iterable<Grant> {
    return this.#byName.get(name) ?? [];
  }

  names(): Iterable<BindTarget> {
    return this.#byName.keys();
  }

  add(name: BindTarget, facts: Claimant): Grant {
    const grant = { name, facts };
    const grants = this.#byName.get(name) ?? new Set();
    this.#byName.set(name, grants.add(grant));
    return grant;
  }

  /** Idempotent. */
  release(grant: Grant): void {
    const grants = this.#byName.get(grant.name);
    grants?.delete(grant);
    if (grants?.size === 0) this.#byName.delete(grant.name);
  }
}
