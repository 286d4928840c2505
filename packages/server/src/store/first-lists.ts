/**
 * What followers list while a daemon starts, read together: each kind once, however many follow it, as the same objects for all of them.
 * Never that a list is given when the start is over: who lists again wants what there is by then.
 */
import type { Revision, Slice, Store, StoredDocument } from './store.ts';

interface Listed {
  readonly revision: Revision;
  readonly byKind: ReadonlyMap<string, readonly StoredDocument[]>;
}

export class FirstLists {
  readonly #kinds: ReadonlySet<string>;
  /** Null when they could not be read, as one of them may be what others do not follow. */
  #listed: Promise<Listed | null>;
  #isForgotten = false;

  /** Begins to read. */
  constructor(store: Pick<Store, 'scan'>, kinds: readonly string[]) {
    this.#kinds = new Set(kinds);
    this.#listed = this.#read(store).catch(() => null);
  }

  /** Null where the caller has to read for himself. */
  async of(kinds: readonly string[]): Promise<Slice | null> {
    if (!kinds.every((kind) => this.#kinds.has(kind))) return null;
    const listed = await this.#listed;
    if (listed === null) return null;
    const { revision, byKind } = listed;
    return { revision, documents: [...new Set(kinds)].flatMap((kind) => byKind.get(kind) ?? []) };
  }

  /** Reads no further, where a start is given up. */
  forget(): void {
    this.#isForgotten = true;
    this.#listed = Promise.resolve(null);
  }

  async #read(store: Pick<Store, 'scan'>): Promise<Listed | null> {
    const byKind = new Map<string, StoredDocument[]>();
    let revision = 0;
    for await (const slice of store.scan([...this.#kinds])) {
      if (this.#isForgotten) return null;
      revision = slice.revision;
      for (const document of slice.documents) {
        const known = byKind.get(document.kind);
        if (known === undefined) byKind.set(document.kind, [document]);
        else known.push(document);
      }
    }
    return { revision, byKind };
  }
}
