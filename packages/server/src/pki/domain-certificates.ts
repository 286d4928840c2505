/**
 * Which certificate a name has: one that was uploaded for its reserved domain, else one that the operator gave, else one of the local
 * CA. Never that a name is served with one that is not valid for it, or whose key makes others wait.
 */
import { X509Certificate } from 'node:crypto';
import type { Logger } from 'pino';
import { type Hostname, type HostPattern, parentPatterns } from '../core/hostname.ts';
import { LruMap } from '../core/lru.ts';
import type { Change, DocumentStore, StoredDocument } from '../documents/index.ts';
import { followDocuments } from '../documents/store.ts';
import { failureLog } from '../store/outage-log.ts';
import type { CertificateExpiry } from './certificate-expiry.ts';
import type { CertificateSource, ServerCertificate } from './certificate-source.ts';
import { type Leaf, leafFor } from './leaf.ts';
import { type PemBlock, parsePem } from './pem.ts';
import { isRsaTooLarge, maxRsaBits } from './rsa-limit.ts';
import type { Sealer } from './seal.ts';
import { keyContext } from './uploaded-certificate.ts';

const kinds = ['reserved_domain', 'tls_certificate'] as const;
type Followed = (typeof kinds)[number];
const keptNames = 10_000;

export interface DomainCertificatesOptions {
  readonly store: DocumentStore;
  readonly sealer: Pick<Sealer, 'open'>;
  /** What the operator gave, for names of the service that no uploaded certificate is valid for. */
  readonly service?: { certificateOf(hostname: Hostname): ServerCertificate | null };
  /** For all others. */
  readonly local: { certificateOf(leaf: Leaf): Promise<ServerCertificate> };
  /** The shared domain of the service. */
  readonly shared: Hostname;
  readonly log?: Logger;
}

interface Reservation {
  readonly id: string;
  readonly account: string;
  readonly domain: HostPattern;
  readonly certificateId: string | null;
}

interface Uploaded {
  readonly id: string;
  /** The leaf first. */
  readonly chain: readonly PemBlock[];
  readonly leaf: X509Certificate;
  /** It was uploaded before such keys were refused. */
  readonly isTooLarge: boolean;
  readonly privateKeySealed: string;
  /** Made when a name first needs it: opening a key costs, and most certificates wait. */
  served: ServerCertificate | null;
}

/** What is known of a name that was asked for. */
interface Found {
  readonly reservation: Reservation | undefined;
  /** Null: none that was uploaded is valid for it. */
  readonly uploaded: ServerCertificate | null;
}

export class DomainCertificates implements CertificateSource {
  readonly #options: DomainCertificatesOptions;
  readonly #reservations = new Map<string, Reservation>();
  readonly #byDomain = new Map<HostPattern, Reservation>();
  readonly #certificates = new Map<string, Uploaded>();
  /** By the names that were asked for. Emptied by every change. */
  #found = new LruMap<Hostname, Found>(keptNames);
  #following: { stop(): Promise<void> } | null = null;

  private constructor(options: DomainCertificatesOptions) {
    this.#options = options;
  }

  /** A source that knows what the store has, and follows it until it is stopped. */
  static async start(options: DomainCertificatesOptions): Promise<DomainCertificates> {
    const source = new DomainCertificates(options);
    const onError = failureLog(options.log, 'following uploaded certificates failed');
    source.#following = await followDocuments(options.store, kinds, source, { onError });
    return source;
  }

  async stop(): Promise<void> {
    await this.#following?.stop();
  }

  async certificateFor(hostname: Hostname, account: string): Promise<ServerCertificate> {
    let found = this.#found.get(hostname);
    if (found === undefined) {
      found = this.#find(hostname);
      this.#found.set(hostname, found);
    }
    const { reservation, uploaded } = found;
    if (uploaded !== null) return uploaded;
    const { service, local, shared } = this.#options;
    return (
      service?.certificateOf(hostname) ??
      local.certificateOf(leafFor(hostname, { reservation, account, shared }))
    );
  }

  /** Of the certificates that some reserved domain has. */
  expiries(): readonly CertificateExpiry[] {
    const used = new Set([...this.#reservations.values()].map(({ certificateId }) => certificateId));
    return [...this.#certificates.values()]
      .filter(({ id }) => used.has(id))
      .map(({ id, leaf }) => ({ name: id, notAfterMs: leaf.validToDate.getTime() }));
  }

  /** For `follow`. */
  reset(documents: readonly StoredDocument<Followed>[]): void {
    const present = new Set(documents.map((document) => document.id));
    for (const id of [...this.#reservations.keys(), ...this.#certificates.keys()])
      if (!present.has(id)) this.#remove(id);
    for (const document of documents) this.#put(document);
    this.#found = new LruMap(keptNames);
  }

  /** For `follow`. */
  apply(changes: readonly Change<Followed>[]): void {
    for (const { id, document } of changes) {
      if (document === null) this.#remove(id);
      else this.#put(document);
    }
    this.#found = new LruMap(keptNames);
  }

  /** The nearest reservation decides, as it is the one that shows the certificate. */
  #find(hostname: Hostname): Found {
    const names = [hostname as HostPattern, ...parentPatterns(hostname)];
    const nearest = names.find((name) => this.#byDomain.has(name));
    const reservation = nearest && this.#byDomain.get(nearest);
    const uploaded = this.#certificates.get(reservation?.certificateId ?? '');
    // A wildcard certificate is valid for one label, a wildcard reservation for any number of them.
    const isValid = uploaded?.leaf.checkHost(hostname) !== undefined;
    if (uploaded === undefined || !isValid) return { reservation, uploaded: null };
    if (uploaded.isTooLarge) throw new Error(`the RSA key of ${uploaded.id} is larger than is served`);
    uploaded.served ??= this.#open(uploaded);
    return { reservation, uploaded: uploaded.served };
  }

  /** Throws SealError. */
  #open({ id, chain, privateKeySealed }: Uploaded): ServerCertificate {
    const cert = chain.map(({ text }) => text).join('');
    return { name: id, cert, key: this.#options.sealer.open(privateKeySealed, keyContext(id)) };
  }

  #put({ id, account, kind, body }: StoredDocument<Followed>): void {
    if (kind === 'reserved_domain') {
      const { domain, certificate_id: certificateId = null } = body;
      const reservation = { id, account, domain, certificateId };
      this.#reservations.set(id, reservation);
      this.#byDomain.set(domain, reservation);
      return;
    }
    // Nothing that is served of a certificate can change.
    if (this.#certificates.has(id)) return;
    const { certificate_pem, private_key_sealed } = body;
    const chain = parsePem(certificate_pem);
    if (chain?.[0] === undefined) throw new Error(`the certificate ${id} is none`);
    const leaf = new X509Certificate(chain[0].der);
    const isTooLarge = isRsaTooLarge(leaf.publicKey);
    if (isTooLarge)
      this.#options.log?.error(
        { certificate: id },
        `not served: its RSA key has more than ${maxRsaBits} bits`,
      );
    const privateKeySealed = private_key_sealed;
    this.#certificates.set(id, { id, chain, leaf, isTooLarge, privateKeySealed, served: null });
  }

  #remove(id: string): void {
    this.#certificates.delete(id);
    const reservation = this.#reservations.get(id);
    if (reservation === undefined) return;
    this.#reservations.delete(id);
    // Within one batch another reservation may have taken the name already.
    if (this.#byDomain.get(reservation.domain) === reservation) this.#byDomain.delete(reservation.domain);
  }
}
