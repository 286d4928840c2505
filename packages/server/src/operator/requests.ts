/**
 * The requests of an operator beside the API, for cases without a usable key.
 * Invariant: a secret in a response is never shown a second time.
 */

import { hashToken, mintSecret, tokenOf } from '../access/tokens.ts';
import { createdAt } from '../core/id.ts';
import type {
  ApiKeyDocument,
  DocumentStore,
  IpRestrictionDocument,
  StoredDocument,
} from '../documents/index.ts';
import { Problem } from '../errors/problem.ts';
import { restrictionClaim } from '../resources/api-access.ts';
import { changeOperations, creationOf, operatorActor } from '../resources/change-entry.ts';
import { differences } from '../resources/differences.ts';
import { checkEmail } from '../resources/email.ts';
import { apiKey } from '../resources/kinds/api-key.ts';
import { ipRestriction } from '../resources/kinds/ip-restriction.ts';
import { createAccount } from '../resources/new-account.ts';
import { chooseOwner, ownerReference, showOwner } from '../resources/owner.ts';
import { linksOf } from '../resources/references.ts';
import { replacementOf } from '../resources/replacement.ts';
import { validate } from '../resources/validate.ts';
import {
  ConflictError,
  type JsonObject,
  StoreUnavailableError,
  type WriteOperation,
  WriteOutcomeUnknownError,
} from '../store/store.ts';
import { oldestAdmin } from './admins.ts';
import { type ConsoleLinkRequest, makeConsoleLink } from './console-link.ts';
import { OperatorError } from './operator-error.ts';

/** `directory`: absolute. */
export type OperatorRequest =
  | StoreRequest
  | { readonly operation: 'backup'; readonly directory: string }
  | { readonly operation: 'rotate-master-key' }
  | { readonly operation: 'list-nodes' }
  | DrainRequest;

/** Has a daemon send its agents to the other ones, or ends that. */
export interface DrainRequest {
  readonly operation: 'drain-node';
  /** Name or incarnation. */
  readonly node: string;
  /** False: agents may come again. */
  readonly drains: boolean;
  /** True: also if no other daemon takes its agents. */
  readonly isForced: boolean;
}

/** Has the supervisor restart its workers. */
export interface RestartRequest {
  readonly operation: 'restart-workers';
  /** Number of the only worker; null: all. */
  readonly worker: number | null;
}

/** Requests that need the store only. */
export type StoreRequest =
  | { readonly operation: 'create-account'; readonly name: string; readonly email: string }
  | { readonly operation: 'list-accounts' }
  | {
      readonly operation: 'create-key';
      readonly account: string;
      /** Null: the oldest active admin. */
      readonly owner: string | null;
      readonly description: string;
    }
  | { readonly operation: 'revoke-key'; readonly key: string; readonly account: string | null }
  | { readonly operation: 'lift-restriction'; readonly account: string }
  | ConsoleLinkRequest;

const LONGEST_NAME = 255;

/** Rejects with OperatorError. */
export async function perform(store: DocumentStore, request: StoreRequest): Promise<JsonObject> {
  try {
    switch (request.operation) {
      case 'create-account':
        return await makeAccount(store, request);
      case 'list-accounts':
        return await listAccounts(store);
      case 'create-key':
        return await makeKey(store, request);
      case 'revoke-key':
        return await revokeKey(store, request);
      case 'lift-restriction':
        return await liftRestriction(store, request);
      case 'console-link':
        return await makeConsoleLink(store, request);
    }
  } catch (error) {
    if (error instanceof Problem || error instanceof StoreUnavailableError)
      throw new OperatorError(error.message, { cause: error });
    if (error instanceof WriteOutcomeUnknownError)
      throw new OperatorError(`${error.message}: look before you repeat it`, { cause: error });
    if (error instanceof ConflictError)
      throw new OperatorError('something else was changed at the same moment: try again', { cause: error });
    throw error;
  }
}

async function makeAccount(
  store: DocumentStore,
  { name, email }: OperatorRequest & { operation: 'create-account' },
): Promise<JsonObject> {
  if (Buffer.byteLength(name) > LONGEST_NAME)
    throw new OperatorError(
      `--name has ${Buffer.byteLength(name)} bytes: give the account a name of at most ${LONGEST_NAME} bytes`,
    );
  if (/\p{Cc}/u.test(name))
    throw new OperatorError('--name has control characters, such as a line feed: give a name without them');
  checkEmail(email);
  const made = await createAccount({
    ...{ store, name, email, description: 'Made with the account' },
    actor: operatorActor,
  });
  return { ...made, name };
}

