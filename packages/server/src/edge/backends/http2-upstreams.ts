/**
 * The connections over HTTP/2 to one place, each for many concurrent requests.
 * Invariant: a connection has at most as many requests as the service accepts, and an idle one is closed in time.
 */
import { ErrorCode, type StreamHandler } from '@underpass/wire';
import type { ErrorName } from '../../errors/catalogue.ts';
import type { DialFault } from '../../errors/dial-fault.ts';
import { Http2Connection } from '../../http2/connection.ts';
import { HTTP2_LIMITS } from '../../http2/limits.ts';
import { faultOfCode } from '../../online/dial-codes.ts';
import type { ProxyConnection } from '../../online/online.ts';
import type { ByteStream, Opener } from '../sites/site.ts';
import { type Http2StreamOwner, Http2UpstreamStream } from './http2-stream.ts';

/** Streams that every service accepts, or should (RFC 9113, section 6.5.2). */
const MOST_STREAMS = 100;
/** A service that is trusted to pace itself: what it resets, and the windows it gives, are its own affair. */
const LIMITS = { ...HTTP2_LIMITS, futileBurst: 10_000, futilePerSecond: 1000 };

/** A stream for one request, and whether its connection was made for it. */
export interface OpenedRequest {
  readonly stream: ByteStream;
  readonly isFresh: boolean;
}

export class Http2Upstreams {
  readonly #opener: Opener;
  readonly #idleMs: number;
  readonly #connections = new Set<Http2Upstream>();
  #now = 0;

  constructor(opener: Opener, idleMs: number) {
    this.#opener = opener;
    this.#idleMs = idleMs;
  }

  /** Null: the place gives no further stream. */
  open(visitor: ProxyConnection, now: number): OpenedRequest | null {
    this.#now = now;
    const isOfOne = this.#opener.isOfOneVisitor === true;
    for (const connection of isOfOne ? [] : this.#connections) {
      if (connection.hasRoom) return { stream: connection.request(), isFresh: false };
    }
    const stream = this.#opener.open(visitor);
    if (stream === null) return null;
    const made = new Http2Upstream(
      stream,
      () => this.#now,
      (over) => this.#connections.delete(over),
    );
    this.#connections.add(made);
    return { stream: made.request(), isFresh: true };
  }

  /** Ends one without requests; false when there is none. */
  dropIdle(): boolean {
    for (const connection of this.#connections) if (connection.endIfIdle(0)) return true;
    return false;
  }

  sweep(now: number): void {
    this.#now = now;
    const keptMs = this.#opener.isOfOneVisitor === true ? 0 : this.#idleMs;
    for (const connection of [...this.#connections]) {
      connection.sweep();
      connection.endIfIdle(keptMs);
    }
  }

  close(): void {
    for (const connection of [...this.#connections]) connection.leave();
  }
}

/** One connection: HTTP/2 on a stream of the place. */
class Http2Upstream implements StreamHandler, Http2StreamOwner {
  readonly connection: Http2Connection;
  closeCode: ErrorCode = ErrorCode.streamReset;
  readonly #stream: ByteStream;
  readonly #now: () => number;
  readonly #closed: (upstream: Http2Upstream) => void;
  readonly #waiting = new Set<() => void>();
  #idleSince: number;
  #mostStreams = MOST_STREAMS;
  #hasHeard = false;
  #isOver = false;

  constructor(stream: ByteStream, now: () => number, closed: (upstream: Http2Upstream) => void) {
    this.#stream = stream;
    this.#now = now;
    this.#closed = closed;
    this.#idleSince = now();
    this.connection = new Http2Connection({
      role: 'client',
      transport: stream,
      limits: LIMITS,
      now,
      user: {
        opened: () => {
          throw new Error('a service cannot open a stream');
        },
        settled: () => this.#ready(),
        goingAway: () => this.#closed(this),
        over: () => this.#over(),
      },
    });
    stream.handler = this;
  }

  get failure(): ErrorName | undefined {
    return (
      this.#stream.failure ?? (this.#hasHeard && !this.connection.isReady ? 'upstreamNotHttp2' : undefined)
    );
  }

  get dialFault(): DialFault | undefined {
    return (
      this.#stream.dialFault ?? (this.#hasHeard ? undefined : (faultOfCode(this.closeCode) ?? undefined))
    );
  }

  get hasRoom(): boolean {
    return this.connection.hasRoom && this.connection.size < this.#mostStreams;
  }

  request(): ByteStream {
    this.#idleSince = this.#now();
    return new Http2UpstreamStream(this);
  }

  tooMuch(): void {
    this.#mostStreams = Math.max(1, this.connection.size);
  }

  whenReady(act: () => void): () => void {
    this.#waiting.add(act);
    return () => void this.#waiting.delete(act);
  }

  /** Ends the connection if it was idle for `keptMs`. Returns true if it ended. */
  endIfIdle(keptMs: number): boolean {
    if (this.connection.size > 0) {
      this.#idleSince = this.#now();
      return false;
    }
    if (this.#now() - this.#idleSince < keptMs) return false;
    this.leave();
    return true;
  }

  sweep(): void {
    this.connection.sweep();
  }

  /** Takes no further requests, and ends with the last one. */
  leave(): void {
    this.connection.leave();
    this.#closed(this);
  }

  // ----- bytes of the place

  data(chunk: Buffer): void {
    this.#hasHeard = true;
    this.connection.receive(chunk);
  }

  /** HTTP/2 has no half-closed connections. */
  end(): void {
    this.connection.gone();
    this.#over();
  }

  drain(): void {
    this.connection.drained();
  }

  close(code: ErrorCode): void {
    if (code !== ErrorCode.none) this.closeCode = code;
    this.connection.gone();
    this.#over();
  }

  #ready(): void {
    for (const act of this.#waiting) {
      this.#waiting.delete(act);
      act();
    }
  }

  #over(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#closed(this);
    this.#ready();
    if (!this.#stream.closed) this.#stream.reset(ErrorCode.streamCancelled);
  }
}
