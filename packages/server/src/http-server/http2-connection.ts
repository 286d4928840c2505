/**
 * One client's connection over HTTP/2. Each of its requests is served like a connection of its own.
 * Invariant: no more requests are in progress than the limit allows.
 */
import type { TLSSocket } from 'node:tls';
import { Http2Error } from '@underpass/wire/http2';
import { Head } from '../http-syntax/head.ts';
import { Http2Connection } from '../http2/connection.ts';
import { HTTP2_LIMITS } from '../http2/limits.ts';
import { SocketTransport } from '../http2/socket-transport.ts';
import type { Http2Stream, StreamUser } from '../http2/stream.ts';
import { type Origin, ServerConnection } from './connection.ts';
import type { Counted } from './counted.ts';
import type { Shared } from './shared.ts';
import { StreamSocket } from './stream-socket.ts';

/** Concurrent requests of a connection. API clients send a few at a time, and each response may be a long list. */
const STREAMS = 32;
/** Milliseconds in which further input is read and discarded, so that the last response is not lost. */
const LINGER_MS = 5000;

/** Parses the heads of responses that this program wrote. */
const answerHead = new Head(64 * 1024, 400, []);

export class ServerHttp2 implements Counted {
  readonly source: string;
  readonly surplus: boolean;
  readonly #socket: TLSSocket;
  readonly #shared: Shared;
  readonly #http2: Http2Connection;
  readonly #requests = new Set<ServerConnection>();
  #idleSince: number;
  #blockedSince: number | null = null;
  #endedAt: number | null = null;
  #whenIdle: (() => void) | null = null;

  constructor(socket: TLSSocket, { source, surplus }: Origin, shared: Shared) {
    this.source = source;
    this.surplus = surplus;
    this.#socket = socket;
    this.#shared = shared;
    this.#idleSince = shared.now();
    socket.on('data', (chunk: Buffer) => {
      if (this.#endedAt === null) this.#try(() => this.#http2.receive(chunk));
    });
    socket.on('end', () => socket.destroy());
    // Every error is followed by `close`.
    socket.on('error', () => {});
    socket.on('close', () => this.#try(() => this.#http2.gone()));
    const { timeouts, headLimit } = shared;
    this.#http2 = new Http2Connection({
      role: 'server',
      transport: new SocketTransport(socket, () => this.#try(() => this.#http2.drained())),
      limits: { ...HTTP2_LIMITS, streams: STREAMS, listBytes: headLimit, headMs: timeouts.head },
      now: shared.now,
      user: {
        opened: (stream) => this.#opened(stream),
        settled() {},
        goingAway() {},
        over: () => {
          this.#endedAt = shared.now();
        },
      },
    });
    if (surplus) this.#http2.fail(Http2Error.enhanceYourCalm, 'too many connections of your address');
  }

  get active(): boolean {
    return this.#requests.size > 0;
  }

  onceIdle(act: () => void): void {
    if (this.active) this.#whenIdle = act;
    else act();
  }

  finish(): void {
    this.#http2.leave();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  sweep(): void {
    this.#try(() => {
      const now = this.#shared.now();
      const { keepAlive, silence } = this.#shared.timeouts;
      if (this.#endedAt !== null) {
        if (now - this.#endedAt > LINGER_MS) this.destroy();
        return;
      }
      for (const request of [...this.#requests]) request.sweep();
      this.#http2.sweep();
      this.#blockedSince = this.#http2.isBlocked ? (this.#blockedSince ?? now) : null;
      if (this.#blockedSince !== null && now - this.#blockedSince > silence) this.destroy();
      else if (!this.active && now - this.#idleSince > keepAlive) this.#http2.leave();
    });
  }

  #opened(stream: Http2Stream): StreamUser {
    const { servername } = this.#socket;
    const name = typeof servername === 'string' && servername !== '' ? servername : null;
    const socket = new StreamSocket(stream, name, answerHead, () => this.#http2.idle());
    const request = new ServerConnection(socket, { source: this.source, surplus: false }, this.#shared);
    this.#requests.add(request);
    socket.once('close', () => this.#closed(request));
    return socket;
  }

  #closed(request: ServerConnection): void {
    this.#requests.delete(request);
    this.#idleSince = this.#shared.now();
    if (this.#shared.draining) this.#http2.leave();
    if (this.active) return;
    this.#whenIdle?.();
    this.#whenIdle = null;
  }

  /** A fault of this program, in handling what this connection sent: only it pays. */
  #try(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#shared.crashed(error);
      this.destroy();
    }
  }
}
