/** The owner of a credential or an API key (specification, sections 2.8 and 4.5). */
import type { DocumentStore, StoredDocument, UserDocument } from '../documents/index.ts';

/** Properties of keys and credentials that come from their owner. */
export interface Owner {
  readonly role: UserDocument['role'];
  readonly active: boolean;
  /** E-mail of a user, or the name of one without; name of a bot. */
  readonly subject: string;
}

/** Null when the account has neither a user nor a bot user with that id. */
export async function findOwner(
  store: Pick<DocumentStore, 'get'>,
  account: string,
  id: string,
): Promise<Owner | null> {
  const document = await store.get(id);
  return document === null || document.account !== account ? null : ownerOf(document);
}

/** Null for what is neither a user nor a bot user. */
export function ownerOf({ kind, body }: StoredDocument): Owner | null {
  switch (kind) {
    case 'user':
      return { role: body.role, active: body.active, subject: body.email || body.name };
    case 'bot_user':
      return { role: 'member', active: body.active, subject: body.name };
    default:
      return null;
  }
}
