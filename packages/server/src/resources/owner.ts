/** Who owns a credential or an API key (specification, sections 2.8 and 4.5). */
import Type from 'typebox';
import { Problem } from '../errors/problem.ts';
import type { Reference, RuleContext } from './definition.ts';
import type { UserDocument } from './documents.ts';
import { optional } from './schema.ts';

export const ownerId = optional(
  Type.String({
    description: 'The user that owns it. Default: the caller. Only admins may name somebody else.',
  }),
);

export const ownerReference: Reference = {
  field: 'owner_id',
  prefixes: ['usr', 'bot'],
  wrongPrefix: 'ownerUnknown',
  unknown: 'ownerUnknown',
  binding: false,
};

/** The owner to store. Members learn nothing about other ids: 630 comes before 634. */
export async function chooseOwner(given: string | undefined, context: RuleContext): Promise<string> {
  const { principal, store } = context;
  if (given === undefined || given === principal.owner) return principal.owner;
  if (principal.role !== 'admin')
    throw new Problem('ownerNotSettable', { id: given }, { field: '/owner_id' });
  const user = await store.get(given);
  if (user === null || user.kind !== 'user' || user.account !== principal.account) {
    throw new Problem('ownerUnknown', { id: given }, { field: '/owner_id' });
  }
  if (!(user.body as UserDocument).active)
    throw new Problem('ownerInactive', { id: given }, { field: '/owner_id' });
  return given;
}
