/** Who did something, as events tell of it (open points, part B 2.2). */
import type { DocumentStore } from '../documents/index.ts';
import type { EventPrincipal } from '../events/envelope.ts';
import type { Principal, ShowContext } from './definition.ts';

export async function eventPrincipal(
  { owner, key }: Pick<Principal, 'owner' | 'key'>,
  { store, ref }: { readonly store: Pick<DocumentStore, 'get'>; readonly ref: ShowContext['ref'] },
): Promise<EventPrincipal> {
  const document = await store.get(owner);
  const subject =
    document?.kind === 'user' ? document.body.email : document?.kind === 'bot_user' ? document.body.name : '';
  return { id: owner, subject, source: 'API', credential: ref(key) };
}
