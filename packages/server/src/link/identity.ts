/**
 * Proofs of incarnations on links over TLS: a certificate of the local CA whose only name is the URI of the incarnation.
 * Invariant: a certificate of the CA for a host name, or for another incarnation, proves nothing. Private keys are in
 * memory only.
 */
import { createSecureContext, type PeerCertificate, type SecureContext, type TLSSocket } from 'node:tls';
import type { LocalAuthority } from '../pki/local-authority.ts';

export type LinkAuthority = Pick<LocalAuthority, 'certificatePem' | 'issueNode'>;

const URI = 'urn:underpass:node:';
/** The text of Node for a certificate whose only alternative name is such a URI. */
const ALTERNATIVE = /^URI:urn:underpass:node:([1-9]\d{0,15})$/;

export interface Credentials {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  readonly minVersion: 'TLSv1.3';
}

interface Made {
  readonly credentials: Credentials;
  /** Milliseconds since the epoch at which the next one is made. */
  readonly until: number;
}

/** The shortest time between two certificates, if the CA itself is near its end. */
const SHORTEST_MS = 60_000;

export class LinkIdentity {
  readonly #authority: () => Promise<LinkAuthority>;
  readonly #now: () => number;
  #known: { readonly incarnation: number; readonly made: Promise<Made> } | null = null;

  /** `authority` is called with the first certificate. `now`: milliseconds since the epoch. */
  constructor(authority: () => Promise<LinkAuthority>, now: () => number) {
    this.#authority = authority;
    this.#now = now;
  }

  /** Returns the certificate of an incarnation, and a new one after half of its validity. */
  async credentials(incarnation: number): Promise<Credentials> {
    if (this.#known?.incarnation !== incarnation)
      this.#known = { incarnation, made: this.#make(incarnation) };
    const known = this.#known;
    const forget = (): void => {
      if (this.#known === known) this.#known = null;
    };
    try {
      const { credentials, until } = await known.made;
      if (this.#now() < until) return credentials;
    } catch (error) {
      forget();
      throw error;
    }
    forget();
    return await this.credentials(incarnation);
  }

  async #make(incarnation: number): Promise<Made> {
    const authority = await this.#authority();
    const issued = await authority.issueNode(`${URI}${incarnation}`);
    const { certificatePem: cert, privateKeyPem: key, notAfter } = issued;
    const credentials = { ca: authority.certificatePem, cert, key, minVersion: 'TLSv1.3' } as const;
    const now = this.#now();
    return { credentials, until: now + Math.max(SHORTEST_MS, (notAfter.getTime() - now) / 2) };
  }
}

/** Returns the context of a client. */
export const contextOf = (credentials: Credentials): SecureContext => createSecureContext(credentials);

/** Returns the incarnation that a client has proven in this handshake; null: none. */
export function provenBy(socket: TLSSocket): number | null {
  if (!socket.authorized || socket.isSessionReused()) return null;
  return namedBy(socket.getPeerX509Certificate()?.subjectAltName);
}

/** Checks the certificate of a server, whose chain is verified. Returns an error unless it is of the incarnation. */
export function checkServer(incarnation: number, { subjectaltname }: PeerCertificate): Error | undefined {
  if (namedBy(subjectaltname) === incarnation) return undefined;
  return new Error(`its certificate is not of ${URI}${incarnation}: ${subjectaltname ?? 'it has no name'}`);
}

function namedBy(alternativeNames: string | undefined): number | null {
  const digits = ALTERNATIVE.exec(alternativeNames ?? '')?.[1];
  return digits === undefined ? null : Number(digits);
}
