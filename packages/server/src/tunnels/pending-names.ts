/**
 * Names that somebody is about to reserve: binds by other accounts wait until that is written or refused, and are decided on
 * what came of it. Never that a name is bound between the look at what is online and the reservation.
 */
import { type BindTarget, targetsOverlap } from '../core/bind-target.ts';

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

  /** Until the answered function is called. */
  add(pattern: BindTarget, account: string): () => void {
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const pending = { pattern, account, over };
    this.#pending.add(pending);
    return () => {
      this.#pending.delete(pending);
      resolve();
    };
  }

  /** What a claim by the account has to wait for, and then ask again; null: nothing. */
  before(name: BindTarget, account: string): Promise<void> | null {
    for (const pending of this.#pending)
      if (pending.account !== account && targetsOverlap(pending.pattern, name)) return pending.over;
    return null;
  }
}
