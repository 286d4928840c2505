/**
 * One visitor's connection that speaks HTTP/2: many concurrent requests, each with its own exchange.
 * Invariant: a request delays another only by the windows that they share.
 */
import type { Socket } from 'node:net';
import { type HeaderList, Http2Error, MAX_FRAME } from '@underpass/wire/http2';
import type { HostPattern } from '../../core/names/hostname.ts';
import { Http2Connection } from '../../http2/connection.ts';
import { HTTP2_LIMITS } from '../../http2/limits.ts';
import { SocketTransport } from '../../http2/socket-transport.ts';
import type { Http2Stream, StreamUser } from '../../http2/stream.ts';
import type { Linger } from '../../system/linger.ts';
import { fitsSite, type HttpConnection, isConcerned, siteOf } from './http-connection.ts';
import { Http2Exchange } from './http2-exchange.ts';
import type { HttpLimits } from './limits.ts';
import type { Served } from './served.ts';
import type { Shared } from './shared.ts';

/** Exchanges that are kept for streams to come. */
const KEPT_EXCHANGES = 8;
/**
 * Bytes of an upload window. With half of it, an upload stalls between two credits. Three unread ones leave room for
 * others of the connection.
 */
const UPLOAD_WINDOW = 256 * 1024;
/**
 * Bytes of the heads of running requests. They are kept for another place, and for the record. A page may send as many
 * requests as there are streams, with 16 KB of cookies each.
 */
const HEAD_BYTES = 2 * 1024 * 1024;
/** Older versions protect too little (RFC 9113, section 9.2). */
const TOO_OLD: readonly string[] = ['TLSv1', 'TLSv1.1'];

export class VisitorHttp2 implements Served {
  readonly #shared: Shared;
  readonly #socket: Socket;
  readonly #facts: HttpConnection;
  readonly #closed: (connection: Served) => void;
  readonly #http2: Http2Connection;
  readonly #active = new Set<Http2Exchange>();
  readonly #idle: Http2Exchange[] = [];
  /** Bytes of heads of active streams. */
  #headBytes = 0;
  /** Coarse times: of the last stream that ended, of when the socket was found full, of the end. */
  #idleSince: number;
  #blockedSince: number | null = null;
  #endedAt: number | null = null;
  #linger: Linger | null = null;
  #hasAsked = false;
  #isClosed = false;

  constructor(shared: Shared, socket: Socket, facts: HttpConnection, closed: (connection: Served) => void) {
    this.#shared = shared;
    this.#socket = socket;
    this.#facts = facts;
    this.#closed = closed;
    this.#idleSince = shared.clock;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#onData(chunk));
    // A visitor that half-closes does not wait for a response.
    socket.on('end', () => this.destroy());
    // Every error is followed by `close`.
    socket.on('error', () => {});
    socket.on('close', () => this.#onClose());
    this.#http2 = new Http2Connection({
      role: 'server',
      transport: new SocketTransport(socket, () => this.#try(() => this.#onDrain())),
      limits: {
        ...HTTP2_LIMITS,
        streamWindow: UPLOAD_WINDOW,
        ...listLimits(shared.limits),
        headMs: shared.limits.headMs,
      },
      now: () => shared.clock,
      user: {
        opened: (stream) => this.#opened(stream),
        settled: () => {},
        goingAway: () => {},
        over: () => this.#over(),
      },
    });
    if (TOO_OLD.includes(facts.facts.tls?.version ?? ''))
      this.#http2.fail(Http2Error.inadequateSecurity, 'TLS 1.2 is needed');
  }

  drain(): void {
    this.#http2.leave();
  }

