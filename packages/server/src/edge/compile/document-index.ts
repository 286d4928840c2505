/**
 * Indexes the documents from which sites are compiled.
 * Invariant: a document, or a module of it, stays the same object unless traffic depends on the change.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Group, type GroupKind, type Groups, groupsOf } from '../sites/groups.ts';
import type { SiteDocument } from '../sites/site-documents.ts';

const none: readonly SiteDocument[] = [];

/** The documents with an id, or in a group. */
export type DocumentKey = Group | { readonly kind: 'document'; readonly of: string };

export class DocumentIndex {
  readonly #documents = new Map<string, SiteDocument>();
  /** The documents with the same name, parent or address. */
  readonly groups = emptyGroups();
  readonly #touched: (key: DocumentKey) => void;

  /** `touched` is called for each id and group with changed documents, at times twice. */
  constructor(touched: (key: DocumentKey) => void) {
    this.#touched = touched;
  }

  get ids(): Iterable<string> {
    return this.#documents.keys();
  }

  get(id: string): SiteDocument | undefined {
    return this.#documents.get(id);
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
    const left = before === undefined ? [] : groupsOf(before);
    const joined = after === undefined ? [] : groupsOf(after);
    for (const { kind, of } of left) this.groups[kind].remove(of as never, before!);
    for (const { kind, of } of joined) this.groups[kind].add(of as never, after!);
    this.#touched({ kind: 'document', of: id });
    for (const group of [...left, ...joined]) this.#touched(group);
  }
}

/** Groups of one kind. */
class GroupsOfKind<Of> {
  readonly #members = new Map<Of, readonly SiteDocument[]>();

  at(of: Of): readonly SiteDocument[] {
    return this.#members.get(of) ?? none;
  }

  add(of: Of, document: SiteDocument): void {
    const members = this.at(of);
    // Most are alone in their group. A list that is spread has room for more.
    this.#members.set(of, members.length === 0 ? [document] : [...members, document]);
  }

  remove(of: Of, document: SiteDocument): void {
    const members = this.at(of).filter((member) => member !== document);
    if (members.length === 0) this.#members.delete(of);
    else this.#members.set(of, members);
  }
}

function emptyGroups(): { readonly [Kind in GroupKind]: GroupsOfKind<Groups[Kind]> } {
  return {
    edgeAt: new GroupsOfKind(),
    edgeOn: new GroupsOfKind(),
    routesOf: new GroupsOfKind(),
    reservationOf: new GroupsOfKind(),
    proofsOf: new GroupsOfKind(),
    addressOn: new GroupsOfKind(),
    restrictionsOf: new GroupsOfKind(),
  };
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
