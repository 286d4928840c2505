/** Ends a connection before its handshake with a TLS alert, so that the client can say why. */
import type { Socket } from 'node:net';

const lingerMs = 1000;
const alertRecord = 21;
const fatal = 2;

/** Sends a fatal alert (RFC 8446, 6) as a record of its own and closes. */
export function refuse(socket: Socket, alert: number): void {
  if (socket.destroyed) return;
  // Unread bytes would make the kernel answer with a reset, and the alert could be lost with it.
  socket.resume();
  socket.end(Buffer.from([alertRecord, 3, 3, 0, 2, fatal, alert]));
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
}
