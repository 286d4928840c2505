/** The account that the first start makes. Never two of them, whatever starts at once. */
import type { DocumentStore } from '../documents/index.ts';
import { daemonActor } from './change-entry.ts';
import { createAccount, type NewAccount } from './new-account.ts';

export type FirstAccount = NewAccount;

/** Two daemons may start at once on one empty database: the second one is refused. */
const onlyOnce = { kind: 'system', value: 'first_account' };

/**
 * The account of the first start.
 * `beforeCommit` runs inside the write; when it throws, nothing is written.
 * Rejects with ConflictError (`name-taken`) when another daemon was faster.
 */
export function createFirstAccount(deps: {
  readonly store: Pick<DocumentStore, 'write'>;
  readonly beforeCommit?: (account: FirstAccount) => void;
}): Promise<FirstAccount> {
  const made = { name: 'Default', email: '', description: 'Made at the first start', actor: daemonActor };
  return createAccount({ ...deps, ...made, claims: [onlyOnce] });
}
