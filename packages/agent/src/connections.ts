/**
 * The connections of an agent with the service: a first one, and further ones to other daemons of the service.
 * Invariant: all of them are of one agent for the service, and two of them have different numbers.
 */
import { debuglog } from 'node:util';
import { field, type MuxStream, type ProxyHeader } from '@underpass/wire';
import type { AgentConnections, AgentOptions } from './agent-options.ts';
import { BoundTunnels } from './bound-tunnels.ts';
import { type Attempt, FurtherConnections } from './further-connections.ts';
import type { Earlier, HeartbeatTimes } from './hello.ts';
import { reasonOf } from './reason.ts';
import { Refused } from './refused.ts';
import { ServicePlaces } from './service-places.ts';
import { openSession, type Session } from './session.ts';

/** One connection. */
export interface Leg {
  /** Its number for the service, from 0. */
  readonly number: number;
  readonly session: Session;
  readonly tunnels: BoundTunnels;
  /** Milliseconds of `performance.now()`. */
  readonly openedAt: number;
  /** Connections that are useful, as its daemon reports them; 0: it does not. */
  useful: number;
  /** Milliseconds of the latest heartbeat; null before it. */
  latencyMs: number | null;
}

export interface ConnectionsParts {
  readonly options: AgentOptions;
  /** Aborts when the agent ends. */
  readonly over: AbortSignal;
  /** Called for each further connection. */
  readonly opened: () => void;
  readonly lost: (leg: Leg) => void;
  /** The service requests the end of the agent. */
  readonly stop: () => void;
  /** The service ended a tunnel: StopTunnel's request as it came. */
  readonly stopTunnel: (leg: BoundTunnels, request: unknown) => void;
  /** The service reports visitors that it refused: the request as it came. */
  readonly refusals: (leg: BoundTunnels, request: unknown) => void;
}

const HEARTBEAT: HeartbeatTimes = { intervalMs: 10_000, toleranceMs: 15_000 };
const DIAL_TIMEOUT_MS = 15_000;
const DEFAULT_CONNECTIONS = 4;
/** A connection that lasted this long was a good one: waits begin small again. */
export const GOOD_SESSION_MS = 10_000;

const debug = debuglog('underpass');

export class Connections {
  readonly #parts: ConnectionsParts;
  readonly #most: number;
  readonly #places: ServicePlaces;
  readonly #further: FurtherConnections;
  readonly #live = new Set<Leg>();
  /** Numbers of connections that are open, or are being opened. */
  readonly #numbers = new Set<number>();
  #earlier: Earlier = { clientId: '', cookie: '' };
  #noneLeft: PromiseWithResolvers<string> = Promise.withResolvers();
  /** The latest report, and the latest number of useful connections. */
  #reported: Pick<AgentConnections, 'open' | 'wanted'> = { open: 1, wanted: 1 };
  #wanted = 1;

