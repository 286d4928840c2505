/** Invariant: an account has an active admin, because it can only be managed while it has one. */
import type { DocumentStore, StoredDocument, UserDocument } from '../documents/index.ts';
import { Problem } from '../errors/problem.ts';
import { everyDocument } from './list.ts';

export function isActiveAdmin({ role, active }: UserDocument): boolean {
  return role === 'admin' && active;
}

/** Returns another active admin, on whom a write depends that takes this one. Raises Problem if there is none. */
export async function adminBeside(
  store: Pick<DocumentStore, 'page'>,
  { account, id }: { readonly account: string; readonly id: string },
): Promise<StoredDocument<'user'>> {
  for await (const other of everyDocument(store, account, 'user'))
    if (other.id !== id && isActiveAdmin(other.body)) return other;
  throw new Problem('lastAdmin', { id });
}
