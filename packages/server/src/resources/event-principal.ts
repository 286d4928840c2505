/** The principal of a change, as events contain it (open points, part B 2.2). */
import type { EventPrincipal } from '../events/envelope.ts';
import type { Principal, ShowContext } from './definition.ts';

export function eventPrincipal(
  { owner, subject, key }: Pick<Principal, 'owner' | 'subject' | 'key'>,
  ref: ShowContext['ref'],
): EventPrincipal {
  return { id: owner, subject, source: 'API', credential: ref(key) };
}
