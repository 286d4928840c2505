/** The common settings of login modules. */
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

/** The login modules. A route has at most one, and an edge has one on one route only. */
const loginModules = ['saml', 'oidc', 'oauth'] as const;

/** Returns the settings of the enabled login module; null for none. */
export function loginConfigOf(
  body: Pick<HttpsEdgeRouteDocument, (typeof loginModules)[number]>,
): LoginConfig | null {
  return loginModules.map((name) => body[name]).find((config) => config?.enabled === true) ?? null;
}

/** `login` is null if logins are impossible. */
export function cookieNamesOf(
  { cookie_prefix }: LoginConfig,
  login: Pick<Login, 'cookiePrefix'> | null,
): CookieNames {
  return cookieNames(cookie_prefix || (login?.cookiePrefix ?? ''));
}
