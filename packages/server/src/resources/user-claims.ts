/** Names of users that are unique in the account: the mail address, and the user at the provider of the console. */
import { hash } from 'node:crypto';
import type { UserDocument } from '../documents/index.ts';
import type { NameClaim } from '../store/store.ts';
import { emailClaims } from './email.ts';
import { nameWithin } from './scoped-names.ts';

type Identity = NonNullable<UserDocument['identity']>;

export function userClaims(user: UserDocument, account: string): readonly NameClaim[] {
  const { identity } = user;
  return [
    ...emailClaims(user, account),
    ...(identity === undefined ? [] : [identityClaim(identity, account)]),
  ];
}

/** The claim of a user of a provider. A subject is unique at its issuer only. */
export function identityClaim({ issuer, subject }: Identity, account: string): NameClaim {
  const text = hash('sha256', JSON.stringify([issuer, subject]), 'base64url');
  return nameWithin(account, 'user_identity', text);
}
