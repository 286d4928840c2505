/**
 * All credentials with those who own them, as the store was last heard of: agents come in with it while the store is away.
 * Never that it says of a credential what the store did not say.
 */

import { ownerOf } from '../access/owners.ts';
import type { Change, DocumentStore, KindName, StoredDocument } from '../documents/index.ts';

/** What authenticating reads. */
export const credentialKinds = ['credential', 'user', 'bot_user', 'account'] as const satisfies KindName[];
type Followed = StoredDocument<(typeof credentialKinds)[number]>;

export class FollowedCredentials implements Pick<DocumentStore, 'get'> {
  readonly #documents = new Map<string, Followed>();

  async get(id: string): Promise<Followed | null> {
    return this.#documents.get(id) ?? null;
  }

  reset(documents: readonly StoredDocument[]): void {
    this.#documents.clear();
    for (const document of documents) if (isFollowed(document)) this.#put(document);
  }

  /** False for a change of something else. */
  apply({ id, kind, document }: Change): boolean {
    if (document !== null && isFollowed(document)) this.#put(document);
    else if (!isFollowed({ kind })) return false;
    else this.#documents.delete(id);
    return true;
  }

  /** False also for a credential that nothing was heard of yet: whoever let it in has read more than this. */
  isInactive(id: string): boolean {
    const credential = this.#documents.get(id);
    if (credential?.kind !== 'credential') return false;
    const owner = this.#documents.get(credential.body.owner_id);
    return owner === undefined || ownerOf(owner)?.active !== true;
  }

  /** Up to 4 KiB of a credential are its owner's notes, which nobody authenticates by. */
  #put(document: Followed): void {
    const kept =
      document.kind === 'credential'
        ? { ...document, body: { ...document.body, description: '', metadata: '' } }
        : document;
    this.#documents.set(document.id, kept);
  }
}

function isFollowed<D extends { readonly kind: KindName }>(
  document: D,
): document is D & Pick<Followed, 'kind'> {
  return credentialKinds.some((kind) => kind === document.kind);
}
