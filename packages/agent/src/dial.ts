/** Dials the service over TLS. */
import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { isCertificateError } from '@underpass/client/certificate-error';
import { routeTo } from '@underpass/client/loopback';
import { PinError } from '@underpass/client/pinned-authority';
import type { Reads } from '@underpass/wire';
import type { HostPort } from './address.ts';
import { Refused } from './refused.ts';
import type { ServerAddresses } from './server-addresses.ts';
import type { TlsMemory } from './tls-memory.ts';

export interface DialOptions {
  readonly tls: TlsMemory;
  /** Absent: each connection takes the addresses in the order of the system. */
  readonly addresses?: ServerAddresses;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** All streams share this socket. With Node's default they would pause between two of its drains. */
const SOCKET_BUFFER_BYTES = 256 * 1024;

/** A connection with the service, before the first message. */
export interface Dialled {
  readonly socket: TLSSocket;
  readonly reads: Reads;
}

/**
 * The buffer of all connections, as large as the content of a TLS record. Incoming bytes are handled before the next
 * read.
 */
const incoming = Buffer.allocUnsafeSlow(16_384);

/**
 * Connects to the service and verifies its certificate for the host (agent protocol, section 1).
 * Rejects with Refused when the certificate is not trusted, with the socket's error otherwise.
 */
export async function dial(server: HostPort, options: DialOptions): Promise<Dialled> {
  await options.tls.findAuthority(server, options).catch((error: unknown) => {
    if (options.signal.aborted) throw new Error('stopped');
    throw error instanceof PinError ? new Refused('certificate', error.message, error.code) : error;
  });
  return await connectTo(server, options);
}

function connectTo(server: HostPort, options: DialOptions): Promise<Dialled> {
  return new Promise((resolve, reject) => {
    let receive: Parameters<Reads>[0] | null = null;
    const read = (length: number): boolean => {
      if (receive === null) socket.destroy(new Error('the service spoke before the session had begun'));
      else receive(incoming.subarray(0, length));
      return true;
    };
    const { session, secureContext } = options.tls;
    const { addresses } = options;
    const wanted = {
      ...addresses?.route,
      ...routeTo(server.host, server.port),
      ...(isIP(server.host) === 0 ? { servername: server.host } : {}),
      secureContext,
      ...(session === null ? {} : { session }),
      // Of these two Node's types do not know.
      highWaterMark: SOCKET_BUFFER_BYTES,
      onread: { buffer: incoming, callback: read },
    };
    const socket = connect(wanted);
    let isReached = false;
    socket.once('connect', () => {
      isReached = true;
      addresses?.reached(socket.remoteAddress);
    });
    // Only after the certificate was verified.
    socket.on('session', (resumable) => options.tls.keepSession(resumable));
    const settle = () => {
      clearTimeout(timer);
      options.signal.removeEventListener('abort', abort);
      socket.off('error', fail);
    };
    const fail = (error: Error) => {
      settle();
      if (!isReached) addresses?.failed();
      // Destroying may raise another error after the first one was reported.
      socket.on('error', () => {});
      socket.destroy();
      reject(asRefusal(server, error));
    };
    const abort = () => fail(new Error('stopped'));
    const timer = setTimeout(
      () => fail(new Error(`no answer within ${options.timeoutMs / 1000} s`)),
      options.timeoutMs,
    );
    options.signal.addEventListener('abort', abort);
    socket.on('error', fail);
    socket.once('secureConnect', () => {
      settle();
      socket.on('error', () => {});
      socket.setNoDelay(true);
      socket.setKeepAlive(true, 15_000);
      const reads: Reads = (to) => {
        receive = to;
      };
      resolve({ socket, reads });
    });
    if (options.signal.aborted) abort();
  });
}

function asRefusal(server: HostPort, error: Error): Error {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (!isCertificateError(code)) return error;
  return new Refused(
    'certificate',
    `The certificate of ${server.host} is not trusted: ${error.message.split(';')[0]}`,
    code,
  );
}
