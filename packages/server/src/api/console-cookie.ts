/**
 * The cookie of a console session, and the token against forged requests that belongs to it.
 * Invariant: a page cannot read the cookie, and no other name can set it (RFC 6265bis, section 4.1.3.2).
 */
import { hashToken, isHashOf } from '../access/tokens.ts';
import type { Headers } from '../http-server/request.ts';

const NAME = '__Host-underpass.console';
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict';

/** The header with the token of the session, for requests that change something. */
export const CSRF_HEADER = 'x-csrf-token';

/** Returns the content of the cookie; null without it, and '' if there are several. */
export function consoleCookie(headers: Headers): string | null {
  const header = headers.get('cookie');
  if (header?.includes(NAME) !== true) return null;
  // Several Cookie headers are one value, with commas.
  const values = header
    .split(/[;,]/)
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${NAME}=`))
    .map((pair) => pair.slice(NAME.length + 1));
  if (values.length === 0) return null;
  return values.length === 1 ? values[0]! : '';
}

/** Returns a Set-Cookie header. `seconds`: time until its end. */
export function setCookie(token: string, seconds: number): readonly [string, string] {
  return ['set-cookie', `${NAME}=${token}; Max-Age=${seconds}; ${ATTRIBUTES}`];
}

/** Returns the Set-Cookie header that removes the cookie. */
export function clearCookie(): readonly [string, string] {
  return setCookie('', 0);
}

/** Returns the token of a session, which its pages send with each change. The cookie cannot be computed from it. */
export function csrfOf(cookie: string): string {
  return hashToken(`csrf ${cookie}`);
}

/** Returns true if a request has the token of its session. */
export function hasCsrf(headers: Headers, cookie: string): boolean {
  return isHashOf(headers.get(CSRF_HEADER) ?? '', csrfOf(cookie));
}
