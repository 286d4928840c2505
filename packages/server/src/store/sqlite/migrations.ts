/**
 * The schema of the database, as numbered steps from an empty file to the current version.
 * Invariant: a published step never changes.
 */
import type { DatabaseSync } from 'node:sqlite';

/** Step N (from 1) takes version N-1 to N. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE documents (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    kind TEXT NOT NULL,
    parent TEXT,
    body TEXT NOT NULL,
    revision INTEGER NOT NULL
  ) STRICT;
  -- Pages (kind and account given) and snapshots (kind given) are both scans of this one index.
  CREATE INDEX documents_by_kind ON documents (kind, account, id);
  CREATE INDEX documents_by_parent ON documents (parent, kind, id) WHERE parent IS NOT NULL;

  CREATE TABLE links (
    source TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    field TEXT NOT NULL,
    target TEXT NOT NULL,
    binding INTEGER NOT NULL,
    PRIMARY KEY (source, field, target)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX links_by_target ON links (target, source);

  CREATE TABLE names (
    kind TEXT NOT NULL,
    value TEXT NOT NULL,
    id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    PRIMARY KEY (kind, value)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX names_by_id ON names (id);

  CREATE TABLE changes (
    revision INTEGER NOT NULL,
    id TEXT NOT NULL,
    account TEXT NOT NULL,
    kind TEXT NOT NULL,
    deleted INTEGER NOT NULL,
    PRIMARY KEY (revision, id)
  ) STRICT, WITHOUT ROWID;

  -- One row: the last revision, the last one that the change log has forgotten, the last id suffix handed out.
  CREATE TABLE state (
    revision INTEGER NOT NULL,
    compacted INTEGER NOT NULL,
    last_id TEXT NOT NULL
  ) STRICT;
  INSERT INTO state VALUES (0, 0, '');
  `,
  `
  -- Of the body: store/format.ts. The index finds a newer one at the start, and is empty until there is a second format.
  ALTER TABLE documents ADD COLUMN format INTEGER NOT NULL DEFAULT 1;
  CREATE INDEX documents_by_format ON documents (format) WHERE format > 1;
  `,
  `
  -- Reserved domains also claim their name read backwards, so that all below a name are one range of keys.
  INSERT INTO names (kind, value, id)
  SELECT 'reversed_domain', (
    WITH RECURSIVE reversed (at, text) AS (
      SELECT length(n.value), '' UNION ALL SELECT at - 1, text || substr(n.value, at, 1) FROM reversed WHERE at > 0
    ) SELECT text FROM reversed WHERE at = 0
  ), n.id
  FROM names n WHERE n.kind = 'domain';
  `,
  `
  -- What waits in the queue of a document, each entry written once and deleted. The state has the last position that was given,
  -- which is not given again when the queue was empty meanwhile.
  CREATE TABLE queue (
    position INTEGER PRIMARY KEY,
    account TEXT NOT NULL,
    parent TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  -- Each queue in the order of positions.
  CREATE INDEX queue_by_parent ON queue (account, parent);
  ALTER TABLE state ADD COLUMN queued INTEGER NOT NULL DEFAULT 0;

  -- Events that waited were documents. With the plus they are read in the order of ids, and not sorted with all that is in them.
  INSERT INTO queue (account, parent, body)
  SELECT account, parent, body FROM documents WHERE +kind = 'queued_event' ORDER BY id;
  UPDATE state SET queued = (SELECT count(*) FROM queue);
  DELETE FROM documents WHERE kind = 'queued_event';
  CREATE TRIGGER drop_queue AFTER DELETE ON documents BEGIN
    DELETE FROM queue WHERE account = OLD.account AND parent = OLD.id;
  END;
  `,
  `
  -- Queues of deleted documents that have entries still: those are cleared some at a time, since a long queue takes seconds.
  CREATE TABLE deleted_queues (
    account TEXT NOT NULL,
    parent TEXT NOT NULL,
    PRIMARY KEY (account, parent)
  ) STRICT, WITHOUT ROWID;
  DROP TRIGGER drop_queue;
  CREATE TRIGGER delete_queue AFTER DELETE ON documents
    WHEN EXISTS (SELECT 1 FROM queue WHERE account = OLD.account AND parent = OLD.id)
  BEGIN
    INSERT INTO deleted_queues (account, parent) VALUES (OLD.account, OLD.id) ON CONFLICT DO NOTHING;
  END;
  `,
  `
  -- Queues by a number: account and document in each entry, and once more in the index, were a fifth of what an entry takes and costs.
  CREATE TABLE queues (
    number INTEGER PRIMARY KEY,
    account TEXT NOT NULL,
    parent TEXT NOT NULL,
    UNIQUE (account, parent)
  ) STRICT;
  CREATE TABLE entries (
    position INTEGER PRIMARY KEY,
    queue INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  INSERT INTO queues (account, parent) SELECT DISTINCT account, parent FROM queue;
  INSERT INTO entries (position, queue, body)
  SELECT q.position, n.number, q.body FROM queue q CROSS JOIN queues n ON n.account = q.account AND n.parent = q.parent
  ORDER BY q.position;
  -- Each queue in the order of positions.
  CREATE INDEX entries_by_queue ON entries (queue);
  DROP TRIGGER delete_queue;
  DROP TABLE queue;

  -- As other databases have it, for copies from and to them.
  CREATE VIEW queue (position, account, parent, body) AS
  SELECT e.position, n.account, n.parent, e.body FROM entries e CROSS JOIN queues n ON n.number = e.queue;
  CREATE TRIGGER copy_entry INSTEAD OF INSERT ON queue BEGIN
    INSERT INTO queues (account, parent) VALUES (NEW.account, NEW.parent) ON CONFLICT DO NOTHING;
    INSERT INTO entries (position, queue, body)
    SELECT NEW.position, number, NEW.body FROM queues WHERE account = NEW.account AND parent = NEW.parent;
  END;

  CREATE TRIGGER delete_queue AFTER DELETE ON documents
    WHEN EXISTS (SELECT 1 FROM queues WHERE account = OLD.account AND parent = OLD.id)
  BEGIN
    INSERT INTO deleted_queues (account, parent)
    SELECT account, parent FROM queues WHERE account = OLD.account AND parent = OLD.id
      AND EXISTS (SELECT 1 FROM entries WHERE queue = number)
    ON CONFLICT DO NOTHING;
    DELETE FROM queues WHERE account = OLD.account AND parent = OLD.id
      AND NOT EXISTS (SELECT 1 FROM entries WHERE queue = number);
  END;
  `,
  `
  -- Texts beside the documents, which are in no change log: the audit trail, last uses, logins of visitors.
  CREATE TABLE notes (
    kind TEXT NOT NULL,
    account TEXT NOT NULL,
    key TEXT NOT NULL,
    at INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX notes_by_key ON notes (kind, account, key);
  CREATE INDEX notes_by_age ON notes (kind, at);
  CREATE TRIGGER delete_use AFTER DELETE ON documents BEGIN
    DELETE FROM notes WHERE kind = 'use' AND account = OLD.account AND key = OLD.id;
  END;
  CREATE TRIGGER delete_notes AFTER DELETE ON documents WHEN OLD.kind = 'account' BEGIN
    DELETE FROM notes WHERE kind IN ('change', 'use', 'visit') AND account = OLD.id;
  END;
  `,
  `
  -- Traffic by key and time, in blocks that only the daemon reads (insight/series). Each life of a daemon writes rows of its own.
  CREATE TABLE series (
    account TEXT NOT NULL,
    step INTEGER NOT NULL,
    key TEXT NOT NULL,
    start INTEGER NOT NULL,
    node TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (account, step, key, start, node)
  ) STRICT;
  -- The oldest first, to delete them.
  CREATE INDEX series_by_age ON series (step, start);
  CREATE TRIGGER drop_series AFTER DELETE ON documents WHEN OLD.kind = 'account' BEGIN
    DELETE FROM series WHERE account = OLD.id;
  END;
  `,
];

export function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}

/** Runs the missing steps, all or none. Tests pass other `steps` for an older schema. */
export function migrate(database: DatabaseSync, steps: readonly string[] = migrations): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    for (const step of steps.slice(versionOf(database))) database.exec(step);
    database.exec(`PRAGMA user_version = ${steps.length}`);
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
