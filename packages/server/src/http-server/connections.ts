/**
 * The open connections of one HTTP server: never more of one source, or of all, than the limits say, and one request of each
 * at a time.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { sourceKey, unmapped } from '../core/client-address.ts';
import { SerialRequests } from './serial-requests.ts';

const LINGER_MS = 5000;
/** Connections beyond a source's limit that are told so; what comes beyond these is cut. */
const SURPLUS = 32;

export interface ConnectionLimits {
  /** Of one IPv4 address, or of 64 bits of IPv6. */
  readonly perSource: number;
  readonly total: number;
}

/** One client connection, and the request on it that is not answered yet. */
export class ServerConnection {
  readonly stream: SerialRequests;
  /** The address that it comes from; '' when the peer was gone before it could be asked. */
  readonly source: string;
  /** There are too many of its source: it is to be refused. */
  readonly surplus: boolean;
  readonly #socket: Socket | TLSSocket;
  /** The Host header that was last found to fit the TLS server name. */
  fittingHost: string | undefined;
  /** Set once something came that is not HTTP: nothing after it is read. */
  broken = false;
  /** Whether a request's answer is not out yet. */
  active = false;
  latest: IncomingMessage | null = null;
  /** Set once our side is over: what comes now cannot be answered, so it must not be done. */
  finished = false;
  #whenIdle: (() => void) | null = null;

  constructor(socket: Socket | TLSSocket, source: string, surplus: boolean) {
    this.#socket = socket;
    this.stream = new SerialRequests(socket);
    this.source = source;
    this.surplus = surplus;
  }

  get servername(): string | null {
    const name = 'servername' in this.#socket ? this.#socket.servername : undefined;
    return typeof name === 'string' && name !== '' ? name : null;
  }

  /** Whether the request may be handled. */
  begin(request: IncomingMessage): boolean {
    if (this.finished || !this.stream.begin(request)) return false;
    this.active = true;
    this.latest = request;
    return true;
  }

  end(): void {
    this.active = false;
    this.#whenIdle?.();
    this.stream.answered();
  }

  /** Calls back when the request under way is answered: now, or later. The last one who asks is called. */
  onceIdle(act: () => void): void {
    if (this.active) this.#whenIdle = act;
    else act();
  }

  /** Ends our side, and reads the peer's for a while, so that a reset does not overtake the last answer. */
  finish(): void {
    if (this.finished) return;
    this.finished = true;
    const { stream } = this;
    stream.end();
    stream.discard();
    const cut = setTimeout(() => stream.destroy(), LINGER_MS);
    stream.once('close', () => clearTimeout(cut));
  }
}

export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #open = new Map<Duplex, ServerConnection>();
  readonly #sources = new Map<string, Set<ServerConnection>>();
  readonly #onAnswered: (this: ServerResponse) => void;
  #draining = false;
  #closing = false;
  #whenEmpty: (() => void) | null = null;

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
    const open = this.#open;
    // One function for all responses: this runs once per request.
    this.#onAnswered = function () {
      open.get(this.req.socket)?.end();
    };
  }

  /** Whether each answer is to be its connection's last one. */
  get draining(): boolean {
    return this.#draining;
  }

  /** From here on each answer is its connection's last one; new connections are taken still. */
  drain(): void {
    this.#draining = true;
  }

  get size(): number {
    return this.#open.size;
  }

  /**
   * Takes over a socket; null when there is no room for it, or no time. A connection that rests gives way to a new one, first of
   * all one of the same source. `source`: the address, where it is not that of the peer.
   */
  add(socket: Socket | TLSSocket, source = unmapped(socket.remoteAddress ?? '')): ServerConnection | null {
    const { perSource, total } = this.#limits;
    const key = sourceKey(source);
    const peers = this.#sources.get(key) ?? new Set();
    const surplus = peers.size >= perSource && !this.#closeOneThatRests(peers);
    const full = this.#open.size >= total && !this.#closeOneThatRests(this.#open.values());
    if (this.#closing || full || peers.size >= perSource + SURPLUS) {
      socket.on('error', () => {});
      socket.destroy();
      return null;
    }
    const connection = new ServerConnection(socket, source, surplus);
    this.#open.set(connection.stream, connection);
    this.#sources.set(key, peers.add(connection));
    connection.stream.on('error', () => connection.stream.destroy());
    connection.stream.once('close', () => this.#remove(connection));
    return connection;
  }

  of(stream: Duplex): ServerConnection | undefined {
    return this.#open.get(stream);
  }

  /** Whether the request may be handled; it counts until its answer is out. */
  begin(request: IncomingMessage, response: ServerResponse): boolean {
    if (this.#open.get(request.socket)?.begin(request) !== true) return false;
    response.on('close', this.#onAnswered);
    return true;
  }

  /**
   * Ends connections after their last answer, those without a request after `quietMs`, in which it may still come, and what is left
   * after the deadline by force.
   */
  close(deadlineMs: number, quietMs = 0): Promise<void> {
    this.#draining = true;
    this.#closing = true;
    if (this.#open.size === 0) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const force = setTimeout(() => {
      for (const { stream } of this.#open.values()) stream.destroy();
    }, deadlineMs);
    const finish = (): void => {
      for (const connection of this.#open.values()) connection.onceIdle(() => connection.finish());
    };
    const quiet = quietMs > 0 ? setTimeout(finish, quietMs) : undefined;
    this.#whenEmpty = () => {
      clearTimeout(force);
      clearTimeout(quiet);
      resolve();
    };
    if (quiet === undefined) finish();
    return promise;
  }

  /** The oldest of them, of those that are between two requests. */
  #closeOneThatRests(connections: Iterable<ServerConnection>): boolean {
    for (const connection of connections) {
      if (connection.active || connection.surplus) continue;
      this.#remove(connection);
      connection.stream.destroy();
      return true;
    }
    return false;
  }

  #remove(connection: ServerConnection): void {
    if (!this.#open.delete(connection.stream)) return;
    const key = sourceKey(connection.source);
    const peers = this.#sources.get(key);
    peers?.delete(connection);
    if (peers?.size === 0) this.#sources.delete(key);
    if (this.#open.size === 0) this.#whenEmpty?.();
  }
}
