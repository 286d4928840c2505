/**
 * The directory in the database: daemons, and tunnels by name or port. Claims and their end are functions of the server,
 * each in one transaction under the lock of the key. They never wait for writers of documents.
 * Invariant: only its own daemon deletes the row of a tunnel, or a claim, if nothing serves the tunnel any more.
 */
import type { Client } from 'pg';
import type { NameClaim } from '../store.ts';
import { installDecide } from './decide.ts';
import { FIND_RESERVED, SHARE_NAMES } from './exclusion.ts';
import { migrations } from './migrations.ts';
import { buryIsolated, DIRECTORY_CHANNEL, insertNode, nodesOver, type StoredNode } from './node-rows.ts';
import { jsonbOf } from './text.ts';

/** Facts of a bind that decide about claims, and those that only other daemons read. */
export interface ClaimedTunnel {
  readonly account: string;
  readonly credential: string;
  readonly session: string;
  readonly client: string;
  readonly bind: string;
  readonly slot: string;
  readonly pooled: boolean;
  readonly facts: object;
  /** Milliseconds for which the name is held after the agent has left. */
  readonly hold: number;
}

/** Its agent ended it on another connection, or has connected again. */
export type OverReason = 'unbind' | 'session';

/** The part of a row that may change. */
export type UpdatedTunnel = Pick<ClaimedTunnel, 'session' | 'bind' | 'pooled' | 'facts'>;

/** A bind of an agent, over all its connections. */
export interface StoredPlace {
  readonly account: string;
  readonly client: string;
  readonly bind: string;
  readonly slot: string;
}

export interface StoredTunnel extends ClaimedTunnel {
  readonly number: number;
  readonly incarnation: number;
  readonly over: boolean;
  /** Null: a claim has replaced it, or it is not over. */
  readonly over_by: OverReason | null;
  /** Milliseconds since 1970, by the server's clock; null: it is not held. */
  readonly held_until: number | null;
}

/** The tunnels of a key. A higher version is newer. */
export interface StoredKey {
  readonly key: string;
  readonly version: number;
  readonly tunnels: readonly StoredTunnel[];
  /** The last binds that have ended for good after their agents had changed them, with the version of that. */
  readonly forgotten: readonly (StoredPlace & { readonly version: number })[];
}

export type ClaimAnswer =
  | (StoredKey & { readonly outcome: 'granted'; readonly number: number })
  /** Milliseconds until the name is free; null: its tunnel is online. */
  | { readonly outcome: 'refused'; readonly rival: StoredTunnel; readonly wait: number | null }
  /** A document of this account has the name. */
  | { readonly outcome: 'reserved'; readonly account: string }
  /** The daemon was declared dead. */
  | { readonly outcome: 'dead' };

/** Names of documents that refuse a claim. Of those that are taken, the first one decides. */
export interface Reserved {
  readonly names: readonly NameClaim[];
  /** Kinds of documents whose own account may claim the name. */
  readonly open: readonly string[];
}

export interface TunnelEnd {
  readonly key: string;
  readonly number: number;
  /** Its name is held for its credential. */
  readonly kept: boolean;
  /** Changes by its agent are to be forgotten. */
  readonly forgotten: boolean;
}

/** A claim, the end of a tunnel that the daemon has ended, other facts of its tunnel, or the end of another daemon's. */
export type DirectoryChange =
  | { readonly key: string; readonly wish: ClaimedTunnel; readonly unless?: Reserved }
  | TunnelEnd
  | { readonly key: string; readonly number: number; readonly update: UpdatedTunnel }
  | {
      readonly key: string;
      readonly number: number;
      readonly over: OverReason;
      readonly credential: string;
    };

/** A daemon, as other daemons follow it. */
export interface KnownRow extends Pick<StoredNode, 'incarnation' | 'facts' | 'draining'> {
  readonly dead: boolean;
}

/** A state of the directory, or the keys that have changed since another one. */
export interface DirectoryChanges {
  readonly keys: readonly StoredKey[];
  /** All daemons. */
  readonly nodes: readonly KnownRow[];
  /** The argument of the next call of `changes`. */
  readonly seen: string;
}

/** Names and values of an object for a row of tunnels `t`. */
const FIELDS = [
  ...[
    'number',
    'incarnation',
    'account',
    'credential',
    'session',
    'client',
    'bind',
    'slot',
    'pooled',
    'facts',
    'hold',
  ],
  ...['over', 'over_by'],
]
  .map((column) => `'${column}', t."${column}"`)
  .concat(`'held_until', extract(epoch FROM t.held_until) * 1000`)
  .join(', ');
