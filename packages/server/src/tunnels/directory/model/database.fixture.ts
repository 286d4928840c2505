/** The database of the model: one statement after the other, each whole or not at all. */
import { type Decision, decide } from '../decide.ts';
import {
  type DirectoryRow,
  type Incarnation,
  isLive,
  type KeyRows,
  type NodeState,
  type Wish,
  withDeaths,
} from '../row.ts';
import type { Mutation } from './mutations.fixture.ts';

export type Statement =
  | { readonly op: 'join'; readonly previous: Incarnation | null; readonly lifeMs: number }
  | { readonly op: 'renew'; readonly incarnation: Incarnation }
  | { readonly op: 'read' }
  | { readonly op: 'bury'; readonly incarnation: Incarnation; readonly round: number }
  /** A daemon ends its life, by the word of itself that another one has received. */
  | { readonly op: 'leave'; readonly incarnation: Incarnation }
  | { readonly op: 'claim'; readonly key: string; readonly wish: Wish }
  | {
      readonly op: 'give-up';
      readonly key: string;
      readonly number: number;
      readonly incarnation: Incarnation;
      /** The name is kept for the credential. */
      readonly isKept: boolean;
    };

export interface Listing {
  readonly keys: readonly (readonly [string, KeyRows])[];
  readonly nodes: ReadonlyMap<Incarnation, NodeState>;
}

export type Answer =
  | { readonly kind: 'joined'; readonly incarnation: Incarnation }
  | ({ readonly kind: 'listed' } & Listing)
  | { readonly kind: 'granted'; readonly number: number; readonly state: KeyRows }
  | { readonly kind: 'refused' }
  | { readonly kind: 'done' }
  /** The daemon that sent it is dead, and ends. */
  | { readonly kind: 'dead' };

/** A claim that was granted, in the order of the database. */
export interface Granted extends Wish {
  readonly number: number;
}

/** Faults of the time for which a daemon serves, which its row does not state then. */
const unstated: ReadonlySet<Mutation> = new Set(['foreign-grace', 'early-death', 'isolation-assumed']);

export class Database {
  isUp = true;
  /** Milliseconds by which an operator has set the clock ahead. */
  clockOffset = 0;
  readonly keys = new Map<string, KeyRows>();
  readonly grants = new Map<string, Granted[]>();
  readonly #times: { readonly leaseMs: number; readonly graceMs: number };
  readonly #mutation: Mutation | null;
  readonly #nodes = new Map<Incarnation, NodeState & { readonly renewedAt: number }>();
  #lastIncarnation = 0;
  #lastNumber = 0;
  #lastVersion = 0;

  constructor(times: { readonly leaseMs: number; readonly graceMs: number }, mutation: Mutation | null) {
    this.#times = times;
    this.#mutation = mutation;
  }

  /** Returns null if the database is away. `time` is that of the world. */
  execute(statement: Statement, time: number): Answer | null {
    if (!this.isUp) return null;
    const now = time + this.clockOffset;
    switch (statement.op) {
      case 'join':
        return this.#join(statement, now);
      case 'renew':
        return this.#renew(statement.incarnation, now);
      case 'read':
        return this.#list();
      case 'bury':
        return this.#bury(statement.incarnation, statement.round, now);
      case 'leave':
        return this.#bury(statement.incarnation, null, now);
      case 'claim':
        return this.#claim(statement.key, statement.wish, now);
      case 'give-up':
        return this.#giveUp(statement, now);
    }
  }

  #join({ previous, lifeMs }: Statement & { op: 'join' }, now: number): Answer {
    const before = previous === null ? undefined : this.#nodes.get(previous);
    if (this.#mutation === 'incarnations-reused' && previous !== null)
      return { kind: 'joined', incarnation: previous };
    // The predecessor's process has ended.
    if (before !== undefined && previous !== null && before.deadSince === null)
      this.#nodes.set(previous, { ...before, deadSince: now });
    const incarnation = ++this.#lastIncarnation;
    const stated = this.#mutation !== null && unstated.has(this.#mutation) ? {} : { lifeMs };
    this.#nodes.set(incarnation, { round: 0, deadSince: null, renewedAt: now, ...stated });
    return { kind: 'joined', incarnation };
  }

