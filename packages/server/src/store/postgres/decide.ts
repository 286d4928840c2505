/**
 * The decision on a claim of a name or port, as a function of the server: the database decides under the lock of the
 * key. The rules are those of tunnels/directory, and a property of its tests compares both.
 *
 * `rows` is an array of objects with the columns below, `wish` such an object. Times are milliseconds since 1970 by the
 * server's clock. The result has `outcome`. If it is `refused`, `rival` is a number and `until` the end of its hold;
 * null: it is online. If it is `granted`, `replaces`, `joins` and `frees` are numbers.
 */
import type { Client } from 'pg';

/** `known`: the database has a row of the daemon. `dead`: when that was declared dead. */
const COLUMNS = `number bigint, account text, credential text, session text, client text, bind text, slot text,
  pooled boolean, "over" boolean, held_until double precision, hold double precision, known boolean,
  dead double precision`;

/** Temporary, like the functions that apply writes, because daemons of different versions can share a database. */
const FUNCTION = `
CREATE FUNCTION pg_temp.decide(rows jsonb, wish jsonb, clock double precision) RETURNS jsonb LANGUAGE plpgsql AS $body$
BEGIN
  RETURN (WITH held AS (
    SELECT r.*, CASE
      WHEN r.held_until IS NOT NULL THEN r.held_until
      WHEN NOT r.known THEN '-infinity'
      WHEN r.dead IS NULL THEN NULL
      WHEN r."over" THEN r.dead
      ELSE r.dead + r.hold
    END AS until
    FROM jsonb_to_recordset(rows) AS r (${COLUMNS})
  ), shared AS (
    SELECT h.*, w.credential = h.credential AS own, w.session = h.session AND w.bind = h.bind AS same_bind,
      w.slot = h.slot AND h.until IS NULL AND NOT h."over" AS beside,
      w.account = h.account AND (
        w.pooled AND h.pooled OR w.credential = h.credential AND w.client = h.client AND w.session <> h.session
      ) AS shares
    FROM held h, jsonb_to_record(wish) AS w (${COLUMNS})
  ), rival AS (
    SELECT s.number, s.until FROM shared s
    WHERE NOT s.own AND NOT s.shares AND (s.until IS NULL OR s.until > clock)
    ORDER BY s.number LIMIT 1
  ), effect AS (
    SELECT s.number, s.until IS NOT NULL AS freed, coalesce(s.beside, false) AS beside,
      s.same_bind OR s.own AND NOT s.shares AS replaced
    FROM shared s
  )
  SELECT coalesce(
    (SELECT jsonb_build_object('outcome', 'refused', 'rival', v.number, 'until', v.until) FROM rival v),
    (SELECT jsonb_build_object('outcome', 'granted',
      'replaces', coalesce(jsonb_agg(e.number ORDER BY e.number) FILTER (WHERE e.beside AND e.replaced), '[]'),
      'joins', coalesce(jsonb_agg(e.number ORDER BY e.number) FILTER (WHERE e.beside AND NOT e.replaced), '[]'),
      'frees', coalesce(jsonb_agg(e.number ORDER BY e.number) FILTER (WHERE e.freed), '[]'))
    FROM effect e)
  ));
END $body$;
`;

/** Installs the function for this connection only, until it ends. */
export async function installDecide(client: Client): Promise<void> {
  await client.query(FUNCTION);
}
