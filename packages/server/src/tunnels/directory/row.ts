/**
 * The directory of tunnels over all daemons of one database: rows by key, where a key is a name or a port. The
 * database has the rows, and each daemon has a copy. Rows contain facts only, so they may travel.
 * Invariant: a row of a daemon that may live goes only after its daemon has ended the tunnel, so two credentials that
 * do not share are never served at once.
 */
import type { OverReason } from '../../store/postgres/directory.ts';
import type { Claimant, Row } from './decide.ts';
import type { Entry } from './entry.ts';

/** One life of a daemon, from its start to its end. Never used again. */
export type Incarnation = number;

/** A claim of a key by a daemon for one of its binds. */
export interface Wish {
  readonly facts: Claimant;
  /** The daemon that serves the tunnel, and that alone deletes the row while it lives. */
  readonly incarnation: Incarnation;
  /** Milliseconds for which the name is held after the agent has left. */
  readonly holdMs: number;
}

export interface DirectoryRow extends Wish, Row {
  /** Grows with each grant in the database, and is never used again. */
  readonly number: number;
  readonly isOver: boolean;
  /** Absent: it is not over, or a claim has replaced it. */
  readonly overBy?: OverReason;
  /** Null: the row is of an older version. */
  readonly entry: Entry | null;
}

/** The rows of one key. */
export interface KeyRows {
  /** Grows with each change of the rows. */
  readonly version: number;
  readonly rows: readonly DirectoryRow[];
}

/** A daemon, as the other ones know it. */
export interface KnownNode {
  /** Facts for people and links, such as the machine and the version. */
  readonly facts: object;
  readonly isDead: boolean;
  /** True if its agents go to other daemons. */
  readonly isDraining: boolean;
}

/** A daemon, as the database knows it. */
export interface NodeState {
  /** Counts its renewals. */
  readonly round: number;
  /** Time of its death, by the database's clock; null: it may live. */
  readonly deadSince: number | null;
  /** Milliseconds after its last renewal for which it may serve; absent: as the one that observes it. */
  readonly lifeMs?: number;
}

/** Returns true if visitors may be led to the tunnel. */
export function isLive({ isOver, heldUntil }: DirectoryRow): boolean {
  return !isOver && heldUntil === undefined;
}

/**
 * Returns the rows for a decision: those of dead daemons are holds, from the death on. A tunnel that was replaced holds
 * no name. An unknown daemon serves nothing.
 */
export function withDeaths(
  rows: readonly DirectoryRow[],
  nodes: ReadonlyMap<Incarnation, NodeState>,
): readonly DirectoryRow[] {
  return rows.map((row) => {
    if (row.heldUntil !== undefined) return row;
    const node = nodes.get(row.incarnation);
    if (node === undefined) return { ...row, heldUntil: Number.NEGATIVE_INFINITY };
    if (node.deadSince === null) return row;
    return { ...row, heldUntil: node.deadSince + (row.isOver ? 0 : row.holdMs) };
  });
}
