/**
 * Requests and connections that found no stream wait here for their turn: the addresses of visitors take turns at each session.
 * Invariant: a waiter that was served, cancelled or expired leaves nothing here.
 */
import { type Share, SourceShares } from './source-shares.ts';

/** A place that has no room at the moment. */
export interface BusyPlace {
  readonly session: string;
  readonly closed: AbortSignal;
}

export interface WaiterCalls {
  /** Tries once more. False: still no room. Must not throw. */
  attempt(): boolean;
  /** The wait has expired. Must not throw. */
  expired(): void;
}

export interface Waiting {
  /** Leaves without being called again. Idempotent. */
  cancel(): void;
}

export interface WaitingRoomOptions {
  /** Milliseconds that one waits in all; 0: nothing waits. */
  readonly waitMs?: number;
  /** Waiters for one session, and in all; one address has at most half of either. */
  readonly perSession?: number;
  readonly inAll?: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

interface Waiter extends WaiterCalls {
  readonly source: string;
  readonly queues: Queue[];
  readonly until: number;
  readonly shares: readonly Share[];
}

/** The waiters of one session. */
interface Queue {
  readonly session: string;
  readonly bySource: Map<string, Set<Waiter>>;
  readonly watched: Set<AbortSignal>;
  /** Aborts when the queue is forgotten. */
  readonly over: AbortController;
  /** Time of the next attempt that nothing else causes. */
  dueAt: number;
  /** The agent refused a stream: until then no attempt is made, and then few at a time. */
  pausedUntil: number;
  pauseMs: number;
  crowdedUntil: number;
  isScheduled: boolean;
}

const WAIT_MS = 5_000;
const PER_SESSION = 1_024;
const IN_ALL = 8_192;
const TICK_MS = 10;
/** Attempts without a cause: a stream may be free of which no word came. */
const RETRY_MS = 200;
/** Agents of others accept 64 streams at a time: a smaller number is opened, with pauses. */
const BATCH = 32;
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 320;
const CROWDED_MS = 1_000;
/** So many sources in a row without room: the others will find none, either. */
const MOST_IN_VAIN = 8;

export class WaitingRoom {
  readonly waitMs: number;
  readonly #now: () => number;
  readonly #queues = new Map<string, Queue>();
  readonly #waiters = new Set<Waiter>();
  readonly #perSession: SourceShares;
  readonly #inAll: SourceShares;
  readonly #everybody = { session: '', outstanding: 0 };
  #timer: NodeJS.Timeout | null = null;

  constructor(options: WaitingRoomOptions = {}) {
    const { waitMs = WAIT_MS, perSession = PER_SESSION, inAll = IN_ALL } = options;
    this.waitMs = waitMs;
    this.#now = options.now ?? (() => performance.now());
    this.#perSession = new SourceShares(perSession);
    this.#inAll = new SourceShares(inAll);
  }

  /** Waiters at this moment. */
  get size(): number {
    return this.#waiters.size;
  }

  get now(): number {
    return this.#now();
  }

