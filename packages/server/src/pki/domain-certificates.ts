/**
 * Chooses the certificate of a name: the one of its nearest reserved domain (uploaded or managed), else one of the
 * operator, else one of the local CA. No other code decides that.
 * Invariant: a certificate is valid for its name, and its key is small enough for fast handshakes. Invariant: the
 * cost of a choice does not depend on the number of certificates.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Hostname, type HostPattern, parentPatterns } from '../core/names/hostname.ts';
import type { Change, DocumentFeed, StoredDocument } from '../documents/index.ts';
import { followDocuments } from '../documents/store.ts';
import { failureLog } from '../store/outage-log.ts';
import type { CertificateExpiry } from './certificate-expiry.ts';
import type { CertificateSource, ServerCertificate } from './certificate-source.ts';
import { type Leaf, leafFor, serviceAccount } from './leaf.ts';
import type { Sealer } from './seal.ts';
import { StoredCertificates } from './stored-certificates.ts';

const kinds = ['reserved_domain'] as const;
type Followed = (typeof kinds)[number];

export interface DomainCertificatesOptions {
  readonly store: DocumentFeed;
  readonly sealer: Pick<Sealer, 'open'>;
  /** The operator's certificates, for names of the service without a valid certificate of a reserved domain. */
  readonly service?: { certificateOf(hostname: Hostname): ServerCertificate | null };
  /** Certificates for all other names. */
  readonly local: { certificateOf(leaf: Leaf): Promise<ServerCertificate> };
  /** The shared domain of the service. */
  readonly shared: Hostname;
  readonly log?: Pick<Logger, 'error'>;
  /** Certificates kept in memory. */
  readonly limit?: number;
  /** Milliseconds until certificates are looked through again, when the store was away. */
  readonly retryMs?: number;
}

interface Reservation {
  readonly id: string;
  readonly account: string;
  readonly domain: HostPattern;
  readonly certificateId: string | null;
  /** The service gets the certificate, and renews it. */
  readonly isManaged: boolean;
  /** End of the certificate, in milliseconds since 1970; null without one, and while it is not known. */
  notAfterMs: number | null;
}

export class DomainCertificates implements CertificateSource {
  readonly #options: DomainCertificatesOptions;
  readonly #stored: StoredCertificates;
  readonly #reservations = new Map<string, Reservation>();
  readonly #byDomain = new Map<HostPattern, Reservation>();
  /** Read at each scrape; null after a change. */
  #expiries: readonly CertificateExpiry[] | null = null;
  readonly #stopped = new AbortController();
  /** Looks through the certificates that are there at the start; null before. */
  #loading: Promise<void> | null = null;
  #isLoaded = false;
  #following: { stop(): Promise<void> } | null = null;

  private constructor(options: DomainCertificatesOptions) {
    this.#options = options;
    this.#stored = new StoredCertificates(options);
  }

  /** A source that knows which domains have which certificates, and follows the store until it is stopped. */
  static async start(options: DomainCertificatesOptions): Promise<DomainCertificates> {
    const source = new DomainCertificates(options);
    const onError = failureLog(options.log, 'following certificates of reserved domains failed');
    source.#following = await followDocuments(options.store, kinds, source, { onError });
    source.#loading = source.#load(onError);
    return source;
  }

  /** Resolves when the certificates that were there at the start have been looked through: a start with many does not wait for that. */
  async loaded(): Promise<void> {
    await this.#loading;
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#following?.stop();
    await this.#loading;
  }

