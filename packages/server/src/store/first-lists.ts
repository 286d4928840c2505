/**
 * Reads the first lists of all followers together while a daemon starts. Followers of a kind share the same objects.
 * Invariant: after the start, no such list is returned, because it may be out of date.
 */
import type { Feed, Slice, StoredDocument } from './store.ts';

interface Listed {
  readonly position: Omit<Slice, 'documents'>;
  readonly byKind: ReadonlyMap<string, readonly StoredDocument[]>;
}

export class FirstLists {
  readonly #kinds: ReadonlySet<string>;
  /** Null if the read failed, for example because one kind cannot be read. */
  #listed: Promise<Listed | null>;
  #isForgotten = false;

  /** Starts the read. */
  constructor(feed: Pick<Feed, 'scan'>, kinds: readonly string[]) {
    this.#kinds = new Set(kinds);
    this.#listed = this.#read(feed).catch(() => null);
  }

  /** Returns null if the caller must read by itself. */
  async of(kinds: readonly string[]): Promise<Slice | null> {
    if (!kinds.every((kind) => this.#kinds.has(kind))) return null;
    const listed = await this.#listed;
    if (listed === null) return null;
    const { position, byKind } = listed;
    return { ...position, documents: [...new Set(kinds)].flatMap((kind) => byKind.get(kind) ?? []) };
  }

  /** Stops the read, for example when a start is abandoned. */
  forget(): void {
    this.#isForgotten = true;
    this.#listed = Promise.resolve(null);
  }

  async #read(feed: Pick<Feed, 'scan'>): Promise<Listed | null> {
    const byKind = new Map<string, StoredDocument[]>();
    let position: Omit<Slice, 'documents'> = { revision: 0 };
    for await (const { documents, ...slice } of feed.scan([...this.#kinds])) {
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
