/**
 * Names of reservations and of tunnels exclude each other over all daemons.
 * Invariant: a claim and a write that gives its name to another account are decided one after the other. Each sees the other.
 *
 * Claims hold one lock together. A write that gives names away holds it alone until its commit.
 */

/** An advisory lock: "undx" in ASCII. */
const LOCK = 0x756e6478;

/** Part of a function: no write gives a name away until the end of the transaction. */
export const SHARE_NAMES = `PERFORM pg_advisory_xact_lock_shared(${LOCK});`;

/** The end of a hold is that of `decide`: a daemon that was declared dead has let its tunnels go at that moment. */
export const EXCLUDE = `
CREATE FUNCTION pg_temp.exclude(operation jsonb) RETURNS void LANGUAGE plpgsql AS $body$
DECLARE
  entry jsonb;
  place bigint;
  owner text COLLATE "C" := operation->>'account';
  keys text[] COLLATE "C";
  ending text COLLATE "C";
  is_online boolean;
BEGIN
  PERFORM pg_advisory_xact_lock(${LOCK});
  FOR entry, place IN
    SELECT e.value, e.ordinality - 1 FROM jsonb_array_elements(operation->'names') WITH ORDINALITY e
  LOOP
    keys := ARRAY(SELECT jsonb_array_elements_text(entry->'keys'));
    ending := entry->>'below';
    WITH overlapping AS (
      SELECT t.* FROM underpass.tunnels t WHERE t.key = ANY (keys)
      UNION ALL
      SELECT t.* FROM underpass.tunnels t
        WHERE ending IS NOT NULL AND right(t.key, length(ending)) = ending AND t.key <> ALL (keys)
    ), living AS (
      SELECT o.account, o.slot, o."over", CASE
        WHEN o.held_until IS NOT NULL THEN o.held_until
        WHEN n.incarnation IS NULL THEN '-infinity'
        WHEN n.dead IS NULL THEN NULL
        WHEN o."over" THEN n.dead
        ELSE n.dead + o.hold * interval '1 ms'
      END AS until
      FROM overlapping o LEFT JOIN underpass.nodes n ON n.incarnation = o.incarnation
    )
    SELECT bool_or(l.until IS NULL) INTO is_online FROM living l
      WHERE l.account <> owner AND (l.until IS NULL OR l.until > clock_timestamp())
        OR l.account = owner AND (entry->>'includesOwn')::boolean
          AND l.slot = keys[1] AND l.until IS NULL AND NOT l."over";
    CONTINUE WHEN is_online IS NULL;
    PERFORM pg_temp.refuse(jsonb_build_object(
      'reason', 'occupied', 'at', place, 'how', CASE WHEN is_online THEN 'online' ELSE 'held' END));
  END LOOP;
END $body$;
`;

/**
 * Part of a function: sets `reserved` to an object that has, by the number of a change, the account whose document has
 * the name of the claim. The nearest document decides. Each name is one look-up in an index, whatever the plan.
 */
export const FIND_RESERVED = `
  SELECT jsonb_object_agg(c.ordinality, holder.account) INTO reserved
    FROM jsonb_array_elements(changes) WITH ORDINALITY c
    CROSS JOIN LATERAL (
      SELECT d.account, d.kind FROM jsonb_array_elements(c.value->'unless'->'names') WITH ORDINALITY e
        CROSS JOIN LATERAL (
          SELECT n.id FROM underpass.names n WHERE n.kind = e.value->>'kind' AND n.value = e.value->>'value' OFFSET 0
        ) n
        CROSS JOIN LATERAL (SELECT d.account, d.kind FROM underpass.documents d WHERE d.id = n.id OFFSET 0) d
      ORDER BY e.ordinality LIMIT 1
    ) holder
    WHERE holder.account <> c.value->'wish'->>'account' OR NOT c.value->'unless'->'open' ? holder.kind;`;
