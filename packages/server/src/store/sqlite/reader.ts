/**
 * All reads, as prepared statements on a connection of the main thread. Invariant: each one uses an index and needs no
 * sort.
 */
import type { DatabaseSync } from 'node:sqlite';
import { endOfPrefix } from '../prefix.ts';
import type { Grown } from '../queue-watch.ts';
import {
  COLUMNS_OF_KIND,
  toChange,
  toDocument,
  toDocumentOfKind,
  toNameHolder,
  toNote,
  toQueueEntry,
  toSeriesRow,
  toState,
} from '../rows.ts';
import {
  type Change,
  type DocumentKey,
  type DocumentState,
  type NameClaim,
  type NameHolder,
  type NameQuery,
  type Note,
  type NoteKind,
  type NoteQuery,
  type PageQuery,
  type QueueCountQuery,
  type QueueEntry,
  type QueueQuery,
  type Revision,
  RevisionCompactedError,
  type SeriesQuery,
  type SeriesRow,
  type StoredDocument,
} from '../store.ts';
import type { DocumentCache } from './document-cache.ts';

/** Revisions of the log in one read at most, so that catching up does not block the event loop. */
const REVISIONS_PER_READ = 1000;

const COLUMNS = 'id, account, kind, parent, body, format, revision';

/** Greater than every key of a note. */
const LAST_KEY = '\u{10ffff}';

/** The number of a queue. */
const NUMBER = '(SELECT number FROM queues WHERE account = ?1 AND parent = ?2)';
const NOT_DELETED = 'NOT EXISTS (SELECT 1 FROM deleted_queues WHERE account = ?1 AND parent = ?2)';

export class Reader {
  readonly #statements;

