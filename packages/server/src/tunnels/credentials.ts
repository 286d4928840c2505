/** Authenticates agents. Never by a credential that changed while it was checked. */

import { authenticateCredential, type CredentialGrant } from '../access/tokens.ts';
import type { DocumentStore } from '../documents/index.ts';
import { Problem } from '../errors/problem.ts';

/** A credential that changes all the time is under attack or under test; neither needs to log in. */
const attempts = 10;

type Reading = Pick<DocumentStore, 'get'>;

interface Admitted {
  readonly grant: CredentialGrant;
  readonly accountName: string;
}

export interface CredentialsContext<Documents> {
  /** What of them is followed. */
  readonly credentials: Documents;
  readonly store: Documents;
  readonly credentialChanges: () => number;
}

/** Agents, by their token. Raises Problem. */
export function authenticate<T>(
  context: CredentialsContext<Reading>,
  token: string,
  use: (grant: CredentialGrant, accountName: string) => T,
): Promise<T> {
  const lookUp = (documents: Reading) => admittedBy(documents, token);
  const admit = ({ grant, accountName }: Admitted) => use(grant, accountName);
  return admitUnchanged(context, lookUp, admit);
}

/**
 * Reads whose credential this is and hands it to `use` in the turn in which nothing has changed since: otherwise a session
 * could start on a credential, or on rules, that the follower of credentials has already replaced. Raises Problem.
 *
 * What is followed is enough to let an agent in, so that agents come in while the store is away. It is not enough to refuse one:
 * another daemon may have made the credential a moment ago, and agents do not try again after a refusal.
 */
export async function admitUnchanged<Documents, Found extends object, T>(
  { credentials, store, credentialChanges }: CredentialsContext<Documents>,
  lookUp: (documents: Documents) => Promise<Found | Problem>,
  use: (found: Found) => T,
): Promise<T> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const before = credentialChanges();
    const followed = await lookUp(credentials);
    const found = followed instanceof Problem ? await lookUp(store) : followed;
    if (found instanceof Problem) throw found;
    if (credentialChanges() === before) return use(found);
  }
  throw new Problem('internalError');
}

async function admittedBy(documents: Reading, token: string): Promise<Admitted | Problem> {
  const grant = await authenticateCredential(documents, token);
  if ('fault' in grant) return new Problem(grant.fault);
  return { grant, accountName: await accountName(documents, grant.account) };
}

export async function accountName(documents: Reading, id: string): Promise<string> {
  const account = await documents.get(id);
  return account?.kind === 'account' ? account.body.name : '';
}
