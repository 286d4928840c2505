/**
 * Lets only logged-in users through, and redirects browsers without a session to a login.
 * Invariant: a request goes on only with a session that is opened, neither too old nor ended, and of a user who may come in now.
 */
import { randomBytes } from 'node:crypto';
import { ipOf } from '../../../core/ip/client-address.ts';
import { LruMap } from '../../../core/limits/lru.ts';
import { type Flow, flowSeconds, isOfBrowser, newBrowser } from '../../../login/flows.ts';
import type { ListedLogin } from '../../../login/listed-login.ts';
import type { Login } from '../../../login/login.ts';
import { LoginFault } from '../../../login/login-fault.ts';
import { LoginTurns, loginBusy } from '../../../login/login-turns.ts';
import { callbackPath, loginPath, loginPaths, logoutPath } from '../../../login/paths.ts';
import { type LoginUser, latestEnd, overBecause, type Session } from '../../../login/session.ts';
import { requestIdOf } from '../../sites/request-id.ts';
import type {
  Fields,
  LoginRedirect,
  Preview,
  Refusal,
  Reply,
  RequestFacts,
  RequestVerdict,
  Visitor,
} from '../../sites/site.ts';
import { type Asked, askedOf, isNavigation } from './asked.ts';
import type { LoginConfig } from './config.ts';
import { type CookieNames, cookieValues, setCookie } from './cookies.ts';
import type { Identity, LoginMethod } from './method.ts';
import { loggedOut, redirect } from './replies.ts';
import { SessionCookie } from './session-cookie.ts';

export interface LoginGateOptions {
  readonly login: Login;
  readonly method: LoginMethod;
  readonly config: LoginConfig;
  readonly names: CookieNames;
  /** Place for which sessions and flows are sealed. */
  readonly place: string;
  /** The place of the module, for the log. */
  readonly at: string;
  readonly account: string;
  /** The issuer, or the name of the provider, for the list of logins. */
  readonly provider: string;
}

/** Number of sessions whose last request is remembered here; the cookie has it for others. */
const mostSeen = 10_000;

/** The next step for a request. */
type Next =
  | { readonly kind: 'passes' | 'finish' | 'logOut' | 'begin' | 'login' }
  | { readonly kind: 'refuse'; readonly fault: LoginFault }
  | { readonly kind: 'admit' | 'recheck'; readonly session: Session };

const notLoggedIn: Refusal = { kind: 'refusal', error: 'loginNeeded', values: {} };
const toLogin: LoginRedirect = { kind: 'redirect', status: 302 };
const loggedOutPage: LoginRedirect = { kind: 'redirect', status: 200 };
/** The provider decides the response. */
const undecided: LoginRedirect = { kind: 'redirect', status: 0 };

/** A request that goes on. */
interface Admitted {
  readonly session: Session;
  /** True if the cookie must be replaced. */
  readonly isChanged: boolean;
}

export class LoginGate {
  readonly #options: LoginGateOptions;
  readonly #cookie: SessionCookie;
  readonly #admitted = new WeakMap<RequestFacts, Admitted>();
  /** Users of requests, admitted or not. */
  readonly #users = new WeakMap<RequestFacts, LoginUser>();
  /** Times of the last use of sessions, by id. A slow response must not replace a later time. */
  readonly #seen = new LruMap<string, number>(mostSeen);
  readonly #turns: LoginTurns;
  /** Questions about users that are under way, by their sessions. */
  readonly #asking = new Map<string, Promise<Identity | null>>();

  constructor(options: LoginGateOptions) {
    this.#options = options;
    const { login, config, names, place } = options;
    this.#turns = new LoginTurns(login.now);
    this.#cookie = new SessionCookie({ login, limits: config, name: names.session, place });
  }

  check(request: RequestFacts): RequestVerdict | Promise<RequestVerdict> {
    const asked = askedOf(request);
    const next = this.#nextFor(request, asked);
    switch (next.kind) {
      case 'passes':
        return null;
      case 'refuse':
        return this.#refuse(request, next.fault);
      case 'finish':
        return this.#guarded(request, () => this.#finish(request, asked));
      case 'logOut':
        return this.#guarded(request, () => this.#logOut(request, asked));
      case 'begin':
        return this.#guarded(request, () => this.#begin(request, { ...asked, target: '/' }, true));
      case 'login':
        return this.#askToLogIn(request, asked);
      case 'admit':
        return this.#admit(request, next.session, false);
      case 'recheck':
        return this.#recheck(request, asked, next.session);
      default:
        return next satisfies never;
    }
  }