  destroyIfIdle(): boolean {
    if (this.#active.size > 0) return false;
    this.destroy();
    return true;
  }

  recheck(pattern: HostPattern | null): void {
    if (!isConcerned(this.#facts, pattern)) return;
    this.#try(() => {
      const site = siteOf(this.#facts, this.#shared);
      if (site !== undefined && !fitsSite(this.#facts, site)) {
        this.#http2.fail(Http2Error.none, 'opened under other settings');
        return;
      }
      for (const exchange of [...this.#active]) exchange.recheck();
    });
  }

  sweep(): void {
    this.#try(() => {
      if (this.#endedAt === null) this.#sweepOpen();
      else if (this.#linger?.isOver(this.#shared.clock) === true) this.destroy();
    });
  }

  #sweepOpen(): void {
    const { clock, limits } = this.#shared;
    for (const exchange of [...this.#active]) exchange.sweep();
    this.#http2.sweep();
    if (!this.#http2.isBlocked) this.#blockedSince = null;
    else this.#blockedSince ??= clock;
    if (this.#blockedSince !== null && clock - this.#blockedSince > limits.writeStallMs) this.destroy();
    else if (this.#active.size === 0 && clock - this.#idleSince > limits.idleMs) this.#http2.leave();
  }

  destroy(): void {
    this.#socket.destroy();
    this.#onClose();
  }

  // ----- calls of its exchanges

  /**
   * Sent to browsers only. Other clients never use several names in one connection, and some print a line for each
   * unknown frame.
   */
  asked(list: HeaderList): void {
    if (this.#hasAsked) return;
    this.#hasAsked = true;
    if (!isOfBrowser(list)) return;
    const origin = `https://${this.#facts.facts.serverName}`;
    this.#http2.sendOrigins([origin, `${origin}:${this.#shared.publicPort}`]);
  }

  malformed(): void {
    this.#http2.idle();
  }

  keepsHead(bytes: number): boolean {
    if (this.#headBytes > 0 && this.#headBytes + bytes > HEAD_BYTES) {
      this.#http2.idle();
      return false;
    }
    this.#headBytes += bytes;
    return true;
  }

  released(exchange: Http2Exchange, headBytes: number): void {
    this.#active.delete(exchange);
    this.#headBytes -= headBytes;
    if (this.#active.size === 0) this.#idleSince = this.#shared.clock;
    if (this.#idle.length < KEPT_EXCHANGES) this.#idle.push(exchange);
    if (this.#shared.draining) this.#http2.leave();
  }

  #opened(stream: Http2Stream): StreamUser {
    const exchange = this.#idle.pop() ?? new Http2Exchange(this.#shared, this.#facts, this);
    this.#active.add(exchange);
    exchange.begin(stream);
    return exchange;
  }

  // ----- the socket

  #onData(chunk: Buffer): void {
    if (this.#endedAt === null) {
      this.#try(() => this.#http2.receive(chunk));
      return;
    }
    if (this.#linger?.read(chunk.length, this.#shared.clock) === false) this.destroy();
  }

  #onDrain(): void {
    this.#blockedSince = null;
    this.#http2.drained();
  }

  #over(): void {
    this.#endedAt = this.#shared.clock;
    this.#linger = this.#shared.linger(this.#facts.source);
  }

  #onClose(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#endedAt ??= this.#shared.clock;
    this.#linger?.end();
    this.#try(() => this.#http2.gone());
    this.#closed(this);
  }

  /** A fault of this program, in handling what this connection sent: only it pays. */
  #try(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#shared.log.error({ err: error, host: this.#facts.facts.serverName }, 'HTTP/2 connection failed');
      this.destroy();
    }
  }
}

/** A list beyond its bound gets a response; so does one whose block is as long as a head of HTTP/1.1 may be. */
function listLimits({ headBytes, requestHeadBytes }: HttpLimits) {
  const blockBytes = Math.max(HTTP2_LIMITS.blockBytes, headBytes);
  const continuations = Math.max(HTTP2_LIMITS.continuations, Math.ceil(blockBytes / MAX_FRAME));
  return { listBytes: requestHeadBytes, blockBytes, continuations };
}

function isOfBrowser({ fields }: HeaderList): boolean {
  return fields.some(({ name, value }) => name === 'user-agent' && value.startsWith('Mozilla/'));
}
