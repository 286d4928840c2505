/**
 * `/ui/session`: sign-in to the console, the session of the browser, and sign-out.
 * Invariant: a sign-in makes a new session, whatever cookie the browser has. A link alone does not replace the session
 * of another user, because an attacker could have sent it.
 */
import type { SessionEnder } from '../access/console-sessions.ts';
import type { IpRestrictions } from '../access/ip-restrictions.ts';
import type { ApiKeyGrant } from '../access/tokens.ts';
import { createdAt } from '../core/id.ts';
import { formatTime } from '../core/time-text.ts';
import { Type } from '../core/type.ts';
import { Problem } from '../errors/problem.ts';
import type { Request } from '../http-server/request.ts';
import { body, optional } from '../resources/schema.ts';
import { validate } from '../resources/validate.ts';
import { type Answer, methodNotAllowed } from './answer.ts';
import { readBody } from './body.ts';
import type { Callers, ConsoleAccess } from './callers.ts';
import { checkContentCoding, checkContentType, checkVersion, checkWellFormed } from './checks.ts';
import { clearCookie, csrfOf, setCookie } from './console-cookie.ts';
import type { ConsolePlace } from './console-place.ts';
import { parseJson } from './json.ts';
import { refuseBody } from './operations.ts';
import { optionsAnswer } from './options-request.ts';
import { emptyQuery } from './query.ts';
import type { RequestRecord } from './request-record.ts';
import type { Vocabularies } from './vocabularies.ts';

export const SESSION_PATH = '/ui/session';

const proof = (description: string) => optional(Type.String({ maxLength: 256, description }));
const signIn = body({
  token: proof('The token of a link.'),
  api_key: proof('An API key.'),
  replace: optional(Type.Boolean({ description: 'true: a link may replace the session of another user.' })),
});

const METHODS = ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'];
/** A sign-in token is shorter. */
const LONGEST_BODY = 1024;

export interface ConsoleDoorDeps {
  readonly console: ConsoleAccess;
  readonly callers: Callers;
  readonly place: ConsolePlace;
  readonly restrictions: Pick<IpRestrictions, 'judgeConsole'>;
  readonly vocabularies: Pick<Vocabularies, 'versionHeaders'>;
}

export class ConsoleDoor {
  readonly #deps: ConsoleDoorDeps;

  constructor(deps: ConsoleDoorDeps) {
    this.#deps = deps;
  }

