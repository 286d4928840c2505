/**
 * TLS settings of names: certificate, versions and ticket keys.
 * Invariant: a session ticket is valid for one edge or account and its settings only.
 * Invariant: an account's contexts never evict those of an account with fewer.
 */
import { constants, createHash } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import { FairLruMap } from '../../core/limits/fair-lru.ts';
import type { Hostname } from '../../core/names/hostname.ts';
import type { CertificateSource, ServerCertificate } from '../../pki/certificate-source.ts';
import { canonicalPem } from '../../pki/certificate-texts.ts';
import type { TicketKey, TicketKeys } from '../../pki/ticket-keys.ts';
import type { TlsPolicy } from '../sites/site.ts';

/** The settings that distinguish a context from others. */
interface ContextSettings {
  readonly account: string;
  readonly policy: TlsPolicy;
  readonly certificate: ServerCertificate;
}

interface Kept {
  readonly settings: ContextSettings;
  readonly context: SecureContext;
  /** Day of the tickets of the context. */
  readonly day: number;
  readonly masterKeyId: string;
  readonly formerKey: TicketKey;
  /** The context with yesterday's key, created for the first visitor with such a ticket. */
  former: SecureContext | null;
  /** A name that it was used for: as long as that is terminated like this, it is kept. */
  hostname: Hostname;
}

/** A name, and the account that serves it. */
export interface ServedName {
  readonly hostname: Hostname;
  readonly account: string;
}

/** Selection of a context, beside the name. */
export interface ContextWanted {
  readonly policy: TlsPolicy;
  /** The name of the key of the ticket that the visitor shows; '' without one. */
  readonly ticketKey: string;
}

/** A context is some 33 KB, and a quarter of a millisecond to make again. */
const defaultLimit = 1024;
/** A ticket may be shown for as long as its key is taken for certain: agents that were online for hours come back with one. */
const ticketSeconds = 24 * 60 * 60;

/** All of TLS 1.3, and of TLS 1.2 what keeps old traffic secret and is authenticated as a whole (RFC 9325, section 4.2). */
const modernSuites = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
];
/**
 * The best suites of TLS 1.0 and 1.1, for edges that need these versions. OpenSSL permits their SHA-1 only at security
 * level 0.
 */
const legacySuites = [
  'ECDHE-ECDSA-AES128-SHA',
  'ECDHE-RSA-AES128-SHA',
  'ECDHE-ECDSA-AES256-SHA',
  'ECDHE-RSA-AES256-SHA',
  '@SECLEVEL=0',
];

export class SecureContexts {
  readonly #certificates: CertificateSource;
  readonly #ticketKeys: TicketKeys;
  readonly #kept: FairLruMap<Kept>;

  constructor(certificates: CertificateSource, ticketKeys: TicketKeys, limit = defaultLimit) {
    this.#certificates = certificates;
    this.#ticketKeys = ticketKeys;
    this.#kept = new FairLruMap(limit);
  }

  /**
   * The context of a name, which all names share that an account serves alike and with the same certificate. Made anew when the
   * certificate or the master key is replaced, and each day. Rejects as the source does.
   */
  async contextFor(
    { hostname, account }: ServedName,
    { policy, ticketKey }: ContextWanted,
  ): Promise<SecureContext> {
    const certificate = policy.certificate ?? (await this.#certificates.certificateFor(hostname, account));
    const key = `${policy.key} ${certificate.name}`;
    let kept = this.#kept.get(account, key);
    if (kept?.settings.certificate !== certificate || !this.#hasKeysOfNow(kept)) {
      kept = this.#make({ account, policy, certificate }, hostname);
      this.#kept.set(account, key, kept);
    }
    kept.hostname = hostname;
    if (ticketKey !== kept.formerKey.name) return kept.context;
    kept.former ??= makeContext(kept.settings, kept.formerKey);
    return kept.former;
  }

  #hasKeysOfNow({ day, masterKeyId }: Kept): boolean {
    return day === this.#ticketKeys.day && masterKeyId === this.#ticketKeys.masterKeyId;
  }

  #make(settings: ContextSettings, hostname: Hostname): Kept {
    const { day, masterKeyId } = this.#ticketKeys;
    const id = idOf(settings);
    const context = makeContext(settings, this.#ticketKeys.keyOf(id, day));
    const formerKey = this.#ticketKeys.keyOf(id, day - 1);
    return { settings, context, day, masterKeyId, formerKey, former: null, hostname };
  }

  /** Drops the contexts of names that are no longer terminated with the same key. */
  retain(policyKey: (hostname: Hostname) => string | undefined): void {
    for (const [account, key, kept] of this.#kept.entries()) {
      if (policyKey(kept.hostname) !== kept.settings.policy.key) this.#kept.delete(account, key);
    }
  }
}

/** Settings of the handshake before a context is needed. */
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

/** The same on every daemon. */
function idOf({ account, policy, certificate }: ContextSettings): string {
  return `${account} ${policy.key} ${certificate.name}`;
}

function makeContext(settings: ContextSettings, ticketKey: TicketKey): SecureContext {
  const { policy, certificate } = settings;
  return createSecureContext({
    ...negotiationOf(policy),
    cert: certificate.cert,
    key: certificate.key,
    // Exactly those that are listed: without this the public root certificates are loaded.
    ca: (policy.clientAuthorities ?? []).map(canonicalPem),
    // A listed authority is trusted, even if another one signed it.
    allowPartialTrustChain: true,
    ticketKeys: ticketKey.bytes,
    sessionTimeout: ticketSeconds,
    sessionIdContext: createHash('sha256').update(idOf(settings)).digest('hex').slice(0, 32),
  });
}
