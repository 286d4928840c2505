/**
 * The rules of names and ports: who may have one, what a claim replaces, and how long a lost one is held. Pure.
 * Invariant: two credentials never have one name, unless both share it. Accounts never share a name.
 */
import type { Slot } from '../../core/names/bind-target.ts';

/** Facts that decide about sharing. */
export interface Sharer {
  readonly account: string;
  readonly credential: string;
  /** `ts_…` */
  readonly session: string;
  /** The id that an agent keeps over its reconnects, and uses in all its connections. */
  readonly clientId: string;
  /** The agent requested that others of its account may serve the name, too. */
  readonly isPooled: boolean;
}

/** Facts that have a name or claim it: those of a tunnel are some. */
export interface Claimant extends Sharer {
  /** '' for a bind that has no id yet. */
  readonly bindId: string;
  /** Null: no tunnel is online with it. */
  readonly endpoint: { readonly slot: Slot } | null;
}

/** One that has a name or port: a tunnel that is online, a grant, or the hold of a lost tunnel. */
export interface Row {
  readonly facts: Claimant;
  /** Milliseconds until which a lost name is held, of the clock of a claim; absent for tunnels and grants. */
  readonly heldUntil?: number;
  /** A newer tunnel replaced this one, and its daemon has not yet ended it. */
  readonly isOver?: boolean;
}

export interface Effect<One> {
  /** Tunnels that go offline when the claimant's tunnel comes online. */
  readonly replaces: readonly One[];
  /** Tunnels that serve the name beside it. */
  readonly joins: readonly One[];
}

export interface Online {
  readonly outcome: 'refused';
  readonly error: 'bindNameOnline';
}

export interface Held {
  readonly outcome: 'refused';
  readonly error: 'bindNameHeld';
  /** Seconds for which the name is still held. */
  readonly seconds: number;
}

export interface Granted<One> extends Effect<One> {
  readonly outcome: 'granted';
  /** Holds that end with the grant, because nothing serves their tunnels. */
  readonly frees: readonly One[];
}

export type Decision<One> = Granted<One> | Online | Held;

/**
 * Milliseconds. Another account cannot take names of reserved domains, so agents of one credential replace each other
 * sooner.
 */
const reservedNameGraceMs = 60_000;
const randomNameGraceMs = 300_000;

/** Decides about a claim by all rows of the name or port. `now` is of the clock of `heldUntil`. */
export function decide<One extends Row>(rows: readonly One[], wish: Claimant, now: number): Decision<One> {
  const rival = rows.find((row) => isRival(row.facts, wish) && !isPast(row, now));
  if (rival === undefined) {
    const frees = rows.filter((row) => row.heldUntil !== undefined);
    return { outcome: 'granted', ...effectOf(rows, wish), frees };
  }
  const { heldUntil } = rival;
  if (heldUntil === undefined) return { outcome: 'refused', error: 'bindNameOnline' };
  return { outcome: 'refused', error: 'bindNameHeld', seconds: Math.ceil((heldUntil - now) / 1000) };
}

/**
 * Returns the effect of a tunnel that comes online with its grant. It replaces the same bind of its session, and tunnels
 * of its credential that share nothing with it. It never replaces one of another credential, which may share no more
 * since the grant.
 */
export function effectOf<One extends Row>(rows: readonly One[], wish: Claimant): Effect<One> {
  const replaces: One[] = [];
  const joins: One[] = [];
  const slot = wish.endpoint?.slot;
  for (const row of rows) {
    if (slot === undefined || row.facts.endpoint?.slot !== slot) continue;
    if (row.heldUntil !== undefined || row.isOver === true) continue;
    (isReplaced(row.facts, wish) ? replaces : joins).push(row);
  }
  return { replaces, joins };
}

/** Returns how rows of another account keep a name from an account; null: they do not. */
export function occupation(rows: readonly Row[], account: string, now: number): 'online' | 'held' | null {
  const others = rows.filter((row) => row.facts.account !== account && !isPast(row, now));
  if (others.length === 0) return null;
  return others.some(({ heldUntil }) => heldUntil === undefined) ? 'online' : 'held';
}

/** Returns the milliseconds for which the name of a lost tunnel is held; null: others have its slot. */
export function holdMs(others: readonly Row[], isReserved: boolean): number | null {
  return others.length > 0 ? null : nameGraceMs(isReserved);
}

/** Returns the milliseconds for which the name of a lost tunnel is held. */
export function nameGraceMs(isReserved: boolean): number {
  return isReserved ? reservedNameGraceMs : randomNameGraceMs;
}

/**
 * Returns true if both requested pooling, or if they are two connections of one agent, which binds the same names on
 * each.
 */
export function sharesWith(one: Sharer, other: Sharer): boolean {
  if (one.account !== other.account) return false;
  if (one.isPooled && other.isPooled) return true;
  const isOneAgent = one.credential === other.credential && one.clientId === other.clientId;
  return isOneAgent && one.session !== other.session;
}

function isRival(one: Sharer, wish: Sharer): boolean {
  return one.credential !== wish.credential && !sharesWith(one, wish);
}

function isReplaced(one: Claimant, wish: Claimant): boolean {
  const isSameBind = one.session === wish.session && one.bindId === wish.bindId;
  return isSameBind || (one.credential === wish.credential && !sharesWith(one, wish));
}

function isPast({ heldUntil }: Row, now: number): boolean {
  return heldUntil !== undefined && heldUntil <= now;
}
