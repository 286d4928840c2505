/**
 * Caches recently read documents, because each request reads the same few (the caller's key, its owner).
 * Invariant: no document is returned after the commit that overwrote it was acknowledged.
 */
import type { StoredDocument } from '../store.ts';

const LARGEST_KEPT = 8 * 1024;
const MOST_IN_A_GENERATION = 1000;

export class DocumentCache {
  /**
   * Documents used since the older generation began. When it is full, it becomes the older one, and the previous older
   * one is forgotten.
   */
  #younger = new Map<string, StoredDocument>();
  #older = new Map<string, StoredDocument>();

  get(id: string): StoredDocument | undefined {
    const document = this.#younger.get(id);
    if (document !== undefined) return document;
    const old = this.#older.get(id);
    if (old !== undefined) this.#put(old);
    return old;
  }

  /** `size` is the number of characters of the body's text. */
  keep(document: StoredDocument, size: number): void {
    if (size <= LARGEST_KEPT) this.#put(document);
  }

  /** `ids` is null if any document may have been overwritten. */
  overwritten(ids: readonly string[] | null): void {
    if (ids === null) {
      this.#younger = new Map();
      this.#older = new Map();
      return;
    }
    for (const id of ids) {
      this.#younger.delete(id);
      this.#older.delete(id);
    }
  }

  #put(document: StoredDocument): void {
    if (this.#younger.size >= MOST_IN_A_GENERATION) {
      this.#older = this.#younger;
      this.#younger = new Map();
    }
    this.#younger.set(document.id, document);
  }
}
