/** The end of a connection. Never that a reset is a failure of who waits for it: whoever closes with bytes that were not read resets it. */
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
