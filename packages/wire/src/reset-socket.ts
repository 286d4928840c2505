/** Ends a socket with RST, so that the peer cannot take what was cut for an orderly end. */
import type { Socket } from 'node:net';

/**
 * Ends a TCP connection at once, in both directions, so that the other side sees that it broke.
 * A socket that is reset while its own end is under way would never close (Node 26: libuv refuses the reset with EINVAL, and
 * Node then forgets the handle): such a one is closed.
 */
export function resetSocket(socket: Socket): void {
  if (socket.writableEnded && !socket.writableFinished) socket.destroy();
  else socket.resetAndDestroy();
}
