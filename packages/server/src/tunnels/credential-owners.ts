/** Which credentials are of no use because of who owns them. */
import type { Change, StoredDocument } from '../documents/index.ts';

/** Which credentials are of no use because of who owns them. Follows the documents of credentials, users and bot users. */
export class CredentialOwners {
  readonly #ownerOf = new Map<string, string>();
  readonly #active = new Set<string>();

  reset(documents: readonly StoredDocument[]): void {
    this.#ownerOf.clear();
    this.#active.clear();
    for (const document of documents) this.#put(document);
  }

  /** False for a change of something else. */
  apply({ id, kind, document }: Change): boolean {
    if (document !== null) return this.#put(document);
    switch (kind) {
      case 'credential':
        this.#ownerOf.delete(id);
        return true;
      case 'user':
      case 'bot_user':
        this.#active.delete(id);
        return true;
      default:
        return false;
    }
  }

  #put({ id, kind, body }: StoredDocument): boolean {
    switch (kind) {
      case 'credential':
        this.#ownerOf.set(id, body.owner_id);
        return true;
      case 'user':
      case 'bot_user':
        if (body.active) this.#active.add(id);
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
