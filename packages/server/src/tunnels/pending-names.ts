/**
 * Names that somebody is about to reserve: binds by other accounts wait until that is written or refused, and are decided on
 * what came of it. Never that a name is bound between the look at what is online and the reservation.
 */
import { type HostPattern, overlaps } from '../core/hostname.ts';

interface Pending {
  readonly pattern: HostPattern;
  readonly account: string;
  readonly over: Promise<void>;
}

export class PendingNames {
  readonly #pending = new Set<Pending>();

  /** Until the answered function is called. */
  add(pattern: HostPattern, account: string): () => void {
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const pending = { pattern, account, over };
    this.#pending.add(pending);
    return () => {
      this.#pending.delete(pending);
      resolve();
    };
  }

  /** Resolves when no other account is about to reserve the name: at once, most of the time. */
  async over(name: HostPattern, account: string): Promise<void> {
    for (let pending = this.#before(name, account); pending !== null; pending = this.#before(name, account))
      await pending;
  }

  #before(name: HostPattern, account: string): Promise<void> | null {
    for (const pending of this.#pending)
      if (pending.account !== account && overlaps(pending.pattern, name)) return pending.over;
    return null;
  }
}