const SHOWN = `jsonb_build_object(${FIELDS})`;

const FUNCTIONS = `
CREATE FUNCTION pg_temp.tunnels_of(subject text) RETURNS jsonb LANGUAGE plpgsql AS $body$
BEGIN
  RETURN coalesce((SELECT jsonb_agg(${SHOWN} ORDER BY t.number) FROM underpass.tunnels t WHERE t.key = subject), '[]');
END $body$;

CREATE FUNCTION pg_temp.raise_version(subject text) RETURNS bigint LANGUAGE plpgsql AS $body$
DECLARE
  made bigint := nextval('underpass.versions');
BEGIN
  UPDATE underpass.bound_names b
    SET version = made, writer = pg_current_xact_id(), changed = clock_timestamp() WHERE b.key = subject;
  RETURN made;
END $body$;

-- Keys of labelled tunnels and sessions: no two daemons have the same one.
CREATE FUNCTION pg_temp.is_own_key(subject text) RETURNS boolean IMMUTABLE LANGUAGE sql AS $body$
  SELECT starts_with(subject, 'label:') OR starts_with(subject, 'session:')
$body$;

-- Inserts the tunnel of a claim that is granted, with the version of its key as its number.
CREATE FUNCTION pg_temp.insert_tunnel(subject text, made bigint, daemon bigint, wish jsonb)
RETURNS jsonb LANGUAGE plpgsql AS $body$
DECLARE
  answer jsonb;
BEGIN
  INSERT INTO underpass.tunnels
    (number, key, incarnation, account, credential, session, client, bind, slot, pooled, facts, hold)
    SELECT made, subject, daemon, w.account, w.credential, w.session, w.client, w.bind, w.slot, w.pooled, w.facts, w.hold
    FROM jsonb_to_record(wish) w (account text, credential text, session text, client text, bind text, slot text,
      pooled boolean, facts jsonb, hold integer);
  SELECT jsonb_build_object('outcome', 'granted', 'number', made, 'key', subject, 'version', made,
      'forgotten', b.forgotten, 'tunnels', pg_temp.tunnels_of(subject))
    INTO answer FROM underpass.bound_names b WHERE b.key = subject;
  RETURN answer;
END $body$;

-- The version is taken under the lock of the key. A key that is new is locked by its insertion, and has no tunnels.
CREATE FUNCTION pg_temp.claim(subject text, daemon bigint, wish jsonb) RETURNS jsonb LANGUAGE plpgsql AS $body$
DECLARE
  made bigint := nextval('underpass.versions');
  clock double precision;
  found_rows jsonb;
  decision jsonb;
  is_new boolean;
BEGIN
  INSERT INTO underpass.bound_names (key, version) VALUES (subject, made) ON CONFLICT DO NOTHING;
  is_new := FOUND;
  IF NOT is_new THEN PERFORM FROM underpass.bound_names b WHERE b.key = subject FOR UPDATE; END IF;
  PERFORM FROM underpass.nodes n WHERE n.incarnation = daemon AND n.dead IS NULL;
  IF NOT FOUND THEN RETURN jsonb_build_object('outcome', 'dead'); END IF;
  IF is_new THEN RETURN pg_temp.insert_tunnel(subject, made, daemon, wish); END IF;
  IF pg_temp.is_own_key(subject) THEN
    RETURN pg_temp.insert_tunnel(subject, pg_temp.raise_version(subject), daemon, wish);
  END IF;
  clock := extract(epoch FROM clock_timestamp()) * 1000;
  SELECT jsonb_agg(${SHOWN} || jsonb_build_object(
      'known', n.incarnation IS NOT NULL, 'dead', extract(epoch FROM n.dead) * 1000))
    INTO found_rows
    FROM underpass.tunnels t LEFT JOIN underpass.nodes n ON n.incarnation = t.incarnation WHERE t.key = subject;
  IF found_rows IS NOT NULL THEN
    decision := pg_temp.decide(found_rows, wish, clock);
    IF decision->>'outcome' = 'refused' THEN
      RETURN jsonb_build_object('outcome', 'refused', 'wait', (decision->>'until')::double precision - clock,
        'rival', (SELECT ${SHOWN} FROM underpass.tunnels t WHERE t.number = (decision->>'rival')::bigint));
    END IF;
    DELETE FROM underpass.tunnels t WHERE t.number IN (SELECT jsonb_array_elements_text(decision->'frees')::bigint);
    UPDATE underpass.tunnels t SET over = true
      WHERE t.number IN (SELECT jsonb_array_elements_text(decision->'replaces')::bigint);
  END IF;
  RETURN pg_temp.insert_tunnel(subject, pg_temp.raise_version(subject), daemon, wish);
END $body$;

-- A tunnel that is alone is held, if it is to be kept. Another daemon's is left alone.
CREATE FUNCTION pg_temp.give_up(given bigint, daemon bigint, kept boolean, forgets boolean)
RETURNS void LANGUAGE plpgsql AS $body$
DECLARE
  subject text COLLATE "C";
  own underpass.tunnels;
  made bigint;
BEGIN
  SELECT t.key INTO subject FROM underpass.tunnels t WHERE t.number = given;
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM FROM underpass.bound_names b WHERE b.key = subject FOR UPDATE;
  SELECT * INTO own FROM underpass.tunnels t WHERE t.number = given AND t.incarnation = daemon;
  IF NOT FOUND THEN RETURN; END IF;
  IF kept AND NOT own.over AND own.held_until IS NULL AND NOT EXISTS (
    SELECT FROM underpass.tunnels t
    WHERE t.key = subject AND t.number <> given AND NOT t.over AND t.held_until IS NULL
  ) THEN
    UPDATE underpass.tunnels t SET held_until = clock_timestamp() + own.hold * interval '1 ms' WHERE t.number = given;
  ELSE
    DELETE FROM underpass.tunnels t WHERE t.number = given;
  END IF;
  made := pg_temp.raise_version(subject);
  IF forgets AND jsonb_typeof(own.facts->'bound') = 'object' THEN
    UPDATE underpass.bound_names b
    SET forgotten = CASE WHEN jsonb_array_length(b.forgotten) < 8 THEN b.forgotten ELSE b.forgotten - 0 END
      || jsonb_build_array(jsonb_build_object('account', own.account, 'client', own.client, 'bind', own.bind,
        'slot', own.slot, 'version', made))
    WHERE b.key = subject;
  END IF;
END $body$;

CREATE FUNCTION pg_temp.update_tunnel(given bigint, daemon bigint, subject text, change jsonb)
RETURNS void LANGUAGE plpgsql AS $body$
BEGIN
  PERFORM FROM underpass.bound_names b WHERE b.key = subject FOR UPDATE;
  UPDATE underpass.tunnels t SET session = w.session, bind = w.bind, pooled = w.pooled, facts = w.facts
    FROM jsonb_populate_record(NULL::underpass.tunnels, change) w
    WHERE t.number = given AND t.key = subject AND t.incarnation = daemon;
  IF FOUND THEN PERFORM pg_temp.raise_version(subject); END IF;
END $body$;

-- The daemon of the tunnel ends it, and deletes the row then.
CREATE FUNCTION pg_temp.mark_over(given bigint, subject text, reason text, owner text)
RETURNS void LANGUAGE plpgsql AS $body$
BEGIN
  PERFORM FROM underpass.bound_names b WHERE b.key = subject FOR UPDATE;
  UPDATE underpass.tunnels t SET over = true, over_by = reason
    WHERE t.number = given AND t.key = subject AND t.credential = owner AND NOT t.over AND t.held_until IS NULL;
  IF FOUND THEN PERFORM pg_temp.raise_version(subject); END IF;
END $body$;

-- Deletes rows of labelled tunnels and sessions of a daemon that is dead: nothing is held for them.
CREATE FUNCTION pg_temp.clear(daemon bigint) RETURNS jsonb LANGUAGE plpgsql AS $body$
DECLARE
  subject text COLLATE "C";
  described jsonb;
  ended jsonb := '[]';
BEGIN
  FOR subject IN
    SELECT t.key FROM underpass.tunnels t WHERE t.incarnation = daemon AND pg_temp.is_own_key(t.key) ORDER BY t.key
  LOOP
    PERFORM FROM underpass.bound_names b WHERE b.key = subject FOR UPDATE;
    WITH gone AS (
      DELETE FROM underpass.tunnels t WHERE t.key = subject AND t.incarnation = daemon RETURNING t.facts
    ) SELECT jsonb_agg(DISTINCT g.facts->'facts') INTO described FROM gone g WHERE g.facts->>'kind' = 'session';
    ended := ended || coalesce(described, '[]');
    PERFORM pg_temp.raise_version(subject);
  END LOOP;
  RETURN ended;
END $body$;

-- Deletes rows of tunnels that nothing serves, and whose hold ended an hour ago.
CREATE FUNCTION pg_temp.clear_past() RETURNS void LANGUAGE plpgsql AS $body$
DECLARE
  past timestamptz := clock_timestamp() - interval '1 hour';
  found record;
BEGIN
  FOR found IN
    SELECT t.key, t.number FROM underpass.tunnels t LEFT JOIN underpass.nodes n ON n.incarnation = t.incarnation
    WHERE coalesce(t.held_until, n.dead + t.hold * interval '1 ms') < past ORDER BY t.key, t.number
  LOOP
    PERFORM FROM underpass.bound_names b WHERE b.key = found.key FOR UPDATE;
    DELETE FROM underpass.tunnels t WHERE t.number = found.number;
    PERFORM pg_temp.raise_version(found.key);
  END LOOP;
END $body$;

-- Declares a daemon dead, and returns the sessions that it had. The round that must still be its own; null: any.
CREATE FUNCTION pg_temp.bury(daemon bigint, seen bigint) RETURNS jsonb LANGUAGE plpgsql AS $body$
BEGIN
  UPDATE underpass.nodes n SET dead = clock_timestamp()
    WHERE n.incarnation = daemon AND n.dead IS NULL AND (seen IS NULL OR n.round = seen);
  RETURN CASE WHEN FOUND THEN pg_temp.clear(daemon) ELSE '[]' END;
END $body$;

-- Keys in one order, so that no two daemons wait for each other.
CREATE FUNCTION pg_temp.change_all(changes jsonb, daemon bigint) RETURNS jsonb LANGUAGE plpgsql AS $body$
DECLARE
  change jsonb;
  place bigint;
  reserved jsonb;
  answers jsonb[] := array_fill(NULL::jsonb, ARRAY[jsonb_array_length(changes)]);
BEGIN
  IF jsonb_path_exists(changes, '$[*].wish') THEN
    ${SHARE_NAMES}
    ${FIND_RESERVED}
  END IF;
  FOR change, place IN
    SELECT c.value, c.ordinality FROM jsonb_array_elements(changes) WITH ORDINALITY c
    ORDER BY c.value->>'key' COLLATE "C", c.ordinality
  LOOP
    IF reserved ? place::text THEN
      answers[place] := jsonb_build_object('outcome', 'reserved', 'account', reserved->>place::text);
    ELSIF change ? 'wish' THEN
      answers[place] := pg_temp.claim(change->>'key', daemon, change->'wish');
    ELSIF change ? 'update' THEN
      PERFORM pg_temp.update_tunnel((change->>'number')::bigint, daemon, change->>'key', change->'update');
    ELSIF change ? 'over' THEN
      PERFORM pg_temp.mark_over(
        (change->>'number')::bigint, change->>'key', change->>'over', change->>'credential');
    ELSE
      PERFORM pg_temp.give_up((change->>'number')::bigint, daemon, (change->>'kept')::boolean,
        (change->>'forgotten')::boolean);
    END IF;
  END LOOP;
  RETURN to_jsonb(answers);
END $body$;
`;

