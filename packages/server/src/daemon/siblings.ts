/**
 * The other workers of the same supervisor, for a stop of all of them at once.
 *
 * None of them takes the agents of another one then. A visitor of one worker may need a tunnel of another worker, so
 * each keeps its agents until the visitors of all workers are served.
 * Invariant: in such a stop, the sessions of agents outlive all visitors, or `--drain-seconds`.
 */
import { deadline } from '@underpass/wire';

export class Siblings {
  readonly #group: string;
  readonly #allServed = Promise.withResolvers<void>();
  #report: (() => void) | null = null;

  /** `group`: names the supervisor, also in the rows of its workers; '' without one. Names of daemons need not differ. */
  constructor(group: string) {
    this.#group = group;
  }

  /** All workers are about to stop. `report`: called when the visitors of this one are served. No effect without a supervisor. */
  endTogether(report: () => void): void {
    if (this.#group !== '') this.#report = report;
  }

  /** The visitors of all workers are served. */
  allServed(): void {
    this.#allServed.resolve();
  }

  /** Returns true if a daemon with these facts in its row stops together with this one. */
  endsToo(facts: object): boolean {
    const { group } = facts as { readonly group?: string };
    return this.#report !== null && group === this.#group;
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
