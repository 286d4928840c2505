/**
 * Applies one batch to the database: documents, links, names, queues and change log. The caller rolls back a stopped
 * batch.
 * Invariant: the rules of `WriteOperation` are those of the model in the conformance suite.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { BatchOperation } from '../batch.ts';
import { DOCUMENT_FORMAT } from '../format.ts';
import type { Conflict, Dropped, Link, NameClaim, Revision } from '../store.ts';

/** Queues that are remembered at most. */
const MOST_QUEUES = 1_000;
/** Users of a document that an `in-use` conflict names at most. */
const NAMED_USERS = 100;

/** The document to delete, with all its descendants. */
const TREE = `
  WITH RECURSIVE tree (id) AS (
    SELECT ? UNION SELECT child.id FROM documents child JOIN tree ON child.parent = tree.id
  )`;

interface Queue {
  readonly account: string;
  readonly number: number;
}

export class BatchWriter {
  readonly #statements;
  /** Kinds of the written documents, and ids of those that existed before, since `forget`. */
  readonly touchedKinds = new Set<string>();
  overwritten: string[] = [];
  /** The last assigned position of a queue. The owner of a transaction sets it. */
  position = 0;
  /**
   * Queues that grew recently, by document. A look-up for each entry was a third of an entry's cost. Only this class
   * changes queues.
   */
  readonly #queues = new Map<string, Queue>();

