/**
 * Builds the route parts of a login module: only logged-in users are served, and the backend receives their identity.
 */
import type { Login } from '../../login/login.ts';
import { placeOf } from '../../login/place.ts';
import type { HeadEdit } from '../sites/site.ts';
import { cookieNamesOf, type LoginConfig } from './login/config.ts';
import { withoutCookies } from './login/cookies.ts';
import { LoginGate } from './login/gate.ts';
import type { LoginMethod } from './login/method.ts';
import type { RouteParts } from './module.ts';

export interface LoginPartsOptions {
  readonly login: Login;
  readonly method: LoginMethod;
  readonly config: LoginConfig;
  readonly account: string;
  /** The place of the module, see Compilation. */
  readonly place: string;
  /**
   * The settings that end sessions when they change: the provider and the client. Timeouts and lists are checked for
   * each request instead. The first one is the issuer, or the name of the provider.
   */
  readonly issuedBy: readonly string[];
}

export function loginParts({
  login,
  account,
  method,
  config,
  place,
  issuedBy,
}: LoginPartsOptions): RouteParts {
  const names = cookieNamesOf(config, login);
  const gate = new LoginGate({
    ...{ login, account, method, config, names },
    provider: issuedBy[0] ?? '',
    place: placeOf(login.key, { module: method.module, at: place, generation: config.generation, issuedBy }),
    at: place,
  });
  return {
    guards: [
      {
        name: method.module,
        reads: 'request',
        check: (request) => gate.check(request),
        isOver: (request) => gate.isOver(request),
        visitorOf: (request) => gate.visitorOf(request),
        preview: (request) => gate.preview(request),
      },
    ],
    // Removes the identity's header fields from every request of a visitor.
    requestEdits: [withoutCookies(names), adding((request) => gate.identityOf(request))],
    responseEdits: [adding((request) => gate.freshCookieOf(request))],
  };
}

function adding(add: HeadEdit['add']): HeadEdit {
  return { remove: new Set(), readsRequest: true, add };
}
