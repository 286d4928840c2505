/**
 * The schema of the database, as numbered steps from an empty one to the current version. Daemons of the former version
 * serve while a step runs, and afterwards.
 * Invariant: a published step never changes.
 */
import type { Client } from 'pg';
import { lockTables, requireNoOlderDaemon } from './beside-daemons.ts';

/** Step N (from 1) takes version N-1 to N. Ids are compared as bytes everywhere: COLLATE "C". */
export const migrations: readonly string[] = [
  `
  CREATE TABLE underpass.documents (
    id TEXT COLLATE "C" PRIMARY KEY,
    account TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    parent TEXT COLLATE "C",
    body TEXT NOT NULL,
    revision BIGINT NOT NULL
  );
  -- Pages (kind and account given) and snapshots (kind given) are both scans of this one index.
  CREATE INDEX documents_by_kind ON underpass.documents (kind, account, id);
  CREATE INDEX documents_by_parent ON underpass.documents (parent, kind, id) WHERE parent IS NOT NULL;

  CREATE TABLE underpass.links (
    source TEXT COLLATE "C" NOT NULL REFERENCES underpass.documents (id) ON DELETE CASCADE,
    field TEXT COLLATE "C" NOT NULL,
    target TEXT COLLATE "C" NOT NULL,
    binding BOOLEAN NOT NULL,
    PRIMARY KEY (source, field, target)
  );
  CREATE INDEX links_by_target ON underpass.links (target, source);

  CREATE TABLE underpass.names (
    kind TEXT COLLATE "C" NOT NULL,
    value TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL REFERENCES underpass.documents (id) ON DELETE CASCADE,
    PRIMARY KEY (kind, value)
  );
  CREATE INDEX names_by_id ON underpass.names (id);

  CREATE TABLE underpass.changes (
    revision BIGINT NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    account TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    deleted BOOLEAN NOT NULL,
    PRIMARY KEY (revision, id)
  );

  -- One row: the last revision, the last one that the change log has forgotten, the last id suffix handed out.
  -- Every write locks it first and holds it until its commit: that makes commit order revision order and id order.
  CREATE TABLE underpass.state (
    revision BIGINT NOT NULL,
    compacted BIGINT NOT NULL,
    last_id TEXT COLLATE "C" NOT NULL
  );
  INSERT INTO underpass.state VALUES (0, 0, '');

  -- The last revision that each process committed: how one that lost its connection during a commit learns what became of it.
  -- A transaction's number would not do: after a crash of the server the number of a lost one is given to another.
  CREATE TABLE underpass.writers (
    origin TEXT COLLATE "C" PRIMARY KEY,
    revision BIGINT NOT NULL
  );
  `,
  `
  -- The requests of the last minute, numbered for each account or source. UNLOGGED: no request waits for the disk, and a server
  -- that crashed has forgotten them.
  CREATE UNLOGGED TABLE underpass.admissions (
    key TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL,
    at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (key, number)
  );
  `,
  `
  -- Of the body: store/format.ts. The index finds a newer one at the start, and is empty until there is a second format.
  ALTER TABLE underpass.documents ADD COLUMN format INTEGER NOT NULL DEFAULT 1;
  CREATE INDEX documents_by_format ON underpass.documents (format) WHERE format > 1;
  `,
  `
  -- Reserved domains also claim their name read backwards, so that all below a name are one range of keys.
  INSERT INTO underpass.names (kind, value, id)
  SELECT 'reversed_domain', reverse(value), id FROM underpass.names WHERE kind = 'domain';
  `,
  `
  -- What waits in the queue of a document, each entry written once and deleted. The state has the last position that was given.
  CREATE TABLE underpass.queue (
    position BIGINT PRIMARY KEY,
    account TEXT COLLATE "C" NOT NULL,
    parent TEXT COLLATE "C" NOT NULL,
    body TEXT NOT NULL
  );
  CREATE INDEX queue_by_parent ON underpass.queue (account, parent, position);
  ALTER TABLE underpass.state ADD COLUMN queued BIGINT NOT NULL DEFAULT 0;

  -- Events that waited were documents. Daemons of an older version, which serve until they are restarted, write them so still: those
  -- become entries like all others. The writer has the lock of the state.
  CREATE FUNCTION underpass.enqueue_document() RETURNS trigger LANGUAGE plpgsql AS $body$
  DECLARE
    given bigint;
  BEGIN
    UPDATE underpass.state SET queued = queued + 1 RETURNING queued INTO given;
    INSERT INTO underpass.queue (position, account, parent, body) VALUES (given, NEW.account, NEW.parent, NEW.body);
    RETURN NULL;
  END $body$;
  CREATE TRIGGER enqueue_document BEFORE INSERT ON underpass.documents
    FOR EACH ROW WHEN (NEW.kind = 'queued_event') EXECUTE FUNCTION underpass.enqueue_document();

  INSERT INTO underpass.queue (position, account, parent, body)
  SELECT row_number() OVER (ORDER BY id), account, parent, body FROM underpass.documents WHERE kind = 'queued_event';
  UPDATE underpass.state SET queued = (SELECT count(*) FROM underpass.queue);
  DELETE FROM underpass.documents WHERE kind = 'queued_event';

  CREATE FUNCTION underpass.drop_queue() RETURNS trigger LANGUAGE plpgsql AS $body$
  BEGIN
    DELETE FROM underpass.queue WHERE account = OLD.account AND parent = OLD.id;
    RETURN NULL;
  END $body$;
  CREATE TRIGGER drop_queue AFTER DELETE ON underpass.documents
    FOR EACH ROW EXECUTE FUNCTION underpass.drop_queue();
  `,
  `
  -- Queues of deleted documents that have entries still: those are cleared some at a time, since a long queue takes seconds.
  CREATE TABLE underpass.deleted_queues (
    account TEXT COLLATE "C" NOT NULL,
    parent TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (account, parent)
  );
  CREATE FUNCTION underpass.delete_queue() RETURNS trigger LANGUAGE plpgsql AS $body$
  BEGIN
    -- In an order that only the index has: else a planner may read through all that waits for others.
    INSERT INTO underpass.deleted_queues (account, parent)
      SELECT account, parent FROM underpass.queue
      WHERE (account, parent, position) > (OLD.account, OLD.id, 0) AND (account, parent) <= (OLD.account, OLD.id)
      ORDER BY account, parent, position LIMIT 1
      ON CONFLICT DO NOTHING;
    RETURN NULL;
  END $body$;
  DROP TRIGGER drop_queue ON underpass.documents;
  DROP FUNCTION underpass.drop_queue;
  CREATE TRIGGER delete_queue AFTER DELETE ON underpass.documents
    FOR EACH ROW EXECUTE FUNCTION underpass.delete_queue();
  `,
  `
  -- A random mark for each transaction that wrote, at its last revision: the same revision with another mark is of another history.
  CREATE TABLE underpass.marks (
    revision BIGINT PRIMARY KEY,
    mark UUID NOT NULL
  );
  INSERT INTO underpass.marks SELECT revision, gen_random_uuid() FROM underpass.state;
  -- A trigger, so that daemons of an older version leave marks, too.
  CREATE FUNCTION underpass.leave_mark() RETURNS trigger LANGUAGE plpgsql AS $body$
  BEGIN
    INSERT INTO underpass.marks AS m (revision, mark) VALUES (NEW.revision, gen_random_uuid())
      ON CONFLICT ON CONSTRAINT marks_pkey DO UPDATE SET mark = excluded.mark;
    RETURN NULL;
  END $body$;
  CREATE TRIGGER leave_mark AFTER UPDATE ON underpass.state
    FOR EACH ROW WHEN (NEW.revision IS DISTINCT FROM OLD.revision) EXECUTE FUNCTION underpass.leave_mark();
  -- One row: the cluster and its timeline that took the last write of a daemon; '' before the first.
  CREATE TABLE underpass.server (identity TEXT COLLATE "C" NOT NULL);
  INSERT INTO underpass.server VALUES ('');
  `,
  `
  -- The daemons of this database and their tunnels: the directory. No backup has it. One row for each life of a daemon, which counts
  -- its renewals in the round. \`renewed\` is for people: no rule reads it.
  CREATE TABLE underpass.nodes (
    incarnation BIGINT PRIMARY KEY,
    facts JSONB NOT NULL,
    round BIGINT NOT NULL DEFAULT 0,
    started TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    renewed TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    dead TIMESTAMPTZ
  );
  -- Versions of keys and numbers of tunnels. Taken under the lock of the key, so those of one key grow in the order of commits.
  CREATE SEQUENCE underpass.versions;
  -- A name or port. The row is its lock, and outlives its tunnels. \`writer\` is the transaction that made the version.
  CREATE TABLE underpass.bound_names (
    key TEXT COLLATE "C" PRIMARY KEY,
    version BIGINT NOT NULL,
    writer XID8 NOT NULL DEFAULT pg_current_xact_id(),
    changed TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp()
  );
  CREATE INDEX bound_names_by_writer ON underpass.bound_names (writer);
  CREATE TABLE underpass.tunnels (
    number BIGINT PRIMARY KEY,
    key TEXT COLLATE "C" NOT NULL REFERENCES underpass.bound_names (key),
    incarnation BIGINT NOT NULL,
    account TEXT COLLATE "C" NOT NULL,
    credential TEXT COLLATE "C" NOT NULL,
    session TEXT COLLATE "C" NOT NULL,
    client TEXT COLLATE "C" NOT NULL,
    bind TEXT COLLATE "C" NOT NULL,
    slot TEXT COLLATE "C" NOT NULL,
    pooled BOOLEAN NOT NULL,
    facts JSONB NOT NULL,
    hold INTEGER NOT NULL,
    over BOOLEAN NOT NULL DEFAULT false,
    held_until TIMESTAMPTZ
  );
  CREATE INDEX tunnels_by_key ON underpass.tunnels (key);
  CREATE INDEX tunnels_by_incarnation ON underpass.tunnels (incarnation);
  `,
  `
  -- The reason why a row is over, unless a claim replaced it; and binds that ended for good, for daemons that know changes of them.
  ALTER TABLE underpass.tunnels ADD COLUMN over_by TEXT;
  ALTER TABLE underpass.bound_names ADD COLUMN forgotten JSONB NOT NULL DEFAULT '[]';
  `,
  `
  -- An operator has the daemon send its agents to others.
  ALTER TABLE underpass.nodes ADD COLUMN draining BOOLEAN NOT NULL DEFAULT false;
  `,
  `
  -- The oldest schema whose programs can use this one: OLDEST_PROGRAM of the program that made the last step.
  ALTER TABLE underpass.schema_version ADD COLUMN oldest INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- Texts beside the documents, which are in no change log: the audit trail, last uses, logins of visitors.
  CREATE TABLE underpass.notes (
    kind TEXT COLLATE "C" NOT NULL,
    account TEXT COLLATE "C" NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    revision BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (kind, account, key)
  );
  CREATE INDEX notes_by_age ON underpass.notes (kind, at);
  CREATE FUNCTION underpass.delete_notes() RETURNS trigger LANGUAGE plpgsql AS $body$
  BEGIN
    DELETE FROM underpass.notes WHERE kind = 'use' AND account = OLD.account AND key = OLD.id;
    IF OLD.kind = 'account' THEN
      DELETE FROM underpass.notes WHERE kind IN ('change', 'use', 'visit') AND account = OLD.id;
    END IF;
    RETURN NULL;
  END $body$;
  CREATE TRIGGER delete_notes AFTER DELETE ON underpass.documents
    FOR EACH ROW EXECUTE FUNCTION underpass.delete_notes();
  `,
  `
  -- Traffic by key and time, in blocks that only the daemon reads (insight/series). Each life of a daemon writes rows of its own.
  CREATE TABLE underpass.series (
    account TEXT COLLATE "C" NOT NULL,
    step BIGINT NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    start BIGINT NOT NULL,
    node TEXT COLLATE "C" NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (account, step, key, start, node)
  );
  -- The oldest first, to delete them.
  CREATE INDEX series_by_age ON underpass.series (step, start);
  CREATE FUNCTION underpass.drop_series() RETURNS trigger LANGUAGE plpgsql AS $body$
  BEGIN
    DELETE FROM underpass.series WHERE account = OLD.id;
    RETURN NULL;
  END $body$;
  CREATE TRIGGER drop_series AFTER DELETE ON underpass.documents
    FOR EACH ROW WHEN (OLD.kind = 'account') EXECUTE FUNCTION underpass.drop_series();
  `,
];