  constructor(database: DatabaseSync) {
    this.#statements = {
      head: database.prepare('SELECT account, kind, revision FROM documents WHERE id = ?'),
      insert: database.prepare(
        'INSERT INTO documents (id, account, kind, parent, body, format, revision) VALUES (?, ?, ?, ?, ?, ?, ?)',
      ),
      update: database.prepare('UPDATE documents SET body = ?, format = ?, revision = ? WHERE id = ?'),
      remove: database.prepare('DELETE FROM documents WHERE id = ?'),
      claim: database.prepare('INSERT INTO names (kind, value, id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING'),
      holder: database.prepare(
        'SELECT d.id, d.account FROM names n JOIN documents d ON d.id = n.id WHERE n.kind = ? AND n.value = ?',
      ),
      release: database.prepare('DELETE FROM names WHERE id = ?'),
      link: database.prepare(
        'INSERT INTO links (source, field, target, binding) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET binding = max(binding, excluded.binding)',
      ),
      releaseOne: database.prepare('DELETE FROM names WHERE kind = ? AND value = ? AND id = ?'),
      unlink: database.prepare('DELETE FROM links WHERE source = ?'),
      unlinkOne: database.prepare('DELETE FROM links WHERE source = ? AND field = ? AND target = ?'),
      // An id in a body is a JSON string, so it is searched for in quotes.
      unlinkOthers: database.prepare(
        `DELETE FROM links WHERE source = ? AND instr(?, '"' || target || '"') = 0`,
      ),
      tree: database.prepare(
        `${TREE} SELECT d.id, d.account, d.kind FROM tree CROSS JOIN documents d ON d.id = tree.id`,
      ),
      users: database.prepare(
        `${TREE} SELECT DISTINCT l.source FROM tree CROSS JOIN links l ON l.target = tree.id
         WHERE l.binding = 1 AND l.source NOT IN (SELECT id FROM tree) ORDER BY l.source LIMIT ${NAMED_USERS}`,
      ),
      queue: database.prepare('SELECT number FROM queues WHERE account = ? AND parent = ?'),
      beginQueue: database.prepare('INSERT INTO queues (account, parent) VALUES (?, ?)'),
      enqueue: database.prepare('INSERT INTO entries (position, queue, body) VALUES (?, ?, ?)'),
      dequeue: database.prepare('DELETE FROM entries WHERE position = ?'),
      clear: database.prepare(
        `DELETE FROM entries WHERE position IN (
           SELECT e.position FROM deleted_queues d CROSS JOIN queues n ON n.account = d.account AND n.parent = d.parent
           CROSS JOIN entries e ON e.queue = n.number LIMIT ?
         )`,
      ),
      endCleared: database.prepare(
        `DELETE FROM queues WHERE (account, parent) IN (SELECT account, parent FROM deleted_queues)
           AND NOT EXISTS (SELECT 1 FROM entries WHERE queue = number)`,
      ),
      forgetCleared: database.prepare(
        `DELETE FROM deleted_queues AS d
         WHERE NOT EXISTS (SELECT 1 FROM queues n WHERE n.account = d.account AND n.parent = d.parent)`,
      ),
      note: database.prepare(
        `INSERT INTO notes (kind, account, key, at, revision, body)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6
         WHERE ?7 = 0 OR EXISTS (SELECT 1 FROM documents WHERE id = ?3 AND account = ?2)
         ON CONFLICT (kind, account, key) DO UPDATE
           SET at = excluded.at, revision = excluded.revision, body = excluded.body WHERE excluded.at >= at`,
      ),
      forget: database.prepare('DELETE FROM notes WHERE kind = ? AND account = ? AND key = ?'),
      expire: database.prepare(
        `DELETE FROM notes WHERE rowid IN (
           SELECT rowid FROM notes WHERE kind = ? AND at < ? ORDER BY at LIMIT ?
         )`,
      ),
      trim: database.prepare(
        `DELETE FROM notes WHERE rowid IN (
           SELECT rowid FROM notes WHERE kind = ?1 AND account = ?2 AND key <= (
             SELECT key FROM notes WHERE kind = ?1 AND account = ?2 ORDER BY key DESC LIMIT 1 OFFSET ?3
           ) ORDER BY key LIMIT ?4
         )`,
      ),
      keepSeries: database.prepare(
        `INSERT INTO series (account, step, key, start, node, body)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6 FROM documents WHERE id = ?1
         ON CONFLICT (account, step, key, start, node) DO UPDATE SET body = excluded.body`,
      ),
      dropSeries: database.prepare(
        `DELETE FROM series WHERE rowid IN (
           SELECT rowid FROM series WHERE step = ? AND start < ? ORDER BY step, start LIMIT ?
         )`,
      ),
      log: database.prepare(
        'INSERT INTO changes (revision, id, account, kind, deleted) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET deleted = excluded.deleted',
      ),
    };
  }

  forget(): void {
    this.touchedKinds.clear();
    this.overwritten = [];
  }

  /** Forgets state of a batch that was rolled back. */
  undone(): void {
    this.#queues.clear();
  }

  /** Applies operations in order. Each sees the effects of the earlier ones. */
  apply(operations: readonly BatchOperation[], revision: Revision): Conflict | null {
    for (const operation of operations) {
      const conflict = this.#applyOne(operation, revision);
      if (conflict !== null) return conflict;
    }
    return null;
  }

  #applyOne(operation: BatchOperation, revision: Revision): Conflict | null {
    switch (operation.op) {
      case 'insert':
        return this.#insert(operation, revision);
      case 'replace':
        return this.#replace(operation, revision);
      case 'rewrite':
        return this.#rewrite(operation, revision);
      case 'delete':
        return this.#delete(operation, revision);
      case 'enqueue':
        return this.#enqueue(operation);
      case 'dequeue':
        for (const position of operation.positions) this.#statements.dequeue.run(position);
        return null;
      case 'clear':
        this.#statements.clear.run(operation.most);
        this.#statements.endCleared.run();
        this.#statements.forgetCleared.run();
        this.#queues.clear();
        return null;
      case 'note':
      case 'forget':
      case 'expire':
      case 'trim':
        this.#applyToNotes(operation, revision);
        return null;
      case 'keep_series':
        for (const { account, step, key, start, node, body } of operation.rows)
          this.#statements.keepSeries.run(account, step, key, start, node, body);
        return null;
      case 'drop_series':
        this.#statements.dropSeries.run(operation.step, operation.before, operation.most);
        return null;
      case 'exclude':
        // There is one daemon, which compares the names with its tunnels before the write.
        return null;
    }
  }

  #applyToNotes(
    operation: BatchOperation & { op: 'note' | 'forget' | 'expire' | 'trim' },
    revision: Revision,
  ): void {
    const { note, forget, expire, trim } = this.#statements;
    const { kind } = operation;
    switch (operation.op) {
      case 'note': {
        const { account, key, at, text, needsDocument } = operation;
        note.run(kind, account, key, at, revision, text, needsDocument ? 1 : 0);
        return;
      }
      case 'forget':
        forget.run(kind, operation.account, operation.key);
        return;
      case 'expire':
        expire.run(kind, operation.before, operation.most);
        return;
      case 'trim':
        trim.run(kind, operation.account, operation.keep, operation.most);
    }
  }

  #insert(operation: BatchOperation & { op: 'insert' }, revision: Revision): Conflict | null {
    const { id, account, kind, parent, body } = operation;
    if (this.#head(id) !== null) return { reason: 'stale', id };
    if (parent !== null && this.#head(parent)?.account !== account) {
      return { reason: 'parent-missing', id: parent };
    }
    this.#statements.insert.run(id, account, kind, parent, body, DOCUMENT_FORMAT, revision);
    this.#log(revision, { id, account, kind }, false);
    return this.#claim(id, operation.names) ?? this.#link(id, account, operation.links);
  }

  #replace(operation: BatchOperation & { op: 'replace' }, revision: Revision): Conflict | null {
    const { id } = operation;
    const account = this.#head(id)?.account;
    const stale = this.#rewrite(operation, revision);
    if (stale !== null || account === undefined) return stale;
    if (operation.dropped === undefined) {
      this.#statements.release.run(id);
      this.#statements.unlink.run(id);
    } else this.#drop(operation, operation.dropped);
    return this.#claim(id, operation.names) ?? this.#link(id, account, operation.links);
  }

  #drop({ id, body, links }: BatchOperation & { op: 'replace' }, dropped: Dropped): void {
    for (const { kind, value } of dropped.names) this.#statements.releaseOne.run(kind, value, id);
    // Links that the new version has are inserted again.
    for (const { field, to } of [...dropped.links, ...links]) this.#statements.unlinkOne.run(id, field, to);
    this.#statements.unlinkOthers.run(id, body);
  }

  #rewrite(operation: BatchOperation & { op: 'replace' | 'rewrite' }, revision: Revision): Conflict | null {
    const { id } = operation;
    const head = this.#head(id);
    if (head?.revision !== operation.revision) return { reason: 'stale', id };
    this.#statements.update.run(operation.body, DOCUMENT_FORMAT, revision, id);
    this.overwritten.push(id);
    this.#log(revision, { id, ...head }, false);
    return null;
  }

  #delete(operation: BatchOperation & { op: 'delete' }, revision: Revision): Conflict | null {
    const { id } = operation;
    if (this.#head(id)?.revision !== operation.revision) return { reason: 'stale', id };
    const users = this.#statements.users.all(id);
    if (users.length > 0) return { reason: 'in-use', id, by: users.map((user) => String(user.source)) };
    for (const row of this.#statements.tree.all(id)) {
      const member = { id: String(row.id), account: String(row.account), kind: String(row.kind) };
      this.#log(revision, member, true);
      this.overwritten.push(member.id);
      this.#queues.delete(member.id);
      // Foreign keys delete its links and names (ON DELETE CASCADE). A trigger marks its queue for clearing.
      this.#statements.remove.run(member.id);
    }
    return null;
  }

  #enqueue({ account, parent, text }: BatchOperation & { op: 'enqueue' }): Conflict | null {
    const queue = this.#queues.get(parent) ?? this.#queueOf(parent);
    if (queue?.account !== account) return { reason: 'parent-missing', id: parent };
    this.position += 1;
    this.#statements.enqueue.run(this.position, queue.number, text);
    return null;
  }

  /** Returns null if the document does not exist. */
  #queueOf(parent: string): Queue | null {
    const account = this.#head(parent)?.account;
    if (account === undefined) return null;
    const known = this.#statements.queue.get(account, parent);
    const number = known?.number ?? this.#statements.beginQueue.run(account, parent).lastInsertRowid;
    const queue = { account, number: Number(number) };
    if (this.#queues.size >= MOST_QUEUES) this.#queues.clear();
    this.#queues.set(parent, queue);
    return queue;
  }

  #claim(id: string, names: readonly NameClaim[]): Conflict | null {
    for (const claim of names) {
      if (this.#statements.claim.run(claim.kind, claim.value, id).changes === 1) continue;
      const holder = this.#statements.holder.get(claim.kind, claim.value);
      if (holder === undefined || holder.id === id) continue;
      return { reason: 'name-taken', claim, by: String(holder.id), account: String(holder.account) };
    }
    return null;
  }

  #link(id: string, account: string, links: readonly Link[]): Conflict | null {
    for (const { field, to, binding } of links) {
      if (binding && this.#head(to)?.account !== account) return { reason: 'link-target-missing', field, to };
      this.#statements.link.run(id, field, to, binding ? 1 : 0);
    }
    return null;
  }

  #head(id: string): { account: string; kind: string; revision: Revision } | null {
    const row = this.#statements.head.get(id);
    if (row === undefined) return null;
    return { account: String(row.account), kind: String(row.kind), revision: Number(row.revision) };
  }

  #log(revision: Revision, of: { id: string; account: string; kind: string }, deleted: boolean): void {
    this.#statements.log.run(revision, of.id, of.account, of.kind, deleted ? 1 : 0);
    this.touchedKinds.add(of.kind);
  }
}
