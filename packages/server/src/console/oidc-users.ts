/**
 * Users of the console's OpenID Connect provider: made at their first sign-in, with the role of their groups.
 * Invariant: a user is known by issuer and subject, and never by an address. The account keeps an active admin.
 */
import type { UserRole } from '../core/console-oidc.ts';
import type { DocumentStore, StoredDocument, UserDocument } from '../documents/index.ts';
import { changeOperations, creationOf, daemonActor } from '../resources/change-entry.ts';
import { emailClaims } from '../resources/email.ts';
import { adminBeside, isActiveAdmin } from '../resources/last-admin.ts';
import { identityClaim, userClaims } from '../resources/user-claims.ts';
import { ConflictError } from '../store/store.ts';

/** A user as the provider describes it. */
export interface ProviderUser {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  /** A verified address; '' for none. */
  readonly email: string;
}

type Store = Pick<DocumentStore, 'get' | 'findName' | 'page' | 'write'>;
type User = StoredDocument<'user'>;

const ATTEMPTS = 5;
const OPERATION = 'console_oidc_sign_in';

/**
 * Returns the user, who has the role from now on. An inactive user is returned unchanged. Raises Problem if another role
 * would take the last active admin.
 */
export async function signedInUser(
  store: Store,
  account: string,
  user: ProviderUser,
  role: UserRole,
): Promise<User> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const known = await findUser(store, account, user);
      if (known === null) await insertUser(store, account, user, role);
      else if (known.body.role === role || !known.body.active) return known;
      else await changeRole(store, known, role);
    } catch (error) {
      // Another sign-in of the same user, or an admin, was faster.
      if (!(error instanceof ConflictError) || attempt === ATTEMPTS) throw error;
    }
  }
}

/** Returns the user of an issuer and subject; null if there is none in the account. */
export async function findUser(
  store: Pick<DocumentStore, 'get' | 'findName'>,
  account: string,
  user: ProviderUser,
): Promise<User | null> {
  const holder = await store.findName(identityClaim(user, account));
  const document = holder === null ? null : await store.get(holder.id);
  return document?.kind === 'user' && document.account === account ? document : null;
}

async function insertUser(store: Store, account: string, user: ProviderUser, role: UserRole): Promise<void> {
  const { issuer, subject, email, name } = user;
  const identity = { issuer, subject };
  const plain: UserDocument = { name: name || email || subject, email, role, active: true, identity };
  // The address of another user stays that user's.
  const claims = await Promise.all(emailClaims(plain, account).map((claim) => store.findName(claim)));
  const body = claims.every((holder) => holder === null) ? plain : { ...plain, email: '' };
  await store.write((newId) => {
    const id = newId('usr');
    const names = userClaims(body, account);
    const entry = creationOf(daemonActor, OPERATION, { account, kind: 'user', id, body });
    return [
      { op: 'insert', id, account, kind: 'user', parent: null, body, links: [], names },
      ...changeOperations(newId, entry),
    ];
  });
}

async function changeRole(
  store: Store,
  { id, account, revision, body }: User,
  role: UserRole,
): Promise<void> {
  const isLoss = isActiveAdmin(body) && role !== 'admin';
  const beside = isLoss ? [await adminBeside(store, { account, id })] : [];
  await store.write((newId) => [
    // Written unchanged, so that two admins cannot both lose the role at a time.
    ...beside.map((other) => ({
      op: 'rewrite' as const,
      id: other.id,
      revision: other.revision,
      body: other.body,
    })),
    {
      ...{ op: 'replace', id, revision, body: { ...body, role } },
      ...{ links: [], names: userClaims(body, account) },
    },
    ...changeOperations(newId, {
      ...{ account, actor: daemonActor, operation: OPERATION, operationId: '' },
      ...{ kind: 'user', id, parent: '', action: 'updated' },
      fields: [{ field: 'role', old: body.role, new: role }],
    }),
  ]);
}
