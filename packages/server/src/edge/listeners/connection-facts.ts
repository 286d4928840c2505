/** What is known of a connection once it is ready to be served. */
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { clientAddress, unmapped } from '../../core/client-address.ts';
import type { ClientCertificate, ConnectionFacts, TlsFacts } from '../sites/facts.ts';
import { subjectOf } from './client-certificate.ts';

/** Null when the peer is gone already. `serverName` is as canonical as the name that was looked up. */
export function connectionFacts<Name extends ConnectionFacts['serverName']>(
  socket: Socket | TLSSocket,
  serverName: Name,
): (ConnectionFacts & { readonly serverName: Name }) | null {
  const clientAddr = clientAddress(socket);
  if (clientAddr === null) return null;
  const ip = unmapped(socket.localAddress ?? '');
  return {
    clientAddr,
    serverAddr: `${ip.includes(':') ? `[${ip}]` : ip}:${socket.localPort ?? 0}`,
    serverName,
    startedAt: new Date(),
    tls: socket instanceof TLSSocket ? new SocketTls(socket) : null,
  };
}

/** Asked of the socket when somebody wants to know: most connections are never asked. */
class SocketTls implements TlsFacts {
  readonly #socket: TLSSocket;
  #certificate: ClientCertificate | null | undefined;

  constructor(socket: TLSSocket) {
    this.#socket = socket;
  }

  get version(): string {
    return this.#socket.getProtocol() ?? '';
  }

  get cipher(): string {
    return this.#socket.getCipher()?.name ?? '';
  }

  get clientCertificate(): ClientCertificate | null {
    if (this.#certificate === undefined) this.#certificate = certificateOf(this.#socket);
    return this.#certificate;
  }
}

/** What was not verified says nothing. */
function certificateOf(socket: TLSSocket): ClientCertificate | null {
  const certificate = socket.authorized ? socket.getPeerX509Certificate() : undefined;
  return certificate === undefined ? null : subjectOf(certificate);
}
