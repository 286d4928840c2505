/**
 * The certificates of the service's own names: stores, follows and serves them.
 * Invariant: none is served for a name that belongs to an account's own domain.
 */
import { X509Certificate } from 'node:crypto';
import type { Logger } from 'pino';
import type { Hostname } from '../core/names/hostname.ts';
import { parsePem } from '../core/pem.ts';
import type {
  Change,
  DocumentStore,
  ManagedCertificate,
  ServiceCertificateDocument,
  StoredDocument,
} from '../documents/index.ts';
import { followDocuments } from '../documents/store.ts';
import type { CertificateExpiry } from '../pki/certificate-expiry.ts';
import type { ServerCertificate } from '../pki/certificate-source.ts';
import type { Sealer } from '../pki/seal.ts';
import { knownRoots, rootsOf } from '../pki/trusted-roots.ts';
import { keyContext } from '../pki/uploaded-certificate.ts';
import { failureLog } from '../store/outage-log.ts';
import { ConflictError } from '../store/store.ts';
import type { AcmeConfig } from './acme-config.ts';
import { readIssued } from './issued.ts';
import type { Subject } from './issuer.ts';
import type { Issued } from './order.ts';
import { isSameRequest, type Keeper, type Provisioned } from './provisioner.ts';
import type { Lifetime } from './schedule.ts';
import { isWantedFor, labelOf, type ServiceWant } from './service-want.ts';

type Kind = 'service_certificate';

export interface ServiceNamesOptions {
  readonly store: DocumentStore;
  readonly sealer: Pick<Sealer, 'seal' | 'open'>;
  readonly config: Pick<AcmeConfig, 'authorities'>;
  readonly wants: readonly ServiceWant[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Logger;
  /** Called after another certificate is served. */
  readonly changed: () => void;
}

export interface ServiceSubject extends Provisioned {
  readonly body: ServiceCertificateDocument;
  readonly want: ServiceWant;
}

interface Served {
  readonly label: string;
  readonly certificate: ServerCertificate;
  readonly leaf: X509Certificate;
}

export class ServiceNames implements Keeper<ServiceSubject> {
  readonly #options: ServiceNamesOptions;
  readonly #served = new Map<ServiceWant, Served>();
  #following: { stop(): Promise<void> } | null = null;

  private constructor(options: ServiceNamesOptions) {
    this.#options = options;
  }

  /** Reads the stored certificates, and orders those that are missing. */
  static async start(options: ServiceNamesOptions): Promise<ServiceNames> {
    const names = new ServiceNames(options);
    for (const want of options.wants) await names.#request(want);
    const onError = failureLog(options.log, 'following the certificates of the service failed');
    names.#following = await followDocuments(options.store, ['service_certificate'], names, { onError });
    return names;
  }

  async stop(): Promise<void> {
    await this.#following?.stop();
  }

  /** Returns null for a certificate that is no longer wanted, such as that of a former shared domain. */
  wanted({ id, account, body }: StoredDocument<Kind>): ServiceSubject | null {
    const want = this.#wantOf(body);
    return want && { id, account, body, want, managed: body.managed, label: labelOf(want) };
  }

  subject({ id, account, body, want, managed }: ServiceSubject): Subject {
    const { names, textName, check } = want;
    const formerChain = body.certificate_pem === '' ? null : body.certificate_pem;
    return { id, account, names, managed, formerChain, textName, check };
  }

  /** Returns true if the name has, or soon gets, such a certificate. */
  isWanted(hostname: Hostname): boolean {
    return this.#options.wants.some((want) => isWantedFor(want, hostname));
  }

  /** Returns null if there is no certificate, or none that is valid for the name. */
  certificateOf(hostname: Hostname): ServerCertificate | null {
    return this.#servedFor(hostname)?.certificate ?? null;
  }

