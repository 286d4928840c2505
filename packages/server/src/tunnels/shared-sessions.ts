/**
 * Sessions over all daemons of one database: the rows of those that are here, and a count of those that are not.
 * Invariant: an agent has one session for each of its connections, and the session with the newest row stays.
 */
import type { SessionFacts } from '../online/session.ts';
import type { DirectoryNode } from './directory/node.ts';
import type { DirectoryRow } from './directory/row.ts';
import { isLabelledKey, isSessionKey, sessionKey } from './directory/stored.ts';
import { Publications } from './publications.ts';
import type { SessionQuotas } from './session-quotas.ts';

type Leg = Pick<SessionFacts, 'account' | 'credential' | 'clientId' | 'leg'>;

export interface SharedSessionsOptions {
  readonly node: DirectoryNode;
  /** Counts the sessions of other daemons, too. */
  readonly quotas: Pick<SessionQuotas, 'add' | 'remove'>;
}

interface Other {
  readonly row: DirectoryRow;
  readonly facts: SessionFacts;
}

export class SharedSessions {
  readonly #node: DirectoryNode;
  readonly #quotas: SharedSessionsOptions['quotas'];
  readonly #published: Publications<SessionFacts>;
  /** Sessions of this daemon that have a row, by its number and by their connection. */
  readonly #own = new Map<number, SessionFacts>();
  readonly #ownLegs = new Map<string, number>();
  /** Sessions of other daemons by key, and their keys by connection. */
  readonly #others = new Map<string, Other>();
  readonly #otherLegs = new Map<string, Set<string>>();
  /** Labelled tunnels of other daemons by key, and by session and bind. */
  readonly #labelled = new Map<string, DirectoryRow>();
  readonly #labelledOf = new Map<string, Set<string>>();

  constructor({ node, quotas }: SharedSessionsOptions) {
    this.#node = node;
    this.#quotas = quotas;
    this.#published = new Publications(node);
    node.onRows((key) => {
      if (isSessionKey(key)) this.#learnSession(key);
      else if (isLabelledKey(key)) this.#learnLabelled(key);
    });
  }

  add(facts: SessionFacts): void {
    const { account, credential, id: session, clientId: client } = facts;
    const row = { account, credential, session, client, bind: '', slot: '', pooled: false, hold: 0 };
    const describe = () => ({ ...row, facts: { kind: 'session', facts } });
    this.#published.add(facts, sessionKey(session), describe, (number) => {
      this.#own.set(number, facts);
      this.#ownLegs.set(legOf(facts), number);
      this.#endOlder(legOf(facts));
    });
  }

  /** Returns true if the session had a row. */
  remove(facts: SessionFacts): boolean {
    const number = this.#published.remove(facts);
    if (number === null) return false;
    this.#own.delete(number);
    if (this.#ownLegs.get(legOf(facts)) === number) this.#ownLegs.delete(legOf(facts));
    return true;
  }

  /** The session of this daemon that has the row. */
  own(number: number): SessionFacts | undefined {
    return this.#own.get(number);
  }

  /** Returns true if the same connection of the agent has a session at another daemon. */
  isElsewhere(leg: Leg): boolean {
    return this.#otherLegs.has(legOf(leg));
  }

  /** Returns the rows of a labelled bind in the agent's connections to other daemons. */
  labelledElsewhere(bind: { readonly clientId: string; readonly bindId: string }): readonly DirectoryRow[] {
    return this.#labelledAt(bindOf(bind));
  }

  #learnSession(key: string): void {
    const known = this.#others.get(key);
    const [row] = this.#node.liveElsewhere(key);
    if (known?.row.number === row?.number) return;
    if (known !== undefined) {
      this.#others.delete(key);
      this.#quotas.remove(known.facts);
      leave(this.#otherLegs, legOf(known.facts), key);
    }
    if (row?.entry?.kind !== 'session') return;
    const { facts } = row.entry;
    this.#others.set(key, { row, facts });
    this.#quotas.add(facts);
    enter(this.#otherLegs, legOf(facts), key);
    this.#endOlder(legOf(facts));
  }

  #learnLabelled(key: string): void {
    const known = this.#labelled.get(key);
    const [row] = this.#node.liveElsewhere(key);
    if (known?.number === row?.number) return;
    if (known !== undefined) {
      this.#labelled.delete(key);
      for (const place of [known.facts.session, bindOf(known.facts)]) leave(this.#labelledOf, place, key);
    }
    if (row === undefined) return;
    this.#labelled.set(key, row);
    for (const place of [row.facts.session, bindOf(row.facts)]) enter(this.#labelledOf, place, key);
  }

  #labelledAt(place: string): readonly DirectoryRow[] {
    return [...(this.#labelledOf.get(place) ?? [])].flatMap((key) => this.#labelled.get(key) ?? []);
  }

  /** Ends older sessions of a connection that has one here, with their labelled tunnels. */
  #endOlder(leg: string): void {
    const own = this.#ownLegs.get(leg);
    if (own === undefined) return;
    for (const key of this.#otherLegs.get(leg) ?? []) {
      const other = this.#others.get(key);
      if (other === undefined || other.row.number > own) continue;
      this.#node.markOver(other.row, 'session');
      for (const row of this.#labelledAt(other.facts.id)) this.#node.markOver(row, 'session');
    }
  }
}

/** JSON keeps the parts apart, whatever is in them. */
function legOf({ account, credential, clientId, leg }: Leg): string {
  return JSON.stringify([account, credential, clientId, leg]);
}

function bindOf({ clientId, bindId }: { readonly clientId: string; readonly bindId: string }): string {
  return JSON.stringify([clientId, bindId]);
}

function enter(sets: Map<string, Set<string>>, place: string, key: string): void {
  sets.set(place, (sets.get(place) ?? new Set()).add(key));
}

function leave(sets: Map<string, Set<string>>, place: string, key: string): void {
  const keys = sets.get(place);
  keys?.delete(key);
  if (keys?.size === 0) sets.delete(place);
}
