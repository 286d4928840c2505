/**
 * Applies batches to the database: documents, links, names, queues and change log.
 * Invariant: the rules of `WriteOperation` are those of the model in the conformance suite, and a refused batch changes
 * nothing.
 *
 * The rules are functions of the server, so that a group of batches takes one round trip while it holds the lock. The
 * functions are temporary and belong to a connection, so that daemons of different versions can share a database.
 */
import type { Client } from 'pg';
import { DOCUMENT_FORMAT } from '../format.ts';
import { EXCLUDE } from './exclusion.ts';

/** Users of a document that an `in-use` conflict names at most. */
const NAMED_USERS = 100;
/** Revisions by which the log is shortened at a time. */
const COMPACTION_STEP = 1000;
/**
 * Revisions and positions to skip, more than a standby can lag behind. A random number of the same size is added, so
 * that two histories that both skip differ.
 */
const SKIP = 1_000_000_000;
/** An SQL state outside the classes of the server. */
const REFUSED = 'UP001';

const FUNCTIONS = `
CREATE FUNCTION pg_temp.refuse(conflict jsonb) RETURNS void LANGUAGE plpgsql AS $body$
BEGIN
  RAISE EXCEPTION USING ERRCODE = '${REFUSED}', MESSAGE = 'refused', DETAIL = conflict::text;
END $body$;

CREATE FUNCTION pg_temp.apply_operation(operation jsonb, mark bigint) RETURNS void LANGUAGE plpgsql AS $body$
DECLARE
  subject text COLLATE "C" := operation->>'id';
  owner text COLLATE "C";
  class text COLLATE "C";
  written bigint;
  superior text COLLATE "C" := operation->>'parent';
  members text[];
  users jsonb;
  entry jsonb;
  holder record;
BEGIN
  SELECT d.account, d.kind, d.revision INTO owner, class, written FROM underpass.documents d WHERE d.id = subject;
  IF operation->>'op' = 'insert' THEN
    IF FOUND THEN PERFORM pg_temp.refuse(jsonb_build_object('reason', 'stale', 'id', subject)); END IF;
    owner := operation->>'account';
    class := operation->>'kind';
    IF superior IS NOT NULL AND NOT EXISTS (
      SELECT FROM underpass.documents d WHERE d.id = superior AND d.account = owner
    ) THEN
      PERFORM pg_temp.refuse(jsonb_build_object('reason', 'parent-missing', 'id', superior));
    END IF;
    INSERT INTO underpass.documents (id, account, kind, parent, body, format, revision)
      VALUES (subject, owner, class, superior, operation->>'body', ${DOCUMENT_FORMAT}, mark);
  ELSE
    IF written IS DISTINCT FROM (operation->>'revision')::bigint THEN
      PERFORM pg_temp.refuse(jsonb_build_object('reason', 'stale', 'id', subject));
    END IF;
    IF operation->>'op' = 'delete' THEN
      -- The document with all that lives and dies with it.
      WITH RECURSIVE tree (id) AS (
        SELECT subject
        UNION SELECT child.id FROM underpass.documents child JOIN tree ON child.parent = tree.id
      ) SELECT array_agg(tree.id) INTO members FROM tree;
      SELECT jsonb_agg(u.source ORDER BY u.source) INTO users FROM (
        SELECT DISTINCT l.source FROM underpass.links l
        WHERE l.target = ANY (members) AND l.binding AND l.source <> ALL (members)
        ORDER BY l.source LIMIT ${NAMED_USERS}
      ) u;
      IF users IS NOT NULL THEN
        PERFORM pg_temp.refuse(jsonb_build_object('reason', 'in-use', 'id', subject, 'by', users));
      END IF;
      INSERT INTO underpass.changes AS c (revision, id, account, kind, deleted)
        SELECT mark, d.id, d.account, d.kind, true FROM underpass.documents d WHERE d.id = ANY (members)
        ON CONFLICT ON CONSTRAINT changes_pkey DO UPDATE SET deleted = true;
      -- Links and names go with them (foreign keys with ON DELETE CASCADE); queues are to be cleared (a trigger).
      DELETE FROM underpass.documents d WHERE d.id = ANY (members);
      RETURN;
    END IF;
    UPDATE underpass.documents d SET body = operation->>'body', format = ${DOCUMENT_FORMAT}, revision = mark WHERE d.id = subject;
    -- A rewrite brings neither, and leaves what is there.
    IF operation->>'op' = 'replace' AND NOT operation ? 'dropped' THEN
      DELETE FROM underpass.names n WHERE n.id = subject;
      DELETE FROM underpass.links l WHERE l.source = subject;
    ELSIF operation->>'op' = 'replace' THEN
      DELETE FROM underpass.names n USING jsonb_array_elements(operation->'dropped'->'names') gone
        WHERE n.kind = gone->>'kind' AND n.value = gone->>'value' AND n.id = subject;
      -- Links that are given come back, as this version has them. A string of the body that is an id stands in it as it is, in quotes.
      DELETE FROM underpass.links l WHERE l.source = subject AND (
        strpos(operation->>'body', '"' || l.target || '"') = 0 OR EXISTS (
          SELECT FROM jsonb_array_elements((operation->'dropped'->'links') || (operation->'links')) known
          WHERE known->>'field' = l.field AND known->>'to' = l.target
        )
      );
    END IF;
  END IF;

  INSERT INTO underpass.changes AS c (revision, id, account, kind, deleted) VALUES (mark, subject, owner, class, false)
    ON CONFLICT ON CONSTRAINT changes_pkey DO UPDATE SET deleted = false;

  FOR entry IN SELECT jsonb_array_elements(operation->'names') LOOP
    INSERT INTO underpass.names AS n (kind, value, id) VALUES (entry->>'kind', entry->>'value', subject)
      ON CONFLICT DO NOTHING;
    CONTINUE WHEN FOUND;
    SELECT d.id, d.account INTO holder FROM underpass.names n JOIN underpass.documents d ON d.id = n.id
      WHERE n.kind = entry->>'kind' AND n.value = entry->>'value';
    IF holder.id <> subject THEN
      PERFORM pg_temp.refuse(jsonb_build_object(
        'reason', 'name-taken', 'claim', entry, 'by', holder.id, 'account', holder.account));
    END IF;
  END LOOP;

  FOR entry IN SELECT jsonb_array_elements(operation->'links') LOOP
    IF (entry->>'binding')::boolean AND NOT EXISTS (
      SELECT FROM underpass.documents d WHERE d.id = entry->>'to' AND d.account = owner
    ) THEN
      PERFORM pg_temp.refuse(jsonb_build_object(
        'reason', 'link-target-missing', 'field', entry->>'field', 'to', entry->>'to'));
    END IF;
    INSERT INTO underpass.links AS l (source, field, target, binding)
      VALUES (subject, entry->>'field', entry->>'to', (entry->>'binding')::boolean)
      ON CONFLICT ON CONSTRAINT links_pkey DO UPDATE SET binding = l.binding OR excluded.binding;
  END LOOP;
END $body$;

CREATE FUNCTION pg_temp.enqueue(entry jsonb, given bigint) RETURNS void LANGUAGE plpgsql AS $body$
DECLARE
  superior text COLLATE "C" := entry->>'parent';
BEGIN
  INSERT INTO underpass.queue (position, account, parent, body)
    SELECT given, d.account, d.id, entry->>'text' FROM underpass.documents d
    WHERE d.id = superior AND d.account = entry->>'account';
  IF NOT FOUND THEN
    PERFORM pg_temp.refuse(jsonb_build_object('reason', 'parent-missing', 'id', superior));
  END IF;
END $body$;

CREATE FUNCTION pg_temp.dequeue(positions jsonb) RETURNS void LANGUAGE plpgsql AS $body$
BEGIN
  DELETE FROM underpass.queue q
    WHERE q.position = ANY (ARRAY(SELECT jsonb_array_elements_text(positions)::bigint));
END $body$;

CREATE FUNCTION pg_temp.clear(most bigint) RETURNS void LANGUAGE plpgsql AS $body$
BEGIN
  -- Ranges of the index of queues, as the reader has them.
  DELETE FROM underpass.queue WHERE position IN (
    SELECT entry.position FROM underpass.deleted_queues d CROSS JOIN LATERAL (
      SELECT q.position FROM underpass.queue q
      WHERE (q.account, q.parent, q.position) > (d.account, d.parent, 0) AND (q.account, q.parent) <= (d.account, d.parent)
      ORDER BY q.account, q.parent, q.position LIMIT most
    ) entry LIMIT most
  );
  DELETE FROM underpass.deleted_queues d WHERE (
    SELECT q.position FROM underpass.queue q
    WHERE (q.account, q.parent, q.position) > (d.account, d.parent, 0) AND (q.account, q.parent) <= (d.account, d.parent)
    ORDER BY q.account, q.parent, q.position LIMIT 1
  ) IS NULL;
END $body$;

CREATE FUNCTION pg_temp.apply_note(operation jsonb, mark bigint) RETURNS void LANGUAGE plpgsql AS $body$
DECLARE
  class text COLLATE "C" := operation->>'kind';
  owner text COLLATE "C" := operation->>'account';
  subject text COLLATE "C" := operation->>'key';
BEGIN
  CASE operation->>'op'
    WHEN 'note' THEN
      INSERT INTO underpass.notes AS n (kind, account, key, at, revision, body)
        SELECT class, owner, subject, (operation->>'at')::bigint, mark, operation->>'text'
        WHERE NOT (operation->>'needsDocument')::boolean OR EXISTS (
          SELECT FROM underpass.documents d WHERE d.id = subject AND d.account = owner
        )
        ON CONFLICT ON CONSTRAINT notes_pkey DO UPDATE
          SET at = excluded.at, revision = excluded.revision, body = excluded.body WHERE excluded.at >= n.at;
    WHEN 'forget' THEN
      DELETE FROM underpass.notes n WHERE n.kind = class AND n.account = owner AND n.key = subject;
    WHEN 'expire' THEN
      DELETE FROM underpass.notes n WHERE (n.kind, n.account, n.key) IN (
        SELECT o.kind, o.account, o.key FROM underpass.notes o
        WHERE o.kind = class AND o.at < (operation->>'before')::bigint
        ORDER BY o.kind, o.at LIMIT (operation->>'most')::bigint
      );
    WHEN 'trim' THEN
      DELETE FROM underpass.notes n WHERE n.kind = class AND n.account = owner AND n.key IN (
        SELECT o.key FROM underpass.notes o WHERE o.kind = class AND o.account = owner AND o.key <= (
          SELECT k.key FROM underpass.notes k WHERE k.kind = class AND k.account = owner
          ORDER BY k.key DESC LIMIT 1 OFFSET (operation->>'keep')::bigint
        ) ORDER BY o.key LIMIT (operation->>'most')::bigint
      );
  END CASE;
END $body$;

CREATE FUNCTION pg_temp.keep_series(blocks jsonb) RETURNS void LANGUAGE plpgsql AS $body$
BEGIN
  INSERT INTO underpass.series AS s (account, step, key, start, node, body)
    SELECT b.account, b.step, b.key, b.start, b.node, b.body
    FROM jsonb_to_recordset(blocks) AS b (account text, step bigint, key text, start bigint, node text, body text)
    WHERE EXISTS (SELECT FROM underpass.documents d WHERE d.id = b.account)
    ON CONFLICT ON CONSTRAINT series_pkey DO UPDATE SET body = excluded.body;
END $body$;

CREATE FUNCTION pg_temp.drop_series(resolution bigint, age bigint, most bigint) RETURNS void LANGUAGE plpgsql AS $body$
BEGIN
  DELETE FROM underpass.series WHERE ctid = ANY (ARRAY(
    SELECT s.ctid FROM underpass.series s WHERE s.step = resolution AND s.start < age ORDER BY s.step, s.start LIMIT most
  ));
END $body$;

-- Goes on far beyond every revision and position that another history can have given, and makes followers list anew.
CREATE FUNCTION pg_temp.skip() RETURNS void LANGUAGE plpgsql AS $body$
DECLARE
  step bigint := ${SKIP} + floor(random() * ${SKIP})::bigint;
BEGIN
  -- Rows of writers stay: a daemon may be about to look up what became of its last commit.
  UPDATE underpass.state SET revision = revision + step, compacted = revision + step, queued = queued + step;
END $body$;

CREATE FUNCTION pg_temp.apply_group(
  batches jsonb, retained bigint, writer text, here text, known bigint, known_mark uuid
) RETURNS jsonb LANGUAGE plpgsql AS $body$
DECLARE
  before bigint;
  mark bigint;
  cut bigint;
  newest text COLLATE "C";
  given bigint;
  batch jsonb;
  operation jsonb;
  conflict text;
  kinds jsonb;
  outcomes jsonb := '[]';
  served text COLLATE "C";
  found_mark uuid;
  has_skipped boolean := false;
BEGIN
  IF here IS NOT NULL THEN
    SELECT s.identity INTO served FROM underpass.server s;
    IF served <> here THEN
      has_skipped := served <> '';
      IF has_skipped THEN PERFORM pg_temp.skip(); END IF;
      UPDATE underpass.server SET identity = here;
    END IF;
  END IF;
  -- What has been known for longer than the marks reach back is not judged.
  IF known IS NOT NULL AND known >= (SELECT min(m.revision) FROM underpass.marks m) THEN
    SELECT m.mark INTO found_mark FROM underpass.marks m WHERE m.revision >= known ORDER BY m.revision LIMIT 1;
    IF found_mark IS DISTINCT FROM known_mark THEN
      IF NOT has_skipped THEN PERFORM pg_temp.skip(); END IF;
      SELECT s.revision INTO mark FROM underpass.state s;
      RETURN jsonb_build_object('foreign', true, 'outcomes', '[]'::jsonb, 'revision', mark, 'kinds', '[]'::jsonb);
    END IF;
  END IF;
  SELECT s.revision, s.compacted, s.last_id, s.queued INTO before, cut, newest, given FROM underpass.state s;
  mark := before;
  FOR batch IN SELECT jsonb_array_elements(batches) LOOP
    BEGIN
      FOR operation IN SELECT jsonb_array_elements(batch->'operations') LOOP
        CASE operation->>'op'
          WHEN 'enqueue' THEN
            given := given + 1;
            PERFORM pg_temp.enqueue(operation, given);
          WHEN 'dequeue' THEN PERFORM pg_temp.dequeue(operation->'positions');
          WHEN 'clear' THEN PERFORM pg_temp.clear((operation->>'most')::bigint);
          WHEN 'keep_series' THEN PERFORM pg_temp.keep_series(operation->'rows');
          WHEN 'drop_series' THEN PERFORM pg_temp.drop_series(
            (operation->>'step')::bigint, (operation->>'before')::bigint, (operation->>'most')::bigint);
          WHEN 'exclude' THEN PERFORM pg_temp.exclude(operation);
          WHEN 'note', 'forget', 'expire', 'trim' THEN PERFORM pg_temp.apply_note(operation, mark + 1);
          ELSE PERFORM pg_temp.apply_operation(operation, mark + 1);
        END CASE;
      END LOOP;
      mark := mark + 1;
      newest := greatest(newest, batch->>'lastId');
      outcomes := outcomes || jsonb_build_object('revision', mark);
    EXCEPTION WHEN SQLSTATE '${REFUSED}' THEN
      GET STACKED DIAGNOSTICS conflict = PG_EXCEPTION_DETAIL;
      outcomes := outcomes || jsonb_build_object('conflict', conflict::jsonb);
    END;
  END LOOP;
  IF mark > before THEN
    SELECT jsonb_agg(DISTINCT c.kind) INTO kinds FROM underpass.changes c WHERE c.revision > before;
    IF mark - retained >= cut + least(${COMPACTION_STEP}, retained) THEN
      cut := mark - retained;
      DELETE FROM underpass.changes c WHERE c.revision <= cut;
      DELETE FROM underpass.writers w WHERE w.revision <= cut;
      DELETE FROM underpass.marks m WHERE m.revision < cut;
    END IF;
    UPDATE underpass.state SET revision = mark, compacted = cut, last_id = newest, queued = given;
    INSERT INTO underpass.writers AS w (origin, revision) VALUES (writer, mark)
      ON CONFLICT ON CONSTRAINT writers_pkey DO UPDATE SET revision = excluded.revision;
    -- Delivered at the commit, and only then.
    PERFORM pg_notify('underpass', writer);
  END IF;
  SELECT m.mark INTO found_mark FROM underpass.marks m ORDER BY m.revision DESC LIMIT 1;
  RETURN jsonb_build_object('outcomes', outcomes, 'revision', mark, 'mark', found_mark, 'kinds', coalesce(kinds, '[]'));
END $body$;
`;

export async function installFunctions(client: Client): Promise<void> {
  await client.query(FUNCTIONS);
  await client.query(EXCLUDE);
}

export const APPLY_GROUP = {
  name: 'apply-group',
  text: 'SELECT pg_temp.apply_group($1::jsonb, $2::bigint, $3, $4, $5::bigint, $6::uuid) AS answer',
};
