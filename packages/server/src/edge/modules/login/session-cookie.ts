/**
 * The cookie with a session of one module in one place.
 * Invariant: it is within the limits of browsers.
 */
import type { Login } from '../../../login/login.ts';
import { LoginFault } from '../../../login/login-fault.ts';
import { endOf, type Session, type SessionLimits } from '../../../login/session.ts';
import type { RequestFacts } from '../../sites/site.ts';
import { cookieValues, mostCookieBytes, setCookie } from './cookies.ts';

/** Attributes of a cookie beside name and value. */
const attributeBytes = 100;

export interface SessionCookieOptions {
  readonly login: Pick<Login, 'sessions' | 'now'>;
  readonly limits: SessionLimits;
  readonly name: string;
  /** Place that sessions are sealed for. */
  readonly place: string;
}

export class SessionCookie {
  readonly #options: SessionCookieOptions;

  constructor(options: SessionCookieOptions) {
    this.#options = options;
  }

  /** Returns the sessions of a request, also ended ones: see `cookieValues`. */
  sessionsOf(request: RequestFacts): readonly Session[] {
    const { login, name, place } = this.#options;
    return cookieValues(request, name).flatMap((cookie) => login.sessions.open(cookie, place) ?? []);
  }

  /** The field that has the browser keep a session; one that fits. */
  set(session: Session): readonly [string, string] {
    const { login, limits, name, place } = this.#options;
    const seconds = (endOf(session, limits) - login.now()) / 1000;
    return setCookie(name, login.sessions.seal(session, place), seconds);
  }

  /** The field that has the browser forget it. */
  get forget(): readonly [string, string] {
    return setCookie(this.#options.name, '', 0);
  }

  /** Shortens the session to the size of a cookie. Throws LoginFault if the user's fields are too long. */
  fitting(session: Session): Session {
    const { login, name, place } = this.#options;
    const room = mostCookieBytes - attributeBytes - name.length;
    let fitting = session;
    while (login.sessions.seal(fitting, place).length > room) fitting = shortened(fitting);
    return fitting;
  }
}

/** Removes optional parts: first the token, then half of the groups. */
function shortened(session: Session): Session {
  if (session.token !== '') return { ...session, token: '' };
  const { user } = session;
  if (user.groups.length === 0)
    throw new LoginFault(
      'loginRefused',
      'size',
      'the fields of the user from the provider do not fit into a cookie',
    );
  const groups = user.groups.slice(0, Math.floor(user.groups.length / 2));
  return { ...session, user: { ...user, groups } };
}
