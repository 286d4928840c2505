/** Ends a connection before its handshake with a TLS alert, or with plain text, so that the client can say why. */
import type { Socket } from 'node:net';

const lingerMs = 1000;
const alertRecord = 21;
const fatal = 2;

/** Sends a fatal alert (RFC 8446, 6) as a record of its own and closes. */
export function refuse(socket: Socket, alert: number): void {
  endWith(socket, Buffer.from([alertRecord, 3, 3, 0, 2, fatal, alert]));
}

/** Sends the bytes and closes, whatever else comes. */
export function endWith(socket: Socket, bytes: Buffer): void {
  if (socket.destroyed) return;
  // Unread bytes would make the kernel answer with a reset, and what is said could be lost with it.
  socket.resume();
  socket.end(bytes);
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
}
