/** Authenticates agents. Never by a credential that changed while it was checked. */

import { authenticateCredential, type CredentialGrant, type TokenFault } from '../access/tokens.ts';
import type { DocumentStore } from '../documents/index.ts';
import { Problem } from '../errors/problem.ts';

/** A credential that changes all the time is under attack or under test; neither needs to log in. */
const attempts = 10;

type Reading = Pick<DocumentStore, 'get'>;

interface Admitted {
  readonly grant: CredentialGrant;
  readonly accountName: string;
}

/**
 * Reads whose token this is and hands it to `use` in the turn in which nothing has changed since: otherwise a session
 * could start on a credential, or on rules, that the follower of credentials has already replaced. Raises Problem.
 *
 * What is followed is enough to let an agent in, so that agents come in while the store is away. It is not enough to refuse one:
 * another daemon may have made the credential a moment ago, and agents do not try again after a refusal.
 */
export async function authenticate<T>(
  context: {
    readonly credentials: Reading;
    readonly store: Reading;
    readonly credentialChanges: () => number;
  },
  token: string,
  use: (grant: CredentialGrant, accountName: string) => T,
): Promise<T> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const before = context.credentialChanges();
    const followed = await admittedBy(context.credentials, token);
    const admitted = 'fault' in followed ? await admittedBy(context.store, token) : followed;
    if ('fault' in admitted) throw new Problem(admitted.fault);
    if (context.credentialChanges() !== before) continue;
    return use(admitted.grant, admitted.accountName);
  }
  throw new Problem('internalError');
}

async function admittedBy(documents: Reading, token: string): Promise<Admitted | TokenFault> {
  const grant = await authenticateCredential(documents, token);
  if ('fault' in grant) return grant;
  const account = await documents.get(grant.account);
  return { grant, accountName: account?.kind === 'account' ? account.body.name : '' };
}
