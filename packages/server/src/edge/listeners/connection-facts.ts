/** Facts of a connection that is ready to be served. */
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { ConnectionAddresses } from '../../core/ip/client-address.ts';
import type { ClientCertificate, ConnectionFacts, TlsFacts } from '../sites/facts.ts';
import { subjectOf } from './client-certificate.ts';
import { type HelloOffer, ja4Of } from './ja4.ts';

type ServerName = ConnectionFacts['serverName'];

/** `serverName` is as canonical as the name that was looked up; `offer`: of the ClientHello, null where there was none. */
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
    this.tls = socket instanceof TLSSocket ? new SocketTls(socket) : null;
    this.#offer = offer;
  }

  /** Computed at the first use. It is expensive, and only events of connections need it. */
  get ja4(): string {
    if (this.#ja4 === '' && this.#offer !== null) this.#ja4 = ja4Of(this.#offer);
    return this.#ja4;
  }
}

/** Reads the socket once, at the first use. Most connections are never read, and a closed socket has no facts. */
class SocketTls implements TlsFacts {
  readonly #socket: TLSSocket;
  #version = '';
  #cipher = '';
  #certificate: ClientCertificate | null | undefined;

  constructor(socket: TLSSocket) {
    this.#socket = socket;
  }

  get version(): string {
    this.#version ||= this.#socket.getProtocol() ?? '';
    return this.#version;
  }

  get cipher(): string {
    this.#cipher ||= this.#socket.getCipher()?.name ?? '';
    return this.#cipher;
  }

  get clientCertificate(): ClientCertificate | null {
    if (this.#certificate === undefined) this.#certificate = certificateOf(this.#socket);
    return this.#certificate;
  }
}

/** An unverified certificate has no facts. */
function certificateOf(socket: TLSSocket): ClientCertificate | null {
  const certificate = socket.authorized ? socket.getPeerX509Certificate() : undefined;
  return certificate === undefined ? null : subjectOf(certificate);
}
