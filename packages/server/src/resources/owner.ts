/** The owner field of a credential or an API key (specification, sections 2.8 and 4.5). */

import { findOwner } from '../access/owners.ts';
import type { Owned } from '../documents/index.ts';
import { Problem } from '../errors/problem.ts';
import { prefixesOf, storedId } from './aliases.ts';
import { botUserIds } from './bot-user-ids.ts';
import type { Principal, Reference, RuleContext } from './definition.ts';
import { idOf, optional } from './schema.ts';

const prefixes = ['usr', ...prefixesOf(botUserIds)];

export const ownerId = optional(
  idOf(
    prefixes,
    'The user or bot user that owns it; a bot user also by its id as a service user, and shown as it was named. Default: the caller. Only admins may name another owner.',
  ),
);

/** Binding: a user is deleted only after the resources that they own, so that every key has an owner. */
export const ownerReference: Reference = {
  field: 'owner_id',
  prefixes,
  wrongPrefix: 'ownerUnknown',
  unknown: 'ownerUnknown',
  binding: true,
};

/** Returns the owner to store. Members learn nothing about other ids: 630 comes before 634. */
export async function chooseOwner(
  given: string | undefined,
  context: Pick<RuleContext, 'store'> & { readonly principal: Pick<Principal, 'account' | 'owner' | 'role'> },
): Promise<Owned> {
  const { principal, store } = context;
  if (given === undefined) return { owner_id: principal.owner };
  const owner_id = storedId(botUserIds, given);
  const owned: Owned = owner_id === given ? { owner_id } : { owner_id, owner_alias: given };
  if (owner_id === principal.owner) return owned;
  if (principal.role !== 'admin')
    throw new Problem('ownerNotSettable', { id: given }, { field: '/owner_id' });
  const owner = await findOwner(store, principal.account, owner_id);
  if (owner === null) throw new Problem('ownerUnknown', { id: given }, { field: '/owner_id' });
  if (!owner.active) throw new Problem('ownerInactive', { id: given }, { field: '/owner_id' });
  return owned;
}

/** Shows the owner as the request named it, because clients take another id for another owner. */
export function showOwner({ owner_id, owner_alias = owner_id }: Owned): { readonly owner_id: string } {
  return { owner_id: owner_alias };
}
