/** How a body names who owns a credential or an API key (specification, sections 2.8 and 4.5). */

import { findOwner } from '../access/owners.ts';
import { Problem } from '../errors/problem.ts';
import type { Principal, Reference, RuleContext } from './definition.ts';
import { idOf, optional } from './schema.ts';

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
