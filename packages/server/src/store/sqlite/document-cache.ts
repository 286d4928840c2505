/**
 * Documents that were read a moment ago, so that the same few (a caller's key, its owner) are not read and parsed for each request.
 * In: documents as committed, and the ids that a commit overwrote. Out: documents. What may change here: bounds; never that a
 * document is given out after the commit that overwrote it was acknowledged.
 */
import { LruMap } from '../../core/lru.ts';
import type { StoredDocument } from '../store.ts';

const LARGEST_KEPT = 8 * 1024;
const MOST_KEPT = 2000;

export class DocumentCache {
  #kept = new LruMap<string, StoredDocument>(MOST_KEPT);

  get(id: string): StoredDocument | undefined {
    return this.#kept.get(id);
  }

  /** `size`: characters of the body's text. */
  keep(document: StoredDocument, size: number): void {
    if (size <= LARGEST_KEPT) this.#kept.set(document.id, document);
  }

  /** Null: any may have been. */
  overwritten(ids: readonly string[] | null): void {
    if (ids === null) this.#kept = new LruMap(MOST_KEPT);
    else for (const id of ids) this.#kept.delete(id);
  }
}
