/**
 * A connection to a server that may answer and close before it has read everything. Never that a write which fails for it keeps
 * from being read what the server said before.
 */
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

type Done = (error?: Error | null) => void;

/** Those of which a write has failed. */
const broken = new WeakSet<Socket>();

/**
 * The same socket, with TLS or without: what is written to it once the other side has reset it is lost; the end of what comes, or its error,
 * tells the user. Why a handshake fails is said by the write that waited for it. Before anything is written.
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

/** Whether the end of what came from a socket says nothing about whether that was everything: a write has failed. */
export function mayBeCut(socket: Socket): boolean {
  return broken.has(socket);
}
