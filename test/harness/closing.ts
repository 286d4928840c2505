/**
 * Waits for the end of a connection.
 * Invariant: a reset is no failure of the wait. A peer that closes with unread bytes resets the connection.
 */
import type { Socket } from 'node:net';

/** Resolves when the socket is closed, in order or not; at once when it is. */
export function closing(socket: Socket): Promise<void> {
  // Without a listener a reset would be an uncaught error.
  socket.on('error', () => {});
  return new Promise((resolve) => {
    if (socket.closed) resolve();
    else socket.once('close', () => resolve());
  });
}
