/**
 * Documents that were read a moment ago, so that the same few (a caller's key, its owner) are not read and parsed for each
 * request. Never that a document is given out after the commit that overwrote it was acknowledged.
 */
import type { StoredDocument } from '../store.ts';

const LARGEST_KEPT = 8 * 1024;
const MOST_IN_A_GENERATION = 1000;

export class DocumentCache {
  /** What was used since the older generation was begun; when it is full it becomes the older one, which is forgotten. */
  #younger = new Map<string, StoredDocument>();
  #older = new Map<string, StoredDocument>();

  get(id: string): StoredDocument | undefined {
    const document = this.#younger.get(id);
    if (document !== undefined) return document;
    const old = this.#older.get(id);
    if (old !== undefined) this.#put(old);
    return old;
  }

  /** `size`: characters of the body's text. */
  keep(document: StoredDocument, size: number): void {
    if (size <= LARGEST_KEPT) this.#put(document);
  }

  /** Null: any may have been. */
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
