/** Authenticates agents. Never by a credential that changed while it was checked. */
import type { DocumentStore } from '../documents/index.ts';
import { Problem } from '../errors/problem.ts';
import { authenticateCredential, type CredentialGrant } from '../resources/tokens.ts';

/** A credential that changes all the time is under attack or under test; neither needs to log in. */
const attempts = 10;

/**
 * Reads whose token this is and hands it to `use` in the turn in which nothing has changed since: otherwise a session
 * could start on a credential, or on rules, that the follower of credentials has already replaced. Raises Problem.
 */
export async function authenticate<T>(
  context: { readonly store: Pick<DocumentStore, 'get'>; readonly credentialChanges: () => number },
  token: string,
  use: (grant: CredentialGrant, accountName: string) => T,
): Promise<T> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const before = context.credentialChanges();
    const grant = await authenticateCredential(context.store, token);
    if ('fault' in grant) throw new Problem(grant.fault);
    const account = await context.store.get(grant.account);
    if (context.credentialChanges() !== before) continue;
    return use(grant, account?.kind === 'account' ? account.body.name : '');
  }
  throw new Problem('internalError');
}
