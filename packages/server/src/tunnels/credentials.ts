/** Authenticates agents. Never by a credential that changed while it was checked. */

import { setTimeout as wait } from 'node:timers/promises';
import { authenticateCredential, type CredentialGrant } from '../access/tokens.ts';
import type { DocumentStore } from '../documents/index.ts';
import { Problem } from '../errors/problem.ts';
import { StoreRefusedError, StoreUnavailableError } from '../store/store.ts';
import type { IngressLimits } from './limits.ts';

/** A credential that changes all the time is under attack or under test; neither needs to log in. */
const attempts = 10;
/** Milliseconds between two reads of an unavailable store. */
const storePauseMs = 250;

type Reading = Pick<DocumentStore, 'get'>;

interface Admitted {
  readonly grant: CredentialGrant;
  readonly accountName: string;
}

export interface CredentialsContext<Documents> {
  /** The followed documents, which are in memory. */
  readonly credentials: Documents;
  readonly store: Documents;
  readonly credentialChanges: () => number;
  readonly limits: Pick<IngressLimits, 'storeWaitMs'>;
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
 * Reads the owner of a credential, and calls `use` in the turn in which nothing has changed since. Otherwise a
 * session could start with a credential or rules that the follower has already replaced. Raises Problem.
 * The followed state is enough to admit an agent, so agents come in while the store is unavailable. It is not enough
 * to refuse one: another daemon may have created the credential a moment ago, and agents do not retry after a
 * refusal. For the same reason the call waits for an unavailable store: some agents stay away for minutes after two
 * refusals (agent protocol, section 7).
 */
export async function admitUnchanged<Documents, Found extends object, T>(
  { credentials, store, credentialChanges, limits }: CredentialsContext<Documents>,
  lookUp: (documents: Documents) => Promise<Found | Problem>,
  use: (found: Found) => T,
): Promise<T> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const before = credentialChanges();
    const followed = await lookUp(credentials);
    const found = followed instanceof Problem ? await whenThere(() => lookUp(store), limits) : followed;
    if (found instanceof Problem) throw found;
    if (credentialChanges() === before) return use(found);
  }
  throw new Problem('internalError');
}

/**
 * Reads from a store, and retries while it is unavailable for a moment. Raises StoreUnavailableError if it is
 * unavailable for longer.
 */
async function whenThere<Found>(
  read: () => Promise<Found>,
  { storeWaitMs }: Pick<IngressLimits, 'storeWaitMs'>,
): Promise<Found> {
  const deadline = performance.now() + storeWaitMs;
  while (true) {
    try {
      return await read();
    } catch (error) {
      const mayPass = error instanceof StoreUnavailableError && !(error instanceof StoreRefusedError);
      if (!mayPass || performance.now() >= deadline) throw error;
    }
    await wait(storePauseMs);
  }
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
