/**
 * What followers list while a daemon starts, read together: each kind once, however many follow it, as the same objects for all of them.
 * Never that a list is given when the start is over: who lists again wants what there is by then.
 */
import type { Slice, Store, StoredDocument } from './store.ts';

interface Listed {
  readonly position: Omit<Slice, 'documents'>;
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
    const { position, byKind } = listed;
    return { ...position, documents: [...new Set(kinds)].flatMap((kind) => byKind.get(kind) ?? []) };
  }

  /** Reads no further, where a start is given up. */
  forget(): void {
    this.#isForgotten = true;
    this.#listed = Promise.resolve(null);
  }

  async #read(store: Pick<Store, 'scan'>): Promise<Listed | null> {
    const byKind = new Map<string, StoredDocument[]>();
    let position: Omit<Slice, 'documents'> = { revision: 0 };
    for await (const { documents, ...slice } of store.scan([...this.#kinds])) {
      if (this.#isForgotten) return null;
      position = slice;
      for (const document of documents) {
        const known = byKind.get(document.kind);
        if (known === undefined) byKind.set(document.kind, [document]);
        else known.push(document);
      }
    }
    return { position, byKind };
  }
}
