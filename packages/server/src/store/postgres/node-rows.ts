/** Rows of daemons in the directory: as daemons follow them, and for operators. */
import type { Client } from 'pg';

/** The channel of notifications about changes. */
export const DIRECTORY_CHANNEL = 'underpass_directory';

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
