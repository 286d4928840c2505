/**
 * Opens streams to what backends pick: a kept connection or a new one, within the share of the visitor's address. Never that what
 * was tried in vain for a request or connection is tried again for it.
 */
import type { ErrorName } from '../../errors/catalogue.ts';
import type { ProxyConnection } from '../../online/online.ts';
import type { Backend, ByteStream, Opener, Reply } from '../sites/site.ts';
import { StreamPool } from './pool.ts';
import type { Share, SourceShares } from './source-shares.ts';
import type { Upstream } from './upstream.ts';

export interface Wanted {
  readonly backend: Backend;
  readonly connection: ProxyConnection;
  /** The visitor's address, as `sourceKey` tells it. */
  readonly source: string;
  /** Added to; null: nothing yet. */
  tried: Set<Opener> | null;
}

/** How long an idle upstream may have been idle, at this time. */
export interface Reuse {
  readonly now: number;
  readonly withinMs: number;
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
  /** Those of a session have its streams in common. */
  readonly #poolsOfSession = new Map<string, Set<StreamPool>>();

  constructor(shares: SourceShares, limits: { readonly idleStreams: number; readonly idleStreamMs: number }) {
    this.#shares = shares;
    this.#limits = limits;
  }

  /** Numbers of places and of sessions of which connections are kept, or may be. */
  get kept(): { readonly places: number; readonly sessions: number } {
    return { places: this.#pools.size, sessions: this.#poolsOfSession.size };
  }

  /** For requests: an upstream that is idle for a short enough time if there is one, else a new one; an answer; or why there is neither. */
  obtain(wanted: Wanted, reuse: Reuse): Upstream | Reply | ErrorName {
    return this.#first(wanted, (opener, share) => {
      const upstream = this.#idleOrNew(opener, wanted.connection, reuse);
      if (upstream !== null) upstream.share = share;
      return upstream;
    });
  }

  /** For connections that carry bytes. */
  open(wanted: Wanted): Opened | Reply | ErrorName {
    return this.#first(wanted, (opener, share) => {
      const stream = this.#withRoom(opener, () => opener.open(wanted.connection));
      return stream === null ? null : { stream, opener, share };
    });
  }

  sweep(now: number): void {
    for (const pool of this.#pools.values()) pool.sweep(now);
  }

  close(): void {
    for (const pool of this.#pools.values()) pool.close();
    this.#pools.clear();
    this.#poolsOfSession.clear();
  }

  /** What the first pick gives that gives something. */
  #first<Given extends object>(
    wanted: Wanted,
    from: (opener: Opener, share: Share) => Given | null,
  ): Given | Reply | ErrorName {
    let refusal: ErrorName | null = null;
    while (true) {
      const picked = wanted.backend.pick(wanted.tried ?? nothing);
      if (typeof picked === 'string') return refusal ?? picked;
      if ('kind' in picked) return picked;
      const share = this.#shares.take(picked, wanted.source);
      const given = share === null ? null : from(picked, share);
      if (given !== null) return given;
      share?.release();
      refusal = share === null ? 'tunnelBusyForSource' : 'tunnelBusy';
      wanted.tried ??= new Set();
      wanted.tried.add(picked);
    }
  }

  #idleOrNew(opener: Opener, connection: ProxyConnection, { now, withinMs }: Reuse): Upstream | null {
    const pool = this.#poolOf(opener);
    if (pool === null) return null;
    const kept = pool.take(now, withinMs);
    if (kept !== null) {
      opener.expectAnswer();
      return kept;
    }
    const upstream = this.#withRoom(opener, () => pool.open(connection, now));
    // What was refused on a connection that had been in use is not given to it over and over.
    if (upstream !== null && withinMs === 0) upstream.isFresh = true;
    return upstream;
  }

  /** Streams that wait idle give way to one that is needed. */
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
      // Not within a look-up that has found it gone: whoever is told may go on with a request of their own.
      if (!opener.finishMs) queueMicrotask(() => pool.cut());
      else setTimeout(() => pool.cut(), opener.finishMs).unref();
    };
    opener.closed.addEventListener('abort', forget, { once: true });
    return pool;
  }
}
