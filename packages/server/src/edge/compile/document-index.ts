/**
 * Indexes the documents from which sites are compiled.
 * Invariant: a document, or a module of it, stays the same object unless traffic depends on the change.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Group, groupsOf } from '../sites/groups.ts';
import type { SiteDocument } from '../sites/site-documents.ts';

const none: readonly SiteDocument[] = [];

export class DocumentIndex {
  readonly #documents = new Map<string, SiteDocument>();
  readonly #groups = new Map<Group, readonly SiteDocument[]>();
  readonly #touched: (key: string) => void;

  /** `touched` is called with each id and group whose documents have changed. */
  constructor(touched: (key: string) => void) {
    this.#touched = touched;
  }

  get ids(): Iterable<string> {
    return this.#documents.keys();
  }

  get(id: string): SiteDocument | undefined {
    return this.#documents.get(id);
  }

  /** Returns the documents with the same name, parent or address. */
  group(key: Group): readonly SiteDocument[] {
    return this.#groups.get(key) ?? none;
  }

  put(document: SiteDocument): void {
    const before = this.#documents.get(document.id);
    if (before === undefined) {
      this.#replace(undefined, document);
      return;
    }
    const shared = shareUnchanged(before, document);
    if (shared !== before) this.#replace(before, shared);
  }

  /** Returns true if it was there. */
  remove(id: string): boolean {
    const before = this.#documents.get(id);
    if (before === undefined) return false;
    this.#replace(before, undefined);
    return true;
  }

  #replace(before: SiteDocument | undefined, after: SiteDocument | undefined): void {
    const id = (after ?? before)!.id;
    if (after === undefined) this.#documents.delete(id);
    else this.#documents.set(id, after);
    const touched = new Set<string>([id]);
    for (const key of before === undefined ? [] : groupsOf(before)) {
      this.#change(key, (members) => members.filter((member) => member !== before));
      touched.add(key);
    }
    for (const key of after === undefined ? [] : groupsOf(after)) {
      // Most are alone in their group. A list that is spread has room for more.
      this.#change(key, (members) => (members.length === 0 ? [after!] : [...members, after!]));
      touched.add(key);
    }
    for (const key of touched) this.#touched(key);
  }

  #change(key: Group, change: (members: readonly SiteDocument[]) => readonly SiteDocument[]): void {
    const members = change(this.group(key));
    if (members.length === 0) this.#groups.delete(key);
    else this.#groups.set(key, members);
  }
}

/** Fields for people only. Traffic depends on all other fields. */
const notForTraffic: ReadonlySet<string> = new Set(['description', 'metadata']);

/** Returns `after` with the unchanged fields of `before`; `before` itself if traffic does not depend on the change. */
function shareUnchanged(before: SiteDocument, after: SiteDocument): SiteDocument {
  const old = new Map<string, unknown>(Object.entries(before.body));
  let isSame = old.size === Object.keys(after.body).length;
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(after.body)) {
    const isKept = old.has(name) && (notForTraffic.has(name) || isDeepStrictEqual(old.get(name), value));
    body[name] = isKept ? old.get(name) : value;
    isSame &&= isKept;
  }
  return isSame ? before : ({ ...after, body } as SiteDocument);
}
