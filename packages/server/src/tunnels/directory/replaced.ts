/** Tunnels of other daemons that the claims of one batch have replaced, and what answers these claims. */
import { setTimeout as pause } from 'node:timers/promises';
import type { StoredTunnel } from '../../store/postgres/directory.ts';
import type { Incarnation } from './row.ts';

/** The longest time for which an answer to a claim waits for the end of replaced tunnels. */
const REPLACED_MS = 1_000;

export class Replaced {
  readonly #numbers = new Map<Incarnation, number[]>();
  readonly #settle: (() => void)[] = [];

  /** Adds tunnels that a claim has replaced. */
  add(tunnels: readonly Pick<StoredTunnel, 'number' | 'incarnation'>[], settle: () => void): void {
    for (const { number, incarnation } of tunnels)
      this.#numbers.set(incarnation, [...(this.#numbers.get(incarnation) ?? []), number]);
    this.#settle.push(settle);
  }

  /** Has other daemons end the tunnels. Then, or after a while, the claims are answered. */
  async end(call: (numbers: ReadonlyMap<Incarnation, readonly number[]>) => Promise<unknown>): Promise<void> {
    if (this.#numbers.size === 0) return;
    const late = new AbortController();
    const deadline = pause(REPLACED_MS, undefined, { signal: late.signal, ref: false }).catch(() => {});
    await Promise.race([call(this.#numbers), deadline]);
    late.abort();
    for (const settle of this.#settle) settle();
  }
}