/**
 * The oldest schema whose programs can use the current one. A step adds only, so it need not change. A step that takes
 * something away names the first schema whose programs do without (`-- Contracts since N.`), and N is at most the number
 * before its own. This is the greatest N then. See decision 064; migrations.test.ts checks it.
 */
export const OLDEST_PROGRAM = 10;
/** The step that has made the column for it. */
const OLDEST_SINCE = 11;

export interface Schema {
  /** 0: there is none. */
  readonly version: number;
  /** The oldest schema whose programs can use it. */
  readonly oldest: number;
}

/** The lock that is held during the steps: "undp" in ASCII, an unlikely number of another program. */
const MIGRATION_LOCK = 0x756e6470;

/** It queries a table, because to_regclass may not see a table that was created during a wait for a lock. */
export async function schemaOf(client: Client): Promise<Schema> {
  const found = await client.query(
    "SELECT FROM pg_catalog.pg_tables WHERE schemaname = 'underpass' AND tablename = 'schema_version'",
  );
  if (found.rows.length === 0) return { version: 0, oldest: 0 };
  const { rows } = await client.query('SELECT to_jsonb(v) AS schema FROM underpass.schema_version v');
  const { version = 0, oldest = version } = (rows[0]?.schema ?? {}) as Partial<Schema>;
  return { version, oldest };
}

