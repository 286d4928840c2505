/**
 * Names of reservations in progress. Binds of other accounts wait until the reservation is written or refused, and
 * are decided on the result.
 * Invariant: no name is bound between the check of online names and the reservation.
 */
import { type BindTarget, targetsOverlap } from '../core/names/bind-target.ts';

interface Pending {
  readonly pattern: BindTarget;
  readonly account: string;
  readonly over: Promise<void>;
}

export class PendingNames {
  readonly #pending = new Set<Pending>();

  get size(): number {
    return this.#pending.size;
  }

  /** Lasts until the returned function is called. */
  add(pattern: BindTarget, account: string): () => void {
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const pending = { pattern, account, over };
    this.#pending.add(pending);
    return () => {
      this.#pending.delete(pending);
      resolve();
    };
  }

  /**
   * Returns the reservation that a claim by the account has to wait for; null if there is none. The caller claims
   * again afterwards.
   */
  before(name: BindTarget, account: string): Promise<void> | null {
    for (const pending of this.#pending)
      if (pending.account !== account && targetsOverlap(pending.pattern, name)) return pending.over;
    return null;
  }
}
