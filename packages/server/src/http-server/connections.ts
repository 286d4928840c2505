/** The open connections of one HTTP server: never more of one source, or of all, than the limits say. */
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { sourceKey, unmapped } from '../core/client-address.ts';
import { PlacesBySource } from '../core/places-by-source.ts';
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
   * Takes over a socket; null when there is no room for it, or no time. At the limit of its source one of the same source gives way that
   * rests. `source`: the address, where it is not that of the peer.
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
   * Who rests gives way, of networks that have at least as many afterwards, then of its own source; else the oldest of the network that has most.
   * So few who keep all of theirs busy shut nobody else out, and who has just come is not cut for another before it could ask for anything.
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
