/**
 * Counts the connections of all listeners of the edge, and the unfinished ones among them.
 * Invariant: their number stays below the process's file descriptors. Node reports nothing when these run out, and the
 * next user fails.
 */
import type { Socket } from 'node:net';
import { resetSocket } from '@underpass/wire';
import type { Logger } from 'pino';
import { PlacesBySource } from '../../core/limits/places-by-source.ts';
import type { HandshakeFailure } from './handshake-failure.ts';

export interface ConnectionBounds {
  readonly connections: number;
  /**
   * Number of connections without TLS or a destination. Beyond it one is closed: of the network with the most, if it
   * has many.
   */
  readonly unfinished: number;
  /** Connections of one source; null for as many as are still free, so that one source gets at most half. */
  readonly perSource: number | null;
}

/** Receives failed connections, and ports that could not be opened. */
export interface ListenerObserver {
  handshakeFailed(reason: HandshakeFailure): void;
  /** `code`: as the system names what is missing. */
  acceptFailed(code: string): void;
  /** `code`: as the system names why the port of a TCP edge cannot be listened on. */
  listenFailed(code: string): void;
}

/** Listeners that come and go get at most this part of the bound: the rest is for who comes to them, and to everything else. */
const FOR_LISTENERS = 0.25;
/** Networks that have at most this part of those in their handshake count as equals: a visitor with two is no flood, where each of a flood has one. */
const FEW = 1 / 512;
/** The part of the bound that must be free after a refusal before connections are accepted again. */
const FREE_AGAIN = 0.1;

/** Bounds for systems without descriptor limits. */
export const defaultBounds: ConnectionBounds = {
  connections: Number.POSITIVE_INFINITY,
  unfinished: 4096,
  perSource: null,
};

const REPEATED_LOG_MS = 1000;

/** A connection on which requests come one after another. */
export interface Yielding {
  /** Returns true if it was between two of them, and so is gone. */
  destroyIfIdle(): boolean;
}

/**
 * Connections that are checked for idleness at each new one. A client that keeps all of them busy must not make the
 * search expensive.
 */
const MOST_ASKED = 16;

/** The source of a load balancer's connection without a header yet. All of these count as one source. */
const UNKNOWN = '';

/** An address, or what is counted as one. */
interface Source {
  readonly key: string;
  open: number;
  /** Connections that may be closed when idle. The one that was checked last is the last. */
  readonly yielding: Map<Socket, Yielding>;
  /** Number of connections at the last refusal; null if more are allowed. */
  refusedAt: number | null;
}

export class OpenConnections {
  readonly #bounds: ConnectionBounds;
  readonly #log: Logger;
  readonly #observer: ListenerObserver | undefined;
  /** Null until it is known whose it is. */
  readonly #open = new Map<Socket, Source | null>();
  readonly #sources = new Map<string, Source>();
  #sourceLoggedAt = Number.NEGATIVE_INFINITY;
  /** Unfinished connections, oldest first, with a mark for a counted failure. */
  readonly #unfinished = new Map<Socket, boolean>();
  /** The same, by source. */
  readonly #unfinishedOf = new PlacesBySource<Socket>();
  /** The time since which there was no room; null if there is some. */
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
   * Admits a new connection. Returns false if it was closed because there is no room. Clients finish their handshake
   * soon, unless they wait for agents. So a flood closes the oldest connection of the network with the most, or the
   * oldest of all if no network has many.
   */
  add(socket: Socket): boolean {
    if (this.#unfinished.size >= this.#bounds.unfinished || this.#isFull) this.#drop(this.#whoGivesWay());
    if (this.#isFull) {
      this.#refuse(socket);
      return false;
    }
    this.#open.set(socket, null);
    this.#unfinished.set(socket, false);
    this.#unfinishedOf.add(UNKNOWN, socket);
    return true;
  }

  #whoGivesWay(): Socket | undefined {
    const [oldest] = this.#unfinished.keys();
    return this.#unfinishedOf.oldestOfLargest(this.#bounds.unfinished * FEW) ?? oldest;
  }

