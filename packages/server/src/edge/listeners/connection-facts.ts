/** Facts of a connection that is ready to be served. */
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { ConnectionAddresses } from '../../core/ip/client-address.ts';
import type { ClientCertificate, ConnectionFacts, TlsFacts } from '../sites/facts.ts';
import { subjectOf } from './client-certificate.ts';
import { type HelloOffer, ja4Of } from './ja4.ts';

type ServerName = ConnectionFacts['serverName'];

/**
 * Call it in the turn in which the handshake ends. `serverName` is as canonical as the name that was looked up; `offer`: of
 * the ClientHello, null where there was none.
 */
export function connectionFacts<Name extends ServerName>(
  socket: Socket | TLSSocket,
  addresses: ConnectionAddresses,
  serverName: Name,
  offer: HelloOffer | null = null,
): ConnectionFacts & { readonly serverName: Name } {
  return new SocketFacts(socket, addresses, serverName, offer);
}

class SocketFacts<Name extends ServerName> implements ConnectionFacts {
  readonly clientAddr: string;
  readonly serverAddr: string;
  readonly serverName: Name;
  readonly startedAt = new Date();
  readonly tls: TlsFacts | null;
  readonly #offer: HelloOffer | null;
  #ja4 = '';

  constructor(
    socket: Socket | TLSSocket,
    { clientAddr, serverAddr }: ConnectionAddresses,
    serverName: Name,
    offer: HelloOffer | null,
  ) {
    this.clientAddr = clientAddr;
    this.serverAddr = serverAddr;
    this.serverName = serverName;
    this.tls = socket instanceof TLSSocket ? tlsFacts(socket) : null;
    this.#offer = offer;
  }

  /** Computed at the first use. It is expensive, and only events of connections need it. */
  get ja4(): string {
    if (this.#ja4 === '' && this.#offer !== null) this.#ja4 = ja4Of(this.#offer);
    return this.#ja4;
  }
}

/**
 * Reads the socket at once. Node 26 ends the process if one of these is read after the connection below was closed:
 * the socket then has a handle without a TLS session.
 */
function tlsFacts(socket: TLSSocket): TlsFacts {
  return {
    version: socket.getProtocol() ?? '',
    cipher: socket.getCipher()?.name ?? '',
    clientCertificate: certificateOf(socket),
  };
}

/** An unverified certificate has no facts. */
function certificateOf(socket: TLSSocket): ClientCertificate | null {
  const certificate = socket.authorized ? socket.getPeerX509Certificate() : undefined;
  return certificate === undefined ? null : subjectOf(certificate);
}