  /** Describes the decision of `check`, but begins and finishes no login, and sends nothing to the provider. */
  preview(request: RequestFacts): Preview {
    const { method } = this.#options;
    const next = this.#nextFor(request, askedOf(request));
    switch (next.kind) {
      case 'passes':
        return { verdict: null, why: 'OPTIONS needs no login here.' };
      case 'refuse':
        return { verdict: refusalFor(next.fault), why: `${capital(next.fault.message)}.` };
      case 'finish':
        return { verdict: undecided, why: 'The path finishes a login, which only the provider can decide.' };
      case 'logOut':
        return this.#sessionOf(request) === null
          ? { verdict: loggedOutPage, why: 'The path logs the visitor out, who has no session.' }
          : { verdict: undecided, why: 'The path logs the visitor out here and at the provider.' };
      case 'begin':
        return this.#previewOfBegin(request, 'The path begins a login at the provider.');
      case 'login':
        return isNavigation(request)
          ? this.#previewOfBegin(request, 'The request has no valid session, so it is redirected to a login.')
          : { verdict: notLoggedIn, why: 'The request has no valid session, and cannot follow a login.' };
      case 'admit':
      case 'recheck': {
        const { user } = next.session;
        const reason = method.refusalOf(user);
        if (reason !== null)
          return { verdict: refusalFor(new LoginFault(method.denial, 'user', reason)), why: `${reason}.` };
        const isRechecked = next.kind === 'recheck';
        const rest = isRechecked ? ' A real request would check the user at the provider again.' : '';
        return { verdict: null, why: `The session of ${user.id} is valid.${rest}` };
      }
      default:
        return next satisfies never;
    }
  }

  #previewOfBegin(request: RequestFacts, why: string): Preview {
    if (this.#turns.mayBegin(clientOf(request))) return { verdict: toLogin, why };
    return { verdict: refusalFor(loginBusy), why: `${capital(loginBusy.message)}.` };
  }

  /** Decides by the request alone, without an effect. */
  #nextFor(request: RequestFacts, { path }: Asked): Next {
    const isPassed = this.#options.config.options_passthrough && request.method === 'OPTIONS';
    if (isPassed && !loginPaths.has(path)) return { kind: 'passes' };
    if (request.connection.tls === null) return { kind: 'refuse', fault: needsTls };
    if (path === callbackPath) return { kind: 'finish' };
    if (path === logoutPath) return { kind: 'logOut' };
    if (path === loginPath) return { kind: 'begin' };
    const session = this.#sessionOf(request);
    if (session === null) return { kind: 'login' };
    return { kind: this.#isDue(session) ? 'recheck' : 'admit', session };
  }

