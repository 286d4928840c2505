/** Ends a socket with RST, so that the peer notices the cut. */
import type { Socket } from 'node:net';

/**
 * Ends a TCP connection at once, in both directions, so that the peer sees a broken connection. A socket whose own end
 * is in progress is destroyed instead: libuv refuses its reset with EINVAL, and it would never close (Node 26).
 */
export function resetSocket(socket: Socket): void {
  if (socket.writableEnded && !socket.writableFinished) socket.destroy();
  else socket.resetAndDestroy();
}
