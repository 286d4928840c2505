/** Facts of sessions and tunnels of other daemons, by account: a copy of the directory's rows. */
import type { SessionFacts } from '../../online/session.ts';
import type { TunnelFacts } from '../../online/tunnel-facts.ts';
import type { Entry } from '../directory/entry.ts';
import type { Incarnation } from '../directory/row.ts';

export interface RemoteSession {
  readonly facts: SessionFacts;
  readonly incarnation: Incarnation;
}

interface OfAccount {
  /** Keys: the numbers of their rows. */
  readonly tunnels: Map<number, TunnelFacts>;
  /** Keys: their ids. */
  readonly sessions: Map<string, RemoteSession>;
}

export class Elsewhere {
  readonly #accounts = new Map<string, OfAccount>();

  /** Takes the facts of a row, or newer ones of a known row. */
  set(number: number, incarnation: Incarnation, entry: Entry): void {
    const { account } = entry.facts;
    const known = this.#accounts.get(account) ?? { tunnels: new Map(), sessions: new Map() };
    this.#accounts.set(account, known);
    if (entry.kind === 'tunnel') known.tunnels.set(number, entry.facts);
    else known.sessions.set(entry.facts.id, { facts: entry.facts, incarnation });
  }

  delete(number: number, entry: Entry): void {
    const { account } = entry.facts;
    const known = this.#accounts.get(account);
    if (known === undefined) return;
    if (entry.kind === 'tunnel') known.tunnels.delete(number);
    else known.sessions.delete(entry.facts.id);
    if (known.tunnels.size === 0 && known.sessions.size === 0) this.#accounts.delete(account);
  }

  *sessions(account: string): Iterable<SessionFacts> {
    for (const { facts } of this.#accounts.get(account)?.sessions.values() ?? []) yield facts;
  }

  session(id: string, account: string): RemoteSession | undefined {
    return this.#accounts.get(account)?.sessions.get(id);
  }

  tunnels(account: string): Iterable<TunnelFacts> {
    return this.#accounts.get(account)?.tunnels.values() ?? [];
  }
}
