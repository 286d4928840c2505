/**
 * Finds the caller of a request, by an API key or by the cookie of a console session, and counts the request.
 * Invariant: a cookie counts only in requests of this origin, and the changes among them need the token of the session.
 */

import type { SignIn } from '../access/console-links.ts';
import type { Begun, Browser, SessionEnder } from '../access/console-sessions.ts';
import type { IpRestrictions, Verdict } from '../access/ip-restrictions.ts';
import { type ApiKeyGrant, hashToken, type TokenFault } from '../access/tokens.ts';
import type { RateLimiter } from '../core/limits/rate-limiter.ts';
import type { Settings } from '../core/settings.ts';
import { Problem } from '../errors/problem.ts';
import type { Headers, Request } from '../http-server/request.ts';
import type { JsonObject } from '../store/store.ts';
import { Authentication, type Identity } from './authentication.ts';
import { CSRF_HEADER, consoleCookie, hasCsrf } from './console-cookie.ts';
import type { ConsoleOidc } from './console-oidc-door.ts';
import type { ConsolePlace } from './console-place.ts';
import { localLimiter } from './rate-limit.ts';
import type { RequestRecord } from './request-record.ts';

/** Sessions of the console. Each `tokenHash` is as `hashToken` makes it, and null as the address is no use. */
export interface ConsoleAccess {
  findSignIn(token: string, tokenHash: string): Promise<SignIn | TokenFault>;
  begin(signIn: SignIn, browser: Browser): Promise<Begun>;
  authenticate(token: string, tokenHash: string, address: string | null): Promise<Identity>;
  end(session: string, by: SessionEnder): Promise<void>;
  /** Shows the account and the user of a session. Raises Problem if the user is gone. */
  describe(grant: Pick<ApiKeyGrant, 'account' | 'owner'>): Promise<JsonObject>;
  /** Sign-in at a provider; absent if there is none. */
  readonly oidc?: ConsoleOidc;
  /** Counts the requests of a user by console sessions, on this daemon. */
  readonly limiter: RateLimiter;
  /** Requests of a user in any 60 s; 0 for no limit. */
  readonly limit: number;
}

export interface CallersDeps {
  /** `tokenHash`: as `hashToken` makes it. */
  readonly authenticate: (token: string, tokenHash: string) => Promise<Identity>;
  readonly restrictions: Pick<IpRestrictions, 'judge' | 'judgeConsole'>;
  /** Absent: there is no console, and its cookie does not count. */
  readonly console?: ConsoleAccess;
  readonly place: ConsolePlace;
  readonly settings: Pick<Settings, 'apiRateLimit'>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly limiter?: RateLimiter;
}

export class Callers {
  readonly authentication: Authentication;
  readonly #deps: CallersDeps;
  readonly #limiter: RateLimiter;

  constructor(deps: CallersDeps) {
    this.#deps = deps;
    const { apiRateLimit: limit } = deps.settings;
    this.#limiter = deps.limiter ?? localLimiter(limit, deps.now);
    const { authenticate, now } = deps;
    this.authentication = new Authentication({ authenticate, limiter: this.#limiter, limit, now });
  }

  /** Finds the caller. An Authorization header counts, and not the cookie beside it. Raises Problem. */
  identify(request: Request, record: RequestRecord): Promise<Identity> {
    const { headers, peer } = request;
    const authorization = headers.get('authorization');
    const cookie = authorization === undefined ? this.cookieOf(request) : null;
    if (cookie === null) return this.authentication.identify(authorization, peer);
    return this.identifySession(cookie, request, record);
  }

  /** Returns the cookie of the console; null if there is none, or the console is not at the name of the connection. */
  cookieOf({ headers, peer }: Pick<Request, 'headers' | 'peer'>): string | null {
    const { console, place } = this.#deps;
    return console === undefined || !place.isAt(peer) ? null : consoleCookie(headers);
  }

  /** Finds the caller of a session. Raises Problem if the request could be forged. */
  identifySession(
    cookie: string,
    { headers, method, peer }: Pick<Request, 'headers' | 'method' | 'peer'>,
    record: RequestRecord,
  ): Promise<Identity> {
    record.isOfConsole = true;
    if (!this.#deps.place.isOwnPage(headers)) throw new Problem('consoleCrossSite');
    const isReading = method === 'GET' || method === 'HEAD';
    if (!isReading && !hasCsrf(headers, cookie))
      throw new Problem('consoleCsrfInvalid', { header: CSRF_HEADER }, { field: CSRF_HEADER });
    return this.findSession(cookie, { headers, peer });
  }

  /** Finds the caller of a session, without the checks of the request. */
  async findSession(cookie: string, { peer }: Pick<Request, 'headers' | 'peer'>): Promise<Identity> {
    const { console } = this.#deps;
    if (console === undefined) return { fault: 'consoleSessionOver' };
    return await this.authentication.find(cookie, peer, (token, hash) =>
      console.authenticate(token, hash, peer.source),
    );
  }

  /** Resolves with true if the caller of an earlier request could send it again. Counts neither an attempt nor a use. */
  async isStillGood(
    headers: Headers,
    { account, session }: Pick<ApiKeyGrant, 'account' | 'session'>,
  ): Promise<boolean> {
    const { console } = this.#deps;
    if (console === undefined || session === undefined)
      return await this.authentication.isStillGood(headers.get('authorization'), account);
    const cookie = consoleCookie(headers) ?? '';
    const identity = await console.authenticate(cookie, hashToken(cookie), null);
    return !('fault' in identity) && identity.session?.id === session.id;
  }

  /** Counts a request. Raises Problem if the caller has to wait. */
  async count(identity: Exclude<Identity, { fault: unknown }>): Promise<void> {
    const { console, settings } = this.#deps;
    if (console !== undefined && identity.session !== undefined) {
      const { limit } = console;
      const seconds = await console.limiter.admit(identity.owner);
      if (seconds !== null) throw new Problem('consoleRateLimited', { limit, seconds }, { limit }, seconds);
      return;
    }
    const { apiRateLimit: limit } = settings;
    const admitted = this.#limiter.admit(identity.account);
    // A limiter that counts in this process answers at once.
    const seconds = admitted instanceof Promise ? await admitted : admitted;
    if (seconds !== null) throw new Problem('rateLimited', { limit, seconds }, { limit }, seconds);
  }

  /** Judges the address of a caller. */
  judge({ account, session }: Pick<ApiKeyGrant, 'account' | 'session'>, source: string): Verdict {
    const { restrictions } = this.#deps;
    return session === undefined
      ? restrictions.judge(account, 'api', source)
      : restrictions.judgeConsole(account, source);
  }
}
