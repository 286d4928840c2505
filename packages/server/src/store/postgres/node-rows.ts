/** Rows of daemons in the directory: as daemons follow them, and for operators. */
import type { Client } from 'pg';
import { jsonbOf } from './text.ts';

/** The channel of notifications about changes. */
export const DIRECTORY_CHANNEL = 'underpass_directory';

/** The fact of a daemon that was declared dead on its own word, because it alone was cut off from the database. */
export const ISOLATED = 'isolated';

export interface StoredNode {
  readonly incarnation: number;
  readonly facts: object;
  readonly round: number;
  /** Milliseconds since it was declared dead; null: it may live. */
  readonly dead_for: number | null;
  /** Milliseconds since its start, and since its last renewal, by the server's clock. */
  readonly age: number;
  readonly silent_for: number;
  /** True if its agents are to go to other daemons. */
  readonly draining: boolean;
}

export interface ListedNode extends StoredNode {
  /** Sessions of agents. */
  readonly sessions: number;
  /** Tunnels that it serves. */
  readonly tunnels: number;
}

const NODES = `SELECT n.incarnation, n.facts, n.round, n.draining,
  extract(epoch FROM clock_timestamp() - n.dead) * 1000 AS dead_for,
  extract(epoch FROM clock_timestamp() - n.started) * 1000 AS age,
  extract(epoch FROM clock_timestamp() - n.renewed) * 1000 AS silent_for
  FROM underpass.nodes n`;
const COUNTS = `SELECT t.incarnation, count(*) FILTER (WHERE starts_with(t.key, 'session:')) AS sessions,
  count(*) FILTER (WHERE NOT starts_with(t.key, 'session:')) AS tunnels FROM underpass.tunnels t
  WHERE NOT t.over AND t.held_until IS NULL GROUP BY t.incarnation`;

const NONE = { sessions: 0, tunnels: 0 };

const INSERT = `WITH joined AS (
    INSERT INTO underpass.nodes AS n (incarnation, facts, draining) VALUES ($1, $2, $4)
    ON CONFLICT (incarnation) DO UPDATE SET round = n.round + 1, renewed = clock_timestamp() WHERE n.dead IS NULL
    RETURNING n.incarnation)
  SELECT pg_temp.bury($3, NULL) AS ended, EXISTS (SELECT FROM joined) AS joined`;

interface Joining {
  readonly incarnation: number;
  readonly facts: object;
  readonly previous: number | null;
  readonly isDraining: boolean;
}

/** Does what `DirectoryDatabase.join` does. The functions of the directory must be installed. */
export async function insertNode(
  client: Client,
  { incarnation, facts, previous, isDraining }: Joining,
): Promise<readonly object[] | null> {
  // The daemon is back.
  if (previous !== null)
    await client.query('UPDATE underpass.nodes n SET facts = n.facts - $2::text WHERE n.incarnation = $1', [
      previous,
      ISOLATED,
    ]);
  const { rows } = await client.query(INSERT, [incarnation, jsonbOf(facts), previous, isDraining]);
  return rows[0].joined ? (rows[0].ended as object[]) : null;
}

/** Declares an isolated daemon dead. Returns its sessions. The functions of the directory must be installed. */
export async function buryIsolated(client: Client, incarnation: number): Promise<readonly object[]> {
  await client.query(
    'UPDATE underpass.nodes n SET facts = n.facts || $2::jsonb WHERE n.incarnation = $1 AND n.dead IS NULL',
    [incarnation, JSON.stringify({ [ISOLATED]: true })],
  );
  const { rows } = await client.query('SELECT pg_temp.bury($1, NULL) AS ended', [incarnation]);
  return rows[0].ended as object[];
}

/** Lists daemons with their tunnels, for people. */
export async function listNodes(client: Client): Promise<readonly ListedNode[]> {
  const { rows } = await client.query(COUNTS);
  const counts = new Map(
    rows.map(({ incarnation, sessions, tunnels }) => [
      Number(incarnation),
      { sessions: Number(sessions), tunnels: Number(tunnels) },
    ]),
  );
  const nodes = await nodesOver(client);
  return nodes.map((node) => ({ ...node, ...(counts.get(node.incarnation) ?? NONE) }));
}

/**
 * Marks a daemon as one whose agents are to go to others, or ends that. `choose` gets the daemons that may live and
 * returns the incarnation of one; nothing is changed if it throws. Two such calls never decide by the same state.
 */
export async function markDraining(
  client: Client,
  isDraining: boolean,
  choose: (living: readonly StoredNode[]) => number,
): Promise<void> {
  await client.query('BEGIN');
  const living = await nodesOver(client, 'WHERE n.dead IS NULL ORDER BY n.incarnation FOR UPDATE');
  await client.query('UPDATE underpass.nodes n SET draining = $2 WHERE n.incarnation = $1', [
    choose(living),
    isDraining,
  ]);
  await client.query(`NOTIFY ${DIRECTORY_CHANNEL}`);
  await client.query('COMMIT');
}

/** Rejects with the driver's errors. */
export async function nodesOver(
  client: Client,
  rest = 'ORDER BY n.incarnation',
): Promise<readonly StoredNode[]> {
  const { rows } = await client.query(`${NODES} ${rest}`);
  return rows.map((row) => ({
    incarnation: Number(row.incarnation),
    facts: row.facts,
    round: Number(row.round),
    dead_for: row.dead_for === null ? null : Number(row.dead_for),
    age: Number(row.age),
    silent_for: Number(row.silent_for),
    draining: row.draining,
  }));
}
