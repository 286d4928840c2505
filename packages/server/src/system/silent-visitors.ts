/**
 * Visitors that have ended their side of a raw connection, and wait in silence for what the other side will say. Only their kernel can tell
 * if they are still there, and of one that is gone it knows for a minute. So an address may have a few.
 */
import type { Socket } from 'node:net';

/** Connections of one address that may be silent for longer than others. */
const EACH = 8;
/** Milliseconds of silence until the kernel asks the other kernel. */
const KEEP_ALIVE_MS = 10_000;
const NOTHING = Buffer.alloc(0);

export class SilentVisitors {
  readonly #bySource = new Map<string, number>();

  /** Addresses that have some. */
  get size(): number {
    return this.#bySource.size;
  }

  /** `source` as `sourceKey` tells it. False: the address has as many as it may have. */
  enter(source: string): boolean {
    const count = this.#bySource.get(source) ?? 0;
    if (count >= EACH) return false;
    this.#bySource.set(source, count + 1);
    return true;
  }

  /** For each time that `enter` was true. */
  leave(source: string): void {
    const left = (this.#bySource.get(source) ?? 0) - 1;
    if (left > 0) this.#bySource.set(source, left);
    else this.#bySource.delete(source);
  }
}

/** The socket's other side has ended: from now on the kernel asks if it is still there. */
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
 * Ends the socket if the kernel has lost its peer. Node polls no socket whose end was read, and a write of nothing asks the kernel; TLS would
 * keep it to itself.
 */
export function probePeer(socket: Socket): void {
  if (socket.writable) (carriers.get(socket) ?? socket).write(NOTHING);
}