/** A grant that was answered is not lost: it waits for the disk, and for synchronous standbys where there are some. */
const DURABLE = `SELECT set_config('synchronous_commit', 'on', false)
  WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply')`;
const WITH_TUNNELS = 'b.key IN (SELECT t.key FROM underpass.tunnels t)';

/** The statement that reads keys. PostgreSQL plans it once for each connection. */
function changesOf(which: string): string {
  return `
    SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS seen,
      (SELECT coalesce(json_agg(json_build_object(
         'key', b.key, 'version', b.version, 'forgotten', b.forgotten, 'tunnels', (
           SELECT coalesce(json_agg(json_build_object(${FIELDS}) ORDER BY t.number), '[]') FROM underpass.tunnels t WHERE t.key = b.key
         ))), '[]') FROM underpass.bound_names b WHERE ${which}) AS keys,
      (SELECT coalesce(json_agg(json_build_object(
         'incarnation', n.incarnation, 'facts', n.facts, 'draining', n.draining, 'dead', n.dead IS NOT NULL)), '[]')
       FROM underpass.nodes n) AS nodes`;
}

/** Holds, dead daemons and names without tunnels are forgotten an hour later. */
const SWEEP = `
  SELECT pg_temp.clear(n.incarnation) FROM underpass.nodes n WHERE n.dead IS NOT NULL;
  SELECT pg_temp.clear_past();
  DELETE FROM underpass.nodes n WHERE n.dead < clock_timestamp() - interval '1 hour'
    AND NOT EXISTS (SELECT FROM underpass.tunnels t WHERE t.incarnation = n.incarnation);
  DELETE FROM underpass.bound_names b WHERE b.changed < clock_timestamp() - interval '1 hour'
    AND NOT EXISTS (SELECT FROM underpass.tunnels t WHERE t.key = b.key)`;

