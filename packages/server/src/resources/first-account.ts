import type { JsonObject, Store, WriteOperation } from '../store/store.ts';
import type { AccountDocument, ApiKeyDocument, CredentialDocument, UserDocument } from './documents.ts';
import { ownerReference } from './owner.ts';
import { linksOf } from './references.ts';
import { hashToken, mintSecret, tokenOf } from './tokens.ts';

export interface FirstAccount {
  readonly account_id: string;
  readonly user_id: string;
  /** The token of an API key of the admin; shown nowhere else. */
  readonly api_key: string;
  /** The token of a tunnel credential without bind rules; shown nowhere else. */
  readonly authtoken: string;
}

/** Two daemons may start at once on one empty database: whoever comes second is refused. */
const onlyOnce = { kind: 'system', value: 'first_account' };

/**
 * Makes the account, its admin, an API key and a tunnel credential in one write: all of them or none.
 * `beforeCommit` runs inside the write; when it throws, nothing is written.
 * Rejects with ConflictError (`name-taken`) when another daemon was faster.
 */
export async function createFirstAccount(deps: {
  readonly store: Pick<Store, 'write'>;
  readonly beforeCommit?: (account: FirstAccount) => void;
}): Promise<FirstAccount> {
  const keySecret = mintSecret();
  const authSecret = mintSecret();
  let made: FirstAccount | undefined;
  await deps.store.write((newId) => {
    const account = newId('ac');
    const user = newId('usr');
    const key = newId('ak');
    const credential = newId('cr');
    const apiKey = tokenOf(key, keySecret);
    const authtoken = tokenOf(credential, authSecret);
    made = { account_id: account, user_id: user, api_key: apiKey, authtoken };
    deps.beforeCommit?.(made);

    const first = { description: 'Made at the first start', metadata: '', owner_id: user };
    const accountBody: AccountDocument = { name: 'Default' };
    const userBody: UserDocument = { name: 'Administrator', email: '', role: 'admin', active: true };
    const keyBody: ApiKeyDocument = { ...first, token_hash: hashToken(apiKey) };
    const credentialBody: CredentialDocument = { ...first, token_hash: hashToken(authtoken), acl: [] };
    return [
      { ...insert(account, account, 'account', accountBody), names: [onlyOnce] },
      insert(user, account, 'user', userBody),
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
