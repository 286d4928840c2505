/** The daemons of one database, as one of them knows them. */
import type { DirectoryChanges } from '../../store/postgres/directory.ts';
import type { DirectoryRow, Incarnation, KnownNode } from './row.ts';
import { lifeOf } from './stored.ts';

export class Neighbours {
  #nodes: ReadonlyMap<Incarnation, KnownNode> = new Map();
  /** All incarnations of this daemon. */
  readonly #own = new Set<Incarnation>();
  #longestLifeMs = 0;

  get nodes(): ReadonlyMap<Incarnation, KnownNode> {
    return this.#nodes;
  }

  /** Daemons other than `incarnation` that may live. */
  others(incarnation: Incarnation | null): ReadonlyMap<Incarnation, KnownNode> {
    return new Map([...this.#nodes].filter(([one, { isDead }]) => !isDead && one !== incarnation));
  }

  /** Notes a life of this daemon. */
  addOwn(incarnation: Incarnation): void {
    this.#own.add(incarnation);
  }

  /** The longest time for which a daemon that was ever known may serve without a renewal, in milliseconds. */
  get longestLifeMs(): number {
    return this.#longestLifeMs;
  }

  isDead(incarnation: Incarnation): boolean {
    return this.#nodes.get(incarnation)?.isDead === true;
  }

  /** Returns true for a row of another daemon that is not known to be dead. One that is not known yet is alive. */
  isElsewhere({ incarnation }: DirectoryRow): boolean {
    return !this.#own.has(incarnation) && !this.isDead(incarnation);
  }

  /** Takes the list of the database over. Returns the daemons that are dead since the last time. */
  learn(nodes: DirectoryChanges['nodes']): ReadonlySet<Incarnation> {
    const died = nodes.filter(({ incarnation, dead }) => dead && !this.isDead(incarnation));
    for (const { facts } of nodes) this.#longestLifeMs = Math.max(this.#longestLifeMs, lifeOf(facts));
    this.#nodes = new Map(
      nodes.map(({ incarnation, facts, dead, draining }) => [
        incarnation,
        { facts, isDead: dead, isDraining: draining },
      ]),
    );
    return new Set(died.map(({ incarnation }) => incarnation));
  }
}
