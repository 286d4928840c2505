/**
 * The upstream connections of one place. The last used idle one is reused first.
 * Invariant: idle connections stay within the limits of number and time, and end with their place.
 */
import type { ProxyConnection } from '../../online/online.ts';
import type { ByteStream, Opener } from '../sites/site.ts';
import { Http2Upstreams } from './http2-upstreams.ts';
import { Upstream, type UpstreamOwner } from './upstream.ts';

export class StreamPool implements UpstreamOwner {
  readonly opener: Opener;
  readonly #limit: number;
  readonly #idleMs: number;
  /** Shared connections for HTTP/2, instead of kept ones; null for HTTP/1.1. */
  readonly #http2: Http2Upstreams | null;
  #idle: Upstream[] = [];
  readonly #used = new Set<Upstream>();
  #closed = false;

  constructor(opener: Opener, limit: number, idleMs: number) {
    this.opener = opener;
    this.#limit = limit;
    this.#idleMs = idleMs;
    this.#http2 = opener.speaksHttp2 === true ? new Http2Upstreams(opener, idleMs) : null;
  }

  get idle(): number {
    return this.#idle.length;
  }

  /** An upstream that was idle for less than `withinMs`; null when there is none. */
  take(now: number, withinMs: number): Upstream | null {
    const upstream = this.#idle[this.#idle.length - 1];
    if (upstream === undefined) return null;
    const idleFor = now - upstream.idleSince;
    // The others have been idle for longer; the sweep sees to them.
    if (idleFor >= withinMs || idleFor >= upstream.idleMs) return null;
    this.#idle.pop();
    upstream.isFresh = false;
    this.#used.add(upstream);
    return upstream;
  }

  /** Drops the one that has been idle for longest; false when there is none. */
  dropOldest(): boolean {
    const oldest = this.#idle.shift();
    oldest?.drop();
    return oldest !== undefined || this.#http2?.dropIdle() === true;
  }

  /** A new stream; null when the place gives none. */
  open(connection: ProxyConnection, now: number): Upstream | null {
    if (this.#http2 !== null) return this.#openOver(this.#http2, connection, now);
    const stream = this.opener.open(connection);
    return stream === null ? null : this.#use(stream);
  }

  #openOver(http2: Http2Upstreams, connection: ProxyConnection, now: number): Upstream | null {
    const opened = http2.open(connection, now);
    if (opened === null) return null;
    const upstream = this.#use(opened.stream);
    upstream.isFresh = opened.isFresh;
    return upstream;
  }

  #use(stream: ByteStream): Upstream {
    const upstream = new Upstream(stream, this, this.#idleMs);
    this.#used.add(upstream);
    return upstream;
  }

  keep(upstream: Upstream, now: number): void {
    const isOfOne = this.#http2 !== null || this.opener.isOfOneVisitor === true;
    if (this.#closed || isOfOne || this.#idle.length >= this.#limit) {
      upstream.drop();
      return;
    }
    upstream.idleSince = now;
    this.#used.delete(upstream);
    this.#idle.push(upstream);
  }

  forget(upstream: Upstream): void {
    if (this.#used.delete(upstream)) return;
    const at = this.#idle.indexOf(upstream);
    if (at !== -1) this.#idle.splice(at, 1);
  }

  /** Drops what has been idle for too long. */
  sweep(now: number): void {
    this.#http2?.sweep(now);
    const stale = this.#idle.filter((upstream) => now - upstream.idleSince >= upstream.idleMs);
    if (stale.length === 0) return;
    this.#idle = this.#idle.filter((upstream) => !stale.includes(upstream));
    for (const upstream of stale) upstream.drop();
  }

  /** Drops what is idle, and keeps nothing from now on; what is used is left to end. */
  close(): void {
    this.#closed = true;
    this.#http2?.close();
    const idle = this.#idle;
    this.#idle = [];
    for (const upstream of idle) upstream.drop();
  }

  /** The place is gone: ends what is under way there. */
  cut(): void {
    for (const upstream of [...this.#used]) upstream.cut();
  }
}
