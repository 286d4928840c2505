/** Finds the user that acts for an account if a command names none. */
import type { DocumentStore } from '../documents/index.ts';
import { isActiveAdmin } from '../resources/last-admin.ts';
import { everyDocument } from '../resources/list.ts';
import { OperatorError } from './operator-error.ts';

/** Returns the oldest active admin. `other`: the other way, such as "a user with --user". Rejects with OperatorError. */
export async function oldestAdmin(store: DocumentStore, account: string, other: string): Promise<string> {
  let oldest: string | undefined;
  // Newest first.
  for await (const { id, body } of everyDocument(store, account, 'user'))
    if (isActiveAdmin(body)) oldest = id;
  if (oldest === undefined)
    throw new OperatorError(`the account ${account} has no active admin: name ${other}`);
  return oldest;
}
