/**
 * Names that were given to binds which are not online yet. Whether one may be claimed is not decided here.
 */
import type { BindTarget } from '../core/names/bind-target.ts';
import type { Sharer } from './sharing.ts';

/** The right to bring one tunnel online under a name. */
export interface Generation extends Sharer {
  readonly name: BindTarget;
}

export class Claims {
  readonly #byName = new Map<BindTarget, Set<Generation>>();

  of(name: BindTarget): readonly Generation[] {
    return [...(this.#byName.get(name) ?? [])];
  }

  names(): Iterable<BindTarget> {
    return this.#byName.keys();
  }

  add(name: BindTarget, { account, credential, session, clientId, isPooled }: Sharer): Generation {
    const generation = { name, account, credential, session, clientId, isPooled };
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
