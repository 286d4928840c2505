/** All reads, as queries that the server has prepared. Invariant: each query uses an index and needs no sort. */
import { endOfPrefix } from '../prefix.ts';
import type { Grown } from '../queue-watch.ts';
import {
  type Row,
  toChange,
  toDocument,
  toNameHolder,
  toNote,
  toQueueEntry,
  toSeriesRow,
  toState,
} from '../rows.ts';
import {
  type DocumentKey,
  type DocumentState,
  type NameClaim,
  type NameHolder,
  type NameQuery,
  type Note,
  type NoteKind,
  type NoteQuery,
  OtherHistoryError,
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
import type { LogPart } from '../watcher.ts';
import type { Statement } from './connect.ts';
import type { Position } from './history.ts';
import { isStorable } from './text.ts';

/** Revisions of the log in one read at most. */
const REVISIONS_PER_READ = 1000;

const COLUMNS = 'id, account, kind, parent, body, format, revision';

/**
 * One queue, as a range of the index of queues. With equality on account and parent and an order by position, the
 * planner may read through the whole table in that order instead.
 */
const ONE_QUEUE = `underpass.queue WHERE (account, parent, position) > ($1, $2, $4::bigint) AND (account, parent) <= ($1, $2)
    AND NOT EXISTS (SELECT FROM underpass.deleted_queues d WHERE d.account = $1 AND d.parent = $2)
    ORDER BY account, parent, position LIMIT $3`;

const QUERIES = {
  get: `SELECT ${COLUMNS} FROM underpass.documents WHERE id = $1`,
  queue: `SELECT position, account, parent, body FROM ${ONE_QUEUE}`,
  // Lengths are read without the bodies.
  queueBytes: `SELECT position, account, parent, body FROM (
      SELECT *, octet_length(body) AS own, sum(octet_length(body)) OVER (ORDER BY account, parent, position) AS bytes
      FROM (SELECT position, account, parent, body FROM ${ONE_QUEUE}) waiting
    ) summed WHERE bytes = own OR bytes <= $5 ORDER BY account, parent, position`,
  // The order is one that only the index has, for the same reason.
  countQueued: `SELECT count(*) AS count FROM (
    SELECT FROM underpass.queue WHERE account = $1 ORDER BY parent, position LIMIT $2) counted`,
  countQueue: `SELECT count(*) AS count FROM (SELECT FROM ${ONE_QUEUE}) counted`,
  series: `SELECT account, step, key, start, node, body FROM underpass.series
    WHERE account = $1 AND step = $2 AND key = ANY ($3::text[]) AND start >= $4 AND start < $5`,
  deletedQueue: 'SELECT FROM underpass.deleted_queues LIMIT 1',
  // One statement, so that the result is complete up to its position.
  grown: `SELECT s.queued, ARRAY(
      SELECT DISTINCT q.parent FROM underpass.queue q WHERE q.position > $1::bigint
    ) AS parents FROM underpass.state s`,
  queued: 'SELECT queued, ARRAY[]::text[] AS parents FROM underpass.state',
  name: 'SELECT d.id, d.account FROM underpass.names n JOIN underpass.documents d ON d.id = n.id WHERE n.kind = $1 AND n.value = $2',
  names: `SELECT n.value, d.id, d.account FROM underpass.names n JOIN underpass.documents d ON d.id = n.id
    WHERE n.kind = $1 AND n.value > $2 AND n.value < $3 ORDER BY n.value LIMIT $4`,
  notes: `SELECT key, at, revision, body FROM underpass.notes
    WHERE (kind, account) = ($1, $2) ORDER BY key DESC LIMIT $3`,
  notesBefore: `SELECT key, at, revision, body FROM underpass.notes
    WHERE (kind, account) = ($1, $2) AND key < $4 ORDER BY key DESC LIMIT $3`,
  notesAt: `SELECT key, at, revision, body FROM underpass.notes
    WHERE (kind, account) = ($1, $2) AND key = ANY ($3::text[])`,
  oldestNote: 'SELECT at FROM underpass.notes WHERE kind = $1 ORDER BY at LIMIT 1',
  linksTo: 'SELECT source, field FROM underpass.links WHERE target = $1 ORDER BY source, field LIMIT $2',
  linksBefore: `SELECT source, field FROM underpass.links WHERE target = $1 AND source < $2
    ORDER BY source DESC, field LIMIT $3`,
  position: `SELECT s.revision, s.last_id, (
      SELECT m.mark FROM underpass.marks m WHERE m.revision >= s.revision ORDER BY m.revision LIMIT 1
    ) AS mark FROM underpass.state s`,
  lastId: 'SELECT last_id FROM underpass.state',
  ofKind: `SELECT ${COLUMNS} FROM underpass.documents
    WHERE kind = $1 AND (account, id) > ($2, $3) ORDER BY account, id LIMIT $4`,
  statesOfKind: `SELECT id, account, revision FROM underpass.documents
    WHERE kind = $1 AND (account, id) > ($2, $3) ORDER BY account, id LIMIT $4`,
  // One statement, so that the log's bounds and entries are of one moment. An overwritten revision has no document any
  // more: only the revision of the current state has one.
  changes: `
    SELECT s.revision AS head, s.compacted, s.last_id, (
      SELECT m.mark FROM underpass.marks m WHERE m.revision >= $1::bigint
        AND EXISTS (SELECT FROM underpass.marks known WHERE known.revision <= $1::bigint) ORDER BY m.revision LIMIT 1
    ) AS since, (
      SELECT m.mark FROM underpass.marks m WHERE m.revision >= least($1::bigint + ${REVISIONS_PER_READ}, s.revision)
      ORDER BY m.revision LIMIT 1
    ) AS until, c.*
    FROM underpass.state s LEFT JOIN LATERAL (
      SELECT c.revision AS at, c.id AS changed, c.account AS owner, c.kind AS class, d.*
      FROM underpass.changes c LEFT JOIN underpass.documents d ON d.id = c.id
      WHERE c.revision > $1::bigint AND c.revision <= $1::bigint + ${REVISIONS_PER_READ} AND c.kind = ANY ($2::text[])
        AND (CASE WHEN c.deleted THEN d.id IS NULL ELSE d.revision = c.revision END)
    ) c ON true
    ORDER BY c.at, c.changed`,
};

/** A part of the log, and the newest id suffix at that moment. */
export interface ReadPart extends LogPart {
  readonly mark: string;
  readonly lastId: string;
}

/** Runs one statement, on a shared connection or on its own. */
export interface Connection {
  query(statement: Statement): Promise<{ readonly rows: readonly Row[] }>;
}

export class Reader {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async get(id: string): Promise<StoredDocument | null> {
    if (!isStorable(id)) return null;
    const [row] = await this.#query('get', QUERIES.get, [id]);
    return row === undefined ? null : toDocument(row);
  }

  async page({ account, kind, parent, before, limit }: PageQuery): Promise<readonly StoredDocument[]> {
    const values: (string | number)[] = [kind, account, limit];
    let name = 'page';
    let conditions = 'kind = $1 AND account = $2';
    if (parent !== undefined) {
      name += '-of-parent';
      conditions += ` AND parent = $${values.push(parent)}`;
    }
    if (before !== undefined) {
      name += '-before';
      conditions += ` AND id < $${values.push(before)}`;
    }
    if (!values.every((value) => typeof value === 'number' || isStorable(value))) return [];
    const text = `SELECT ${COLUMNS} FROM underpass.documents WHERE ${conditions} ORDER BY id DESC LIMIT $3`;
    return (await this.#query(name, text, values)).map(toDocument);
  }

  async queue({ account, parent, after = 0, limit, bytes }: QueueQuery): Promise<readonly QueueEntry[]> {
    if (![account, parent].every(isStorable)) return [];
    const which = [account, parent, limit, after];
    const rows =
      bytes === undefined
        ? await this.#query('queue', QUERIES.queue, which)
        : await this.#query('queue-bytes', QUERIES.queueBytes, [...which, bytes]);
    return rows.map(toQueueEntry);
  }

  async countQueued({ account, parent, limit }: QueueCountQuery): Promise<number> {
    if (![account, parent ?? ''].every(isStorable)) return 0;
    const [row] =
      parent === undefined
        ? await this.#query('count-queued', QUERIES.countQueued, [account, limit])
        : await this.#query('count-queue', QUERIES.countQueue, [account, parent, limit, 0]);
    return Number(row?.count);
  }

  async series({ account, step, keys, from, until }: SeriesQuery): Promise<readonly SeriesRow[]> {
    const readable = keys.filter(isStorable);
    if (!isStorable(account) || readable.length === 0) return [];
    const rows = await this.#query('series', QUERIES.series, [account, step, readable, from, until]);
    return rows.map(toSeriesRow);
  }

  async hasDeletedQueues(): Promise<boolean> {
    return (await this.#query('deleted-queue', QUERIES.deletedQueue, [])).length > 0;
  }

  async grownQueues(after: number | null): Promise<Grown> {
    const [row] =
      after === null
        ? await this.#query('queued', QUERIES.queued, [])
        : await this.#query('grown', QUERIES.grown, [after]);
    const parents = Array.isArray(row?.parents) ? row.parents.map(String) : [];
    return { to: Number(row?.queued), parents };
  }

  async findName({
    kind,
    value,
  }: NameClaim): Promise<{ readonly id: string; readonly account: string } | null> {
    if (!isStorable(kind) || !isStorable(value)) return null;
    const [row] = await this.#query('name', QUERIES.name, [kind, value]);
    return row === undefined ? null : { id: String(row.id), account: String(row.account) };
  }

  async names({ kind, prefix, after = prefix, limit }: NameQuery): Promise<readonly NameHolder[]> {
    if (![kind, prefix, after].every(isStorable)) return [];
    const rows = await this.#query('names', QUERIES.names, [kind, after, endOfPrefix(prefix), limit]);
    return rows.map(toNameHolder);
  }

  async notes({ kind, account, before, limit }: NoteQuery): Promise<readonly Note[]> {
    if (![account, before ?? ''].every(isStorable)) return [];
    const rows =
      before === undefined
        ? await this.#query('notes', QUERIES.notes, [kind, account, limit])
        : await this.#query('notes-before', QUERIES.notesBefore, [kind, account, limit, before]);
    return rows.map(toNote);
  }

  async notesAt(kind: NoteKind, account: string, keys: readonly string[]): Promise<readonly Note[]> {
    if (!isStorable(account)) return [];
    const values = [kind, account, keys.filter(isStorable)];
    return (await this.#query('notes-at', QUERIES.notesAt, values)).map(toNote);
  }

  async oldestNote(kind: NoteKind): Promise<number | null> {
    const [row] = await this.#query('oldest-note', QUERIES.oldestNote, [kind]);
    return row === undefined ? null : Number(row.at);
  }

  async linksTo(
    id: string,
    limit: number,
  ): Promise<readonly { readonly from: string; readonly field: string }[]> {
    if (!isStorable(id)) return [];
    const rows = await this.#query('links-to', QUERIES.linksTo, [id, limit]);
    return rows.map((row) => ({ from: String(row.source), field: String(row.field) }));
  }

  async linksBefore(
    id: string,
    limit: number,
    before: string,
  ): Promise<readonly { readonly from: string; readonly field: string }[]> {
    if (!isStorable(id) || !isStorable(before)) return [];
    const rows = await this.#query('links-before', QUERIES.linksBefore, [id, before, limit]);
    return rows.map((row) => ({ from: String(row.source), field: String(row.field) }));
  }

  /** Returns the last revision with its mark, and the newest id suffix. */
  async position(): Promise<{ readonly position: Position; readonly lastId: string }> {
    const [row] = await this.#query('position', QUERIES.position, []);
    return {
      position: { revision: Number(row?.revision), mark: String(row?.mark) },
      lastId: String(row?.last_id),
    };
  }

  async lastId(): Promise<string> {
    const [row] = await this.#query('last-id', QUERIES.lastId, []);
    return String(row?.last_id);
  }

  /** Returns documents of a kind in every account after `after`, in the order of account and id. */
  async ofKind(kind: string, after: DocumentKey, limit: number): Promise<readonly StoredDocument[]> {
    if (!isStorable(kind)) return [];
    const rows = await this.#query('of-kind', QUERIES.ofKind, [kind, after.account, after.id, limit]);
    return rows.map(toDocument);
  }

  /** Returns the same documents' states, without bodies. */
  async statesOfKind(kind: string, after: DocumentKey, limit: number): Promise<readonly DocumentState[]> {
    if (!isStorable(kind)) return [];
    const values = [kind, after.account, after.id, limit];
    return (await this.#query('states-of-kind', QUERIES.statesOfKind, values)).map(toState);
  }

  /**
   * Returns changes after a revision, and the revision up to which they are complete. A revision is never split. `mark`
   * is the revision's mark, if known. Rejects with RevisionCompactedError or OtherHistoryError.
   */
  async changes(from: Revision, kinds: readonly string[], mark?: string): Promise<ReadPart> {
    const rows = await this.#query('changes', QUERIES.changes, [from, kinds.filter(isStorable)]);
    const head = Number(rows[0]?.head);
    // A log that ends before `from` is another log, and so is one with another mark at that revision. Null means that
    // the marks do not reach back so far.
    const since = rows[0]?.since ?? null;
    if (from > head || (mark !== undefined && since !== null && since !== mark))
      throw new OtherHistoryError(head);
    if (from < Number(rows[0]?.compacted)) {
      throw new RevisionCompactedError(`the change log does not reach back to revision ${from}: list again`);
    }
    const to = Math.min(head, from + REVISIONS_PER_READ);
    const changes = rows.filter((row) => row.at !== null).map(toChange);
    return { to, mark: String(rows[0]?.until), lastId: String(rows[0]?.last_id), changes };
  }

  async #query(name: string, text: string, values: unknown[]): Promise<readonly Row[]> {
    return (await this.#connection.query({ name, text, values })).rows;
  }
}
