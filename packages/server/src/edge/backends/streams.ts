/**
 * Opens streams to the picks of backends: a kept connection or a new one, within the share of the visitor's address.
 * Invariant: a place that failed for a request or connection is not tried again for it.
 */
import type { ErrorName } from '../../errors/catalogue.ts';
import type { ProxyConnection } from '../../online/online.ts';
import type { Backend, ByteStream, Opener, Reply } from '../sites/site.ts';
import { StreamPool } from './pool.ts';
import type { Share, SourceShares } from './source-shares.ts';
import type { Upstream } from './upstream.ts';
import { type Waiting, WaitingRoom } from './waiting-room.ts';

export interface Wanted {
  readonly backend: Backend;
  readonly connection: ProxyConnection;
  /** The key of the visitor's address, from `sourceKey`. */
  readonly source: string;
  /** Added to; null: nothing yet. */
  tried: Set<Opener> | null;
  /** The tried places that had no room; null: none. Every copy has the same object. */
  turn?: Turn | null;
}

/** The part of a request or connection in the waiting room. */
export interface Turn {
  /** Places that may have room a moment later. */
  readonly busy: Set<Opener>;
  /** Deadline by the clock of the waiting room. */
  readonly until: number;
  /** It waited: newcomers stay behind it. */
  isCalled: boolean;
}

/** The present time, and the longest time that an upstream may have been idle. */
export interface Reuse {
  readonly now: number;
  readonly withinMs: number;
}

/** The owner of a wait. */
export interface StreamWaiter {
  /** Tries once more. Returns false if there is still no room. Must not throw. */
  attempt(): boolean;
  /**
   * The wait has expired. `refusal` is the reason if the address has used its share of each place; null: that of the
   * last attempt. Must not throw.
   */
  expired(refusal: ErrorName | null): void;
}

/** A stream for one connection alone. */
export interface Opened {
  readonly stream: ByteStream;
  readonly opener: Opener;
  readonly share: Share;
}

const nothing: ReadonlySet<Opener> = new Set();

export class Streams {
  readonly #limits: { readonly idleStreams: number; readonly idleStreamMs: number };
  readonly #shares: SourceShares;
  readonly #pools = new Map<Opener, StreamPool>();
  readonly #waiting: WaitingRoom;
  /** Pools by session, because its streams are shared. */
  readonly #poolsOfSession = new Map<string, Set<StreamPool>>();
  /** Returns true if this daemon serves no visitor. Called for each request: cheap. */
  isIsolated: () => boolean = () => false;
  /** Called with a session that had no room for a stream. */
  onNoRoom: ((session: string) => void) | null = null;

  constructor(
    shares: SourceShares,
    limits: { readonly idleStreams: number; readonly idleStreamMs: number },
    waiting = new WaitingRoom(),
  ) {
    this.#shares = shares;
    this.#limits = limits;
    this.#waiting = waiting;
    shares.onFreed = (session) => waiting.freed(session);
  }

  /** Requests and connections that wait for a stream. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** The place did not serve a stream that it had given: it is not tried again, or a moment later if `isForNow`. */
  refused(wanted: Wanted, opener: Opener, isForNow: boolean): void {
    wanted.tried ??= new Set();
    wanted.tried.add(opener);
    if (isForNow) opener.refusedStream?.();
    if (!isForNow || opener.refusesForNow !== true || this.#waiting.waitMs === 0) return;
    this.#waiting.refused(opener);
    this.#turnOf(wanted).busy.add(opener);
  }

  /** Returns true if waiting may help, because a place had no room. */
  isBusy({ turn }: Wanted): boolean {
    return turn !== undefined && turn !== null && turn.busy.size > 0;
  }

  /**
   * Waits for a place that had no room. `attempt` is called when there may be some, to obtain or open with the result
   * of `wanted`. Returns null if there is no place to wait for, or no room to wait.
   */
  wait(wanted: () => Wanted, { attempt, expired }: StreamWaiter): Waiting | null {
    const { turn, source } = wanted();
    if (turn === undefined || turn === null) return null;
    return this.#waiting.enter(turn.busy, source, turn.until, {
      attempt: () => {
        const now = wanted();
        for (const opener of turn.busy) now.tried?.delete(opener);
        turn.busy.clear();
        turn.isCalled = true;
        return attempt();
      },
      expired: () => {
        // The agent may have refused the last attempt before other requests of the address used up its share.
        const isUsed = [...turn.busy].every((opener) => this.#shares.isUsed(opener, source));
        expired(isUsed ? 'tunnelBusyForSource' : null);
      },
    });
  }

