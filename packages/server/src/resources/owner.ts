/** Who owns a credential or an API key (specification, sections 2.8 and 4.5). */

import type { DocumentStore, StoredDocument } from '../documents/index.ts';
import { Problem } from '../errors/problem.ts';
import type { Principal, Reference, RuleContext } from './definition.ts';
import { idOf, optional } from './schema.ts';

/** What keys and credentials take from whom they belong to. */
export interface Owner {
  readonly role: Principal['role'];
  readonly active: boolean;
}

const prefixes = ['usr', 'bot'];

export const ownerId = optional(
  idOf(
    prefixes,
    'The user or bot user that owns it. Default: the caller. Only admins may name somebody else.',
  ),
);

/** Binding: a user goes after what they own, so that no key is left without somebody who answers for it. */
export const ownerReference: Reference = {
  field: 'owner_id',
  prefixes,
  wrongPrefix: 'ownerUnknown',
  unknown: 'ownerUnknown',
  binding: true,
};

/** The owner to store. Members learn nothing about other ids: 630 comes before 634. */
export async function chooseOwner(
  given: string | undefined,
  context: Pick<RuleContext, 'store'> & { readonly principal: Pick<Principal, 'account' | 'owner' | 'role'> },
): Promise<string> {
  const { principal, store } = context;
  if (given === undefined || given === principal.owner) return principal.owner;
  if (principal.role !== 'admin')
    throw new Problem('ownerNotSettable', { id: given }, { field: '/owner_id' });
  const owner = await findOwner(store, principal.account, given);
  if (owner === null) throw new Problem('ownerUnknown', { id: given }, { field: '/owner_id' });
  if (!owner.active) throw new Problem('ownerInactive', { id: given }, { field: '/owner_id' });
  return given;
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
      return { role: body.role, active: body.active };
    case 'bot_user':
      return { role: 'member', active: body.active };
    default:
      return null;
  }
}
