/**
 * The certificate of the service's own names, `<domain>` and `*.<domain>`. One certificate serves all, because the
 * authorities' public logs would show each user's name otherwise.
 * Invariant: it is never served for a name that belongs to an account's own domain.
 */
import { X509Certificate } from 'node:crypto';
import type { Logger } from 'pino';
import type { Hostname, HostPattern } from '../core/names/hostname.ts';
import { parsePem } from '../core/pem.ts';
import type { NameCheck } from '../dns/name-check.ts';
import { LookupError, type NameLookup } from '../dns/resolver.ts';
import { serviceChallengeTarget } from '../dns/targets.ts';
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

type Kind = 'service_certificate';

export interface ServiceNamesOptions {
  readonly store: DocumentStore;
  readonly sealer: Pick<Sealer, 'seal' | 'open'>;
  readonly config: Pick<AcmeConfig, 'authorities'>;
  /** The shared domain. */
  readonly domain: Hostname;
  readonly lookup: NameLookup;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Logger;
  /** Called after another certificate is served. */
  readonly changed: () => void;
}

export interface ServiceSubject extends Provisioned {
  readonly body: ServiceCertificateDocument;
}

interface Served {
  readonly certificate: ServerCertificate;
  readonly leaf: X509Certificate;
}

export class ServiceNames implements Keeper<ServiceSubject> {
  readonly #options: ServiceNamesOptions;
  #served: Served | null = null;
  #following: { stop(): Promise<void> } | null = null;

  private constructor(options: ServiceNamesOptions) {
    this.#options = options;
  }

  /** Reads the stored certificate, and orders one if there is none. */
  static async start(options: ServiceNamesOptions): Promise<ServiceNames> {
    const names = new ServiceNames(options);
    await names.#request();
    const onError = failureLog(options.log, 'following the certificate of the service failed');
    names.#following = await followDocuments(options.store, ['service_certificate'], names, { onError });
    return names;
  }

  async stop(): Promise<void> {
    await this.#following?.stop();
  }

  /** The required target of the alias `_acme-challenge` of the domain. */
  get target(): Hostname {
    return serviceChallengeTarget(this.#options);
  }

  /** Returns null for the certificate of a former shared domain. */
  wanted({ id, account, body }: StoredDocument<Kind>): ServiceSubject | null {
    if (body.domain !== this.#options.domain) return null;
    return { id, account, body, managed: body.managed, label: `*.${body.domain}` };
  }

  subject({ id, account, body, managed }: ServiceSubject): Subject {
    const { domain } = this.#options;
    const names = [domain, `*.${domain}`] as HostPattern[];
    const formerChain = body.certificate_pem === '' ? null : body.certificate_pem;
    return { id, account, names, managed, formerChain, textName: this.target, check: () => this.#check() };
  }

  /** Returns null if there is no certificate, or none that is valid for the name. */
  certificateOf(hostname: Hostname): ServerCertificate | null {
    const { domain } = this.#options;
    const isOurs = hostname === domain || hostname.endsWith(`.${domain}`);
    if (this.#served === null || !isOurs) return null;
    return this.#served.leaf.checkHost(hostname, { subject: 'never' }) === undefined
      ? null
      : this.#served.certificate;
  }

  expiries(): readonly CertificateExpiry[] {
    if (this.#served === null) return [];
    return [{ name: `*.${this.#options.domain}`, notAfterMs: this.#served.leaf.validToDate.getTime() }];
  }

  /** Returns the roots by which clients verify it, in PEM, among those that Node and the operator know. */
  roots(): readonly string[] {
    if (this.#served === null) return [];
    const chain = (parsePem(this.#served.certificate.cert) ?? []).map(({ der }) => new X509Certificate(der));
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
    const { lifetime } = readIssued(issued, this.subject(subject).names, now());
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
    const { domain, sealer, changed } = this.#options;
    const { certificate_pem: cert } = body;
    if (body.domain !== domain || cert === '' || cert === this.#served?.certificate.cert) return;
    const key = sealer.open(body.private_key_sealed, keyContext(id));
    this.#served = { certificate: { name: id, cert, key }, leaf: new X509Certificate(cert) };
    changed();
  }

  async #check(): Promise<NameCheck> {
    const name = `_acme-challenge.${this.#options.domain}`;
    try {
      const alias = await this.#options.lookup.canonicalName(name);
      if (alias === this.target) return { state: 'right', by: 'alias' };
      const aliases = alias === null ? [] : [alias];
      return {
        state: 'wrong',
        record: { name, expected: this.target, aliases, addresses: [], expectedAddresses: [] },
      };
    } catch (error) {
      if (error instanceof LookupError) return { state: 'unknown', reason: error.message };
      throw error;
    }
  }

  /** Writes the request. If several daemons start at once, the first one does. */
  async #request(): Promise<void> {
    const { store, domain, now } = this.#options;
    const at = now();
    const managed: ManagedCertificate = {
      ...{ authority: 'public_ca', private_key_type: 'ecdsa', set_at: at, renews_at: null },
      job: { started_at: at, failure: null },
    };
    const body: ServiceCertificateDocument = { domain, managed, certificate_pem: '', private_key_sealed: '' };
    const names = [{ kind: 'system', value: `service_certificate/${domain}` }];
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
