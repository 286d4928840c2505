/**
 * Names and passwords of visitors' logins.
 * Invariant: a password that arrived in clear text is not kept. Invariant: response times do not reveal which names
 * exist.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Credentials of one visitor. Digests are valid in this process only, or in all daemons of one installation. */
export type Login =
  | { readonly kind: 'digest'; readonly login: string }
  | { readonly kind: 'bcrypt'; readonly user: string; readonly hash: string };

/** Compares a password with a bcrypt hash; null if it cannot be decided at the moment. */
export type CompareBcrypt = (password: string, hash: string) => Promise<boolean | null>;

let key: Buffer = randomBytes(32);

/**
 * Has digests be valid in every daemon that has the same key, so that daemons can serve each other's tunnels. Call it
 * before the first digest.
 */
export function useDigestKey(shared: Buffer): void {
  key = shared;
}

/** Returns the digest of several texts; their borders count. */
export function digestOf(...texts: readonly string[]): string {
  const hmac = createHmac('sha256', key);
  for (const text of texts) hmac.update(`${Buffer.byteLength(text)}:${text}`);
  return hmac.digest('base64');
}

export function clearLogin(user: string, password: string): Login {
  return { kind: 'digest', login: digestOf(user, password) };
}

export function hashedLogin(user: string, hash: string): Login {
  return { kind: 'bcrypt', user: digestOf(user), hash };
}

/** Answers at once where no hash has to be compared. */
export function isLogin(
  logins: readonly Login[],
  user: string,
  password: string,
  compare: CompareBcrypt,
): boolean | Promise<boolean | null> {
  const [whole, name] = [digestOf(user, password), digestOf(user)];
  let isKnown = false;
  let hash: string | null = null;
  let spare: string | null = null;
  for (const login of logins) {
    // All entries are compared, also after a match.
    if (login.kind === 'digest') isKnown = isSame(login.login, whole) || isKnown;
    else if (isSame(login.user, name)) hash ??= login.hash;
    else spare ??= login.hash;
  }
  if (isKnown) return true;
  if (hash !== null) return compare(password, hash);
  // An unknown name takes as long as a known one.
  if (spare !== null) return compare(password, spare).then((outcome) => (outcome === null ? null : false));
  return false;
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
