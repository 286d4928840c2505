/**
 * Decides on claims of a key, as a pure function. The database runs the same rules (store/postgres), under the lock of
 * the key.
 * Invariant: a row of a daemon that may live goes only after its daemon has ended the tunnel, so two credentials that
 * do not share are never served at once.
 */
import { type Incarnation, type NodeState, type Party, type Row, share } from './row.ts';

export interface Wish extends Party {
  readonly incarnation: Incarnation;
  readonly holdMs: number;
}

export interface Refusal {
  readonly kind: 'refused';
  /** The row that is in the way. */
  readonly rival: Row;
  /** When the name is free at the latest, by the database's clock; null: its tunnel is online. */
  readonly until: number | null;
}

export interface Grant {
  readonly kind: 'granted';
  /** Numbers of rows that become `over`: their daemons end the tunnels, and then delete the rows. */
  readonly over: readonly number[];
  /** Numbers of rows that are deleted at once, because nothing serves them any more. */
  readonly removed: readonly number[];
}

export type Decision = Refusal | Grant;

/** `now` is the database's clock, in milliseconds. */
export function decide(
  rows: readonly Row[],
  wish: Wish,
  nodes: ReadonlyMap<Incarnation, NodeState>,
  now: number,
): Decision {
  const over: number[] = [];
  const removed: number[] = [];
  for (const row of rows) {
    const until = heldUntil(row, nodes);
    if (until !== null && until <= now) removed.push(row.number);
    else if (share(row, wish)) {
      if (until !== null) removed.push(row.number);
    } else if (row.credential !== wish.credential) return { kind: 'refused', rival: row, until };
    else if (until !== null) removed.push(row.number);
    else if (!row.isOver) over.push(row.number);
  }
  return { kind: 'granted', over, removed };
}

/**
 * Returns the moment until which the name of a tunnel that nothing serves is kept for its credential. Returns null if
 * a daemon may serve the tunnel. A tunnel that was replaced keeps no name.
 */
function heldUntil(row: Row, nodes: ReadonlyMap<Incarnation, NodeState>): number | null {
  if (row.heldUntil !== null) return row.heldUntil;
  const node = nodes.get(row.incarnation);
  if (node === undefined) return Number.NEGATIVE_INFINITY;
  if (node.deadSince === null) return null;
  return row.isOver ? node.deadSince : node.deadSince + row.holdMs;
}
