/**
 * Serves validation requests of certificate authorities at every daemon. Proofs are documents that each daemon follows.
 * Invariant: no response is sent for a name without a pending order.
 */
import type { Logger } from 'pino';
import type { Hostname } from '../core/names/hostname.ts';
import type { AcmeChallengeDocument, Change, DocumentStore, StoredDocument } from '../documents/index.ts';
import { followDocuments } from '../documents/store.ts';
import type { ServerCertificate } from '../pki/certificate-source.ts';
import { makeValidationCertificate } from '../pki/validation-certificate.ts';
import { failureLog } from '../store/outage-log.ts';
import { ConflictError } from '../store/store.ts';
import type { Proof } from './order.ts';

type Kind = 'acme_challenge';

interface Known {
  readonly body: AcmeChallengeDocument;
  /** Created at the first handshake. */
  certificate: Promise<ServerCertificate> | null;
}

export interface ChallengesOptions {
  readonly store: DocumentStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Logger;
}

/** The document that wants the certificate. Its proofs are deleted with it. */
export interface ProvenFor {
  readonly id: string;
  readonly account: string;
}

/** Proofs of an order at most, far more than any order has. */
const MOST_PROOFS = 100;

export class Challenges {
  readonly #options: ChallengesOptions;
  readonly #known = new Map<string, Known>();
  /** The newest proofs, by name. */
  readonly #byName = new Map<Hostname, Known>();
  #following: { stop(): Promise<void> } | null = null;

  private constructor(options: ChallengesOptions) {
    this.#options = options;
  }

  static async start(options: ChallengesOptions): Promise<Challenges> {
    const challenges = new Challenges(options);
    const onError = failureLog(options.log, 'following proofs for certificates failed');
    challenges.#following = await followDocuments(options.store, ['acme_challenge'], challenges, { onError });
    return challenges;
  }

  async stop(): Promise<void> {
    await this.#following?.stop();
  }

  /** Returns the response for the token's path of plain HTTP (RFC 8555, section 8.3); null for none. */
  httpAnswer(hostname: Hostname, token: string): string | null {
    for (const { body } of this.#known.values())
      if (body.type === 'http-01' && body.hostname === hostname && body.token === token)
        return body.key_authorization;
    return null;
  }

  /** Returns the certificate for a handshake with `acme-tls/1` (RFC 8737); null for none. */
  validationCertificate(hostname: Hostname): Promise<ServerCertificate> | null {
    const known = this.#byName.get(hostname);
    if (known === undefined) return null;
    known.certificate ??= this.#make(known.body);
    return known.certificate;
  }

  /**
   * Publishes proofs. They are in force at this daemon when it resolves; others follow. Returns the ids of the written
   * documents.
   */
  async publish({ id: parent, account }: ProvenFor, proofs: readonly Proof[]): Promise<readonly string[]> {
    const bodies = proofs.flatMap(({ type, hostname, token, value }): AcmeChallengeDocument[] =>
      type === 'dns-01' ? [] : [{ type, hostname, token, key_authorization: value }],
    );
    if (bodies.length === 0) return [];
    const row = { account, kind: 'acme_challenge', parent, links: [], names: [] } as const;
    let ids: readonly string[] = [];
    await this.#options.store.write((newId) => {
      ids = bodies.map(() => newId('ac'));
      return bodies.map((body, at) => ({ op: 'insert', id: ids[at] ?? '', ...row, body }));
    });
    return ids;
  }

  async withdraw(ids: readonly string[]): Promise<void> {
    const { store } = this.#options;
    for (const id of ids) {
      const document = await store.get(id);
      if (document !== null) await this.#delete([document]);
    }
  }

  /** Deletes proofs that a dead daemon left. */
  async clear({ id: parent, account }: ProvenFor): Promise<void> {
    const { store } = this.#options;
    await this.#delete(await store.page({ account, kind: 'acme_challenge', parent, limit: MOST_PROOFS }));
  }

  async #delete(documents: readonly { readonly id: string; readonly revision: number }[]): Promise<void> {
    if (documents.length === 0) return;
    try {
      const deletions = documents.map(({ id, revision }) => ({ op: 'delete', id, revision }) as const);
      await this.#options.store.write(() => deletions);
    } catch (error) {
      // They were deleted with the domain, or by another daemon.
      if (!(error instanceof ConflictError)) throw error;
    }
  }

  /** Called by `follow`. */
  reset(documents: readonly StoredDocument<Kind>[]): void {
    this.#known.clear();
    this.#byName.clear();
    for (const { id, body } of documents) this.#put(id, body);
  }

  /** Called by `follow`. */
  apply(changes: readonly Change<Kind>[]): void {
    for (const { id, document } of changes) {
      if (document === null) this.#remove(id);
      else this.#put(id, document.body);
    }
  }

  #put(id: string, body: AcmeChallengeDocument): void {
    const known = { body, certificate: null };
    this.#known.set(id, known);
    if (body.type === 'tls-alpn-01') this.#byName.set(body.hostname, known);
  }

  #remove(id: string): void {
    const known = this.#known.get(id);
    if (known === undefined) return;
    this.#known.delete(id);
    const { hostname } = known.body;
    if (this.#byName.get(hostname) === known) this.#byName.delete(hostname);
  }

  async #make({ hostname, token, key_authorization }: AcmeChallengeDocument): Promise<ServerCertificate> {
    const made = await makeValidationCertificate(hostname, key_authorization, this.#options.now());
    return { name: `validation ${token}`, ...made };
  }
}
