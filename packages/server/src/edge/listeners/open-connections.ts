/**
 * The connections of all listeners of the edge, and which of them have come to nothing yet. Never that there are more than the process has
 * descriptors for: Node says nothing when it runs out of them, and whatever needs one next fails.
 */
import type { Socket } from 'node:net';
import { resetSocket } from '@underpass/wire';
import type { Logger } from 'pino';
import type { HandshakeFailure } from './handshake-failure.ts';

export interface ConnectionBounds {
  readonly connections: number;
  /** Of these, how many may be without TLS or a name to be passed to; beyond it the one that waits longest is closed. */
  readonly unfinished: number;
}

/** Told of connections that came to nothing, and of ports that could not be opened. */
export interface ListenerObserver {
  handshakeFailed(reason: HandshakeFailure): void;
  /** `code`: as the system names what is missing. */
  acceptFailed(code: string): void;
  /** `code`: as the system names why the port of a TCP edge cannot be listened on. */
  listenFailed(code: string): void;
}

/** Listeners that come and go get at most this part of the bound: the rest is for who comes to them, and to everything else. */
const FOR_LISTENERS = 0.25;
/** After a refusal there is room again when this part of the bound is free. */
const FREE_AGAIN = 0.1;

/** Where descriptors are not limited. */
export const defaultBounds: ConnectionBounds = { connections: Number.POSITIVE_INFINITY, unfinished: 4096 };

export class OpenConnections {
  readonly #bounds: ConnectionBounds;
  readonly #log: Logger;
  readonly #observer: ListenerObserver | undefined;
  readonly #open = new Set<Socket>();
  /** Oldest first; whether its failure is counted. */
  readonly #unfinished = new Map<Socket, boolean>();
  /** Since there was no room; null while there is some. */
  #refused: number | null = null;
  #progressed: (() => void) | null = null;
  #listeners = 0;

  constructor(bounds: ConnectionBounds, log: Logger, observer: ListenerObserver | undefined) {
    this.#bounds = bounds;
    this.#log = log;
    this.#observer = observer;
  }

  get size(): number {
    return this.#open.size;
  }

  /**
   * Takes a new connection in; false when it was closed for want of room. Honest clients come through their handshake soon: under a
   * flood of others it is the oldest of those that go.
   */
  add(socket: Socket): boolean {
    if (this.#unfinished.size >= this.#bounds.unfinished || this.#isFull) this.#dropOldest();
    if (this.#isFull) {
      this.#refuse(socket);
      return false;
    }
    this.#open.add(socket);
    this.#unfinished.set(socket, false);
    return true;
  }

  /** Gives a listener its descriptor; false when listeners have enough of them. */
  addListener(): boolean {
    if (this.#listeners >= this.#bounds.connections * FOR_LISTENERS) return false;
    this.#listeners += 1;
    return true;
  }

  removeListener(): void {
    this.#listeners -= 1;
  }

  get #isFull(): boolean {
    return this.#open.size >= this.#limit;
  }

  /** How many connections there may be beside the listeners. */
  get #limit(): number {
    return this.#bounds.connections - this.#listeners;
  }

  /** It has what it came for. */
  finished(socket: Socket): void {
    this.#unfinished.delete(socket);
    this.#progressed?.();
  }

  /** Counts once per connection, and only before it is finished. */
  failed(socket: Socket, reason: HandshakeFailure): void {
    if (this.#unfinished.get(socket) !== false) return;
    this.#unfinished.set(socket, true);
    this.#progressed?.();
    this.#observer?.handshakeFailed(reason);
  }

  remove(socket: Socket): void {
    this.#unfinished.delete(socket);
    this.#open.delete(socket);
    this.#progressed?.();
    if (this.#refused === null || this.#open.size > this.#limit * (1 - FREE_AGAIN)) return;
    this.#log.warn({ refused: this.#refused }, 'there is room for connections again');
    this.#refused = null;
  }

  /** Resolves when each has what it came for, or came to nothing; after the deadline those that have not are destroyed. */
  async whenFinished(deadlineMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = (): void => {
      if (![...this.#unfinished.values()].includes(false)) resolve();
    };
    const deadline = setTimeout(() => {
      this.destroyUnfinished();
      resolve();
    }, deadlineMs);
    this.#progressed = look;
    look();
    await promise;
    this.#progressed = null;
    clearTimeout(deadline);
  }

  destroyUnfinished(): void {
    for (const socket of this.#unfinished.keys()) socket.destroy();
  }

  destroyAll(): void {
    for (const socket of this.#open) socket.destroy();
  }

  #dropOldest(): void {
    const [oldest] = this.#unfinished.keys();
    if (oldest === undefined) return;
    this.failed(oldest, 'crowded_out');
    this.#unfinished.delete(oldest);
    this.#open.delete(oldest);
    oldest.destroy();
  }

  #refuse(socket: Socket): void {
    resetSocket(socket);
    this.#observer?.acceptFailed('EMFILE');
    if (this.#refused === null) {
      const { connections } = this.#bounds;
      this.#log.warn(
        { connections },
        'no more connections are accepted, for want of file descriptors: allow the daemon more of them (ulimit -n)',
      );
    }
    this.#refused = (this.#refused ?? 0) + 1;
  }
}