  /** Answers a request to the path. Raises Problem. */
  async answer(request: Request, record: RequestRecord): Promise<Answer> {
    const { method, headers } = request;
    record.route = SESSION_PATH;
    record.operation = 'console_session';
    record.isOfConsole = true;
    checkWellFormed(request);
    if (method === 'OPTIONS') return optionsAnswer(METHODS);
    if (!METHODS.includes(method)) throw methodNotAllowed(method, SESSION_PATH, METHODS);
    if (!this.#deps.place.isOwnPage(headers)) throw new Problem('consoleCrossSite');
    checkVersion(headers, this.#deps.vocabularies.versionHeaders, record.vocabulary.versionHeader);
    emptyQuery(record.query);
    if (method === 'POST') return await this.#signIn(request, record);
    refuseBody(request);
    return method === 'DELETE' ? await this.#signOut(request, record) : await this.#show(request, record);
  }

  async #signIn(request: Request, record: RequestRecord): Promise<Answer> {
    const { console, callers } = this.#deps;
    const { peer, headers } = request;
    const proof = await readProof(request);
    const found = await callers.authentication.find(proof.token, peer, (text, hash) =>
      console.findSignIn(text, hash),
    );
    if ('fault' in found) throw new Problem(found.fault);
    // Before the link is used up.
    this.#checkSource(found.grant, record);
    const former = await this.#former(request);
    const isUnconfirmed = found.link !== null && !proof.replace;
    if (isUnconfirmed && former !== null && former.owner !== found.grant.owner)
      throw new Problem('consoleOtherUser', {}, { field: '/replace' });
    const userAgent = headers.get('user-agent') ?? '';
    const browser = { address: peer.source, userAgent, operationId: record.operationId };
    const { token: cookie, grant } = await console.begin(found, browser);
    record.principal = { ...grant, address: record.source };
    if (former?.session !== undefined) {
      const by = former.account === grant.account ? grant : former;
      await console.end(former.session.id, enderOf(by, record, 'console_sign_in'));
    }
    const { begunAt, expiresAt } = grant.session!;
    const seconds = Math.round((expiresAt - begunAt) / 1000);
    return { status: 200, headers: [setCookie(cookie, seconds)], body: await this.#shown(grant, cookie) };
  }

  /** Returns the caller of the session that the browser has now; null if there is none. */
  async #former(request: Request): Promise<ApiKeyGrant | null> {
    const { callers } = this.#deps;
    const cookie = callers.cookieOf(request);
    if (cookie === null) return null;
    const identity = await callers.findSession(cookie, request).catch(() => null);
    return identity === null || 'fault' in identity ? null : identity;
  }

  async #show(request: Request, record: RequestRecord): Promise<Answer> {
    const { callers } = this.#deps;
    const cookie = callers.cookieOf(request);
    if (cookie === null) throw new Problem('consoleSessionOver');
    const identity = await callers.identifySession(cookie, request, record);
    if ('fault' in identity) throw new Problem(identity.fault);
    record.principal = { ...identity, address: record.source };
    await callers.count(identity);
    this.#checkSource(identity, record);
    return { status: 200, headers: [], body: await this.#shown(identity, cookie) };
  }

  /** Signs out. The cookie is removed also if its session has ended already. */
  async #signOut(request: Request, record: RequestRecord): Promise<Answer> {
    const { console, callers } = this.#deps;
    const cookie = callers.cookieOf(request);
    const done = { status: 204, headers: [clearCookie()], body: null };
    if (cookie === null) return done;
    const identity = await callers.identifySession(cookie, request, record);
    if ('fault' in identity || identity.session === undefined) return done;
    record.principal = { ...identity, address: record.source };
    await console.end(identity.session.id, enderOf(identity, record, 'console_sign_out'));
    return done;
  }

  async #shown(grant: ApiKeyGrant, cookie: string): Promise<string> {
    const { id, expiresAt } = grant.session!;
    const session = {
      ...{ id, created_at: formatTime(createdAt(id)) },
      expires_at: formatTime(new Date(expiresAt)),
    };
    const names = await this.#deps.console.describe(grant);
    return JSON.stringify({ session, ...names, role: grant.role, csrf_token: csrfOf(cookie) });
  }

  #checkSource({ account }: ApiKeyGrant, { source }: RequestRecord): void {
    if (this.#deps.restrictions.judgeConsole(account, source) === 'refused')
      throw new Problem('consoleSourceRefused', { address: source });
  }
}

function enderOf(
  grant: ApiKeyGrant,
  { source: address, operationId }: RequestRecord,
  operation: string,
): SessionEnder {
  return { ...grant, address, operation, operationId };
}

interface Proof {
  readonly token: string;
  /** True if the session of another user may be replaced. */
  readonly replace: boolean;
}

/** Reads the proof of a sign-in. Raises Problem. */
async function readProof(request: Request): Promise<Proof> {
  if (!request.hasBody) throw new Problem('consoleTokenMissing', {}, { field: '/token' });
  checkContentType(request.headers.get('content-type'));
  checkContentCoding(request.headers.get('content-encoding'));
  const { token, api_key, replace } = validate(signIn, parseJson(await readBody(request, refuseLarge)));
  const given = [token, api_key].filter((text) => typeof text === 'string').map((text) => text.trim());
  const [proof = ''] = given;
  // Two proofs could be of two users.
  if (given.length !== 1 || proof === '') throw new Problem('consoleTokenMissing', {}, { field: '/token' });
  return { token: proof, replace: replace === true };
}

/** A caller that is not known yet may keep no more memory than it needs. Raises Problem. */
function refuseLarge(bytes: number): void {
  if (bytes > 4 * LONGEST_BODY)
    throw new Problem('bodyTooLarge', { limit: LONGEST_BODY }, { limit: LONGEST_BODY });
}
