/**
 * One connection to a place, kept alive between requests.
 * Invariant: at most one request uses it at a time.
 */
import { ErrorCode, type StreamHandler } from '@underpass/wire';
import type { ByteStream, Opener } from '../sites/site.ts';
import type { Share } from './source-shares.ts';

/** User of an upstream, until its release. */
export interface UpstreamUser {
  upstreamData(chunk: Buffer): void;
  upstreamEnd(): void;
  upstreamDrain(): void;
  upstreamClosed(code: ErrorCode): void;
}

/** Origin of an upstream, which gets it back between requests. */
export interface UpstreamOwner {
  readonly opener: Opener;
  keep(upstream: Upstream, now: number): void;
  /** Reports that the upstream has ended. */
  forget(upstream: Upstream): void;
}

export class Upstream implements StreamHandler {
  user: UpstreamUser | null = null;
  /** Share of the visitor's address during its use. */
  share: Share | null = null;
  /** True if no request was sent on it before. Then a failure is no race with an idle timeout at its other end. */
  isFresh = true;
  idleSince = 0;
  /** Milliseconds of idle time: the other end's announcement, or this service's own limit. */
  idleMs: number;
  readonly stream: ByteStream;
  readonly #owner: UpstreamOwner;
  #ended = false;

  constructor(stream: ByteStream, owner: UpstreamOwner, idleMs: number) {
    this.stream = stream;
    this.#owner = owner;
    this.idleMs = idleMs;
    stream.handler = this;
  }

  get opener(): Opener {
    return this.#owner.opener;
  }

  /** Keeps the upstream for another request, or drops it, after all responses have ended. */
  release(reusable: boolean, now: number): void {
    this.#unused();
    if (!reusable || this.#ended || this.stream.closed || this.stream.writableNeedDrain) this.drop();
    else this.#owner.keep(this, now);
  }

  /** Ends it, and notifies its user. */
  cut(): void {
    const { user } = this;
    this.drop();
    user?.upstreamClosed(ErrorCode.streamCancelled);
  }

  /** Ends it, whatever is under way. */
  drop(): void {
    this.#unused();
    this.#owner.forget(this);
    if (this.stream.closed) return;
    // Its other end may read nothing of what still waits for it, and then would keep the stream.
    if (this.#ended && !this.stream.writableNeedDrain) this.stream.end();
    else this.stream.reset(ErrorCode.streamCancelled);
  }

  /** Unrequested bytes, or its end, make the connection useless. */
  data(chunk: Buffer): void {
    if (this.user !== null) this.user.upstreamData(chunk);
    else this.drop();
  }

  end(): void {
    this.#ended = true;
    if (this.user !== null) this.user.upstreamEnd();
    else this.drop();
  }

  drain(): void {
    this.user?.upstreamDrain();
  }

  close(code: ErrorCode): void {
    const { user } = this;
    this.#unused();
    this.#owner.forget(this);
    user?.upstreamClosed(code);
  }

  #unused(): void {
    this.user = null;
    this.share?.release();
    this.share = null;
  }
}