  /**
   * Sets the source, a key of `sourceKey`. Returns false if the connection was closed because the source has too many.
   */
  identified(socket: Socket, key: string): boolean {
    // Dropped before anything of it was read.
    if (!this.#open.has(socket)) return false;
    const source = this.#sources.get(key) ?? newSource(key);
    if (this.#isFullFor(source)) this.#dropIdle(source);
    if (this.#isFullFor(source)) this.#drop(this.#unfinishedOf.oldestOf(key));
    if (this.#isFullFor(source)) {
      this.#refuseOf(source, socket);
      return false;
    }
    source.open += 1;
    this.#unfinishedOf.delete(UNKNOWN, socket);
    this.#unfinishedOf.add(key, socket);
    this.#sources.set(key, source);
    this.#open.set(socket, source);
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

  #isFullFor({ open }: Source): boolean {
    return open > 0 && open >= (this.#bounds.perSource ?? this.#limit - this.#open.size);
  }

  get #isFull(): boolean {
    return this.#open.size >= this.#limit;
  }

  /** Number of connections beside the listeners. */
  get #limit(): number {
    return this.#bounds.connections - this.#listeners;
  }

  /** It has what it came for. */
  finished(socket: Socket): void {
    this.#unfinished.delete(socket);
    this.#unfinishedOf.delete(this.#open.get(socket)?.key ?? UNKNOWN, socket);
    this.#progressed?.();
  }

  /** Allows the connection to be closed while it is idle, for another one of its source. */
  mayYield(socket: Socket, yielding: Yielding): void {
    this.#open.get(socket)?.yielding.set(socket, yielding);
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
    this.#leave(socket);
    this.#progressed?.();
    if (this.#refused === null || this.#open.size > this.#limit * (1 - FREE_AGAIN)) return;
    this.#log.warn({ refused: this.#refused }, 'there is room for connections again');
    this.#refused = null;
  }

  /**
   * Resolves when each has what it came for, or came to nothing. After the deadline those that have not are destroyed, but
   * after `longestMs` while `isLonger` returns true.
   */
  async whenFinished(
    deadlineMs: number,
    { longestMs, isLonger }: { readonly longestMs: number; readonly isLonger: () => boolean },
  ): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = (): void => {
      if (![...this.#unfinished.values()].includes(false)) resolve();
    };
    let deadline: NodeJS.Timeout;
    const wait = (ms: number, left: number): void => {
      deadline = setTimeout(() => {
        if (left > 0 && isLonger()) return wait(Math.min(ms, left), left - ms);
        this.destroyUnfinished();
        resolve();
      }, ms);
    };
    wait(deadlineMs, longestMs - deadlineMs);
    this.#progressed = look;
    look();
    await promise;
    this.#progressed = null;
    clearTimeout(deadline!);
  }

  destroyUnfinished(): void {
    for (const socket of this.#unfinished.keys()) socket.destroy();
  }

  destroyAll(): void {
    for (const socket of this.#open.keys()) socket.destroy();
  }

  /** Idempotent. */
  #leave(socket: Socket): void {
    const source = this.#open.get(socket);
    if (!this.#open.delete(socket)) return;
    this.#unfinishedOf.delete(source?.key ?? UNKNOWN, socket);
    if (!source) return;
    source.open -= 1;
    source.yielding.delete(socket);
    if (source.refusedAt !== null && source.open <= source.refusedAt * (1 - FREE_AGAIN))
      source.refusedAt = null;
    if (source.open === 0) this.#sources.delete(source.key);
  }

  #dropIdle({ yielding }: Source): void {
    let asked = 0;
    for (const [socket, one] of yielding) {
      if (asked >= MOST_ASKED) return;
      asked += 1;
      if (one.destroyIfIdle()) {
        this.#leave(socket);
        return;
      }
      yielding.delete(socket);
      yielding.set(socket, one);
    }
  }

  #drop(unfinished: Socket | undefined): void {
    if (unfinished === undefined) return;
    this.failed(unfinished, 'crowded_out');
    this.#unfinished.delete(unfinished);
    this.#leave(unfinished);
    unfinished.destroy();
  }

  /** Reports once each time that a source reaches its limit, and limits the reports of all sources. */
  #refuseOf(source: Source, socket: Socket): void {
    this.failed(socket, 'source_limit');
    this.#unfinished.delete(socket);
    this.#leave(socket);
    resetSocket(socket);
    const isToldAlready = source.refusedAt !== null;
    source.refusedAt = source.open;
    const now = performance.now();
    if (isToldAlready || now - this.#sourceLoggedAt < REPEATED_LOG_MS) return;
    this.#sourceLoggedAt = now;
    this.#log.warn(
      { source: source.key, connections: source.open },
      'no more connections of this source are accepted; if it is a load balancer name it with --proxy-protocol-from, else allow more with --connections-per-source',
    );
  }

  #refuse(socket: Socket): void {
    resetSocket(socket);
    this.#observer?.acceptFailed('EMFILE');
    if (this.#refused === null) {
      const { connections } = this.#bounds;
      this.#log.warn(
        { connections },
        'no more connections are accepted, for want of file descriptors, or because of --connections: allow the daemon more of them (ulimit -n)',
      );
    }
    this.#refused = (this.#refused ?? 0) + 1;
  }
}

function newSource(key: string): Source {
  return { key, open: 0, yielding: new Map(), refusedAt: null };
}
