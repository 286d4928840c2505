/**
 * Cookies of logins (RFC 6265).
 * Invariant: they never go to a backend, to a script, or over a connection without TLS.
 */
import type { HeadEdit, RequestFacts } from '../../sites/site.ts';

export interface CookieNames {
  /** The session cookie. */
  readonly session: string;
  /** The cookie of a browser during a login. */
  readonly nonce: string;
}

/** Browsers keep no more of name, value and attributes together. */
export const mostCookieBytes = 4096;

export function cookieNames(prefix: string): CookieNames {
  return { session: `${prefix}session`, nonce: `${prefix}nonce` };
}

/** All values by a name: where its prefix is not the default, a name below the same domain can have added others. */
export function cookieValues(request: RequestFacts, name: string): readonly string[] {
  return pairsOf(request).flatMap((pair) => (nameOf(pair) === name ? pair.slice(name.length + 1) : []));
}

/**
 * `Lax`: visitors come back from the identity provider, another site, by a GET; what another site's pages send by themselves has no session.
 * `seconds`: how long the browser keeps it, 0 to forget it.
 */
export function setCookie(name: string, value: string, seconds: number): readonly [string, string] {
  const attributes = `Path=/; Max-Age=${Math.max(0, Math.ceil(seconds))}; Secure; HttpOnly; SameSite=Lax`;
  return ['set-cookie', `${name}=${value}; ${attributes}`];
}

/** Takes cookies by these names off requests. */
export function withoutCookies({ session, nonce }: CookieNames): HeadEdit {
  const ours: ReadonlySet<string> = new Set([session, nonce]);
  return {
    remove: new Set(['cookie']),
    readsRequest: true,
    add(request) {
      const others = pairsOf(request).filter((pair) => pair !== '' && !ours.has(nameOf(pair)));
      // Heads are read one character a byte, and written from text.
      return others.length === 0 ? [] : [['cookie', Buffer.from(others.join('; '), 'latin1').toString()]];
    },
  };
}

function pairsOf(request: RequestFacts): readonly string[] {
  return request.values('cookie').flatMap((value) => value.split(';').map((pair) => pair.trim()));
}

function nameOf(pair: string): string {
  const at = pair.indexOf('=');
  return at === -1 ? pair : pair.slice(0, at).trimEnd();
}
