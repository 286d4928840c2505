/**
 * Counts admissions in the database. One function of the server decides in one round trip.
 * Invariant: concurrent callers never exceed the limit.
 *
 * Admissions of a key are numbered. Another one is possible if the one `limit` numbers back is older than the window,
 * so the cost does not depend on the limit. A clock that was set back frees a key once. Otherwise it would block the
 * key until the old time is reached.
 */
import type { Client } from 'pg';

export const WINDOW_MS = 60_000;

/** The first half of the advisory lock numbers: "undr", unlike those of other uses. */
const LOCKS = 0x756e6472;

/** Temporary, like the functions that apply writes, because daemons of different versions can share a database. */
const FUNCTION = `
CREATE FUNCTION pg_temp.admit(keys text[], most bigint) RETURNS double precision[] LANGUAGE plpgsql AS $body$
DECLARE
  waits double precision[] := array_fill(NULL::double precision, ARRAY[cardinality(keys)]);
  subject text COLLATE "C";
  place bigint;
  last bigint;
  age double precision;
BEGIN
  -- Everybody takes locks in one order, so that nobody waits in a circle.
  FOR subject, place IN
    SELECT k.key, k.place FROM unnest(keys) WITH ORDINALITY k (key, place) ORDER BY hashtext(k.key), k.key, k.place
  LOOP
    PERFORM pg_advisory_xact_lock(${LOCKS}, hashtext(subject));
    SELECT a.number INTO last FROM underpass.admissions a WHERE a.key = subject ORDER BY a.number DESC LIMIT 1;
    last := coalesce(last, 0);
    SELECT extract(epoch FROM clock_timestamp() - a.at) * 1000 INTO age
      FROM underpass.admissions a WHERE a.key = subject AND a.number = last + 1 - most;
    IF age IS NOT NULL AND abs(age) < ${WINDOW_MS} THEN
      waits[place] := least(${WINDOW_MS} - age, ${WINDOW_MS});
    ELSE
      INSERT INTO underpass.admissions VALUES (subject, last + 1, clock_timestamp());
    END IF;
  END LOOP;
  RETURN waits;
END $body$;
`;

/** Removes the newest admission of each key, whichever caller it was for, so that the numbers have no gap. */
const RELEASE_FUNCTION = `
CREATE FUNCTION pg_temp.release(keys text[]) RETURNS void LANGUAGE plpgsql AS $body$
DECLARE
  subject text COLLATE "C";
BEGIN
  FOR subject IN SELECT k FROM unnest(keys) k ORDER BY hashtext(k), k
  LOOP
    PERFORM pg_advisory_xact_lock(${LOCKS}, hashtext(subject));
    DELETE FROM underpass.admissions a
      WHERE a.key = subject AND a.number = (SELECT max(b.number) FROM underpass.admissions b WHERE b.key = subject);
  END LOOP;
END $body$;
`;

/** Installs the functions for this connection only, until it ends. */
export async function installAdmit(client: Client): Promise<void> {
  await client.query(FUNCTION);
  await client.query(RELEASE_FUNCTION);
}

export const ADMIT = { name: 'admit', text: 'SELECT pg_temp.admit($1::text[], $2::bigint) AS waits' };

export const RELEASE = { name: 'release', text: 'SELECT pg_temp.release($1::text[])' };

export const USED = {
  name: 'used',
  text: `
  SELECT count(*) AS used FROM underpass.admissions
  WHERE key = $1 AND abs(extract(epoch FROM clock_timestamp() - at) * 1000) < ${WINDOW_MS}`,
};

export const SWEEP = `
  DELETE FROM underpass.admissions
  WHERE at NOT BETWEEN clock_timestamp() - interval '${WINDOW_MS} ms' AND clock_timestamp() + interval '${WINDOW_MS} ms'`;
