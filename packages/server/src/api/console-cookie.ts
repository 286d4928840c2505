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

/** The cookie by which a browser is known again while it signs in at a provider. */
export const LOGIN_COOKIE = '__Host-underpass.console-login';

/** Returns the content of the cookie; null without it, and '' if there are several. */
export function consoleCookie(headers: Headers): string | null {
  return cookieNamed(headers, NAME);
}

/** Returns the content of a cookie; null without it, and '' if there are several. */
export function cookieNamed(headers: Headers, name: string): string | null {
  const header = headers.get('cookie');
  if (header?.includes(name) !== true) return null;
  // Several Cookie headers are one value, with commas.
  const values = header
    .split(/[;,]/)
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  if (values.length === 0) return null;
  return values.length === 1 ? values[0]! : '';
}

/**
 * Returns the Set-Cookie header of `LOGIN_COOKIE`. The provider is another site, so the cookie comes back with
 * navigations from there.
 */
export function loginCookie(browser: string, seconds: number): readonly [string, string] {
  const value = `${LOGIN_COOKIE}=${browser}; Max-Age=${seconds}; Path=/; Secure; HttpOnly; SameSite=Lax`;
  return ['set-cookie', value];
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