  constructor(database: DatabaseSync) {
    const page = (condition: string, before: string) =>
      database.prepare(
        `SELECT id FROM documents WHERE ${condition} kind = ? AND account = ? ${before} ORDER BY id DESC LIMIT ?`,
      );
    this.#statements = {
      get: database.prepare(`SELECT ${COLUMNS} FROM documents WHERE id = ?`),
      newest: page('', ''),
      older: page('', 'AND id < ?'),
      newestChildren: page('parent = ? AND', ''),
      olderChildren: page('parent = ? AND', 'AND id < ?'),
      queue: database.prepare(
        `SELECT position, ?1 AS account, ?2 AS parent, body FROM entries
         WHERE queue = ${NUMBER} AND position > ?3 AND ${NOT_DELETED} ORDER BY position LIMIT ?4`,
      ),
      countQueued: database.prepare(
        `SELECT count(*) AS count FROM (
           SELECT 1 FROM queues n CROSS JOIN entries e ON e.queue = n.number WHERE n.account = ? LIMIT ?
         )`,
      ),
      countQueue: database.prepare(
        `SELECT count(*) AS count FROM (
           SELECT 1 FROM entries WHERE queue = ${NUMBER} AND ${NOT_DELETED} LIMIT ?3
         )`,
      ),
      series: database.prepare(
        `SELECT account, step, key, start, node, body FROM series
         WHERE account = ? AND step = ? AND key = ? AND start >= ? AND start < ?`,
      ),
      deletedQueue: database.prepare('SELECT 1 FROM deleted_queues LIMIT 1'),
      position: database.prepare('SELECT queued FROM state'),
      grown: database.prepare(
        `SELECT parent FROM queues WHERE number IN (
           SELECT queue FROM entries WHERE position > ? AND position <= ?
         )`,
      ),
      name: database.prepare(
        'SELECT d.id, d.account FROM names n JOIN documents d ON d.id = n.id WHERE n.kind = ? AND n.value = ?',
      ),
      names: database.prepare(
        `SELECT n.value, d.id, d.account FROM names n JOIN documents d ON d.id = n.id
         WHERE n.kind = ? AND n.value > ? AND n.value < ? ORDER BY n.value LIMIT ?`,
      ),
      notes: database.prepare(
        `SELECT key, at, revision, body FROM notes WHERE kind = ? AND account = ? AND key < ?
         ORDER BY key DESC LIMIT ?`,
      ),
      notesAt: database.prepare(
        `SELECT key, at, revision, body FROM notes
         WHERE kind = ? AND account = ? AND key IN (SELECT value FROM json_each(?))`,
      ),
      oldestNote: database.prepare('SELECT at FROM notes WHERE kind = ? ORDER BY at LIMIT 1'),
      linksTo: database.prepare(
        'SELECT source, field FROM links WHERE target = ? ORDER BY source, field LIMIT ?',
      ),
      linksBefore: database.prepare(
        'SELECT source, field FROM links WHERE target = ? AND source < ? ORDER BY source DESC, field LIMIT ?',
      ),
      state: database.prepare('SELECT revision, compacted, last_id FROM state'),
      ofKind: database.prepare(
        `SELECT ${COLUMNS_OF_KIND} FROM documents WHERE kind = ? AND (account, id) > (?, ?) ORDER BY account, id LIMIT ?`,
      ),
      statesOfKind: database.prepare(
        'SELECT id, account, revision FROM documents WHERE kind = ? AND (account, id) > (?, ?) ORDER BY account, id LIMIT ?',
      ),
      // An overwritten revision has no document any more: only the revision of the current state has one.
      changes: database.prepare(
        `SELECT c.revision AS at, c.id AS changed, c.account AS owner, c.kind AS class, d.*
         FROM changes c LEFT JOIN documents d ON d.id = c.id
         WHERE c.revision > ? AND c.revision <= ? AND c.kind IN (SELECT value FROM json_each(?))
           AND (CASE c.deleted WHEN 1 THEN d.id IS NULL ELSE d.revision = c.revision END)
         ORDER BY c.revision, c.id`,
      ),
    };
    this.#statements.ofKind.setReturnArrays(true);
  }

  get(id: string, cache: DocumentCache): StoredDocument | null {
    const row = this.#statements.get.get(id);
    if (row === undefined) return null;
    const document = toDocument(row);
    cache.keep(document, String(row.body).length);
    return document;
  }

  /** The ids come from an index. Most documents are cached, and single reads cost no more than a joint one. */
  page({ account, kind, parent, before, limit }: PageQuery, cache: DocumentCache): readonly StoredDocument[] {
    const { newest, older, newestChildren, olderChildren } = this.#statements;
    const rows =
      parent === undefined
        ? before === undefined
          ? newest.all(kind, account, limit)
          : older.all(kind, account, before, limit)
        : before === undefined
          ? newestChildren.all(parent, kind, account, limit)
          : olderChildren.all(parent, kind, account, before, limit);
    return rows.flatMap(({ id }) => cache.get(String(id)) ?? this.get(String(id), cache) ?? []);
  }

  queue({
    account,
    parent,
    after = 0,
    limit,
    bytes = Number.POSITIVE_INFINITY,
  }: QueueQuery): readonly QueueEntry[] {
    const entries: QueueEntry[] = [];
    let room = bytes;
    for (const row of this.#statements.queue.iterate(account, parent, after, limit)) {
      room -= Buffer.byteLength(String(row.body));
      if (room < 0 && entries.length > 0) break;
      entries.push(toQueueEntry(row));
    }
    return entries;
  }

  countQueued({ account, parent, limit }: QueueCountQuery): number {
    const { countQueued, countQueue } = this.#statements;
    const row =
      parent === undefined ? countQueued.get(account, limit) : countQueue.get(account, parent, limit);
    return Number(row?.count);
  }

  series({ account, step, keys, from, until }: SeriesQuery): readonly SeriesRow[] {
    const { series } = this.#statements;
    return keys.flatMap((key) => series.all(account, step, key, from, until).map(toSeriesRow));
  }

  hasDeletedQueues(): boolean {
    return this.#statements.deletedQueue.get() !== undefined;
  }

  grownQueues(after: number | null): Grown {
    const to = Number(this.#statements.position.get()?.queued);
    const rows = after === null ? [] : this.#statements.grown.all(after, to);
    return { to, parents: rows.map(({ parent }) => String(parent)) };
  }

  findName({ kind, value }: NameClaim): { readonly id: string; readonly account: string } | null {
    const row = this.#statements.name.get(kind, value);
    return row === undefined ? null : { id: String(row.id), account: String(row.account) };
  }

  names({ kind, prefix, after = prefix, limit }: NameQuery): readonly NameHolder[] {
    const rows = this.#statements.names.all(kind, after, endOfPrefix(prefix), limit);
    return rows.map(toNameHolder);
  }

  notes({ kind, account, before = LAST_KEY, limit }: NoteQuery): readonly Note[] {
    return this.#statements.notes.all(kind, account, before, limit).map(toNote);
  }

  notesAt(kind: NoteKind, account: string, keys: readonly string[]): readonly Note[] {
    return this.#statements.notesAt.all(kind, account, JSON.stringify(keys)).map(toNote);
  }

  oldestNote(kind: NoteKind): number | null {
    const row = this.#statements.oldestNote.get(kind);
    return row === undefined ? null : Number(row.at);
  }

  linksTo(id: string, limit: number): readonly { readonly from: string; readonly field: string }[] {
    const rows = this.#statements.linksTo.all(id, limit);
    return rows.map((row) => ({ from: String(row.source), field: String(row.field) }));
  }

  linksBefore(
    id: string,
    limit: number,
    before: string,
  ): readonly { readonly from: string; readonly field: string }[] {
    const rows = this.#statements.linksBefore.all(id, before, limit);
    return rows.map((row) => ({ from: String(row.source), field: String(row.field) }));
  }

  state(): { readonly revision: Revision; readonly compacted: Revision; readonly lastId: string } {
    const row = this.#statements.state.get();
    return {
      revision: Number(row?.revision),
      compacted: Number(row?.compacted),
      lastId: String(row?.last_id),
    };
  }

  /** Returns documents of a kind in every account after `after`, in the order of account and id. */
  ofKind(kind: string, after: DocumentKey, limit: number): readonly StoredDocument[] {
    // The driver's types have only rows with names.
    const rows = this.#statements.ofKind.all(kind, after.account, after.id, limit) as unknown as unknown[][];
    return rows.map((row) => toDocumentOfKind(kind, row));
  }

  /** Returns the same documents' states, without bodies. */
  statesOfKind(kind: string, after: DocumentKey, limit: number): readonly DocumentState[] {
    return this.#statements.statesOfKind.all(kind, after.account, after.id, limit).map(toState);
  }

  /** Returns changes after a revision, and the revision up to which they are complete. A revision is never split. */
  changes(
    from: Revision,
    kinds: readonly string[],
  ): { readonly to: Revision; readonly changes: readonly Change[] } {
    const { revision, compacted } = this.state();
    // A log that ends before `from` is an older one, from a backup.
    if (from > revision || from < compacted) {
      throw new RevisionCompactedError(`the change log does not reach back to revision ${from}: list again`);
    }
    const to = Math.min(revision, from + REVISIONS_PER_READ);
    const rows = to > from ? this.#statements.changes.all(from, to, JSON.stringify(kinds)) : [];
    return { to, changes: rows.map(toChange) };
  }
}
