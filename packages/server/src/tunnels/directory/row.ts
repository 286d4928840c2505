/**
 * The directory of tunnels over all daemons of one database: rows by key, where a key is a name or a port. The
 * database has the rows, and each daemon has a copy. Rows contain facts only, so they may travel.
 */

/** One life of a daemon, from its start to its end. Never used again. */
export type Incarnation = number;

/** Parties to a name. Tunnels of one account share a name if both are pooled, or if they are legs of one agent. */
export interface Party {
  readonly account: string;
  readonly credential: string;
  /** The identity that an agent keeps over its reconnects. */
  readonly client: string;
  /** One of the sessions that an agent has at a time. */
  readonly leg: number;
  readonly isPooled: boolean;
}

export interface Row extends Party {
  /** Grows with each grant in the database, and is never used again. */
  readonly number: number;
  /** The daemon that serves the tunnel, and that alone deletes the row while it lives. */
  readonly incarnation: Incarnation;
  /** A newer tunnel replaced this one, which its daemon has not yet confirmed. */
  readonly isOver: boolean;
  /** The agent left; until then the name is kept for its credential. By the database's clock; null: it is online. */
  readonly heldUntil: number | null;
  /** Milliseconds for which the name is kept after the agent has left. */
  readonly holdMs: number;
}

/** The rows of one key. */
export interface KeyRows {
  /** Grows with each change of the rows. */
  readonly version: number;
  readonly rows: readonly Row[];
}

/** A daemon, as the database knows it. */
export interface NodeState {
  /** Counts its renewals. */
  readonly round: number;
  /** When it was declared dead, by the database's clock; null: it may live. */
  readonly deadSince: number | null;
}

/** Returns true if visitors may be led to the tunnel. */
export function isLive({ isOver, heldUntil }: Row): boolean {
  return !isOver && heldUntil === null;
}

export function share(one: Party, other: Party): boolean {
  if (one.account !== other.account) return false;
  if (one.isPooled && other.isPooled) return true;
  const isOneAgent = one.credential === other.credential && one.client === other.client;
  return isOneAgent && one.leg !== other.leg;
}
