/** Which credentials are of no use because of who owns them. */
import type { CredentialDocument, KindName } from '../resources/documents.ts';
import { ownerOf } from '../resources/owner.ts';
import type { Change, StoredDocument } from '../store/store.ts';

/** Which credentials are of no use because of who owns them. Follows the documents of credentials, users and bot users. */
export class CredentialOwners {
  readonly #ownerOf = new Map<string, string>();
  readonly #active = new Set<string>();

  reset(documents: readonly StoredDocument[]): void {
    this.#ownerOf.clear();
    this.#active.clear();
    for (const document of documents) this.apply({ ...document, document });
  }

  /** False for a change of something else. */
  apply({ id, kind, document }: Pick<Change, 'id' | 'kind' | 'document'>): boolean {
    switch (kind as KindName) {
      case 'credential':
        if (document === null) this.#ownerOf.delete(id);
        else this.#ownerOf.set(id, (document.body as CredentialDocument).owner_id);
        return true;
      case 'user':
      case 'bot_user':
        if (document !== null && ownerOf(document)?.active === true) this.#active.add(id);
        else this.#active.delete(id);
        return true;
      default:
        return false;
    }
  }

  /** False also for a credential that nothing was heard of yet: whoever let it in has read more than this. */
  isInactive(credential: string): boolean {
    const owner = this.#ownerOf.get(credential);
    return owner !== undefined && !this.#active.has(owner);
  }
}
