/**
 * The other workers of the same supervisor, for a stop of all of them at once.
 *
 * None of them takes the agents of another one then. A visitor of one worker may need a tunnel of another worker, so
 * each keeps its agents until the visitors of all workers are served.
 * Invariant: in such a stop, the sessions of agents outlive all visitors, or `--drain-seconds`.
 */
import { deadline } from '@underpass/wire';
import type { LinkNode } from '../link/node-facts.ts';

type Place = Pick<LinkNode, 'name' | 'machine'>;

export class Siblings {
  readonly #machine: string;
  /** The beginning of the names of all workers; null: this daemon is none. */
  readonly #prefix: string | null;
  readonly #allServed = Promise.withResolvers<void>();
  #report: (() => void) | null = null;

  /** `name`: that of this worker, which ends with its number. */
  constructor({ name, machine }: Place) {
    this.#machine = machine;
    const end = name.lastIndexOf('/') + 1;
    this.#prefix = end === 0 ? null : name.slice(0, end);
  }

  /** All workers are about to stop. `report`: called when the visitors of this one are served. No effect without a number. */
  endTogether(report: () => void): void {
    if (this.#prefix !== null) this.#report = report;
  }

  /** The visitors of all workers are served. */
  allServed(): void {
    this.#allServed.resolve();
  }

  /** Returns true if the daemon stops together with this one. */
  endsToo({ name, machine }: Place): boolean {
    if (this.#report === null || this.#prefix === null) return false;
    return machine === this.#machine && name.startsWith(this.#prefix);
  }

  /** Reports that the visitors here are served. Resolves when those of all workers are, at the latest after `limitMs`. */
  async served(limitMs: number): Promise<void> {
    if (this.#report === null) return;
    this.#report();
    const late = deadline(limitMs, () => this.#allServed.resolve());
    await this.#allServed.promise;
    late.met();
  }
}
