/**
 * Serves validation requests of certificate authorities: a path of plain HTTP (RFC 8555, section 8.3), and a handshake
 * with a protocol of its own (RFC 8737).
 * Invariant: only names with a pending order get a response.
 */
import type { Hostname } from '../../core/names/hostname.ts';
import type { Head } from '../../http-syntax/head.ts';
import type { ServerCertificate } from '../../pki/certificate-source.ts';
import type { Reply, TlsPolicy } from '../sites/site.ts';
import type { SocketSettings } from './terminator.ts';

/** The proofs of a name with a pending order; null for all other names. */
export interface AcmeChallenges {
  httpAnswer(hostname: Hostname, token: string): string | null;
  validationCertificate(hostname: Hostname): Promise<ServerCertificate> | null;
}

const ALPN = 'acme-tls/1';
const PATH = '/.well-known/acme-challenge/';

/** A client of that protocol speaks no other. */
export function isValidation(alpn: readonly string[]): boolean {
  return alpn.length === 1 && alpn[0] === ALPN;
}

export function validationSettings(
  certificate: ServerCertificate,
): SocketSettings & { readonly policy: TlsPolicy } {
  const policy = {
    key: 'acme validation',
    minVersion: 'TLSv1.2',
    clientAuthorities: null,
    certificate,
  } as const;
  return { alpn: [ALPN], policy };
}

/** `head` is a whole request. Returns null if it is no validation request, or there is no proof. */
export function challengeReply(head: Head, hostname: Hostname, challenges: AcmeChallenges): Reply | null {
  const target = head.bytes.toString('latin1', head.targetStart, head.targetEnd);
  if (!target.startsWith(PATH)) return null;
  const answer = challenges.httpAnswer(hostname, target.slice(PATH.length));
  if (answer === null) return null;
  return {
    kind: 'reply',
    status: 200,
    headers: [
      ['content-type', 'application/octet-stream'],
      ['cache-control', 'no-store'],
    ],
    body: Buffer.from(answer),
  };
}