  /** Enters the room. `until` is a time of its clock. Returns null if too many wait already, or the time has passed. */
  enter(places: Iterable<BusyPlace>, source: string, until: number, calls: WaiterCalls): Waiting | null {
    if (until <= this.#now()) return null;
    const [first, ...others] = places;
    if (first === undefined) return null;
    const shares = this.#take(first.session, source);
    if (shares === null) return null;
    const queues = [...new Set([first, ...others].map((place) => this.#queueOf(place)))];
    const waiter: Waiter = {
      attempt: () => calls.attempt(),
      expired: () => calls.expired(),
      ...{ source, queues, until, shares },
    };
    this.#waiters.add(waiter);
    for (const { bySource } of queues) bySource.set(source, (bySource.get(source) ?? new Set()).add(waiter));
    this.#tickSoon();
    return { cancel: () => this.#remove(waiter) };
  }

  /** A stream of the session may be free. */
  freed(session: string): void {
    if (this.#waiters.size === 0) return;
    const queue = this.#queues.get(session);
    if (queue === undefined || queue.isScheduled || queue.bySource.size === 0) return;
    queue.isScheduled = true;
    // The caller that frees it is in the middle of another step.
    queueMicrotask(() => {
      queue.isScheduled = false;
      if (this.#now() >= queue.pausedUntil) this.#serve(queue, MOST_IN_VAIN);
    });
  }

  /** The agent refused a stream, as agents do that accept too few at a time. */
  refused(place: BusyPlace): void {
    const queue = this.#queueOf(place);
    const now = this.#now();
    // Of one burst many are refused.
    if (now < queue.pausedUntil) return;
    queue.pauseMs = now < queue.crowdedUntil ? Math.min(2 * queue.pauseMs, LONGEST_PAUSE_MS) : FIRST_PAUSE_MS;
    queue.pausedUntil = now + queue.pauseMs;
    queue.crowdedUntil = queue.pausedUntil + CROWDED_MS;
    queue.dueAt = queue.pausedUntil;
    this.#tickSoon();
  }

  /** Newcomers have to wait behind those who do. */
  isCrowded(session: string): boolean {
    if (this.#waiters.size === 0) return false;
    const queue = this.#queues.get(session);
    return queue !== undefined && queue.bySource.size > 0 && this.#now() < queue.crowdedUntil;
  }

  /** Empties the room without calling the waiters. */
  close(): void {
    for (const waiter of [...this.#waiters]) this.#remove(waiter);
    for (const queue of [...this.#queues.values()]) this.#forget(queue);
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #take(session: string, source: string): readonly Share[] | null {
    const inAll = this.#inAll.take(this.#everybody, source);
    if (inAll === null) return null;
    const ofSession = this.#perSession.take({ session, outstanding: 0 }, source);
    if (ofSession !== null) return [inAll, ofSession];
    inAll.release();
    return null;
  }

  #queueOf({ session, closed }: BusyPlace): Queue {
    const queue = this.#queues.get(session) ?? {
      session,
      bySource: new Map(),
      watched: new Set(),
      over: new AbortController(),
      dueAt: this.#now() + RETRY_MS,
      ...{ pausedUntil: 0, pauseMs: FIRST_PAUSE_MS, crowdedUntil: 0, isScheduled: false },
    };
    this.#queues.set(session, queue);
    if (closed.aborted || queue.watched.has(closed)) return queue;
    queue.watched.add(closed);
    const gone = () => queueMicrotask(() => this.#serve(queue, Number.POSITIVE_INFINITY));
    closed.addEventListener('abort', gone, { once: true, signal: queue.over.signal });
    return queue;
  }

  /** One attempt of each source in turn, until none of them finds room. */
  #serve(queue: Queue, mostInVain: number): void {
    const now = this.#now();
    const most = now < queue.crowdedUntil ? BATCH : Number.POSITIVE_INFINITY;
    let served = 0;
    let inVain = 0;
    queue.dueAt = now + RETRY_MS;
    // A source that was served comes again at the end of the walk.
    for (const [source, waiters] of queue.bySource) {
      const [waiter] = waiters;
      if (waiter === undefined) continue;
      if (!waiter.attempt()) {
        inVain += 1;
        if (inVain >= mostInVain) break;
        continue;
      }
      inVain = 0;
      served += 1;
      this.#remove(waiter);
      if (queue.bySource.delete(source) && waiters.size > 0) queue.bySource.set(source, waiters);
      if (served < most) continue;
      queue.pausedUntil = now + TICK_MS;
      queue.dueAt = queue.pausedUntil;
      break;
    }
  }

  #remove(waiter: Waiter): void {
    if (!this.#waiters.delete(waiter)) return;
    for (const share of waiter.shares) share.release();
    for (const { bySource } of waiter.queues) {
      const siblings = bySource.get(waiter.source);
      siblings?.delete(waiter);
      if (siblings?.size === 0) bySource.delete(waiter.source);
    }
  }

  #forget(queue: Queue): void {
    this.#queues.delete(queue.session);
    queue.over.abort();
  }

  #tickSoon(): void {
    this.#timer ??= setTimeout(() => this.#tick(), TICK_MS).unref();
  }

  #tick(): void {
    this.#timer = null;
    const now = this.#now();
    for (const waiter of [...this.#waiters]) {
      if (now < waiter.until) continue;
      this.#remove(waiter);
      waiter.expired();
    }
    for (const queue of [...this.#queues.values()]) {
      if (queue.bySource.size > 0 && now >= queue.dueAt) this.#serve(queue, MOST_IN_VAIN);
      if (queue.bySource.size === 0 && now >= queue.pausedUntil) this.#forget(queue);
    }
    if (this.#queues.size > 0) this.#tickSoon();
  }
}
