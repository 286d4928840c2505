/** The contract of `write` as a simple model. Every store is compared with it. */
import type {
  Conflict,
  Link,
  NameClaim,
  NameHolder,
  NameQuery,
  Note,
  NoteKind,
  QueueEntry,
  Revision,
  SeriesQuery,
  SeriesRow,
  StoredDocument,
  WriteOperation,
} from '../store.ts';

interface Attached {
  readonly links: readonly Link[];
  readonly names: readonly NameClaim[];
}

interface Entry extends Attached {
  readonly document: StoredDocument;
}

interface KeptNote extends Note {
  readonly kind: NoteKind;
  readonly account: string;
}

type NoteOperation = Extract<WriteOperation, { op: 'note' | 'forget' | 'expire' | 'trim' }>;

export class Model {
  #entries = new Map<string, Entry>();
  /** Ids of the holders of names. */
  #holders = new Map<string, string>();
  #queued: readonly QueueEntry[] = [];
  /** Queue entries of deleted documents. */
  #uncleared: readonly QueueEntry[] = [];
  #position = 0;
  #notes: readonly KeptNote[] = [];
  #series: readonly SeriesRow[] = [];

  /** Applies a batch as a whole or not at all. */
  write(operations: readonly WriteOperation[], revision: Revision): Conflict | null {
    const before = [new Map(this.#entries), new Map(this.#holders)] as const;
    const [queuedBefore, unclearedBefore] = [this.#queued, this.#uncleared];
    const [notesBefore, seriesBefore] = [this.#notes, this.#series];
    for (const operation of operations) {
      const conflict = this.#apply(operation, revision);
      if (conflict === null) continue;
      [this.#entries, this.#holders] = before;
      this.#queued = queuedBefore;
      this.#uncleared = unclearedBefore;
      this.#notes = notesBefore;
      this.#series = seriesBefore;
      return conflict;
    }
    return null;
  }

  documents(): StoredDocument[] {
    return [...this.#entries.values()].map((entry) => entry.document);
  }

  document(id: string): StoredDocument | null {
    return this.#entries.get(id)?.document ?? null;
  }

  /** Returns entries oldest first; without a parent, those of all queues of the account. */
  queued(account: string, parent?: string): QueueEntry[] {
    return this.#queued.filter(
      (entry) => entry.account === account && (parent === undefined || entry.parent === parent),
    );
  }

  /** Returns entries of existing and of deleted documents that have not left yet. */
  stored(): readonly QueueEntry[] {
    return [...this.#queued, ...this.#uncleared];
  }

  /** The last assigned position of a queue. */
  get position(): number {
    return this.#position;
  }

  get hasDeletedQueues(): boolean {
    return this.#uncleared.length > 0;
  }

  /** Returns notes of a kind by descending keys; without an account, those of all. */
  notes(kind: NoteKind, account?: string): Note[] {
    return this.#notes
      .filter((note) => note.kind === kind && (account === undefined || note.account === account))
      .toSorted((one, other) => (one.key < other.key ? 1 : -1))
      .map(({ key, at, revision, body }) => ({ key, at, revision, body }));
  }

  holder(claim: NameClaim): { id: string; account: string } | null {
    const entry = this.#holder(claim);
    return entry === undefined ? null : { id: entry.document.id, account: entry.document.account };
  }

  names({ kind, prefix, after = prefix, limit }: NameQuery): NameHolder[] {
    const holders = [...this.#entries.values()].flatMap(({ document: { id, account }, names }) =>
      names.filter((name) => name.kind === kind).map(({ value }) => ({ value, id, account })),
    );
    return holders
      .filter(({ value }) => value.startsWith(prefix) && value > after)
      .sort((one, other) => (one.value < other.value ? -1 : 1))
      .slice(0, limit);
  }

  linksTo(id: string): { from: string; field: string }[] {
    const found = new Map<string, { from: string; field: string }>();
    for (const { document, links } of this.#entries.values()) {
      for (const { field, to } of links) {
        if (to === id) found.set(`${document.id} ${field}`, { from: document.id, field });
      }
    }
    return [...found.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, link]) => link);
  }

  #apply(operation: WriteOperation, revision: Revision): Conflict | null {
    if (operation.op === 'enqueue') return this.#enqueue(operation);
    if (operation.op === 'dequeue') {
      this.#queued = this.#queued.filter(({ position }) => !operation.positions.includes(position));
      return null;
    }
    if (operation.op === 'clear') {
      this.#uncleared = this.#uncleared.slice(operation.most);
      return null;
    }
    if (isAboutNotes(operation)) {
      this.#applyToNotes(operation, revision);
      return null;
    }
    if (operation.op === 'keep_series') {
      for (const row of operation.rows) this.#keepSeries(row);
      return null;
    }
    if (operation.op === 'drop_series') {
      const { step, before, most } = operation;
      const old = this.#series.filter((row) => row.step === step && row.start < before);
      const gone = old.sort((one, other) => one.start - other.start).slice(0, most);
      this.#series = this.#series.filter((row) => !gone.includes(row));
      return null;
    }
    // The model has no directory.
    if (operation.op === 'exclude') return null;
    const { id } = operation;
    const existing = this.#entries.get(id);
    if (operation.op === 'insert') {
      const { account, kind, parent, body } = operation;
      if (existing !== undefined) return { reason: 'stale', id };
      if (parent !== null && this.#entries.get(parent)?.document.account !== account) {
        return { reason: 'parent-missing', id: parent };
      }
      return this.#put({ id, account, kind, parent, body, revision }, operation);
    }
    if (existing?.document.revision !== operation.revision) return { reason: 'stale', id };
    if (operation.op === 'replace') {
      const stay = staying(existing, operation);
      const links = [...operation.links, ...stay.links];
      const names = [...operation.names, ...stay.names];
      return this.#put({ ...existing.document, body: operation.body, revision }, { links, names });
    }
    if (operation.op === 'rewrite') {
      this.#entries.set(id, {
        ...existing,
        document: { ...existing.document, body: operation.body, revision },
      });
      return null;
    }
    return this.#delete(id);
  }

  #applyToNotes(operation: NoteOperation, revision: Revision): void {
    const { op, kind } = operation;
    const ofKind = this.#notes.filter((note) => note.kind === kind);
    if (op === 'expire') {
      const old = ofKind.filter(({ at }) => at < operation.before).sort((one, other) => one.at - other.at);
      const gone = new Set(old.slice(0, operation.most));
      this.#notes = this.#notes.filter((note) => !gone.has(note));
      return;
    }
    const { account } = operation;
    const own = ofKind.filter((note) => note.account === account);
    if (op === 'trim') {
      const oldest = own.toSorted((one, other) => (one.key < other.key ? -1 : 1));
      const gone = new Set(
        oldest.slice(0, Math.max(0, own.length - operation.keep)).slice(0, operation.most),
      );
      this.#notes = this.#notes.filter((note) => !gone.has(note));
      return;
    }
    const { key } = operation;
    const former = own.find((note) => note.key === key);
    if (op === 'note') {
      const { at, text, needsDocument } = operation;
      if (needsDocument && this.#entries.get(key)?.document.account !== account) return;
      if (former !== undefined && former.at > at) return;
      this.#notes = [...this.#notes, { kind, account, key, at, revision, body: JSON.parse(text) }];
    }
    this.#notes = this.#notes.filter((note) => note !== former);
  }

  series({ account, step, keys, from, until }: SeriesQuery): readonly SeriesRow[] {
    return this.#series
      .filter((row) => row.account === account && row.step === step && keys.includes(row.key))
      .filter(({ start }) => start >= from && start < until);
  }

  #keepSeries(row: SeriesRow): void {
    if (!this.#entries.has(row.account)) return;
    const keyOfRow = ({ account, step, key, start, node }: SeriesRow) =>
      JSON.stringify([account, step, key, start, node]);
    this.#series = [...this.#series.filter((one) => keyOfRow(one) !== keyOfRow(row)), row];
  }

  #enqueue({ account, parent, text }: WriteOperation & { op: 'enqueue' }): Conflict | null {
    if (this.#entries.get(parent)?.document.account !== account)
      return { reason: 'parent-missing', id: parent };
    this.#position += 1;
    const body = JSON.parse(text);
    this.#queued = [...this.#queued, { position: this.#position, account, parent, body }];
    return null;
  }

  #put(document: StoredDocument, { links, names }: Attached): Conflict | null {
    const { id, account } = document;
    this.#release(id);
    this.#entries.set(id, { document, links: [], names: [] });
    for (const claim of names) {
      const holder = this.#holder(claim)?.document;
      if (holder !== undefined)
        return { reason: 'name-taken', claim, by: holder.id, account: holder.account };
    }
    for (const { field, to, binding } of links) {
      if (!binding || this.#entries.get(to)?.document.account === account) continue;
      return { reason: 'link-target-missing', field, to };
    }
    this.#entries.set(id, { document, links, names });
    for (const name of names) this.#holders.set(keyOf(name), id);
    return null;
  }

  #release(id: string): void {
    for (const name of this.#entries.get(id)?.names ?? []) this.#holders.delete(keyOf(name));
  }

  #delete(id: string): Conflict | null {
    const tree = new Set([id]);
    for (let size = 0; size < tree.size; ) {
      size = tree.size;
      for (const { document } of this.#entries.values()) {
        if (document.parent !== null && tree.has(document.parent)) tree.add(document.id);
      }
    }
    const users = [...this.#entries.values()].filter(
      ({ document, links }) =>
        !tree.has(document.id) && links.some((link) => link.binding && tree.has(link.to)),
    );
    if (users.length > 0) return { reason: 'in-use', id, by: users.map((user) => user.document.id).sort() };
    for (const member of tree) {
      const { account, kind } = this.#entries.get(member)!.document;
      this.#notes = this.#notes.filter(
        (note) => !(note.kind === 'use' && note.account === account && note.key === member),
      );
      if (kind === 'account') {
        this.#notes = this.#notes.filter((note) => note.account !== member);
        this.#series = this.#series.filter((row) => row.account !== member);
      }
      this.#release(member);
      this.#entries.delete(member);
    }
    this.#uncleared = [...this.#uncleared, ...this.#queued.filter(({ parent }) => tree.has(parent))];
    this.#queued = this.#queued.filter(({ parent }) => !tree.has(parent));
    return null;
  }

  #holder(claim: NameClaim): Entry | undefined {
    return this.#entries.get(this.#holders.get(keyOf(claim)) ?? '');
  }
}

function isAboutNotes(operation: WriteOperation): operation is NoteOperation {
  return ['note', 'forget', 'expire', 'trim'].includes(operation.op);
}

function keyOf({ kind, value }: NameClaim): string {
  return JSON.stringify([kind, value]);
}

/** Returns the links and names that stay after a replacement, because the writer did not drop them. */
function staying({ links, names }: Entry, operation: WriteOperation & { op: 'replace' }): Attached {
  const { body, dropped } = operation;
  if (dropped === undefined) return { links: [], names: [] };
  const text = JSON.stringify(body);
  const known = [...dropped.links, ...operation.links].map(({ field, to }) => `${field} ${to}`);
  const claimed = [...dropped.names, ...operation.names].map(({ kind, value }) => `${kind} ${value}`);
  return {
    links: links.filter(({ field, to }) => !known.includes(`${field} ${to}`) && text.includes(`"${to}"`)),
    names: names.filter(({ kind, value }) => !claimed.includes(`${kind} ${value}`)),
  };
}