  #turnOf(wanted: Wanted): Turn {
    const { now, waitMs } = this.#waiting;
    wanted.turn ??= { busy: new Set(), until: now + waitMs, isCalled: false };
    return wanted.turn;
  }

  /** Numbers of places and of sessions of which connections are kept, or may be. */
  get kept(): { readonly places: number; readonly sessions: number } {
    return { places: this.#pools.size, sessions: this.#poolsOfSession.size };
  }

  /**
   * Returns an upstream that is idle for a short enough time, or a new one; a response; or the reason why there is
   * none.
   */
  obtain(wanted: Wanted, reuse: Reuse): Upstream | Reply | ErrorName {
    return this.#first(wanted, (opener, share) => {
      const upstream = this.#idleOrNew(opener, wanted.connection, reuse);
      if (upstream !== null) upstream.share = share;
      return upstream;
    });
  }

  /** Opens a stream for a connection that carries bytes. */
  open(wanted: Wanted): Opened | Reply | ErrorName {
    return this.#first(wanted, (opener, share) => {
      const stream = this.#withRoom(opener, () => opener.open(wanted.connection));
      return stream === null ? null : { stream, opener, share };
    });
  }

  sweep(now: number): void {
    for (const pool of this.#pools.values()) pool.sweep(now);
  }

  /** Closes idle streams of a session, at most `most`, because others need its room. */
  giveBack(session: string, most: number): void {
    let left = most;
    for (const pool of this.#poolsOfSession.get(session) ?? [])
      while (left > 0 && pool.dropOldest()) left -= 1;
  }

  close(): void {
    this.#waiting.close();
    for (const pool of this.#pools.values()) pool.close();
    this.#pools.clear();
    this.#poolsOfSession.clear();
  }

  /** Returns the first result of a pick. */
  #first<Given extends object>(
    wanted: Wanted,
    from: (opener: Opener, share: Share) => Given | null,
  ): Given | Reply | ErrorName {
    if (this.isIsolated()) return 'nodeIsolated';
    let refusal: ErrorName | null = null;
    while (true) {
      const picked = wanted.backend.pick(wanted.tried ?? nothing);
      if (typeof picked === 'string') return refusal ?? picked;
      if ('kind' in picked) return picked;
      const isBehind = wanted.turn?.isCalled !== true && this.#waiting.isCrowded(picked.session);
      const share = isBehind ? null : this.#shares.take(picked, wanted.source);
      const given = share === null ? null : from(picked, share);
      if (given !== null) return given;
      share?.release();
      this.onNoRoom?.(picked.session);
      refusal = share === null && !isBehind ? 'tunnelBusyForSource' : 'tunnelBusy';
      wanted.tried ??= new Set();
      wanted.tried.add(picked);
      if (this.#waiting.waitMs > 0) this.#turnOf(wanted).busy.add(picked);
    }
  }

  #idleOrNew(opener: Opener, connection: ProxyConnection, { now, withinMs }: Reuse): Upstream | null {
    const pool = opener.isFenced === true ? null : this.#poolOf(opener);
    if (pool === null) return null;
    const kept = pool.take(now, withinMs);
    if (kept !== null) {
      opener.expectAnswer();
      return kept;
    }
    const upstream = this.#withRoom(opener, () => pool.open(connection, now));
    // After a refusal on a used connection the request gets a fresh one, so that it is not refused over and over.
    if (upstream !== null && withinMs === 0) upstream.isFresh = true;
    return upstream;
  }

  /** Closes an idle stream if a needed one finds no room. */
  #withRoom<Given>({ session }: Opener, open: () => Given | null): Given | null {
    const given = open();
    if (given !== null) return given;
    for (const pool of this.#poolsOfSession.get(session) ?? []) if (pool.dropOldest()) return open();
    return null;
  }

  #poolOf(opener: Opener): StreamPool | null {
    const known = this.#pools.get(opener);
    if (known !== undefined) return known;
    if (opener.closed.aborted) return null;
    const pool = new StreamPool(opener, this.#limits.idleStreams, this.#limits.idleStreamMs);
    this.#pools.set(opener, pool);
    const siblings = this.#poolsOfSession.get(opener.session) ?? new Set();
    this.#poolsOfSession.set(opener.session, siblings.add(pool));
    const forget = (): void => {
      this.#pools.delete(opener);
      siblings.delete(pool);
      if (siblings.size === 0) this.#poolsOfSession.delete(opener.session);
      pool.close();
      // Deferred, because a notified owner may send another request during this look-up.
      if (!opener.finishMs) queueMicrotask(() => pool.cut());
      else setTimeout(() => pool.cut(), opener.finishMs).unref();
    };
    opener.closed.addEventListener('abort', forget, { once: true });
    return pool;
  }
}
