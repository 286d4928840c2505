/**
 * Verifies a client's certificate against authorities of which several have the same name. OpenSSL tries one authority of a name only,
 * unless the certificate states the key of its issuer.
 *
 * Invariant: a certificate is accepted only if OpenSSL would accept it with the authority that signed it listed alone.
 */
import type { X509Certificate } from 'node:crypto';
import { readCertificates } from './certificate-texts.ts';
import { CertificateUse } from './certificate-use.ts';

/** Signatures that are verified for one client. */
const mostSignatures = 16;
/** Certificates that a client sends beside its own. */
const mostSent = 8;

/** The authorities of one mutual TLS module. Handshakes use it if two of them share a name and differ in their keys. */
export class NamesakeAuthorities {
  readonly #authorities: readonly X509Certificate[];

  private constructor(authorities: readonly X509Certificate[]) {
    this.#authorities = authorities;
  }

  /** `pems`: one or several certificates each. Null if OpenSSL verifies against them by itself; what cannot be read is left out. */
  static among(pems: readonly string[]): NamesakeAuthorities | null {
    const authorities = pems.flatMap(readAll);
    const keys = new Map<string, X509Certificate>();
    for (const authority of authorities) {
      const known = keys.get(authority.subject);
      if (known !== undefined && !known.publicKey.equals(authority.publicKey))
        return new NamesakeAuthorities(authorities);
      keys.set(authority.subject, authority);
    }
    return null;
  }

  /** All authorities, also if no two of them share a name: for a certificate that came without a handshake. */
  static of(pems: readonly string[]): NamesakeAuthorities {
    return new NamesakeAuthorities(pems.flatMap(readAll));
  }

  /**
   * Returns true if an authority signed `leaf`, directly or through certificates that came with it. `nowMs`: since 1970.
   * `sent`: those certificates; absent: the ones of its connection.
   */
  admits(leaf: X509Certificate, nowMs: number, sent = sentWith(leaf)): boolean {
    try {
      if (!new CertificateUse(leaf, nowMs).isClient) return false;
      return new PathSearch(this.#authorities, nowMs).reaches(leaf, sent.slice(0, mostSent));
    } catch {
      // An extension, or a key, that cannot be read.
      return false;
    }
  }
}

/** Looks for a path from a leaf to an authority, as far as its number of signatures allows. */
class PathSearch {
  readonly #authorities: readonly X509Certificate[];
  readonly #nowMs: number;
  #signaturesLeft = mostSignatures;

  constructor(authorities: readonly X509Certificate[], nowMs: number) {
    this.#authorities = authorities;
    this.#nowMs = nowMs;
  }

  /** `below`: how many authorities lie between the leaf and the issuer that is looked for. */
  reaches(issued: X509Certificate, sent: readonly X509Certificate[], below = 0): boolean {
    if (this.#authorities.some((authority) => this.#signs(authority, issued, below))) return true;
    return sent.some(
      (between) =>
        this.#signs(between, issued, below) &&
        this.reaches(
          between,
          sent.filter((other) => other !== between),
          below + 1,
        ),
    );
  }

  /** Names, key identifiers and key usage come first: they cost nothing. */
  #signs(issuer: X509Certificate, issued: X509Certificate, below: number): boolean {
    if (!issued.checkIssued(issuer) || !new CertificateUse(issuer, this.#nowMs).isAuthorityAbove(below))
      return false;
    this.#signaturesLeft -= 1;
    return this.#signaturesLeft >= 0 && issued.verify(issuer.publicKey);
  }
}

function sentWith(leaf: X509Certificate): readonly X509Certificate[] {
  const sent: X509Certificate[] = [];
  for (let next = leaf.issuerCertificate; next !== undefined; next = next.issuerCertificate) {
    if (sent.length === mostSent) break;
    sent.push(next);
  }
  return sent;
}

function readAll(pem: string): readonly X509Certificate[] {
  const read = readCertificates(pem);
  return typeof read === 'string' ? [] : read.certificates;
}
