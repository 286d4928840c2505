/** A session as the ingress sees it, whatever its agent speaks. */
import type { Problem } from '../errors/problem.ts';
import type { SessionFacts } from '../online/session.ts';
import type { SessionTunnels } from './session-tunnels.ts';

/** Identity of a session after its agent is authenticated. */
export interface SessionIdentity {
  readonly facts: SessionFacts;
  readonly tunnels: SessionTunnels;
  /** SSH user certificate of the session; null for others. */
  readonly certificate: string | null;
}

export interface Session {
  /** Null before the agent is authenticated. */
  readonly identity: SessionIdentity | null;
  /** Ends the session and sends the reason to the agent. Its names are held for its credential. */
  end(reason: Problem): void;
  /**
   * Ends the session as `end` does, a moment later if requests are under way. It gets no new ones. Resolves when the
   * reason is sent.
   */
  leave(reason: Problem): Promise<void>;
  /** Ends the session as `end` does, and waits for nothing that the agent still has to do for it. */
  drop(reason: Problem): void;
  /** Ends the connection now, whatever is still to be sent. */
  destroy(): void;
}

export interface SessionWatcher {
  /** Called in the turn in which the session comes online. */
  online(session: Session): void;
  /** Once, whether or not it was ever online. `reason`: in words. */
  over(session: Session, reason: string): void;
}

/** Observes sessions of authenticated agents, in the turn in which they begin and end. */
export interface SessionObserver {
  started(session: SessionFacts): void;
  /** `reason`: in words. */
  stopped(session: SessionFacts, reason: string): void;
}
