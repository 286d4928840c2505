/**
 * A connection to a server that may respond and close before it has read everything.
 * Invariant: a failed write does not discard a response that the server sent before.
 */
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

type Done = (error?: Error | null) => void;

/** Sockets with a failed write. */
const broken = new WeakSet<Socket>();

/**
 * Makes writes succeed after the server reset the connection. The end of the response, or its error, informs the
 * caller. A failed handshake still fails the write that waited for it. Call it before anything is written.
 */
export function asUpstream<Connection extends Socket>(socket: Connection): Connection {
  // Node makes the sockets of TLS itself, so that there is no class to derive from.
  const { _write: write, _writev: writeMany } = socket;
  let isHandshaking = socket instanceof TLSSocket;
  socket.once('secureConnect', () => {
    isHandshaking = false;
  });
  const whenWritten = (done: Done): Done => {
    return (error) => {
      if (isHandshaking) return done(error);
      if (error) broken.add(socket);
      done();
    };
  };
  socket._write = (chunk, encoding, done) => write.call(socket, chunk, encoding, whenWritten(done));
  if (writeMany) socket._writev = (chunks, done) => writeMany.call(socket, chunks, whenWritten(done));
  return socket;
}

/** True if the end of a response may be a cut, because a write to the socket has failed. */
export function mayBeCut(socket: Socket): boolean {
  return broken.has(socket);
}
