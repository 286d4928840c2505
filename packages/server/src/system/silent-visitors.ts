/**
 * Visitors that have ended their side of a raw connection, and wait for the other side. Only their kernel can report
 * if they are still there, and a vanished one is detected after a minute. An address may therefore have a few only.
 */
import type { Socket } from 'node:net';

/** Connections of one address that may be silent for longer than others. */
const EACH = 8;
/** Milliseconds of silence until the kernel probes its peer. */
const KEEP_ALIVE_MS = 10_000;
const NOTHING = Buffer.alloc(0);

export class SilentVisitors {
  readonly #bySource = new Map<string, number>();

  /** Addresses that have some. */
  get size(): number {
    return this.#bySource.size;
  }

  /** `source` is a key of `sourceKey`. Returns false if the address has no place left. */
  enter(source: string): boolean {
    const count = this.#bySource.get(source) ?? 0;
    if (count >= EACH) return false;
    this.#bySource.set(source, count + 1);
    return true;
  }

  /** Call it once for each `enter` that returned true. */
  leave(source: string): void {
    const left = (this.#bySource.get(source) ?? 0) - 1;
    if (left > 0) this.#bySource.set(source, left);
    else this.#bySource.delete(source);
  }
}

/** Makes the kernel probe the peer. Call it after the other side of the socket ended. */
export function watchPeer(socket: Socket): void {
  socket.setKeepAlive(true, KEEP_ALIVE_MS);
}

/** The sockets below those of TLS. */
const carriers = new WeakMap<Socket, Socket>();

/** `secured` is TLS on `carrier`. */
export function carriedBy(secured: Socket, carrier: Socket): void {
  carriers.set(secured, carrier);
}

/**
 * Ends the socket if the kernel has lost its peer. Node does not poll a socket after the end of its input. An empty
 * write checks the kernel's state; TLS would not pass it on.
 */
export function probePeer(socket: Socket): void {
  if (socket.writable) (carriers.get(socket) ?? socket).write(NOTHING);
}
