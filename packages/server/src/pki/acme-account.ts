/**
 * The account of this service at a certificate authority: its sealed key, and its URL.
 * Invariant: all daemons on one database use the same one.
 */
import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { AcmeAccountDocument, DocumentStore, StoredDocument } from '../documents/index.ts';
import { ConflictError, type WriteOperation } from '../store/store.ts';
import type { Sealer } from './seal.ts';

export interface AcmeAccount {
  readonly id: string;
  readonly revision: number;
  /** '' before the authority knows it. */
  readonly url: string;
  /** PKCS#8 PEM. */
  readonly keyPem: string;
}

export interface AcmeAccountsOptions {
  readonly store: Pick<DocumentStore, 'findName' | 'get' | 'write'>;
  readonly sealer: Pick<Sealer, 'seal' | 'open'>;
  /** The URL of the authority's directory. */
  readonly directory: string;
}

const generate = promisify(generateKeyPair);

export function acmeAccountContext(directory: string): string {
  return `acme_account/${directory}`;
}

export class AcmeAccounts {
  readonly #options: AcmeAccountsOptions;

  constructor(options: AcmeAccountsOptions) {
    this.#options = options;
  }

  /** The one that the store has, or a new one with a new key. */
  async load(): Promise<AcmeAccount> {
    const stored = (await this.#find()) ?? (await this.#create());
    const { id, revision, body } = stored;
    const keyPem = this.#options.sealer.open(body.key_sealed, acmeAccountContext(body.directory));
    return { id, revision, url: body.url, keyPem };
  }

  /** Stores the account's URL; '' if the authority does not know it any more. A faster daemon has stored it as well. */
  async keepUrl({ id }: AcmeAccount, url: string): Promise<void> {
    const stored = await this.#find();
    if (stored?.id !== id) return;
    const { revision, body } = stored;
    await this.#write({ op: 'rewrite', id, revision, body: { ...body, url } });
  }

  /** The authority wants nothing to do with it any more: the next `load` makes another one. */
  async forget({ id, revision }: AcmeAccount): Promise<void> {
    await this.#write({ op: 'delete', id, revision });
  }

  #claim() {
    return { kind: 'system', value: acmeAccountContext(this.#options.directory) };
  }

  async #find(): Promise<StoredDocument<'acme_account'> | null> {
    const { store } = this.#options;
    const holder = await store.findName(this.#claim());
    const document = holder === null ? null : await store.get(holder.id);
    return document?.kind === 'acme_account' ? document : null;
  }

  async #create(): Promise<StoredDocument<'acme_account'>> {
    const { sealer, directory, store } = this.#options;
    const { privateKey } = await generate('ec', { namedCurve: 'P-256' });
    const keyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const key_sealed = sealer.seal(keyPem, acmeAccountContext(directory));
    const body: AcmeAccountDocument = { directory, url: '', key_sealed };
    const row = { account: 'system', kind: 'acme_account', parent: null, body, links: [] } as const;
    try {
      await store.write((newId) => [{ op: 'insert', id: newId('aa'), ...row, names: [this.#claim()] }]);
    } catch (error) {
      if (!(error instanceof ConflictError && error.conflict.reason === 'name-taken')) throw error;
    }
    const document = await this.#find();
    if (document === null)
      throw new Error(`the account at ${directory} is not in the store after it was written`);
    return document;
  }

  async #write(operation: WriteOperation): Promise<void> {
    try {
      await this.#options.store.write(() => [operation]);
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
    }
  }
}
