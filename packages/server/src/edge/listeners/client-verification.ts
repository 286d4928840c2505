/**
 * Handshakes in which the visitor has to show a certificate.
 *
 * Invariant: a connection is handed on only if its certificate was verified in this handshake, against the authorities of its context alone.
 */
import type { Socket } from 'node:net';
import { createServer, type SecureContext, type Server, TLSSocket, type TlsOptions } from 'node:tls';
import { NamesakeAuthorities } from '../../pki/client-path.ts';
import { isRsaTooLarge } from '../../pki/rsa-limit.ts';
import { alpnList } from './alpn-list.ts';

export interface Asking {
  /** The context with the authorities. */
  readonly secureContext: SecureContext;
  /** The same authorities, in PEM. */
  readonly authorities: readonly string[];
  /** Settings from before the choice of the context. */
  readonly negotiation: Pick<TlsOptions, 'minVersion' | 'ciphers' | 'honorCipherOrder' | 'secureOptions'>;
  readonly alpn?: readonly string[];
}

/** One of the two is called, at most once. */
export interface Outcome {
  verified(secured: TLSSocket): void;
  /** `why`: OpenSSL's reason for a certificate that it refused, such as `CERT_HAS_EXPIRED`; '' for none. */
  refused(code: string | undefined, why: string): void;
}

/** The error code for certificates that were not verified, or not in this handshake, or whose key is too expensive. */
export const certificateRefused = 'CLIENT_CERTIFICATE_REFUSED';

interface Verifier {
  readonly server: Server;
  /** Null if OpenSSL alone verifies against the authorities. */
  readonly namesakes: NamesakeAuthorities | null;
}

export class ClientVerification {
  /** Verifiers by their protocols, because a site may change from bytes to HTTP under the same settings. */
  readonly #servers = new WeakMap<SecureContext, Map<string, Verifier>>();

  begin(socket: Socket, asking: Asking, outcome: Outcome): void {
    const { server, namesakes } = this.#verifierFor(asking);
    // Node verifies clients only for a server, which does not report its TLS socket's connection. So each connection
    // gets its own emitter, which is otherwise the server. If Node emits elsewhere in future, no connection is handed
    // on.
    const own: unknown = Object.create(server, {
      emit: {
        value: (event: string, ...values: readonly unknown[]) => heard(event, values, outcome, namesakes),
      },
    });
    Reflect.apply(server.emit, own, ['connection', socket]);
  }

  #verifierFor({ secureContext, authorities, negotiation, alpn }: Asking): Verifier {
    const servers = this.#servers.get(secureContext) ?? new Map<string, Verifier>();
    this.#servers.set(secureContext, servers);
    const protocols = alpn?.join() ?? '';
    const known = servers.get(protocols);
    if (known !== undefined) return known;
    const namesakes = NamesakeAuthorities.among(authorities);
    const server = createServer({
      ...negotiation,
      // Without certificate and authorities by itself: all of that comes from the context.
      ca: [],
      SNICallback: (_name, choose) => choose(null, secureContext),
      requestCert: true,
      // With namesakes a refusal of OpenSSL's is not the last word: the connection is handed over for `isProven` to judge.
      rejectUnauthorized: namesakes === null,
    });
    // Here it is not made into a list of Node's own, which each connection would copy.
    if (alpn !== undefined) Object.assign(server, { ALPNProtocols: alpnList(alpn) });
    const verifier = { server, namesakes };
    servers.set(protocols, verifier);
    return verifier;
  }
}

function heard(
  event: string,
  [first, second]: readonly unknown[],
  outcome: Outcome,
  namesakes: NamesakeAuthorities | null,
): boolean {
  if (event === 'secureConnection' && first instanceof TLSSocket) {
    if (isProven(first, namesakes)) outcome.verified(first);
    else refuse(first, certificateRefused, outcome);
  }
  if (event === 'tlsClientError' && first instanceof Error && second instanceof TLSSocket) {
    const code = 'code' in first && typeof first.code === 'string' ? first.code : undefined;
    refuse(second, second.authorizationError ? certificateRefused : code, outcome);
  }
  return true;
}

function refuse(secured: TLSSocket, code: string | undefined, outcome: Outcome): void {
  outcome.refused(code, String(secured.authorizationError ?? ''));
  secured.destroy();
}

/** A session that goes on was not verified now: its certificate may have ended since. */
function isProven(secured: TLSSocket, namesakes: NamesakeAuthorities | null): boolean {
  if (secured.isSessionReused()) return false;
  try {
    const certificate = secured.getPeerX509Certificate();
    if (certificate === undefined || isRsaTooLarge(certificate.publicKey)) return false;
    // Others read from the socket if its certificate was verified.
    secured.authorized ||= namesakes?.admits(certificate, Date.now()) ?? false;
    return secured.authorized;
  } catch {
    return false;
  }
}
