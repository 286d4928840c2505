/** What the modules that have visitors log in are told alike, whoever vouches for the visitors. */
import type { HttpsEdgeRouteDocument } from '../../../documents/index.ts';
import type { Login } from '../../../login/login.ts';
import type { SessionLimits } from '../../../login/session.ts';
import { type CookieNames, cookieNames } from './cookies.ts';

export interface LoginConfig extends SessionLimits {
  readonly options_passthrough: boolean;
  /** '' for the default. */
  readonly cookie_prefix: string;
  /** Sessions are of the one in which they began. */
  readonly generation: string;
}

/** Of which a route has one at most, and an edge one route with it. */
const loginModules = ['saml', 'oidc', 'oauth'] as const;

/** Of the one that is turned on; null: none is. */
export function loginConfigOf(
  body: Pick<HttpsEdgeRouteDocument, (typeof loginModules)[number]>,
): LoginConfig | null {
  return loginModules.map((name) => body[name]).find((config) => config?.enabled === true) ?? null;
}

/** `login`: null where nobody can log in. */
export function cookieNamesOf(
  { cookie_prefix }: LoginConfig,
  login: Pick<Login, 'cookiePrefix'> | null,
): CookieNames {
  return cookieNames(cookie_prefix || (login?.cookiePrefix ?? ''));
}
