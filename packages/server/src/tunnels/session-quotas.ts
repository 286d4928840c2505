/**
 * Counts agents by credential, account and source, and their connections. All connections of one agent count as one
 * agent.
 * Invariant: none has more than its share, so that others have theirs.
 */
import { sourceKey } from '../core/ip/client-address.ts';
import { Problem } from '../errors/problem.ts';
import type { IngressLimits } from './limits.ts';

export interface SessionOrigin {
  readonly account: string;
  readonly credential: string;
  readonly ip: string;
  /** The id that the agent has in all its connections; '' for a new agent. */
  readonly clientId: string;
}

/** A session that is counted. */
export interface CountedSession extends SessionOrigin {
  /** `ts_…` */
  readonly id: string;
}

interface Count {
  agents: number;
  connections: number;
}

/** Connections for each agent of a limit: as many as this project's agents open by default. */
const connectionsPerAgent = 4;
const nothing: Readonly<Count> = { agents: 0, connections: 0 };

export class SessionQuotas {
  readonly #limits: IngressLimits;
  /** Ids of credentials and accounts and keys of sources never look alike. */
  readonly #counts = new Map<string, Count>();
  /** Sessions of each agent. The first one is counted as the agent. */
  readonly #agents = new Map<string, CountedSession[]>();

  constructor(limits: IngressLimits) {
    this.#limits = limits;
  }

  /** Credentials, accounts and sources that have sessions. */
  get size(): number {
    return this.#counts.size;
  }

  /** Agents that have sessions. */
  get agents(): number {
    return this.#agents.size;
  }

  /** Raises Problem when one more would be too many. */
  check(arrival: SessionOrigin): void {
    const { account, credential, ip } = arrival;
    const { sessionsPerCredential, sessionsPerAccount, sessionsPerSource } = this.#limits;
    // Further connections of others are no reason to refuse an agent its first one.
    if (!this.#agents.has(arrival.clientId)) {
      this.#checkAgents(arrival);
      return;
    }
    this.#checkConnections(credential, `the tunnel credential ${credential}`, sessionsPerCredential);
    this.#checkConnections(account, 'this account', sessionsPerAccount);
    this.#checkConnections(sourceKey(ip), ip, sessionsPerSource);
  }

  add({ id, account, credential, ip, clientId }: CountedSession): void {
    const sessions = this.#agents.get(clientId) ?? [];
    const session = { id, account, credential, ip, clientId };
    sessions.push(session);
    this.#agents.set(clientId, sessions);
    this.#change(session, sessions.length === 1 ? 1 : 0, 1);
  }

  remove({ id, clientId }: CountedSession): void {
    const sessions = this.#agents.get(clientId) ?? [];
    const at = sessions.findIndex((one) => one.id === id);
    const [removed] = at < 0 ? [] : sessions.splice(at, 1);
    if (removed === undefined) return;
    this.#change(removed, at === 0 ? -1 : 0, -1);
    const [next] = sessions;
    if (next === undefined) this.#agents.delete(clientId);
    else if (at === 0) this.#change(next, 1, 0);
  }

  #checkAgents({ account, credential, ip }: SessionOrigin): void {
    const { sessionsPerCredential, sessionsPerAccount, sessionsPerSource } = this.#limits;
    if (this.#count(credential).agents >= sessionsPerCredential)
      throw new Problem('sessionLimitCredential', { credential, limit: sessionsPerCredential });
    if (this.#count(account).agents >= sessionsPerAccount)
      throw new Problem('sessionLimitAccount', { limit: sessionsPerAccount });
    if (this.#count(sourceKey(ip)).agents >= sessionsPerSource)
      throw new Problem('sessionLimitSource', { address: ip, limit: sessionsPerSource });
  }

  #checkConnections(key: string, owner: string, agents: number): void {
    const limit = agents * connectionsPerAgent;
    if (this.#count(key).connections >= limit) throw new Problem('sessionLimitConnections', { owner, limit });
  }

  #change(session: SessionOrigin, agents: number, connections: number): void {
    for (const key of keysOf(session)) {
      const count = this.#counts.get(key) ?? { ...nothing };
      count.agents += agents;
      count.connections += connections;
      if (count.connections > 0) this.#counts.set(key, count);
      else this.#counts.delete(key);
    }
  }

  #count(key: string): Readonly<Count> {
    return this.#counts.get(key) ?? nothing;
  }
}

function keysOf({ account, credential, ip }: SessionOrigin): readonly string[] {
  return [account, credential, sourceKey(ip)];
}
