/**
 * What certificate authorities are answered with, whichever daemon they ask: proofs are documents that each daemon follows. Never that a name is
 * answered for which is not being asked for.
 */
import type { Logger } from 'pino';
import type { Hostname } from '../core/hostname.ts';
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
  /** Made for the first handshake. */
  certificate: Promise<ServerCertificate> | null;
}

export interface ChallengesOptions {
  readonly store: DocumentStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Logger;
}

/** The document that wants the certificate: proofs go with it. */
export interface ProvenFor {
  readonly id: string;
  readonly account: string;
}

/** Far more than an order has. */
const MOST_PROOFS = 100;

export class Challenges {
  readonly #options: ChallengesOptions;
  readonly #known = new Map<string, Known>();
  /** The newest of a name. */
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

  /** What is at this token's path of plain HTTP (RFC 8555, section 8.3); null: nothing. */
  httpAnswer(hostname: Hostname, token: string): string | null {
    for (const { body } of this.#known.values())
      if (body.type === 'http-01' && body.hostname === hostname && body.token === token)
        return body.key_authorization;
    return null;
  }

  /** What a handshake for `acme-tls/1` is answered with (RFC 8737); null: nothing. */
  validationCertificate(hostname: Hostname): Promise<ServerCertificate> | null {
    const known = this.#byName.get(hostname);
    if (known === undefined) return null;
    known.certificate ??= this.#make(known.body);
    return known.certificate;
  }

  /** In force when it resolves, for this daemon; others follow. Answers the ids of what was written. */
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

  /** Of what a daemon left that died. */
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
      // They went with the domain, or another daemon was as fast.
      if (!(error instanceof ConflictError)) throw error;
    }
  }

  /** For `follow`. */
  reset(documents: readonly StoredDocument<Kind>[]): void {
    this.#known.clear();
    this.#byName.clear();
    for (const { id, body } of documents) this.#put(id, body);
  }

  /** For `follow`. */
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