  async certificateFor(hostname: Hostname, account: string): Promise<ServerCertificate> {
    // Names of the service may be below a domain that an account reserved before they were the service's.
    const reservation = account === serviceAccount ? undefined : this.#nearest(hostname);
    const { service, local, shared } = this.#options;
    return (
      (await this.#ofReservation(reservation, hostname)) ??
      service?.certificateOf(hostname) ??
      local.certificateOf(leafFor(hostname, { reservation, account, shared }))
    );
  }

  /** Expiries of uploaded certificates of reserved domains. Each is listed once, for any number of names. */
  expiries(): readonly CertificateExpiry[] {
    this.#expiries ??= this.#collectExpiries();
    return this.#expiries;
  }

  /** Callback of `follow`. */
  reset(documents: readonly StoredDocument<Followed>[]): void {
    const present = new Set(documents.map((document) => document.id));
    for (const id of this.#reservations.keys()) if (!present.has(id)) this.#remove(id);
    for (const document of documents) this.#put(document);
  }

  /** Callback of `follow`. */
  apply(changes: readonly Change<Followed>[]): void {
    for (const { id, document } of changes) {
      if (document === null) this.#remove(id);
      else this.#put(document);
    }
  }

  /** So that many are there when their visitors come, and it is known of all when they expire. */
  async #load(onError: (error: unknown) => void): Promise<void> {
    const { retryMs = 5_000 } = this.#options;
    const { signal } = this.#stopped;
    let expiries: ReadonlyMap<string, number> | null = null;
    while (expiries === null && !signal.aborted) {
      try {
        expiries = await this.#stored.load(signal);
      } catch (error) {
        onError(error);
        await pause(retryMs, undefined, { signal, ref: false }).catch(() => {});
      }
    }
    this.#isLoaded = true;
    this.#expiries = null;
    for (const reservation of this.#reservations.values()) {
      const { certificateId } = reservation;
      if (certificateId === null) continue;
      reservation.notAfterMs ??= expiries?.get(certificateId) ?? null;
      // It was made since.
      if (reservation.notAfterMs === null && !signal.aborted) void this.#learn(reservation, certificateId);
    }
  }

  #collectExpiries(): readonly CertificateExpiry[] {
    const found = new Map<string, CertificateExpiry>();
    for (const { certificateId, isManaged, notAfterMs } of this.#reservations.values()) {
      if (certificateId === null || notAfterMs === null || isManaged) continue;
      found.set(certificateId, { name: certificateId, notAfterMs });
    }
    return [...found.values()];
  }

  /** The nearest reservation decides, as it is the one that shows the certificate. */
  #nearest(hostname: Hostname): Reservation | undefined {
    const exact = this.#byDomain.get(hostname);
    if (exact !== undefined) return exact;
    for (const pattern of parentPatterns(hostname)) {
      const found = this.#byDomain.get(pattern);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async #ofReservation(
    reservation: Reservation | undefined,
    hostname: Hostname,
  ): Promise<ServerCertificate | null> {
    if (reservation === undefined || reservation.certificateId === null) return null;
    const certificate = await this.#stored.get(reservation.account, reservation.certificateId);
    return certificate?.servedAt(hostname) ?? null;
  }

  #put({ id, account, body }: StoredDocument<Followed>): void {
    const { domain, certificate_id: certificateId = null } = body;
    const isManaged = (body.certificate_management_policy ?? null) !== null;
    const before = this.#reservations.get(id);
    const notAfterMs = before?.certificateId === certificateId ? before.notAfterMs : null;
    const reservation = { id, account, domain, certificateId, isManaged, notAfterMs };
    this.#expiries = null;
    this.#reservations.set(id, reservation);
    this.#byDomain.set(domain, reservation);
    if (this.#isLoaded && certificateId !== null && notAfterMs === null)
      void this.#learn(reservation, certificateId);
  }

  /** So that it is there when a visitor comes, and it is known when it expires. Who comes while the store is away reads it for himself. */
  async #learn(reservation: Reservation, certificateId: string): Promise<void> {
    const certificate = await this.#stored.get(reservation.account, certificateId).catch(() => null);
    reservation.notAfterMs = certificate?.notAfterMs ?? null;
    this.#expiries = null;
  }

  #remove(id: string): void {
    const reservation = this.#reservations.get(id);
    if (reservation === undefined) return;
    this.#expiries = null;
    this.#reservations.delete(id);
    // Within one batch another reservation may have taken the name already.
    if (this.#byDomain.get(reservation.domain) === reservation) this.#byDomain.delete(reservation.domain);
  }
}
