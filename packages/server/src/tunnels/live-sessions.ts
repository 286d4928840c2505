/** Sessions of authenticated agents that are connected to this daemon, by id, credential and agent. All lists are copies. */
import type { SessionFacts } from '../online/session.ts';
import type { Session } from './live-session.ts';
import type { SessionTunnels } from './session-tunnels.ts';

type Places = Map<string, Set<Session>>;

export class LiveSessions {
  readonly #byId = new Map<string, Session>();
  readonly #byCredential: Places = new Map();
  /** The connections of each agent, by what it keeps over its reconnects. */
  readonly #byAgent: Places = new Map();

  get all(): readonly Session[] {
    return [...this.#byId.values()];
  }

  /** Credentials that have sessions. */
  get credentials(): readonly string[] {
    return [...this.#byCredential.keys()];
  }

  /** `id`: `ts_…`. */
  get(id: string): Session | undefined {
    return this.#byId.get(id);
  }

  ofCredential(credential: string): readonly Session[] {
    return [...(this.#byCredential.get(credential) ?? [])];
  }

  ofAgent(clientId: string): readonly Session[] {
    return [...(this.#byAgent.get(clientId) ?? [])];
  }

  /** Returns the tunnels of the other connections of a session's agent. */
  beside({ session, clientId }: { session: string; clientId: string }): readonly SessionTunnels[] {
    return this.ofAgent(clientId).flatMap(({ identity }) =>
      identity === null || identity.facts.id === session ? [] : [identity.tunnels],
    );
  }

  add({ id, credential, clientId }: SessionFacts, session: Session): void {
    this.#byId.set(id, session);
    enter(this.#byCredential, credential, session);
    enter(this.#byAgent, clientId, session);
  }

  delete({ id, credential, clientId }: SessionFacts, session: Session): void {
    this.#byId.delete(id);
    leave(this.#byCredential, credential, session);
    leave(this.#byAgent, clientId, session);
  }
}

function enter(places: Places, place: string, session: Session): void {
  places.set(place, (places.get(place) ?? new Set()).add(session));
}

function leave(places: Places, place: string, session: Session): void {
  const sessions = places.get(place);
  sessions?.delete(session);
  if (sessions?.size === 0) places.delete(place);
}
