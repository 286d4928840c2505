/** Mail addresses of users: unique in the account, whatever their case. */
import type { UserDocument } from '../documents/index.ts';
import { Problem } from '../errors/problem.ts';
import type { NameClaim } from '../store/store.ts';
import { nameWithin } from './scoped-names.ts';

/** RFC 5321, section 4.5.3.1.3, without the angle brackets. */
const longestEmail = 254;

/** None for a user without an address. */
export function emailClaims({ email }: UserDocument, account: string): readonly NameClaim[] {
  return email === '' ? [] : [nameWithin(account, 'user_email', email.toLowerCase())];
}

/** Checks the form only: one `@` with text on both sides, nothing invisible. Raises Problem. */
export function checkEmail(email: string): void {
  if (email === '') return;
  if (/^[^\s\p{C}@]+@[^\s\p{C}@]+$/u.test(email) && Buffer.byteLength(email) <= longestEmail) return;
  const facts = { value: email, limit: longestEmail };
  throw new Problem('userEmailInvalid', facts, { field: '/email', limit: longestEmail });
}