/** The directory over one connection. All methods reject with the driver's errors. */
export class DirectoryDatabase {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  static async on(client: Client): Promise<DirectoryDatabase> {
    await client.query(DURABLE);
    await installDecide(client);
    await client.query(FUNCTIONS);
    return new DirectoryDatabase(client);
  }

  /**
   * Begins a life of a daemon. `previous`: the one before it, which has ended. Returns the facts of sessions that ended
   * with that one. A repeated call is the same life; null: it is dead already.
   */
  join(
    incarnation: number,
    facts: object,
    previous: number | null,
    isDraining = false,
  ): Promise<readonly object[] | null> {
    const shown = { ...facts, schema: migrations.length };
    return insertNode(this.#client, { incarnation, facts: shown, previous, isDraining });
  }

  /** Counts a renewal. Returns false if the daemon was declared dead, or is not known. */
  async renew(incarnation: number): Promise<boolean> {
    const { rowCount } = await this.#client.query(
      `UPDATE underpass.nodes n SET round = n.round + 1, renewed = clock_timestamp()
       WHERE n.incarnation = $1 AND n.dead IS NULL`,
      [incarnation],
    );
    return rowCount === 1;
  }

  /** Declares a daemon dead, if it has not renewed since `round`. Returns its sessions, which no other call returns. */
  async bury(incarnation: number, round: number): Promise<readonly object[]> {
    const { rows } = await this.#client.query('SELECT pg_temp.bury($1, $2) AS ended', [incarnation, round]);
    return rows[0].ended as object[];
  }

