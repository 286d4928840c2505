/**
 * `/ui/oidc` and `/ui/oidc/callback`: sign-in to the console at an OpenID Connect provider.
 * Invariant: they redirect only to the provider of the operator and to the console.
 */
import { randomBytes } from 'node:crypto';
import type { SignIn } from '../access/console-links.ts';
import type { ConsoleSessions } from '../access/console-sessions.ts';
import type { IpRestrictions } from '../access/ip-restrictions.ts';
import { Problem } from '../errors/problem.ts';
import type { Headers, Request } from '../http-server/request.ts';
import { type Answer, methodNotAllowed, problemAnswer, problemOf } from './answer.ts';
import { checkWellFormed } from './checks.ts';
import { cookieNamed, LOGIN_COOKIE, loginCookie, setCookie } from './console-cookie.ts';
import { faultPage } from './console-fault-page.ts';
import { refuseBody } from './operations.ts';
import type { RequestRecord } from './request-record.ts';

const START = '/ui/oidc';
const CALLBACK = '/ui/oidc/callback';
const HOME = '/ui/';

/** Sign-in at a provider. Each method raises Problem. */
export interface ConsoleOidc {
  /** Host of the issuer. */
  readonly host: string;
  /** URL of the console, without a slash at its end. */
  readonly url: string;
  /** Seconds in which a sign-in has to be finished. */
  readonly seconds: number;
  begin(visit: OidcVisit): Promise<string>;
  finish(query: string, visit: OidcVisit): Promise<SignIn>;
}

interface OidcVisit {
  readonly browser: string;
  readonly address: string;
  readonly operationId: string;
  readonly admit: (account: string) => void;
}

export interface ConsoleOidcDoorDeps {
  readonly console: Pick<ConsoleSessions, 'begin'>;
  readonly oidc: ConsoleOidc;
  readonly restrictions: Pick<IpRestrictions, 'judgeConsole'>;
}

export class ConsoleOidcDoor {
  readonly #deps: ConsoleOidcDoorDeps;

  constructor(deps: ConsoleOidcDoorDeps) {
    this.#deps = deps;
  }

  serves(path: string): boolean {
    return path === START || path === CALLBACK;
  }

  /** Answers a browser with a page or a redirect, whatever happens. Never rejects. */
  async answer(request: Request, record: RequestRecord): Promise<Answer> {
    record.route = record.pathname;
    record.operation = 'console_oidc';
    record.isOfConsole = true;
    try {
      checkWellFormed(request);
      if (request.method !== 'GET') throw methodNotAllowed(request.method, record.pathname, ['GET']);
      refuseBody(request);
      return record.pathname === START
        ? await this.#begin(request, record)
        : await this.#finish(request, record);
    } catch (error) {
      return this.#refuse(problemOf(error), record);
    }
  }

  async #begin({ headers }: Request, record: RequestRecord): Promise<Answer> {
    const { oidc } = this.#deps;
    // The cookie of a sign-in is at one name, so it must be the name of the callback.
    if (!isAt(oidc.url, headers)) return redirect(`${oidc.url}${HOME}`, []);
    // Another site must not begin a sign-in: the user would not notice it.
    if (!isOwnStart(headers)) return redirect(HOME, []);
    const known = cookieNamed(headers, LOGIN_COOKIE) ?? '';
    const browser = /^[\w-]{22}$/.test(known) ? known : randomBytes(16).toString('base64url');
    const location = await oidc.begin(this.#visit(browser, record));
    return redirect(location, [loginCookie(browser, oidc.seconds)]);
  }

  async #finish({ headers, peer }: Request, record: RequestRecord): Promise<Answer> {
    const { console, oidc } = this.#deps;
    const browser = cookieNamed(headers, LOGIN_COOKIE) ?? '';
    const signIn = await oidc.finish(record.query, this.#visit(browser, record));
    const browserFacts = {
      ...{ address: peer.source, userAgent: headers.get('user-agent') ?? '' },
      operationId: record.operationId,
    };
    const { token, grant } = await console.begin(signIn, browserFacts);
    record.principal = { ...grant, address: record.source };
    const { begunAt, expiresAt } = grant.session!;
    const seconds = Math.round((expiresAt - begunAt) / 1000);
    return redirect(HOME, [setCookie(token, seconds), loginCookie('', 0)]);
  }

  #visit(browser: string, { source, operationId }: RequestRecord): OidcVisit {
    const admit = (account: string): void => {
      if (this.#deps.restrictions.judgeConsole(account, source) === 'refused')
        throw new Problem('consoleSourceRefused', { address: source });
    };
    return { browser, address: source, operationId, admit };
  }

  #refuse(problem: Problem, record: RequestRecord): Answer {
    record.fault = problem.code;
    const { operationId, vocabulary } = record;
    const { status, headers } = problemAnswer(problem, operationId, vocabulary.errorPrefix);
    const { headers: guards, ...page } = faultPage(
      { message: problem.message, code: `${vocabulary.errorPrefix}${problem.number}`, operationId },
      `${this.#deps.oidc.url}${HOME}`,
    );
    return { ...page, status, headers: [...headers, ...guards] };
  }
}

/** Returns true if a request is at the host of a URL, whatever the port. */
function isAt(url: string, headers: Headers): boolean {
  const host = headers
    .get('host')
    ?.toLowerCase()
    .replace(/:\d{1,5}$/, '');
  return host === new URL(url).hostname;
}

/** Returns true if the user began it: by the link of the sign-in page, or by the address. */
function isOwnStart(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site');
  return site === undefined || site === 'same-origin' || site === 'none';
}

function redirect(location: string, cookies: readonly (readonly [string, string])[]): Answer {
  return {
    status: 303,
    headers: [['location', location], ['referrer-policy', 'no-referrer'], ...cookies],
    body: null,
  };
}