  constructor(parts: ConnectionsParts) {
    const { options, over } = parts;
    const { random = Math.random } = options;
    this.#parts = parts;
    this.#most = options.connections ?? DEFAULT_CONNECTIONS;
    this.#places = new ServicePlaces(options, random);
    this.#further = new FurtherConnections({
      ...{ random, signal: over },
      open: () => this.#openFurther(),
      isMissing: () => this.#live.size > 0 && this.#live.size < this.#wanted,
    });
  }

  /** Open connections. */
  get live(): ReadonlySet<Leg> {
    return this.#live;
  }

  /** Opens a connection when there is none. Rejects with Refused, or with the reason why there is none. */
  async openFirst(): Promise<Leg> {
    const leg = await this.#open(false);
    const { clientId, cookie } = leg.session.welcome;
    this.#earlier = { clientId, cookie };
    this.#noneLeft = Promise.withResolvers();
    return leg;
  }

  /** Puts the connection of `openFirst` to use. Resolves when no connection is left, with the reason. */
  async use(leg: Leg): Promise<string> {
    this.#add(leg);
    this.#further.changed();
    return await this.#noneLeft.promise;
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    await Promise.all([...this.#live].map(({ session }) => session.close()));
  }

  #add(leg: Leg): void {
    this.#live.add(leg);
    void leg.session.over.then((reason) => this.#lost(leg, reason));
    this.#changed();
  }

  #lost(leg: Leg, reason: string): void {
    this.#live.delete(leg);
    this.#numbers.delete(leg.number);
    this.#parts.lost(leg);
    if (this.#live.size === 0) {
      this.#wanted = 1;
      this.#noneLeft.resolve(reason);
      return;
    }
    debug('connection %d is lost: %s', leg.number, reason);
    this.#changed();
    this.#further.lost(performance.now() - leg.openedAt > GOOD_SESSION_MS);
  }

  async #openFurther(): Promise<Attempt> {
    try {
      const leg = await this.#open(true);
      if (this.#fits(leg)) {
        this.#add(leg);
        this.#parts.opened();
        return 'open';
      }
      this.#numbers.delete(leg.number);
      await leg.session.close();
      return 'again';
    } catch (error) {
      debug('a further connection is left out: %s', reasonOf(error));
      return error instanceof Refused ? 'refused' : 'again';
    }
  }

  /** Returns false for a connection to a daemon that has one, or that the service takes for one of another agent. */
  #fits({ session: { welcome } }: Leg): boolean {
    const isOwn = welcome.clientId === this.#earlier.clientId;
    const isTaken = [...this.#live].some(({ session }) => session.welcome.daemon === welcome.daemon);
    return isOwn && !isTaken && this.#live.size > 0 && !this.#parts.over.aborted;
  }

  async #open(isFurther: boolean): Promise<Leg> {
    const number = this.#freeNumber();
    this.#numbers.add(number);
    try {
      return await this.#dial(number, isFurther);
    } catch (error) {
      this.#numbers.delete(number);
      throw error;
    }
  }

  async #dial(number: number, isFurther: boolean): Promise<Leg> {
    const { options, over: signal, stop, stopTunnel, refusals } = this.#parts;
    const { server, ...known } = this.#places.next();
    const tunnels = new BoundTunnels();
    let leg: Leg | null = null;
    const session = await openSession({
      server,
      authtoken: options.authtoken,
      earlier: this.#earlier,
      leg: { number, isFurther, most: this.#most },
      heartbeat: options.heartbeat ?? HEARTBEAT,
      dial: { ...known, signal, timeoutMs: DIAL_TIMEOUT_MS },
      beat: (roundTripMs) => this.#beat(leg, roundTripMs),
      proxy: (stream: MuxStream, header: ProxyHeader) => tunnels.proxy(stream, header),
      stop,
      restart: () => this.#restart(),
      stopTunnel: (request) => stopTunnel(tunnels, request),
      refusals: (request) => refusals(tunnels, request),
      connections: (request) => this.#notified(leg, request),
    });
    const { connections: useful } = session.welcome;
    leg = { number, session, tunnels, openedAt: performance.now(), useful, latencyMs: null };
    return leg;
  }

  #freeNumber(): number {
    let number = 0;
    while (this.#numbers.has(number)) number++;
    return number;
  }

  /** Visitors come over all connections: the least time is that of the nearest daemon. */
  #beat(leg: Leg | null, roundTripMs: number): void {
    if (leg !== null) leg.latencyMs = roundTripMs;
    const all = [...this.#live].flatMap(({ latencyMs }) => latencyMs ?? []);
    this.#parts.options.onLatency?.(Math.min(roundTripMs, ...all));
  }

  /** A new process would have new connections only, so all of them end. */
  #restart(): void {
    // The goodbye must not overtake the response.
    queueMicrotask(() => {
      for (const { session } of [...this.#live]) session.leave('the service requested a restart');
    });
  }

  #notified(leg: Leg | null, request: unknown): void {
    const count = field(request, 'Connections');
    if (leg === null || typeof count !== 'number') return;
    leg.useful = count;
    const before = this.#wanted;
    this.#changed();
    if (this.#wanted !== before) this.#further.changed();
  }

  /** Recounts. A daemon that is cut off from the others reports fewer, so the highest number counts. */
  #changed(): void {
    const most = Math.max(1, ...[...this.#live].map(({ useful }) => useful));
    this.#wanted = Math.min(this.#most, most);
    const [open, wanted] = [this.#live.size, this.#wanted];
    if (open === this.#reported.open && wanted === this.#reported.wanted) return;
    this.#reported = { open, wanted };
    const sessionIds = [...this.#live].map(({ session }) => session.welcome.sessionId);
    this.#parts.options.onConnections?.({ open, wanted, sessionIds });
  }
}
