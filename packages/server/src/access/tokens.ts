/**
 * Tokens of API keys and tunnel credentials: `<suffix of the id>_<secret>`, stored as hashes only.
 * Invariant: the time of a comparison does not reveal how much of a wrong token was right.
 */

import { hash, randomBytes } from 'node:crypto';
import { BASE62, suffixOf } from '../core/id.ts';
import { type BindRule, isBindRuleFault, parseBindRule } from '../core/names/bind-rule.ts';
import type { DocumentStore, StoredDocument } from '../documents/index.ts';
import type { ErrorNeeding } from '../errors/values.ts';
import { findOwner, type Owner } from './owners.ts';

/** 22 base62 characters carry 131 bits. */
const SECRET_LENGTH = 22;
/** The largest multiple of 62 below 256: bytes from here up would favour the first digits. */
const UNBIASED = 248;

/** Returns the id of a token's document; null for a text that is no token. `prefix`: that of the id. */
export function idInToken(token: string, prefix: string): string | null {
  const suffix = TOKEN.exec(token)?.[1];
  return suffix === undefined ? null : `${prefix}_${suffix}`;
}

const TOKEN = /^([0-9A-Za-z]{27})_([0-9A-Za-z]{21,64})$/;
const API_KEY_ID = /^ak_[0-9A-Za-z]{27}$/;

export interface TokenFault {
  readonly fault: ErrorNeeding;
}

/** The owner of an API key. */
export interface ApiKeyGrant {
  readonly account: string;
  /** `usr_…` or `bot_…` */
  readonly owner: string;
  readonly role: Owner['role'];
  readonly subject: Owner['subject'];
  /** `ak_…`; of a console session without a key, the owner. */
  readonly key: string;
  /** The console session that the request came with; absent: it came with the key. */
  readonly session?: SessionFacts;
}

/** A console session, as far as requests need it. Times are milliseconds since 1970. */
export interface SessionFacts {
  /** `cs_…` */
  readonly id: string;
  readonly begunAt: number;
  readonly expiresAt: number;
}

export interface CredentialGrant {
  readonly account: string;
  /** `cr_…` */
  readonly credential: string;
  /** Empty: everything is permitted. */
  readonly acl: readonly BindRule[];
}

type Reading = Pick<DocumentStore, 'get'>;

/** A fresh secret part of a token. `random` as in `crypto.randomBytes`. */
export function mintSecret(random: (bytes: number) => Uint8Array = randomBytes): string {
  let secret = '';
  while (secret.length < SECRET_LENGTH) {
    for (const byte of random(SECRET_LENGTH * 2)) {
      if (byte < UNBIASED && secret.length < SECRET_LENGTH) secret += BASE62[byte % 62];
    }
  }
  return secret;
}

export function tokenOf(id: string, secret: string): string {
  return `${suffixOf(id)}_${secret}`;
}

/** Returns true if a text can be the token of anything. */
export function isTokenShaped(text: string): boolean {
  return TOKEN.test(text);
}

/** SHA-256, base64url: the secret is random, so nothing slower is needed. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'base64url');
}

/** Compares hashes of tokens. `given`: as `hashToken` makes it. */
export function isHashOf(given: string, tokenHash: string): boolean {
  if (given.length !== tokenHash.length) return false;
  // As `timingSafeEqual`, which would cost two buffers for each request.
  let different = 0;
  for (let at = 0; at < given.length; at++) different |= given.charCodeAt(at) ^ tokenHash.charCodeAt(at);
  return different === 0;
}

/** Distinguishes an authtoken and an API key's id from an unknown key (errors 202 to 208). */
export async function authenticateApiKey(
  store: Reading,
  bearerValue: string,
  tokenHash = hashToken(bearerValue),
): Promise<ApiKeyGrant | TokenFault> {
  const suffix = TOKEN.exec(bearerValue)?.[1];
  if (suffix === undefined) {
    return { fault: API_KEY_ID.test(bearerValue) ? 'apiKeyIdUsedAsToken' : 'apiKeyMalformed' };
  }
  const key = keyOf(await store.get(`ak_${suffix}`), tokenHash);
  if (key === null) {
    const credential = credentialOf(await store.get(`cr_${suffix}`), tokenHash);
    return { fault: credential === null ? 'apiKeyInvalid' : 'authtokenUsedAsApiKey' };
  }
  const { owner_id: owner } = key.body;
  const found = await findOwner(store, key.account, owner);
  if (found?.active !== true) return { fault: 'apiKeyOwnerInactive' };
  const { role, subject } = found;
  return { account: key.account, owner, role, subject, key: key.id };
}

/** Returns the rights of an agent's authtoken (errors 105 and 107). */
export async function authenticateCredential(
  store: Reading,
  token: string,
): Promise<CredentialGrant | TokenFault> {
  const suffix = TOKEN.exec(token)?.[1];
  if (suffix === undefined) return { fault: 'authtokenMalformed' };
  const credential = credentialOf(await store.get(`cr_${suffix}`), hashToken(token));
  if (credential === null) return { fault: 'authtokenInvalid' };
  const { body } = credential;
  const owner = await findOwner(store, credential.account, body.owner_id);
  if (owner?.active !== true) return { fault: 'authtokenOwnerInactive' };
  return { account: credential.account, credential: credential.id, acl: storedRules(body.acl) };
}

/** Rules that were checked when they were stored. One that no longer parses must not shrink the list to "everything". */
export function storedRules(acl: readonly string[]): readonly BindRule[] {
  return acl.map((text) => {
    const rule = parseBindRule(text);
    if (isBindRuleFault(rule)) throw new Error(`a stored bind rule does not parse: ${rule.reason}`);
    return rule;
  });
}

function keyOf(document: StoredDocument | null, tokenHash: string): StoredDocument<'api_key'> | null {
  return document?.kind === 'api_key' && isHashOf(tokenHash, document.body.token_hash) ? document : null;
}

function credentialOf(
  document: StoredDocument | null,
  tokenHash: string,
): StoredDocument<'credential'> | null {
  return document?.kind === 'credential' && isHashOf(tokenHash, document.body.token_hash) ? document : null;
}