async function listAccounts(store: DocumentStore): Promise<JsonObject> {
  const { documents } = await store.snapshot(['account']);
  const accounts = documents.map(({ id, body }) => ({
    id,
    name: body.name,
    created_at: createdAt(id).toISOString().replace('.000Z', 'Z'),
  }));
  return { accounts: accounts.sort((one, other) => (one.id < other.id ? -1 : 1)) };
}

async function makeKey(
  store: DocumentStore,
  { account, owner, description }: OperatorRequest & { operation: 'create-key' },
): Promise<JsonObject> {
  if ((await store.get(account))?.kind !== 'account')
    throw new OperatorError(
      `--account ${account}: there is no account ${account} (see underpassd account list)`,
    );
  validate(apiKey.create, { description }, new Map());
  const principal = { account, owner: '', role: 'admin' } as const;
  const owned = await chooseOwner(owner ?? (await oldestAdmin(store, account, 'an owner with --owner')), {
    principal,
    store,
  });
  const secret = mintSecret();
  let made: JsonObject = {};
  await store.write((newId) => {
    const id = newId(apiKey.prefix);
    const token = tokenOf(id, secret);
    const body: ApiKeyDocument = { description, metadata: '', ...owned, token_hash: hashToken(token) };
    made = { id, account_id: account, ...showOwner(owned), token };
    const links = linksOf([ownerReference], body);
    const row = { id, account, kind: apiKey.name, body };
    return [
      { op: 'insert', ...row, parent: null, links, names: [] },
      ...changeOperations(newId, creationOf(operatorActor, 'account_key_create', row)),
    ];
  });
  return made;
}

async function revokeKey(
  store: DocumentStore,
  { key, account }: OperatorRequest & { operation: 'revoke-key' },
): Promise<JsonObject> {
  for (;;) {
    const document = await store.get(key);
    if (document === null || document.kind !== apiKey.name)
      throw new OperatorError(
        `there is no API key ${key}: it is revoked already, or the id is wrong (GET /api_keys lists the ids)`,
      );
    if (account !== null && document.account !== account)
      throw new OperatorError(
        `the API key ${key} is not of the account ${account}: nothing was changed. Correct --account, or leave it out.`,
      );
    try {
      const { account: of, kind, revision } = document;
      await store.write((newId) => [
        { op: 'delete', id: key, revision },
        ...changeOperations(newId, {
          ...{
            account: of,
            actor: operatorActor,
            operation: 'account_key_revoke',
            operationId: '',
            kind,
            id: key,
          },
          ...{ parent: '', action: 'deleted', fields: [] },
        }),
      ]);
      return { id: key, account_id: document.account, revoked: true };
    } catch (error) {
      // The key changed in between; the next round reads the new state.
      if (!(error instanceof ConflictError && error.conflict.reason === 'stale')) throw error;
    }
  }
}

async function liftRestriction(
  store: DocumentStore,
  { account }: OperatorRequest & { operation: 'lift-restriction' },
): Promise<JsonObject> {
  const found = await Promise.all([
    enforcedRestriction(store, account, 'api'),
    enforcedRestriction(store, account, 'dashboard'),
  ]);
  const documents = found.filter((document) => document !== null);
  const [first] = documents;
  if (first === undefined)
    throw new OperatorError(
      `--account ${account}: no IP restriction of the API or the console is enforced in it, so there is nothing to lift; for another account see underpassd account list`,
    );
  await store.write((newId) => documents.flatMap((document) => liftingOf(newId, document)));
  return { id: first.id, ids: documents.map(({ id }) => id), account_id: account, enforced: false };
}

type Restriction = StoredDocument<'ip_restriction'>;

async function enforcedRestriction(
  store: DocumentStore,
  account: string,
  type: IpRestrictionDocument['type'],
): Promise<Restriction | null> {
  const holder = await store.findName(restrictionClaim(account, type));
  const document = holder === null ? null : await store.get(holder.id);
  return document?.kind === 'ip_restriction' && document.body.enforced ? document : null;
}

function liftingOf(newId: (prefix: string) => string, document: Restriction): readonly WriteOperation[] {
  const { id, account, kind, body } = document;
  const lifted: IpRestrictionDocument = { ...body, enforced: false };
  return [
    replacementOf(ipRestriction, document, lifted),
    ...changeOperations(newId, {
      ...{ account, actor: operatorActor, operation: 'account_restriction_lift', operationId: '', kind, id },
      ...{ parent: '', action: 'updated' },
      fields: differences({ shown: body, body }, { shown: lifted, body: lifted }),
    }),
  ];
}
