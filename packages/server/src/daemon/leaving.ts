/**
 * Sends the agents of a daemon to other daemons while it goes on to serve visitors.
 *
 * The daemon is not ready at once, so that balancers lead agents elsewhere. Those that are there end over some seconds,
 * the oldest first. An agent that comes back meanwhile is taken: its balancer may not know yet, and some agents wait
 * for minutes after a few refusals. Later ones are sent away.
 * Invariant: no agent is sent away before all that were there at the beginning.
 */
import type { Logger } from 'pino';
import { Problem } from '../errors/problem.ts';
import type { Readiness } from '../health/readiness.ts';
import type { Ingress } from '../tunnels/ingress.ts';
import type { Session } from '../tunnels/live-session.ts';

export interface LeavingParts {
  readonly agents: Pick<Ingress, 'sessions' | 'sendsAway'>;
  readonly readiness: Pick<Readiness, 'register'>;
  /** Milliseconds over which agents are sent away. */
  readonly leaveMs: number;
  /** Returns true if another daemon takes agents. */
  readonly hasTakers: () => boolean;
  readonly log: Pick<Logger, 'info'>;
}

/** Milliseconds between two groups of agents. */
const TICK_MS = 50;
/** Rounds: one for agents that were there, and one for those that came meanwhile. */
const ROUNDS = 2;

export class Leaving {
  readonly #parts: LeavingParts;
  #message: string | null = null;
  /** The daemon stops, so nothing ends the draining any more. */
  #isLast = false;
  /** No connection comes any more, so no balancer needs time. */
  #isHandedOver = false;
  #timer: NodeJS.Timeout | undefined;
  /** Sessions whose requests finish. */
  readonly #leaving = new Set<Promise<void>>();
  #over = Promise.withResolvers<void>();

  constructor(parts: LeavingParts) {
    this.#parts = parts;
    parts.readiness.register('draining', () => this.#message);
  }

  /** Begins to send agents away. `message`: for operators. Resolves when none is left, or after `undo`. */
  begin(message: string): Promise<void> {
    if (this.#isLast) return this.#over.promise;
    if (this.#message !== null) this.undo();
    return this.#start(message);
  }

  /** Takes agents again, unless the daemon stops. Idempotent. */
  undo(): void {
    if (this.#isLast) return;
    const { agents, log } = this.#parts;
    clearTimeout(this.#timer);
    if (this.#message !== null) log.info('this daemon takes agents again');
    this.#message = null;
    agents.sendsAway = false;
    this.#over.resolve();
  }

  /**
   * Sends agents away before the daemon stops, if other daemons take them. `mark`: marks this one as draining. A
   * draining that an operator began goes on. Resolves at once without another daemon, and as soon as none is left.
   */
  async finish(mark: () => void): Promise<void> {
    if (!this.#parts.hasTakers()) return;
    this.#isLast = true;
    mark();
    if (this.#message === null) void this.#start('this daemon stops: its agents go to other ones');
    await this.#over.promise;
    await Promise.all(this.#leaving);
  }

  /** Another process accepts the connections from now on, so the draining ends with the last agent that is here. */
  handOver(): void {
    this.#isHandedOver = true;
  }

  #start(message: string): Promise<void> {
    const { agents, log } = this.#parts;
    this.#message = message;
    log.info({ agents: agents.sessions.length }, message);
    this.#over = Promise.withResolvers();
    this.#round(1);
    return this.#over.promise;
  }

  #round(count: number): void {
    const { agents, leaveMs } = this.#parts;
    const sessions = [...agents.sessions];
    const began = performance.now();
    let ended = 0;
    const tick = (): void => {
      const share = this.#isHurried(count) ? 1 : (performance.now() - began) / leaveMs;
      const due = Math.min(sessions.length, Math.ceil(share * sessions.length));
      if (due > ended) this.#end(sessions.slice(ended, due));
      ended = due;
      // In the first round balancers get the whole time.
      const hasTime = count < ROUNDS && !this.#isHandedOver;
      const isOver = share >= 1 || (!hasTime && ended === sessions.length);
      if (isOver) this.#next(count);
      else this.#timer = setTimeout(tick, TICK_MS).unref();
    };
    tick();
  }

  /** A daemon that stops has no time for a second round, and nothing to wait for if no other daemon takes agents. */
  #isHurried(count: number): boolean {
    const { leaveMs, hasTakers } = this.#parts;
    return leaveMs === 0 || (this.#isLast && (count === ROUNDS || !hasTakers()));
  }

  #next(count: number): void {
    this.#parts.agents.sendsAway = true;
    if (count < ROUNDS) this.#round(count + 1);
    else this.#over.resolve();
  }

  /** Ends those that are still there. */
  #end(sessions: readonly Session[]): void {
    const present = new Set(this.#parts.agents.sessions);
    for (const session of sessions) if (present.has(session)) this.#leave(session);
  }

  #leave(session: Session): void {
    const left = session.leave(new Problem('serviceStopping')).finally(() => this.#leaving.delete(left));
    this.#leaving.add(left);
  }
}