  #renew(incarnation: Incarnation, now: number): Answer {
    const node = this.#nodes.get(incarnation);
    if (node === undefined) return { kind: 'dead' };
    if (node.deadSince !== null && this.#mutation !== 'renews-when-dead') return { kind: 'dead' };
    this.#nodes.set(incarnation, { ...node, round: node.round + 1, renewedAt: now });
    return this.#list();
  }

  #bury(incarnation: Incarnation, round: number | null, now: number): Answer {
    const node = this.#nodes.get(incarnation);
    const isSame = round === null || node?.round === round || this.#mutation === 'death-without-round';
    if (node !== undefined && node.deadSince === null && isSame)
      this.#nodes.set(incarnation, { ...node, deadSince: now });
    return this.#list();
  }

  #claim(key: string, wish: Wish, now: number): Answer {
    if (this.#nodes.get(wish.incarnation)?.deadSince !== null) return { kind: 'refused' };
    const before = this.keys.get(key)?.rows ?? [];
    const decision = this.#decide(before, wish, now);
    if (decision.outcome === 'refused') return { kind: 'refused' };
    const number = ++this.#lastNumber;
    const over = numbersOf(decision.replaces);
    const freed = numbersOf(decision.frees);
    const rows = before
      .filter((row) => !freed.has(row.number))
      .map((row) => (over.has(row.number) ? { ...row, isOver: true } : row));
    const state = this.#write(key, [...rows, { ...wish, number, isOver: false, entry: null }]);
    this.grants.set(key, [...(this.grants.get(key) ?? []), { ...wish, number }]);
    return { kind: 'granted', number, state };
  }

  #decide(rows: readonly DirectoryRow[], { facts }: Wish, now: number): Decision<DirectoryRow> {
    const considered =
      this.#mutation === 'grants-over-others'
        ? rows.filter((row) => row.facts.credential === facts.credential)
        : rows;
    const decision = decide(withDeaths(considered, this.#deathsAt(now)), facts, now);
    if (decision.outcome === 'granted' && this.#mutation === 'claim-deletes-rows')
      return { ...decision, replaces: [], frees: [...decision.frees, ...decision.replaces] };
    return decision;
  }

  /** The daemons that a claim takes for dead. */
  #deathsAt(now: number): ReadonlyMap<Incarnation, NodeState> {
    if (this.#mutation !== 'death-by-database-clock') return this.#nodes;
    const most = this.#times.leaseMs + this.#times.graceMs;
    return new Map(
      [...this.#nodes].map(([incarnation, node]) => {
        const until = node.renewedAt + most;
        return [incarnation, { ...node, deadSince: node.deadSince ?? (until <= now ? until : null) }];
      }),
    );
  }

  #giveUp({ key, number, incarnation, isKept }: Statement & { op: 'give-up' }, now: number): Answer {
    const { rows } = this.keys.get(key) ?? { rows: [] };
    const own = rows.find((row) => row.number === number && row.incarnation === incarnation);
    if (own === undefined) return { kind: 'done' };
    const others = rows.filter((row) => row !== own);
    const isAlone = others.every((row) => !isLive(row));
    const holds = isKept && isLive(own) && isAlone;
    this.#write(key, holds ? [...others, { ...own, heldUntil: now + own.holdMs }] : others);
    return { kind: 'done' };
  }

  #write(key: string, rows: readonly DirectoryRow[]): KeyRows {
    const state = { version: ++this.#lastVersion, rows };
    this.keys.set(key, state);
    return state;
  }

  #list(): Answer {
    return { kind: 'listed', keys: [...this.keys], nodes: new Map(this.#nodes) };
  }
}

function numbersOf(rows: readonly DirectoryRow[]): ReadonlySet<number> {
  return new Set(rows.map(({ number }) => number));
}