/**
 * Runs the missing steps, all or none. If many daemons start together, one does it and the others wait. Returns the
 * resulting schema, which is newer than this program's if a newer daemon was faster. Rejects with StoreOpenError if a
 * daemon that runs could not go on.
 */
export async function migrate(
  client: Client,
  steps: readonly string[] = migrations,
  oldest = OLDEST_PROGRAM,
): Promise<Schema> {
  await client.query('BEGIN');
  await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  const { version } = await schemaOf(client);
  if (version === 0) {
    await client.query(`
      CREATE SCHEMA IF NOT EXISTS underpass;
      CREATE TABLE underpass.schema_version (version INTEGER NOT NULL);
      INSERT INTO underpass.schema_version VALUES (0)`);
  } else if (version < steps.length) {
    await requireNoOlderDaemon(client, oldest);
    await lockTables(client);
  }
  for (const step of steps.slice(version)) await client.query(step);
  if (version < steps.length) await setSchema(client, { version: steps.length, oldest });
  await client.query('COMMIT');
  return await schemaOf(client);
}

async function setSchema(client: Client, { version, oldest }: Schema): Promise<void> {
  await client.query('UPDATE underpass.schema_version SET version = $1', [version]);
  if (version < OLDEST_SINCE) return;
  await client.query('UPDATE underpass.schema_version SET oldest = greatest(oldest, $1)', [oldest]);
}
