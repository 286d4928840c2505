/** Ends TLS on connections whose server name is known, each with the settings of its site. Never with any other site's. */
import type { Socket } from 'node:net';
import { type SecureContext, TLSSocket, type TLSSocketOptions } from 'node:tls';
import { deadline } from '@underpass/wire';
import type { Logger } from 'pino';
import type { Hostname } from '../../core/names/hostname.ts';
import type { ErrorName } from '../../errors/catalogue.ts';
import { CertificateBudgetError, type CertificateSource } from '../../pki/certificate-source.ts';
import type { TicketKeys } from '../../pki/ticket-keys.ts';
import { carriedBy } from '../../system/silent-visitors.ts';
import { alpnList } from './alpn-list.ts';
import { Alert } from './client-hello.ts';
import { ClientVerification } from './client-verification.ts';
import { handshakeFailure, handshakeRefusals } from './handshake-failure.ts';
import type { OpenConnections } from './open-connections.ts';
import { refuse } from './refuse.ts';
import { type ContextWanted, negotiationOf, SecureContexts, type ServedName } from './secure-contexts.ts';
import { socketBufferBytes } from './socket-buffer.ts';

/** Settings of a TLS connection beside its policy and certificate. */
export interface SocketSettings {
  /** Protocols that are negotiated; absent: whatever the client offers is left unanswered. */
  readonly alpn?: readonly string[];
  /** Bytes that are read ahead of a slow reader; absent: enough for bulk. */
  readonly readAhead?: number;
}

export interface Terminated extends SocketSettings, ServedName, ContextWanted {
  /** The visitor sent no requested certificate, or one that is refused. `why` is OpenSSL's reason, '' for none. */
  readonly clientRefused?: (error: ErrorName, why: string) => void;
}

export interface TerminatorOptions {
  readonly certificates: CertificateSource;
  readonly ticketKeys: TicketKeys;
  /** Milliseconds from the ClientHello to the end of the handshake. */
  readonly handshakeMs: number;
  readonly connections: Pick<OpenConnections, 'failed' | 'finished'>;
  readonly log: Logger;
}

const repeatedLogMs = 1000;

export class Terminator {
  readonly #options: TerminatorOptions;
  readonly #contexts: SecureContexts;
  readonly #verification = new ClientVerification();
  #budgetLoggedAt = Number.NEGATIVE_INFINITY;

  constructor(options: TerminatorOptions) {
    this.#options = options;
    this.#contexts = new SecureContexts(options.certificates, options.ticketKeys);
  }

  /** Drops what is kept for names that are no longer terminated in the same way. */
  retain(keyOf: (hostname: Hostname) => string | undefined): void {
    this.#contexts.retain(keyOf);
  }

  /** Hands the connection on when the handshake is done. Never rejects. */
  async terminate(socket: Socket, wanted: Terminated, serve: (secured: TLSSocket) => void): Promise<void> {
    try {
      const secureContext = await this.#contexts.contextFor(wanted, wanted);
      if (!socket.destroyed) this.#handshake(socket, secureContext, wanted, serve);
    } catch (error) {
      this.#cannotTerminate(error, wanted);
      this.refuse(socket, Alert.internalError);
    }
  }

  #cannotTerminate(error: unknown, { hostname, account }: ServedName): void {
    const { log } = this.#options;
    if (!(error instanceof CertificateBudgetError)) {
      log.error({ err: error, hostname }, 'TLS cannot be terminated for a name that exists');
      return;
    }
    const now = performance.now();
    if (now - this.#budgetLoggedAt < repeatedLogMs) return;
    this.#budgetLoggedAt = now;
    log.warn({ hostname, account }, error.message);
  }

  /** Ends a connection with an alert before its handshake. */
  refuse(socket: Socket, alert: number): void {
    this.#options.connections.failed(socket, handshakeRefusals[alert] ?? 'malformed_hello');
    refuse(socket, alert);
  }

  #handshake(
    socket: Socket,
    secureContext: SecureContext,
    { policy, alpn, readAhead = socketBufferBytes, clientRefused }: Terminated,
    serve: (secured: TLSSocket) => void,
  ): void {
    // The TLS socket inherits this: a visitor's close_notify then ends both directions, unless its owner sets
    // otherwise.
    socket.allowHalfOpen = false;
    const { connections, handshakeMs } = this.#options;
    const done = deadline(handshakeMs, () => {
      connections.failed(socket, 'timeout');
      socket.destroy();
    });
    socket.once('close', () => done.met());
    const failed = (code: string | undefined, why = ''): void => {
      const failure = handshakeFailure(code);
      connections.failed(socket, failure);
      if (failure !== 'client_certificate') return;
      const isMissing = code?.includes('DID_NOT_RETURN') === true;
      clientRefused?.(isMissing ? 'clientCertificateMissing' : 'clientCertificateRefused', why);
    };
    const finished = (secured: TLSSocket): void => {
      done.met();
      carriedBy(secured, socket);
      connections.finished(socket);
      this.#handOn(secured, serve);
    };
    const protocols = alpn === undefined ? {} : { alpn };
    if (policy.clientAuthorities !== null) {
      const { clientAuthorities: authorities } = policy;
      const asking = { secureContext, authorities, negotiation: negotiationOf(policy), ...protocols };
      this.#verification.begin(socket, asking, { verified: finished, refused: failed });
      return;
    }
    // Node hands the mark on to its streams, and its types do not know of it.
    const options: TLSSocketOptions & { readonly highWaterMark: number } = {
      isServer: true,
      secureContext,
      requestCert: false,
      highWaterMark: readAhead,
      ...(alpn === undefined ? {} : { ALPNProtocols: alpnList(alpn) }),
    };
    const secured = new TLSSocket(socket, options);
    secured.on('error', ({ code }: NodeJS.ErrnoException) => failed(code));
    secured.once('secure', () => finished(secured));
  }

  #handOn(secured: TLSSocket, serve: (secured: TLSSocket) => void): void {
    try {
      serve(secured);
    } catch (error) {
      this.#options.log.error({ err: error }, 'a connection could not be handed on');
      secured.destroy();
    }
  }
}
