/**
 * TLS settings that names are served with: certificate, versions and ticket keys. Never that a session ticket of one edge or
 * account is taken by another, or that what one account uses pushes out what another does.
 */
import { constants, createHash, randomBytes } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import { FairLruMap } from '../../core/fair-lru.ts';
import type { Hostname } from '../../core/hostname.ts';
import type { CertificateSource, ServerCertificate } from '../../pki/certificate-source.ts';
import type { TlsPolicy } from '../sites/site.ts';

interface Kept {
  readonly policyKey: string;
  readonly certificate: ServerCertificate;
  readonly context: SecureContext;
  /** A name that it was used for: as long as that is terminated like this, tickets are good. */
  hostname: Hostname;
}

/** A name, and the account that serves it. */
export interface ServedName {
  readonly hostname: Hostname;
  readonly account: string;
}

/** A context is some 33 KB, and a quarter of a millisecond to make again. */
const defaultLimit = 1024;

/** All of TLS 1.3, and of TLS 1.2 what keeps old traffic secret and is authenticated as a whole (RFC 9325, section 4.2). */
const modernSuites = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
];
/** The best of TLS 1.0 and 1.1, for edges that ask for these. OpenSSL has nothing for their SHA-1 above security level 0. */
const legacySuites = [
  'ECDHE-ECDSA-AES128-SHA',
  'ECDHE-RSA-AES128-SHA',
  'ECDHE-ECDSA-AES256-SHA',
  'ECDHE-RSA-AES256-SHA',
  '@SECLEVEL=0',
];

export class SecureContexts {
  readonly #certificates: CertificateSource;
  readonly #kept: FairLruMap<Kept>;

  constructor(certificates: CertificateSource, limit = defaultLimit) {
    this.#certificates = certificates;
    this.#kept = new FairLruMap(limit);
  }

  /**
   * The context of a name, which all names share that an account serves alike and with the same certificate. Made anew when the
   * certificate is replaced. Rejects as the source does.
   */
  async contextFor({ hostname, account }: ServedName, policy: TlsPolicy): Promise<SecureContext> {
    const certificate = await this.#certificates.certificateFor(hostname, account);
    const key = `${policy.key} ${certificate.name}`;
    const kept = this.#kept.get(account, key);
    if (kept?.certificate === certificate) {
      kept.hostname = hostname;
      return kept.context;
    }
    const context = makeContext(`${account} ${key}`, policy, certificate);
    this.#kept.set(account, key, { policyKey: policy.key, certificate, context, hostname });
    return context;
  }

  /** Drops the contexts, and with them the tickets, of names that are no longer terminated with the same key. */
  retain(policyKey: (hostname: Hostname) => string | undefined): void {
    for (const [account, key, kept] of this.#kept.entries()) {
      if (policyKey(kept.hostname) !== kept.policyKey) this.#kept.delete(account, key);
    }
  }
}

/** What is agreed on before a context is needed. */
export function negotiationOf({ minVersion, clientAuthorities }: TlsPolicy) {
  const legacy = minVersion === 'TLSv1' || minVersion === 'TLSv1.1';
  // A renegotiation could bring another server name than the one that was looked up. And who has to show a certificate shows it each
  // time: a ticket would be good for longer than the certificate.
  const tickets = clientAuthorities === null ? 0 : constants.SSL_OP_NO_TICKET;
  return {
    minVersion,
    ciphers: (legacy ? [...modernSuites, ...legacySuites] : modernSuites).join(':'),
    honorCipherOrder: true,
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION | tickets,
  };
}

/** `id` tells the context from all others. */
function makeContext(id: string, policy: TlsPolicy, certificate: ServerCertificate): SecureContext {
  return createSecureContext({
    ...negotiationOf(policy),
    cert: certificate.cert,
    key: certificate.key,
    // Exactly those that are listed: without this the public root certificates are loaded.
    ca: [...(policy.clientAuthorities ?? [])],
    // Who lists an authority means it, be it another one's or its own.
    allowPartialTrustChain: true,
    ticketKeys: randomBytes(48),
    sessionIdContext: createHash('sha256').update(id).digest('hex').slice(0, 32),
  });
}
