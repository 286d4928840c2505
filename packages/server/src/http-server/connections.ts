/**
 * The open connections of one HTTP server.
 * Invariant: neither one source nor all together have more than the limits.
 */
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { sourceKey, unmapped } from '../core/ip/client-address.ts';
import { PlacesBySource } from '../core/limits/places-by-source.ts';
import { type Origin, ServerConnection } from './connection.ts';
import type { Counted } from './counted.ts';
import { ServerHttp2 } from './http2-connection.ts';
import type { Shared } from './shared.ts';

/** Connections beyond a source's limit that get an error response. Further ones are cut. */
const SURPLUS = 32;

export interface ConnectionLimits {
  /** Limit of one IPv4 address, or of 64 bits of IPv6. */
  readonly perSource: number;
  readonly total: number;
}

export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #shared: Shared;
  readonly #open = new Set<Counted>();
  readonly #places = new PlacesBySource<Counted>();
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
   * Takes over a socket; null if there is no room, or if the server closes. At the limit of its source, an idle
   * connection of that source is closed for it. `source`: the client's address, if it is not that of the peer.
   */
  add(socket: Socket | TLSSocket, source = unmapped(socket.remoteAddress ?? '')): Counted | null {
    const { perSource, total } = this.#limits;
    const key = sourceKey(source);
    const peers = this.#places.of(key);
    const surplus = peers.size >= perSource && !this.#closeOneThatRests(peers);
    const hasPlace = () => this.#open.size < total || (!surplus && this.#makesRoomFor(key));
    if (this.#closing || peers.size >= perSource + SURPLUS || !hasPlace()) {
      socket.on('error', () => {});
      socket.destroy();
      return null;
    }
    const connection = this.#serve(socket, { source, surplus });
    this.#open.add(connection);
    this.#places.add(key, connection);
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

  /**
   * Makes room for a connection of `key`. An idle connection is closed first: one of a network that still has at
   * least as many, then one of the same source. Otherwise the oldest connection of the network with the most is cut.
   * So a few clients with busy connections cannot shut out others. A new connection is not cut for another before it
   * could send a request.
   */
  #makesRoomFor(key: string): boolean {
    const places = this.#places;
    const [larger] = places.allBefore(key, 2);
    if (this.#closeOneThatRests(places.allBefore(key, 2)) || this.#closeOneThatRests(places.of(key)))
      return true;
    if (larger === undefined && this.#closeOneThatRests(places.allBefore(key, 1))) return true;
    const oldest = places.oldestBefore(key);
    if (oldest !== undefined) this.#cut(oldest);
    return oldest !== undefined;
  }

  /** The oldest of them, of those that are between two requests. */
  #closeOneThatRests(connections: Iterable<Counted>): boolean {
    for (const connection of connections) {
      if (connection.active || connection.surplus) continue;
      this.#cut(connection);
      return true;
    }
    return false;
  }

  #cut(connection: Counted): void {
    this.#remove(connection);
    connection.destroy();
  }

  #remove(connection: Counted): void {
    if (!this.#open.delete(connection)) return;
    this.#places.delete(sourceKey(connection.source), connection);
    if (this.#open.size === 0) this.#whenEmpty?.();
  }
}