  expiries(): readonly CertificateExpiry[] {
    return Array.from(this.#served.values(), ({ label, leaf }) => ({
      name: label,
      notAfterMs: leaf.validToDate.getTime(),
    }));
  }

  /** Returns the roots by which clients verify a name, in PEM, among those that Node and the operator know. */
  roots(hostname: Hostname): readonly string[] {
    const served = this.#servedFor(hostname);
    if (served === null) return [];
    const chain = (parsePem(served.certificate.cert) ?? []).map(({ der }) => new X509Certificate(der));
    const given = this.#options.config.authorities.map((pem) => new X509Certificate(pem));
    return rootsOf([chain], [...knownRoots(), ...given]);
  }

  async keep(
    subject: ServiceSubject,
    change: (managed: ManagedCertificate) => ManagedCertificate,
  ): Promise<void> {
    await this.#change(subject, (body) => ({ ...body, managed: change(body.managed) }));
  }

  async serve(
    subject: ServiceSubject,
    issued: Issued,
    renewal: (lifetime: Lifetime) => number,
  ): Promise<void> {
    const { sealer, now } = this.#options;
    const { lifetime } = readIssued(issued, subject.want.names, now());
    await this.#change(subject, (body) => ({
      ...body,
      certificate_pem: issued.chain,
      private_key_sealed: sealer.seal(issued.privateKeyPem, keyContext(subject.id)),
      managed: { ...body.managed, job: null, renews_at: renewal(lifetime) },
    }));
  }

  /** Called by `follow`. */
  reset(documents: readonly StoredDocument<Kind>[]): void {
    for (const document of documents) this.#put(document);
  }

  /** Called by `follow`. */
  apply(changes: readonly Change<Kind>[]): void {
    for (const { document } of changes) if (document !== null) this.#put(document);
  }

  #put({ id, body }: StoredDocument<Kind>): void {
    const { sealer, changed } = this.#options;
    const { certificate_pem: cert } = body;
    const want = this.#wantOf(body);
    if (want === null || cert === '' || cert === this.#served.get(want)?.certificate.cert) return;
    const key = sealer.open(body.private_key_sealed, keyContext(id));
    const leaf = new X509Certificate(cert);
    this.#served.set(want, { label: labelOf(want), certificate: { name: id, cert, key }, leaf });
    changed();
  }

  #wantOf(body: ServiceCertificateDocument): ServiceWant | null {
    const label = labelOf(body);
    return this.#options.wants.find((want) => labelOf(want) === label) ?? null;
  }

  #servedFor(hostname: Hostname): Served | null {
    for (const [want, served] of this.#served)
      if (isWantedFor(want, hostname) && isValidFor(served, hostname)) return served;
    return null;
  }

  /** Writes the request. If several daemons start at once, the first one does. */
  async #request({ domain, is_single }: ServiceWant): Promise<void> {
    const { store, now } = this.#options;
    const at = now();
    const managed: ManagedCertificate = {
      ...{ authority: 'public_ca', private_key_type: 'ecdsa', set_at: at, renews_at: null },
      job: { started_at: at, failure: null },
    };
    const body: ServiceCertificateDocument = {
      ...{ domain, managed, certificate_pem: '', private_key_sealed: '' },
      ...(is_single ? { is_single } : {}),
    };
    const purpose = is_single ? 'host/' : '';
    const names = [{ kind: 'system', value: `service_certificate/${purpose}${domain}` }];
    const row = { account: 'system', kind: 'service_certificate', parent: null, links: [], names } as const;
    if ((await store.findName(names[0]!)) !== null) return;
    try {
      await store.write((newId) => [{ op: 'insert', id: newId('sc'), ...row, body }]);
    } catch (error) {
      if (!(error instanceof ConflictError && error.conflict.reason === 'name-taken')) throw error;
    }
  }

  async #change(
    subject: ServiceSubject,
    change: (body: ServiceCertificateDocument) => ServiceCertificateDocument,
  ): Promise<void> {
    const { store } = this.#options;
    for (;;) {
      const document = await store.get(subject.id);
      if (document?.kind !== 'service_certificate' || !isSameRequest(subject, document.body)) return;
      const { id, revision } = document;
      try {
        await store.write(() => [{ op: 'rewrite', id, revision, body: change(document.body) }]);
        return;
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error;
      }
    }
  }
}

/** Clients no longer take a common name for a host name. */
function isValidFor({ leaf }: Served, hostname: Hostname): boolean {
  return leaf.checkHost(hostname, { subject: 'never' }) !== undefined;
}
