/** A new account with an admin, a key and a credential, in one write. */

import { hashToken, mintSecret, tokenOf } from '../access/tokens.ts';
import type {
  AccountDocument,
  ApiKeyDocument,
  CredentialDocument,
  DocumentStore,
  UserDocument,
} from '../documents/index.ts';
import type { JsonObject, NameClaim, WriteOperation } from '../store/store.ts';
import { type Actor, changeOperations, creationOf } from './change-entry.ts';
import { emailClaims } from './email.ts';
import { ownerReference } from './owner.ts';
import { linksOf } from './references.ts';

export interface NewAccount {
  readonly account_id: string;
  readonly user_id: string;
  /** The token of an API key of the admin; shown nowhere else. */
  readonly api_key: string;
  /** The token of a tunnel credential without bind rules; shown nowhere else. */
  readonly authtoken: string;
}

/**
 * Makes an account, its admin, an API key and a tunnel credential in one write: all of them or none.
 * `beforeCommit` runs inside the write; when it throws, nothing is written. `claims` are names that the account takes.
 */
export async function createAccount(options: {
  readonly store: Pick<DocumentStore, 'write'>;
  readonly name: string;
  readonly email: string;
  /** Description of the key and the credential. */
  readonly description: string;
  readonly actor: Actor;
  readonly claims?: readonly NameClaim[];
  readonly beforeCommit?: (account: NewAccount) => void;
}): Promise<NewAccount> {
  const { store, name, email, description, actor, claims = [], beforeCommit } = options;
  const keySecret = mintSecret();
  const authSecret = mintSecret();
  let made: NewAccount | undefined;
  await store.write((newId) => {
    const account = newId('ac');
    const user = newId('usr');
    const key = newId('ak');
    const credential = newId('cr');
    const apiKey = tokenOf(key, keySecret);
    const authtoken = tokenOf(credential, authSecret);
    made = { account_id: account, user_id: user, api_key: apiKey, authtoken };
    beforeCommit?.(made);

    const owned = { description, metadata: '', owner_id: user };
    const accountBody: AccountDocument = { name };
    const userBody: UserDocument = { name: 'Administrator', email, role: 'admin', active: true };
    const keyBody: ApiKeyDocument = { ...owned, token_hash: hashToken(apiKey) };
    const credentialBody: CredentialDocument = { ...owned, token_hash: hashToken(authtoken), acl: [] };
    const rows = [
      { account, id: account, kind: 'account', body: accountBody },
      { account, id: user, kind: 'user', body: userBody },
      { account, id: key, kind: 'api_key', body: keyBody },
      { account, id: credential, kind: 'credential', body: credentialBody },
    ];
    return [
      ...rows.flatMap((row) => changeOperations(newId, creationOf(actor, 'account_create', row))),
      { ...insert(account, account, 'account', accountBody), names: claims },
      { ...insert(user, account, 'user', userBody), names: emailClaims(userBody, account) },
      insert(key, account, 'api_key', keyBody),
      insert(credential, account, 'credential', credentialBody),
    ];
  });
  if (made === undefined) throw new Error('the store did not run the write');
  return made;
}

function insert(
  id: string,
  account: string,
  kind: string,
  body: JsonObject,
): WriteOperation & { op: 'insert' } {
  const links = linksOf([ownerReference], body);
  return { op: 'insert', id, account, kind, parent: null, body, links, names: [] };
}
