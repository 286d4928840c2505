/**
 * Rows of what is online here at once, whether or not the database is there: labelled tunnels and sessions.
 * Invariant: what has ended has no row, also if it ended before its row was written.
 */
import type { ClaimedTunnel } from '../store/postgres/directory.ts';
import type { DirectoryNode } from './directory/node.ts';

interface Publication {
  readonly describe: () => ClaimedTunnel;
  /** Null: its row is not written yet. */
  number: number | null;
  isChanged: boolean;
  /** Absent: it is online. */
  end?: { readonly forgotten: boolean };
}

export class Publications<One extends object> {
  readonly #node: Pick<DirectoryNode, 'claim' | 'giveUp' | 'update'>;
  readonly #all = new Map<One, Publication>();

  constructor(node: Pick<DirectoryNode, 'claim' | 'giveUp' | 'update'>) {
    this.#node = node;
  }

  /** Writes a row under a key that nothing else ever has. `written` gets its number, if it is still online then. */
  add(one: One, key: string, describe: () => ClaimedTunnel, written: (number: number) => void): void {
    const publication: Publication = { describe, number: null, isChanged: false };
    this.#all.set(one, publication);
    void this.#node.claim(key, describe()).then((outcome) => {
      if (outcome.outcome !== 'granted') return;
      const { number } = outcome;
      publication.number = number;
      if (publication.end !== undefined) this.#node.giveUp(number, publication.end);
      else {
        written(number);
        if (publication.isChanged) this.#node.update(number, describe());
      }
    });
  }

  /** Writes its row anew. */
  change(one: One): void {
    const publication = this.#all.get(one);
    if (publication === undefined) return;
    if (publication.number === null) publication.isChanged = true;
    else this.#node.update(publication.number, publication.describe());
  }

  /** Returns the number of its row, if there is one. `forgotten`: changes by its agent are forgotten everywhere. */
  remove(one: One, { forgotten = false } = {}): number | null {
    const publication = this.#all.get(one);
    if (publication === undefined) return null;
    this.#all.delete(one);
    publication.end = { forgotten };
    const { number } = publication;
    if (number !== null) this.#node.giveUp(number, publication.end);
    return number;
  }
}
