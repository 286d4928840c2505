/** A stored IP restriction of the account `ac_1`, as the rules in the edge's fixture are. */
import type { DocumentOfKind, IpRestrictionDocument } from '../documents/index.ts';

export function restrictionDocument(
  id: string,
  what: Omit<IpRestrictionDocument, 'description' | 'metadata'>,
  account = 'ac_1',
): DocumentOfKind<'ip_restriction'> {
  const body = { description: '', metadata: '', ...what };
  return { id, account, kind: 'ip_restriction', parent: null, body, revision: 1 };
}
