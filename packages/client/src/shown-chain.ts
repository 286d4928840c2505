/**
 * Reads the certificates that a server sends in a handshake.
 * Invariant: no byte of a session passes on the connection, because its peer is not verified.
 */
import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { routeTo } from './loopback.ts';

export interface ServerPlace {
  readonly host: string;
  readonly port: number;
}

export interface HandshakeOptions {
  /** Milliseconds for the connection with its handshake. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** PEM of the authorities to trust instead of the built-in ones. */
  readonly ca?: string | undefined;
}

/** The certificates of a server as they were sent, the leaf first. They are not verified. */
export interface ShownChain {
  readonly certificates: readonly X509Certificate[];
  /** Code of the reason why the chain is not trusted; null if it is. */
  readonly fault: string | null;
}

/** Connects, and closes after the handshake. Rejects with the socket's error, or with the signal's reason. */
export function readShownChain(place: ServerPlace, options: HandshakeOptions): Promise<ShownChain> {
  const { timeoutMs, signal, ca } = options;
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const socket = connect({
      ...routeTo(place.host, place.port),
      ...(isIP(place.host) === 0 ? { servername: place.host } : {}),
      ...(ca === undefined ? {} : { ca, allowPartialTrustChain: true }),
      minVersion: 'TLSv1.2',
      rejectUnauthorized: false,
    });
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      socket.destroy();
    };
    const fail = (reason: unknown) => {
      settle();
      reject(reason);
    };
    const abort = () => fail(signal?.reason);
    const timer = setTimeout(() => fail(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs);
    signal?.addEventListener('abort', abort);
    socket.on('error', fail);
    socket.on('close', () => fail(new Error('the connection was closed in the handshake')));
    socket.once('secureConnect', () => {
      const chain = chainOf(socket);
      settle();
      resolve(chain);
    });
  });
}

/** A peer sends at most 100 KiB of certificates, which OpenSSL checks. */
function chainOf(socket: TLSSocket): ShownChain {
  const certificates: X509Certificate[] = [];
  for (let one = socket.getPeerX509Certificate(); one !== undefined; one = one.issuerCertificate)
    certificates.push(one);
  // Node sets an error's code here, although its types have an Error.
  const fault = socket.authorized ? null : String(socket.authorizationError);
  return { certificates, fault };
}