  /** Declares a daemon dead on its own word, because it alone is cut off from the database. Returns its sessions. */
  async isolate(incarnation: number): Promise<readonly object[]> {
    const ended = await buryIsolated(this.#client, incarnation);
    await this.notify();
    return ended;
  }

  /** Marks a daemon as one whose agents go to others. */
  async drain(incarnation: number): Promise<void> {
    await this.#client.query('UPDATE underpass.nodes n SET draining = true WHERE n.incarnation = $1', [
      incarnation,
    ]);
    await this.notify();
  }

  /** Ends a daemon that serves nothing any more. */
  async leave(incarnation: number): Promise<void> {
    await this.#client.query('SELECT pg_temp.bury($1, NULL)', [incarnation]);
  }

  nodes(): Promise<readonly StoredNode[]> {
    return nodesOver(this.#client);
  }

  async claim(key: string, incarnation: number, wish: ClaimedTunnel): Promise<ClaimAnswer> {
    const { rows } = await this.#client.query('SELECT pg_temp.claim($1, $2, $3::jsonb) AS answer', [
      key,
      incarnation,
      jsonbOf(wish),
    ]);
    return rows[0].answer as ClaimAnswer;
  }

  /** Gives up a tunnel that the daemon has ended. `isKept`: its name is held for its credential. Idempotent. */
  async giveUp(number: number, incarnation: number, isKept: boolean): Promise<void> {
    await this.#client.query('SELECT pg_temp.give_up($1, $2, $3, false)', [number, incarnation, isKept]);
  }

  /** Makes changes of one daemon in one transaction. Returns the answers to claims, in order; null for the others. */
  async changeAll(
    changes: readonly DirectoryChange[],
    incarnation: number,
  ): Promise<readonly (ClaimAnswer | null)[]> {
    const { rows } = await this.#client.query('SELECT pg_temp.change_all($1::jsonb, $2) AS answers', [
      jsonbOf(changes),
      incarnation,
    ]);
    return rows[0].answers as (ClaimAnswer | null)[];
  }

  /** Notifies all daemons that something may have changed. Not part of a change, whose commit it would delay. */
  async notify(): Promise<void> {
    await this.#client.query(`NOTIFY ${DIRECTORY_CHANNEL}`);
  }

  /**
   * Returns the keys that have changed since `seen`; null: all keys with tunnels. A transaction that was open at that time may have
   * committed since, so some keys are returned again.
   */
  async changes(seen: string | null): Promise<DirectoryChanges> {
    const { rows } = await this.#client.query(
      seen === null
        ? { name: 'all-keys', text: changesOf(WITH_TUNNELS) }
        : { name: 'changed-keys', text: changesOf('b.writer >= $1::xid8'), values: [seen] },
    );
    return rows[0] as DirectoryChanges;
  }

  async sweep(): Promise<void> {
    await this.#client.query(SWEEP);
  }
}
