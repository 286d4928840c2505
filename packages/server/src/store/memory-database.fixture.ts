/** The state of a store in memory: documents and the change log. It outlives a store that closes. */
import { Model } from './conformance/model.fixture.ts';
import { DOCUMENT_FORMAT, NewerFormatError } from './format.ts';
import { StoreOpenError } from './open-error.ts';
import type { Grown } from './queue-watch.ts';
import {
  type Change,
  type Conflict,
  type Revision,
  RevisionCompactedError,
  type StoredDocument,
  type WriteOperation,
} from './store.ts';
import type { LogPart } from './watcher.ts';

interface LogEntry extends Omit<Change, 'document'> {
  readonly isDeleted: boolean;
}

export class MemoryDatabase {
  readonly model = new Model();
  revision: Revision = 0;
  lastId = '';
  readonly #retainedRevisions: number;
  #log: LogEntry[] = [];
  #compacted: Revision = 0;
  /** Ids of documents in the next format. */
  readonly #newer = new Set<string>();

  constructor(retainedRevisions = Number.POSITIVE_INFINITY) {
    this.#retainedRevisions = retainedRevisions;
  }

  /** Writes a batch as a whole or not at all. Bodies are stored as their JSON. */
  write(operations: readonly WriteOperation[]): Conflict | null {
    const before = this.model.documents();
    const revision = this.revision + 1;
    const conflict = this.model.write(operations.map(copied), revision);
    if (conflict !== null) return conflict;
    this.revision = revision;
    const gone = before.filter(({ id }) => this.model.document(id) === null);
    const written = this.model.documents().filter((document) => document.revision === revision);
    const entries = [...gone.map((one) => entryOf(one, true)), ...written.map((one) => entryOf(one, false))];
    this.#log.push(...entries.map((entry) => ({ ...entry, revision })).sort(byId));
    for (const { id } of entries) this.#newer.delete(id);
    this.#compact();
    return null;
  }

  /** Reads the change log. Throws RevisionCompactedError. */
  changes(from: Revision, kinds: readonly string[]): LogPart {
    if (from > this.revision || from < this.#compacted)
      throw new RevisionCompactedError(`the change log does not reach back to revision ${from}: list again`);
    const later = this.#log.filter(({ revision, kind }) => revision > from && kinds.includes(kind));
    return { to: this.revision, changes: later.flatMap((entry) => this.#changeOf(entry) ?? []) };
  }

  grownQueues(after: number | null): Grown {
    const to = this.model.position;
    const grown = this.model.stored().filter(({ position }) => after !== null && position > after);
    return { to, parents: [...new Set(grown.map(({ parent }) => parent))] };
  }

  /** Gives a document the next format, as a newer program would. */
  makeNewer(id: string): void {
    this.#newer.add(id);
  }

  /** Throws NewerFormatError. */
  readable(document: StoredDocument): StoredDocument {
    if (this.#newer.has(document.id)) throw new NewerFormatError(document.id, DOCUMENT_FORMAT + 1);
    return document;
  }

  /** Throws StoreOpenError if a document has a newer format. */
  requireKnownFormats(): void {
    if (this.#newer.size === 0) return;
    const found = `format ${DOCUMENT_FORMAT + 1}; this program knows formats up to ${DOCUMENT_FORMAT}.`;
    throw new StoreOpenError(
      'newer-version',
      `the database has documents of ${found} Run the newer program.`,
    );
  }

  #compact(): void {
    const first = this.revision - this.#retainedRevisions;
    if (first <= this.#compacted) return;
    this.#compacted = first;
    this.#log = this.#log.filter(({ revision }) => revision > first);
  }

  /** Returns null for a state that was overwritten. */
  #changeOf({ isDeleted, ...change }: LogEntry): Change | null {
    const document = this.model.document(change.id);
    if (isDeleted) return document === null ? { ...change, document } : null;
    if (document?.revision !== change.revision) return null;
    const isNewer = this.#newer.has(change.id);
    return isNewer
      ? { ...change, document: null, newerFormat: DOCUMENT_FORMAT + 1 }
      : { ...change, document };
  }
}

function copied(operation: WriteOperation): WriteOperation {
  return 'body' in operation ? { ...operation, body: JSON.parse(JSON.stringify(operation.body)) } : operation;
}

function entryOf({ id, account, kind, revision }: StoredDocument, isDeleted: boolean): LogEntry {
  return { revision, id, account, kind, isDeleted };
}

function byId(one: LogEntry, other: LogEntry): number {
  return one.id < other.id ? -1 : 1;
}
