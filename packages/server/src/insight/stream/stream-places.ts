/**
 * The places of open streams.
 * Invariant: neither one account nor all together have more than the limits.
 */
import { Problem } from '../../errors/problem.ts';
import type { OpenStream } from './open-stream.ts';

export class StreamPlaces {
  readonly #limits: { readonly perAccount: number; readonly inAll: number };
  readonly #byAccount = new Map<string, Set<OpenStream>>();
  #size = 0;

  constructor(limits: { readonly perAccount: number; readonly inAll: number }) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#size;
  }

  of(account: string): readonly OpenStream[] {
    return [...(this.#byAccount.get(account) ?? [])];
  }

  all(): readonly OpenStream[] {
    return [...this.#byAccount.values()].flatMap((own) => [...own]);
  }

  /** Raises Problem if the account has no place left. `seconds`: time until it should try again. */
  require(account: string, seconds: number): void {
    const { perAccount, inAll } = this.#limits;
    if ((this.#byAccount.get(account)?.size ?? 0) >= perAccount)
      throw new Problem('streamsOfAccount', { limit: perAccount, seconds }, { limit: perAccount }, seconds);
    if (this.#size >= inAll) throw new Problem('streamsInAll', { limit: inAll, seconds }, {}, seconds);
  }

  /** Returns false if there is no place. */
  add(stream: OpenStream): boolean {
    const { account } = stream.subscription;
    const own = this.#byAccount.get(account) ?? new Set();
    if (own.size >= this.#limits.perAccount || this.#size >= this.#limits.inAll) return false;
    this.#byAccount.set(account, own.add(stream));
    this.#size += 1;
    return true;
  }

  delete(stream: OpenStream): void {
    const { account } = stream.subscription;
    const own = this.#byAccount.get(account);
    if (own?.delete(stream) !== true) return;
    this.#size -= 1;
    if (own.size === 0) this.#byAccount.delete(account);
  }
}
