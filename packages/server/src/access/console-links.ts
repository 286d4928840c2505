/**
 * Sign-in tokens of the console: how a browser comes to a session without a password.
 * Invariant: a token of a link signs in once, on any number of daemons.
 */
import type { StoredDocument } from '../documents/index.ts';
import { Problem } from '../errors/problem.ts';
import { ConflictError } from '../store/store.ts';
import { type ConsoleParent, type ConsoleStore, insertChild } from './console-children.ts';
import { findOwner } from './owners.ts';
import {
  type ApiKeyGrant,
  authenticateApiKey,
  hashToken,
  idInToken,
  isHashOf,
  mintSecret,
  type TokenFault,
  tokenOf,
} from './tokens.ts';

/** Milliseconds for which a link is good. */
export const LINK_MS = 10 * 60_000;

export interface ConsoleLink {
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** A caller that may have a session. */
export interface SignIn {
  readonly grant: ApiKeyGrant;
  /** The link that the session uses up; null for other ways. */
  readonly link: StoredDocument<'console_link'> | null;
  readonly way: 'link' | 'api_key' | 'oidc';
}

/**
 * Makes a link that signs in as the owner of a key, or as a user. `now`: milliseconds since 1970. Raises Problem if the
 * key or user is gone.
 */
export async function createConsoleLink(
  store: ConsoleStore,
  parent: ConsoleParent,
  now: number,
): Promise<ConsoleLink> {
  const secret = mintSecret();
  const expiresAt = now + LINK_MS;
  try {
    const id = await insertChild(store, parent, {
      kind: 'console_link',
      bodyOf: (own) => ({ token_hash: hashToken(tokenOf(own, secret)), expires_at: expiresAt }),
    });
    return { token: tokenOf(id, secret), expiresAt };
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    throw new Problem('apiKeyOwnerInactive');
  }
}

/** Returns the URL that signs in. The token is in the fragment, which no server, log or Referer gets. */
export function signInUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/ui/sign-in#${token}`;
}

/**
 * Returns the caller behind the token of a link, or behind an API key. The link stays usable. `tokenHash`: as `hashToken`
 * makes it.
 */
export async function findSignIn(
  store: ConsoleStore,
  token: string,
  tokenHash: string,
  now: number,
): Promise<SignIn | TokenFault> {
  const id = idInToken(token, 'cl');
  const link = id === null ? null : await store.get(id);
  if (link?.kind !== 'console_link') return await findByKey(store, token, tokenHash);
  if (!isHashOf(tokenHash, link.body.token_hash)) return { fault: 'consoleTokenInvalid' };
  // A link from the future is of a clock that was wrong.
  const age = now - (link.body.expires_at - LINK_MS);
  if (age > LINK_MS || age < -LINK_MS) return { fault: 'consoleTokenExpired' };
  const grant = await grantBelow(store, { account: link.account, parent: link.parent ?? '' });
  return 'fault' in grant ? grant : { grant, link, way: 'link' };
}

async function findByKey(
  store: ConsoleStore,
  token: string,
  tokenHash: string,
): Promise<SignIn | TokenFault> {
  const grant = await authenticateApiKey(store, token, tokenHash);
  if (!('fault' in grant)) return { grant, link: null, way: 'api_key' };
  return grant.fault === 'apiKeyInvalid' ? { fault: 'consoleTokenInvalid' } : grant;
}

/** Returns the rights of a session below a key or a user. */
export async function grantBelow(
  store: ConsoleStore,
  { account, parent }: ConsoleParent,
): Promise<ApiKeyGrant | TokenFault> {
  const document = await store.get(parent);
  if (document?.account !== account) return { fault: 'consoleSessionOver' };
  const owner = document.kind === 'api_key' ? document.body.owner_id : parent;
  const found = await findOwner(store, account, owner);
  if (found?.active !== true) return { fault: 'apiKeyOwnerInactive' };
  return { account, owner, role: found.role, subject: found.subject, key: parent };
}
