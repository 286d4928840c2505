/**
 * Handshakes in which the visitor has to show a certificate. Never that one is handed on whose certificate was not verified in
 * this very handshake, against the authorities of its own context and no others.
 */
import type { Socket } from 'node:net';
import { createServer, type SecureContext, type Server, TLSSocket, type TlsOptions } from 'node:tls';
import { isRsaTooLarge } from '../../pki/rsa-limit.ts';
import { alpnList } from './alpn-list.ts';

export interface Asking {
  /** With the authorities. */
  readonly secureContext: SecureContext;
  /** What has to be known before the context is chosen. */
  readonly negotiation: Pick<TlsOptions, 'minVersion' | 'ciphers' | 'honorCipherOrder' | 'secureOptions'>;
  readonly alpn?: readonly string[];
}

/** One of the two is called, at most once. */
export interface Outcome {
  verified(secured: TLSSocket): void;
  refused(code: string | undefined): void;
}

/** For certificates that were not verified, or not in this handshake, or whose key costs too much. */
export const certificateRefused = 'CLIENT_CERTIFICATE_REFUSED';

export class ClientVerification {
  /** By their protocols: a site may turn from bytes to HTTP under the same settings. */
  readonly #servers = new WeakMap<SecureContext, Map<string, Server>>();

  begin(socket: Socket, asking: Asking, outcome: Outcome): void {
    const server = this.#serverFor(asking);
    // Node verifies on behalf of a server only, which does not say whose TLS socket it has made. So each connection gets an emitter
    // of its own, which is the server in everything else. Should Node emit elsewhere one day, nobody is handed on.
    const own: unknown = Object.create(server, {
      emit: { value: (event: string, ...values: readonly unknown[]) => heard(event, values, outcome) },
    });
    Reflect.apply(server.emit, own, ['connection', socket]);
  }

  #serverFor({ secureContext, negotiation, alpn }: Asking): Server {
    const servers = this.#servers.get(secureContext) ?? new Map<string, Server>();
    this.#servers.set(secureContext, servers);
    const protocols = alpn?.join() ?? '';
    const known = servers.get(protocols);
    if (known !== undefined) return known;
    const server = createServer({
      ...negotiation,
      // Without certificate and authorities by itself: all of that comes from the context.
      ca: [],
      SNICallback: (_name, choose) => choose(null, secureContext),
      requestCert: true,
      rejectUnauthorized: true,
    });
    // Here it is not made into a list of Node's own, which each connection would copy.
    if (alpn !== undefined) Object.assign(server, { ALPNProtocols: alpnList(alpn) });
    servers.set(protocols, server);
    return server;
  }
}

function heard(event: string, [first, second]: readonly unknown[], outcome: Outcome): boolean {
  if (event === 'secureConnection' && first instanceof TLSSocket) {
    if (isProven(first)) outcome.verified(first);
    else refuse(first, certificateRefused, outcome);
  }
  if (event === 'tlsClientError' && first instanceof Error && second instanceof TLSSocket) {
    const code = 'code' in first && typeof first.code === 'string' ? first.code : undefined;
    refuse(second, second.authorizationError ? certificateRefused : code, outcome);
  }
  return true;
}

function refuse(secured: TLSSocket, code: string | undefined, outcome: Outcome): void {
  outcome.refused(code);
  secured.destroy();
}

/** A session that goes on was not verified now: its certificate may have ended since. */
function isProven(secured: TLSSocket): boolean {
  if (!secured.authorized || secured.isSessionReused()) return false;
  try {
    const certificate = secured.getPeerX509Certificate();
    return certificate !== undefined && !isRsaTooLarge(certificate.publicKey);
  } catch {
    return false;
  }
}
