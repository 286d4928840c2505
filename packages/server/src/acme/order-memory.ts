/**
 * Stores a started order, so that the next attempt continues it after a restart. A further order would count at the
 * authority.
 * Invariant: an order is reused only for the same request at the same authority.
 */
import type { DocumentStore, ManagedCertificate, StoredDocument } from '../documents/index.ts';
import type { CertificateRequest } from '../pki/certificate-request.ts';
import type { Sealer } from '../pki/seal.ts';
import { keyContext } from '../pki/uploaded-certificate.ts';
import { ConflictError, type WriteOperation } from '../store/store.ts';

/** Milliseconds for which an order is reused. The authority may never finish an older one. */
const USED_FOR_MS = 24 * 60 * 60_000;

export interface OrderMemoryOptions {
  readonly store: Pick<DocumentStore, 'page' | 'write'>;
  readonly sealer: Pick<Sealer, 'seal' | 'open'>;
  /** The URL of the authority's directory. */
  readonly directory: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The document that wants the certificate, the parent of the order. */
export interface OrderedFor {
  readonly id: string;
  readonly account: string;
  readonly managed: ManagedCertificate;
}

export interface KnownOrder extends CertificateRequest {
  /** The order's URL at the authority. */
  readonly url: string;
}

export class OrderMemory {
  readonly #options: OrderMemoryOptions;

  constructor(options: OrderMemoryOptions) {
    this.#options = options;
  }

  /** Returns the order of this job; null for none. */
  async load(subject: OrderedFor): Promise<KnownOrder | null> {
    const { sealer, directory, now } = this.#options;
    const [found] = await this.#all(subject);
    if (found === undefined) return null;
    const { id, body } = found;
    const isOfJob = body.directory === directory && body.job_started_at === jobOf(subject);
    if (!isOfJob || body.created_at <= now() - USED_FOR_MS) return null;
    const privateKeyPem = sealer.open(body.private_key_sealed, keyContext(id));
    return { url: body.url, request: body.request, privateKeyPem };
  }

  /** Stores the order and replaces the previous one. */
  async keep(subject: OrderedFor, { url, request, privateKeyPem }: KnownOrder): Promise<void> {
    const { store, sealer, directory, now } = this.#options;
    const { id: parent, account } = subject;
    const deletions = (await this.#all(subject)).map(deletionOf);
    await store.write((newId) => {
      const id = newId('ao');
      const body = {
        ...{ directory, url, request, job_started_at: jobOf(subject), created_at: now() },
        private_key_sealed: sealer.seal(privateKeyPem, keyContext(id)),
      };
      const row = { account, kind: 'acme_order', parent, links: [], names: [] } as const;
      return [...deletions, { op: 'insert', id, ...row, body }];
    });
  }

  /** Deletes the order of this job. */
  async forget(subject: OrderedFor): Promise<void> {
    const all = await this.#all(subject);
    const deletions = all.filter(({ body }) => body.job_started_at === jobOf(subject)).map(deletionOf);
    if (deletions.length === 0) return;
    try {
      await this.#options.store.write(() => deletions);
    } catch (error) {
      // It was deleted with its domain, or replaced.
      if (!(error instanceof ConflictError)) throw error;
    }
  }

  #all({ id: parent, account }: OrderedFor): Promise<readonly StoredDocument<'acme_order'>[]> {
    return this.#options.store.page({ account, kind: 'acme_order', parent, limit: 1 });
  }
}

function jobOf({ managed }: OrderedFor): number {
  return managed.job?.started_at ?? managed.set_at;
}

function deletionOf({ id, revision }: StoredDocument): WriteOperation {
  return { op: 'delete', id, revision };
}
