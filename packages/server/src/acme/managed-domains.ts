/**
 * Stores the state of reserved domains with a management policy.
 * Invariant: a write never overwrites a concurrent change of the account, and never concerns a policy that was removed
 * or replaced.
 */
import type { AuditVerb } from '../core/event-types.ts';
import type {
  DocumentStore,
  ManagedCertificate,
  ReservedDomainDocument,
  StoredDocument,
  TlsCertificateDocument,
} from '../documents/index.ts';
import type { Sealer } from '../pki/seal.ts';
import { keyContext } from '../pki/uploaded-certificate.ts';
import type { DocumentOf, NewId } from '../resources/definition.ts';
import { type Audit, type AuditEvent, isLeftOut } from '../resources/engine/audit.ts';
import { writeTold } from '../resources/engine/write-told.ts';
import { reservedDomain } from '../resources/kinds/reserved-domain.ts';
import { tlsCertificate } from '../resources/kinds/tls-certificate.ts';
import { replacementOf } from '../resources/replacement.ts';
import { ConflictError, type WriteOperation } from '../store/store.ts';
import { readIssued } from './issued.ts';
import type { Issued } from './order.ts';
import { isSameRequest, type Keeper, type Provisioned } from './provisioner.ts';
import type { Lifetime } from './schedule.ts';

/** A domain with a policy, as it was read. */
export interface ManagedDomain extends Provisioned {
  readonly body: ReservedDomainDocument;
}

export interface ManagedDomainsOptions {
  readonly store: Pick<DocumentStore, 'get' | 'write'>;
  readonly sealer: Pick<Sealer, 'seal'>;
  readonly audit: Pick<Audit, 'about'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Name of the work in the audit trail. */
const RENEWAL = 'certificate_management';

/** The new body of a domain, and the operations to write before it. */
interface Step {
  readonly body: ReservedDomainDocument;
  readonly before?: readonly WriteOperation[];
}

/** Returns null for a domain without a policy. */
export function managedDomain(document: StoredDocument<'reserved_domain'>): ManagedDomain | null {
  const { id, account, body } = document;
  const managed = body.certificate_management_policy ?? null;
  return managed === null ? null : { id, account, body, managed, label: body.domain };
}

export class ManagedDomains implements Keeper<ManagedDomain> {
  readonly #options: ManagedDomainsOptions;

  constructor(options: ManagedDomainsOptions) {
    this.#options = options;
  }

  /** Stores a new state, if the certificate is still wanted. */
  async keep(
    domain: ManagedDomain,
    change: (managed: ManagedCertificate) => ManagedCertificate,
  ): Promise<void> {
    await this.#change(domain, [], ({ body, managed }) => ({
      body: { ...body, certificate_management_policy: change(managed) },
    }));
  }

  /** Serves the certificate from now on, and returns its lifetime. Throws AcmeFailure if it cannot be served. */
  async serve(domain: ManagedDomain, issued: Issued, renewal: (lifetime: Lifetime) => number): Promise<void> {
    const { body: certificate, lifetime } = this.#toDocument(domain, issued);
    const { sealer } = this.#options;
    const { account } = domain;
    const former = domain.body.certificate_id ?? null;
    let made: DocumentOf | null = null;
    const events = await this.#about('created', account, () => made!);
    const isKept = await this.#change(domain, events, ({ body, managed }, newId) => {
      const id = newId('cert');
      const private_key_sealed = sealer.seal(issued.privateKeyPem, keyContext(id));
      const row = { id, account, kind: 'tls_certificate', parent: null } as const;
      made = { ...row, revision: 0, body: { ...certificate, private_key_sealed } };
      return {
        before: [{ op: 'insert', ...row, links: [], names: [], body: made.body }],
        body: {
          ...body,
          certificate_id: id,
          certificate_management_policy: { ...managed, job: null, renews_at: renewal(lifetime) },
        },
      };
    });
    if (isKept && former !== null) await this.#removeIssued(former);
  }

  #toDocument({ body }: ManagedDomain, issued: Issued) {
    const now = this.#options.now();
    const { facts, keyType, lifetime } = readIssued(issued, [body.domain], now);
    const document: Omit<TlsCertificateDocument, 'private_key_sealed'> = {
      ...{ description: '', metadata: '', certificate_pem: issued.chain, private_key_type: keyType },
      ...facts,
      issued_at: now,
    };
    return { body: document, lifetime };
  }

  /** Deletes a previous certificate, unless something else uses it. */
  async #removeIssued(id: string): Promise<void> {
    const { store } = this.#options;
    const document = await store.get(id);
    if (document?.kind !== 'tls_certificate' || document.body.issued_at === undefined) return;
    const events = await this.#about('deleted', document.account, () => document, document);
    try {
      await this.#write(events, () => [{ op: 'delete', id, revision: document.revision }]);
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
    }
  }

  async #about(
    verb: AuditVerb,
    account: string,
    document: () => DocumentOf,
    before: DocumentOf | null = null,
  ): Promise<readonly AuditEvent[]> {
    const by = { account, owner: null, operation: RENEWAL };
    return this.#options.audit.about(tlsCertificate, verb, by, document, before);
  }

  async #write(
    events: readonly AuditEvent[],
    build: (newId: NewId) => readonly WriteOperation[],
  ): Promise<void> {
    try {
      await writeTold(this.#options.store, build, events);
    } catch (error) {
      if (!(error instanceof ConflictError && isLeftOut(error.conflict, events))) throw error;
      await this.#write(events, build);
    }
  }

  /**
   * Writes a change. Returns false if the certificate is no longer wanted. Retries if a concurrent write was faster.
   */
  async #change(
    domain: ManagedDomain,
    events: readonly AuditEvent[],
    step: (current: ManagedDomain, newId: NewId) => Step,
  ): Promise<boolean> {
    const { store } = this.#options;
    for (;;) {
      const document = await store.get(domain.id);
      const current = document?.kind === 'reserved_domain' ? managedDomain(document) : null;
      if (document === null || current === null || !isSameRequest(domain, current)) return false;
      try {
        await this.#write(events, (newId) => {
          const { body, before = [] } = step(current, newId);
          return [...before, replacementOf(reservedDomain, document, body)];
        });
        return true;
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error;
      }
    }
  }
}
