/** The open connections of one HTTP server: never more of one source, or of all, than the limits say. */
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { sourceKey, unmapped } from '../core/client-address.ts';
import { type Origin, ServerConnection } from './connection.ts';
import type { Counted } from './counted.ts';
import { ServerHttp2 } from './http2-connection.ts';
import type { Shared } from './shared.ts';

/** Connections beyond a source's limit that are told so; what comes beyond these is cut. */
const SURPLUS = 32;

export interface ConnectionLimits {
  /** Of one IPv4 address, or of 64 bits of IPv6. */
  readonly perSource: number;
  readonly total: number;
}

export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #shared: Shared;
  readonly #open = new Set<Counted>();
  readonly #sources = new Map<string, Set<Counted>>();
  #closing = false;
  #whenEmpty: (() => void) | null = null;

  constructor(limits: ConnectionLimits, shared: Shared) {
    this.#limits = limits;
    this.#shared = shared;
  }

  get size(): number {
    return this.#open.size;
  }

  [Symbol.iterator](): Iterator<Counted> {
    return this.#open.values();
  }

  /**
   * Takes over a socket; null when there is no room for it, or no time. A connection that rests gives way to a new one, first of
   * all one of the same source. `source`: the address, where it is not that of the peer.
   */
  add(socket: Socket | TLSSocket, source = unmapped(socket.remoteAddress ?? '')): Counted | null {
    const { perSource, total } = this.#limits;
    const key = sourceKey(source);
    const peers = this.#sources.get(key) ?? new Set();
    const surplus = peers.size >= perSource && !this.#closeOneThatRests(peers);
    const full = this.#open.size >= total && !this.#closeOneThatRests(this.#open);
    if (this.#closing || full || peers.size >= perSource + SURPLUS) {
      socket.on('error', () => {});
      socket.destroy();
      return null;
    }
    const connection = this.#serve(socket, { source, surplus });
    this.#open.add(connection);
    this.#sources.set(key, peers.add(connection));
    socket.once('close', () => this.#remove(connection));
    return connection;
  }

  #serve(socket: Socket | TLSSocket, origin: Origin): Counted {
    if (socket instanceof TLSSocket && socket.alpnProtocol === 'h2') {
      return new ServerHttp2(socket, origin, this.#shared);
    }
    const connection = new ServerConnection(socket, origin, this.#shared);
    if (origin.surplus) this.#shared.onFault(connection, 'tooManyConnections');
    return connection;
  }

  /**
   * Ends connections after their last answer, those without a request after `quietMs`, in which it may still come, and what is left
   * after the deadline by force.
   */
  close(deadlineMs: number, quietMs = 0): Promise<void> {
    this.#shared.draining = true;
    this.#closing = true;
    if (this.#open.size === 0) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const force = setTimeout(() => {
      for (const connection of this.#open) connection.destroy();
    }, deadlineMs);
    const finish = (): void => {
      for (const connection of this.#open) connection.onceIdle(() => connection.finish());
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
  #closeOneThatRests(connections: Iterable<Counted>): boolean {
    for (const connection of connections) {
      if (connection.active || connection.surplus) continue;
      this.#remove(connection);
      connection.destroy();
      return true;
    }
    return false;
  }

  #remove(connection: Counted): void {
    if (!this.#open.delete(connection)) return;
    const key = sourceKey(connection.source);
    const peers = this.#sources.get(key);
    peers?.delete(connection);
    if (peers?.size === 0) this.#sources.delete(key);
    if (this.#open.size === 0) this.#whenEmpty?.();
  }
}
