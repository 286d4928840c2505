/**
 * Changes of tunnels by their agents, over all daemons of one database.
 * Invariant: an agent that moves to another daemon has its tunnels as it changed them, until it ends them.
 */
import { changeableOf } from '../online/tunnel-facts.ts';
import type { StoredPlace } from '../store/postgres/directory.ts';
import type { BindPlace, Changed, Changes } from './changes.ts';
import { placeOf } from './changes.ts';
import type { DirectoryRow } from './directory/row.ts';
import { placeOf as storedPlace } from './directory/stored.ts';

export interface SharedChangesOptions {
  readonly changes: Pick<Changes, 'learn' | 'forget'>;
  /** Changes the tunnels of a bind in connections to this daemon. */
  readonly changed: (place: BindPlace, now: Changed['now']) => void;
}

export class SharedChanges {
  readonly #options: SharedChangesOptions;

  constructor(options: SharedChangesOptions) {
    this.#options = options;
  }

  /** Takes over what the rows of a key show. */
  learn(rows: readonly DirectoryRow[]): void {
    for (const { entry, isOver } of rows) {
      if (isOver || entry?.kind !== 'tunnel' || entry.bound === null) continue;
      const { bound, facts, changedAt } = entry;
      const place = placeOf(facts);
      const now = changeableOf(facts);
      if (this.#options.changes.learn(place, { bound, now, changedAt })) this.#options.changed(place, now);
    }
  }

  /** Forgets changes of binds that have ended for good. */
  forget(places: readonly StoredPlace[]): void {
    for (const place of places) this.#options.changes.forget(storedPlace(place));
  }
}
