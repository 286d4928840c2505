/** What is known of a connection once it is ready to be served. */
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { ConnectionAddresses } from '../../core/client-address.ts';
import type { ClientCertificate, ConnectionFacts, TlsFacts } from '../sites/facts.ts';
import { subjectOf } from './client-certificate.ts';

/** `serverName` is as canonical as the name that was looked up. */
export function connectionFacts<Name extends ConnectionFacts['serverName']>(
  socket: Socket | TLSSocket,
  addresses: ConnectionAddresses,
  serverName: Name,
  ja4 = '',
): ConnectionFacts & { readonly serverName: Name } {
  return {
    ...addresses,
    serverName,
    startedAt: new Date(),
    ja4,
    tls: socket instanceof TLSSocket ? new SocketTls(socket) : null,
  };
}

/** Asked of the socket once, when somebody wants to know: most connections are never asked, and one that is closed knows nothing more. */
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

/** What was not verified says nothing. */
function certificateOf(socket: TLSSocket): ClientCertificate | null {
  const certificate = socket.authorized ? socket.getPeerX509Certificate() : undefined;
  return certificate === undefined ? null : subjectOf(certificate);
}
