/**
 * TXT records in the zone that is delegated to the service, in the store, so that each daemon on the database serves
 * them.
 * Invariant: a name has no more records than proofs need.
 */
import type { Hostname } from '../core/names/hostname.ts';
import type { DnsTextDocument, DocumentStore, StoredDocument } from '../documents/index.ts';
import { ConflictError, type WriteOperation } from '../store/store.ts';

/** Records of one name: a name and its wildcard need one each at the same time. The oldest ones are removed. */
const maxValues = 4;
/** Writes of others at the same name that one write outlasts. */
const maxAttempts = 5;

type Stored = StoredDocument<'dns_text'>;

export class TextRecords {
  readonly #store: DocumentStore;

  constructor(store: DocumentStore) {
    this.#store = store;
  }

  /**
   * Adds a TXT record to those of a name right below `challengeZone`. By the time it resolves this daemon answers it, others within a
   * moment. Adding what is there changes nothing. Rejects when the store is away.
   */
  add(name: Hostname, value: string): Promise<void> {
    return this.#change(name, (values) =>
      values.includes(value) ? values : [...values, value].slice(-maxValues),
    );
  }

  /** Takes away all TXT records of a name, also those that a daemon left which was ended amid an order. Rejects when the store is away. */
  clear(name: Hostname): Promise<void> {
    return this.#change(name, () => []);
  }

  async #change(name: Hostname, change: (values: readonly string[]) => readonly string[]): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const document = await this.#find(name);
      const before = document?.body.values ?? [];
      const values = change(before);
      if (values === before || (document === null && values.length === 0)) return;
      try {
        await this.#store.write((newId) => [operation(document, newId, { name, values })]);
        return;
      } catch (error) {
        // Another daemon was faster.
        if (!(error instanceof ConflictError) || attempt === maxAttempts) throw error;
      }
    }
  }

  async #find(name: Hostname): Promise<Stored | null> {
    const holder = await this.#store.findName(claimOf(name));
    const document = holder === null ? null : await this.#store.get(holder.id);
    return document?.kind === 'dns_text' ? document : null;
  }
}

function claimOf(value: string): { readonly kind: string; readonly value: string } {
  return { kind: 'dns_text', value };
}

function operation(
  document: Stored | null,
  newId: (prefix: string) => string,
  body: DnsTextDocument,
): WriteOperation {
  if (document === null) {
    const names = [claimOf(body.name)];
    const owner = { account: 'system', kind: 'dns_text', parent: null };
    return { op: 'insert', id: newId('dt'), ...owner, body, links: [], names };
  }
  const { id, revision } = document;
  return body.values.length === 0 ? { op: 'delete', id, revision } : { op: 'rewrite', id, revision, body };
}