  #isDue({ checkedAt }: Session): boolean {
    const { recheck } = this.#options.method;
    if (recheck === undefined || recheck.seconds <= 0) return false;
    return this.#options.login.now() >= checkedAt + recheck.seconds * 1000;
  }

  /** Returns the user's headers for the backend, without fields that the provider does not send. */
  identityOf(request: RequestFacts): Fields {
    const user = this.#admitted.get(request)?.session.user;
    if (user === undefined) return [];
    const names = this.#options.login.userHeaders;
    const fields: Fields = [
      [names.id, user.id],
      [names.email, user.email],
      [names.name, user.name],
      [names.groups, user.groups.map(listed).join(',')],
    ];
    return fields.filter(([, value]) => value !== '');
  }

  /** Returns the visitor of the decision. */
  visitorOf(request: RequestFacts): Visitor {
    const { id = '', name = '' } = this.#users.get(request) ?? {};
    return { id, name, clientId: this.#options.method.clientId ?? '' };
  }

  /** The session's cookie, where the answer has to change it. */
  freshCookieOf(request: RequestFacts): Fields {
    const admitted = this.#admitted.get(request);
    if (admitted?.isChanged !== true) return [];
    const { session } = admitted;
    const seenAt = this.#seen.get(session.id) ?? session.seenAt;
    return [this.#cookie.set({ ...session, seenAt })];
  }

  /**
   * Returns true if the session of a running request has ended by its age or by a logout. The idle timeout does not
   * apply, because the session is in use.
   */
  isOver(request: RequestFacts): boolean {
    const session = this.#admitted.get(request)?.session;
    if (session === undefined) return false;
    const { login, config } = this.#options;
    const inUse = { ...config, inactivity_timeout: 0 };
    return overBecause(session, inUse, login.now()) !== null || this.#isEnded(session);
  }

  #isEnded({ id, handles, begunAt }: Session): boolean {
    const { records } = this.#options.login;
    // The id is unique, so its end is later than its beginning, whatever the clocks of two daemons show.
    return records.isEnded(id, 0) || handles.some((handle) => records.isEnded(handle, begunAt));
  }

  #recheck(request: RequestFacts, asked: Asked, session: Session): Promise<RequestVerdict> {
    const { now } = this.#options.login;
    return this.#guarded(request, async () => {
      const identity = await this.#askAgain(session);
      if (identity === null || identity.user.id !== session.user.id)
        return await this.#askToLogIn(request, asked);
      const { user, token } = identity;
      return this.#admit(request, this.#cookie.fitting({ ...session, user, token, checkedAt: now() }), true);
    });
  }

  #askToLogIn(request: RequestFacts, asked: Asked): Refusal | Promise<RequestVerdict> {
    if (!isNavigation(request)) return notLoggedIn;
    return this.#guarded(request, () => this.#begin(request, asked, false));
  }

  #askAgain(session: Session): Promise<Identity | null> {
    const underWay = this.#asking.get(session.id);
    if (underWay !== undefined) return underWay;
    const asked = this.#options.method.recheck!.ask(session).finally(() => this.#asking.delete(session.id));
    this.#asking.set(session.id, asked);
    return asked;
  }

  #admit(request: RequestFacts, session: Session, isNew: boolean): RequestVerdict {
    const { login, method, config } = this.#options;
    this.#users.set(request, session.user);
    const reason = method.refusalOf(session.user);
    if (reason !== null) return this.#refuse(request, new LoginFault(method.denial, 'user', reason));
    const now = login.now();
    this.#seen.set(session.id, now);
    const counts = config.inactivity_timeout > 0 && second(now) > second(session.seenAt);
    this.#admitted.set(request, { session, isChanged: isNew || counts });
    return null;
  }

  /** Null: there is none that is good now. */
  #sessionOf(request: RequestFacts): Session | null {
    const { login, method, config } = this.#options;
    for (const session of this.#cookie.sessionsOf(request)) {
      const seenAt = Math.max(session.seenAt, this.#seen.get(session.id) ?? 0);
      if (overBecause({ ...session, seenAt }, config, login.now()) !== null) continue;
      if (method.vouchesStill?.(session) === false) continue;
      if (!this.#isEnded(session)) return session;
    }
    return null;
  }

  async #begin(request: RequestFacts, { host, target }: Asked, isForced: boolean): Promise<Reply> {
    const { login, method, names, place } = this.#options;
    this.#turns.begin(clientOf(request));
    const known = cookieValues(request, names.nonce).find((value) => /^[\w-]{22}$/.test(value));
    const browser = known ?? newBrowser();
    const begun = login.flows.begin({ place, host, target, browser });
    const location = await method.begin(begun, isForced);
    return redirect(location, [setCookie(names.nonce, browser, flowSeconds)]);
  }

  async #finish(request: RequestFacts, { host, query }: Asked): Promise<RequestVerdict> {
    const sent = new URLSearchParams(query);
    const flow = this.#flowOf(request, sent, host);
    return await this.#turns.finish(clientOf(request), () => this.#finishOnce(request, sent, flow));
  }

  async #finishOnce(request: RequestFacts, sent: URLSearchParams, flow: Flow): Promise<RequestVerdict> {
    const { login, method } = this.#options;
    const identity = await method.finish(sent, flow);
    this.#users.set(request, identity.user);
    const reason = method.refusalOf(identity.user);
    if (reason !== null) throw new LoginFault(method.denial, 'user', reason);
    const session = this.#newSession(identity);
    const until = flow.begunAt + flowSeconds * 1000;
    if (!(await login.records.use(`flow ${flow.id}`, until, this.#listed(request, flow, session))))
      throw new LoginFault('loginUsed', 'replay', 'the login was finished before');
    login.log.info({ request: requestIdOf(request), at: this.#options.at }, 'a user has logged in');
    return redirect(`https://${flow.host}${flow.target}`, [this.#cookie.set(session)]);
  }

  #listed(request: RequestFacts, { host: hostname }: Flow, session: Session): ListedLogin {
    const { method, at, account, provider } = this.#options;
    const address = clientOf(request);
    return { account, session, of: { module: method.module, provider, at, hostname, address } };
  }

  /** Returns the flow that the visitor has begun here, in this browser, and lately. Throws LoginFault. */
  #flowOf(request: RequestFacts, query: URLSearchParams, host: string): Flow {
    const { login, method, names, place } = this.#options;
    const flow = login.flows.open(query.get('state') ?? '');
    if (flow === null) throw unfinished('state', 'the state was not made here');
    if (flow.place !== place)
      throw unfinished('state', 'the state is that of another module, or of before a change');
    // A module may serve several names. A visitor's login for one name must not reach the present owner of another.
    if (flow.host !== host) throw unfinished('host', `the login was begun at ${flow.host}`);
    if (login.flows.isTooOld(flow)) throw unfinished('time', 'the login took too long');
    const isOurs =
      flow.browser === ''
        ? method.takesUnsolicited
        : cookieValues(request, names.nonce).some((cookie) => isOfBrowser(flow, cookie));
    if (!isOurs)
      throw unfinished('browser', 'the login was begun in another browser, or its cookie is missing');
    return flow;
  }

  #newSession({ user, handles, token, until = null }: Identity): Session {
    const { login, config } = this.#options;
    const now = login.now();
    const id = randomBytes(16).toString('base64url');
    const endsAt = Math.min(latestEnd(now, config), until ?? Number.POSITIVE_INFINITY);
    const times = { begunAt: now, endsAt, seenAt: now, checkedAt: now };
    return this.#cookie.fitting({ id, user, handles, ...times, token });
  }

  async #logOut(request: RequestFacts, { host }: Asked): Promise<Reply> {
    const { login } = this.#options;
    const gone = [this.#cookie.forget];
    const session = this.#sessionOf(request);
    if (session === null) return loggedOut(gone);
    this.#turns.attempt(clientOf(request));
    await login.records.end(session.id, session.endsAt);
    const url = await this.#logoutUrl(request, session, host);
    return url === null ? loggedOut(gone) : redirect(url, gone);
  }

  /** Returns null also if the provider is unreachable. The session ends here anyway. */
  async #logoutUrl(request: RequestFacts, session: Session, host: string): Promise<string | null> {
    const { login, method, at } = this.#options;
    try {
      return await method.logoutUrl(session, host);
    } catch (error) {
      const { module } = method;
      login.log.warn(
        { err: error, request: requestIdOf(request), at, module },
        'a provider was not notified of a logout',
      );
      return null;
    }
  }

  /** Reports every failure of a login to the visitor and to the operator. */
  async #guarded(request: RequestFacts, act: () => Promise<RequestVerdict>): Promise<RequestVerdict> {
    try {
      return await act();
    } catch (error) {
      if (error instanceof LoginFault) return this.#refuse(request, error);
      const { login, method, at } = this.#options;
      const id = requestIdOf(request);
      login.log.error({ err: error, request: id, at, module: method.module }, 'a login failed');
      return { kind: 'refusal', error: 'loginFailed', values: { request: id } };
    }
  }

  #refuse(request: RequestFacts, { code, check, message }: LoginFault): Refusal {
    const { login, method, at } = this.#options;
    const id = requestIdOf(request);
    const client = clientOf(request);
    const { module } = method;
    login.log.warn({ request: id, at, module, check, reason: message, client }, 'a login was refused');
    return { kind: 'refusal', error: code, values: { request: id }, reason: message };
  }
}

const needsTls = new LoginFault('loginNeedsTls', 'tls', 'the connection is not encrypted');

/** The refusal of a request without an id. */
function refusalFor({ code }: LoginFault): Refusal {
  return { kind: 'refusal', error: code, values: { request: '' } };
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function clientOf({ connection }: RequestFacts): string {
  return ipOf(connection.clientAddr);
}

/** Encodes a group for a list with commas, so that no name looks like two. */
function listed(group: string): string {
  return group.replace(/[%,]/g, encodeURIComponent);
}

function unfinished(check: string, reason: string): LoginFault {
  return new LoginFault('loginUnfinished', check, reason);
}

function second(time: number): number {
  return Math.floor(time / 1000);
}
