/** Ends a connection before its handshake, with a TLS alert or plain text as the reason for the client. */
import type { Socket } from 'node:net';
import { sourceKey } from '../../core/ip/client-address.ts';
import { LINGER_LIMITS, Linger, type LingerLimits, LingerPlaces } from '../../system/linger.ts';

const tickMs = 1000;
const limits: LingerLimits = { ...LINGER_LIMITS, lingerSilenceMs: 900 };
const places = new LingerPlaces(limits.lingerPlaces);
const alertRecord = 21;
const fatal = 2;

/** Sends a fatal alert (RFC 8446, 6) as a record of its own and closes. */
export function refuse(socket: Socket, alert: number): void {
  endWith(socket, Buffer.from([alertRecord, 3, 3, 0, 2, fatal, alert]));
}

/** Sends the bytes and closes, and reads for a while what else comes. */
export function endWith(socket: Socket, bytes: Buffer): void {
  if (socket.destroyed) return;
  const linger = new Linger(limits, places, sourceKey(socket.remoteAddress ?? ''), performance.now());
  socket.on('data', (chunk: Buffer) => {
    if (!linger.read(chunk.length, performance.now())) socket.destroy();
  });
  socket.end(bytes);
  const timer = setInterval(() => linger.isOver(performance.now()) && socket.destroy(), tickMs);
  socket.once('close', () => {
    clearInterval(timer);
    linger.end();
  });
}
