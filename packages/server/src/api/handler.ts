/**
 * Runs the checks of every request in their order.
 * Invariant: every request gets a response.
 */
import type { Logger } from 'pino';
import type { IpRestrictions } from '../access/ip-restrictions.ts';
import type { RateLimiter } from '../core/limits/rate-limiter.ts';
import { consoleUrl } from '../core/service-names.ts';
import type { Settings } from '../core/settings.ts';
import { Problem } from '../errors/problem.ts';
import type { Request, Sender } from '../http-server/request.ts';
import type { ResourceEngine } from '../resources/definition.ts';
import { RequestState } from '../resources/request-state.ts';
import type { StandaloneCall, StandaloneStream } from '../resources/standalone/definition.ts';
import { isOutage } from '../store/outage-log.ts';
import { AccountBytes } from './account-bytes.ts';
import {
  type Answer,
  methodNotAllowed,
  NOT_EVERYWHERE_HEADER,
  problemAnswer,
  problemOf,
  UNREACHABLE_HEADER,
} from './answer.ts';
import type { Identity } from './authentication.ts';
import { Callers, type ConsoleAccess } from './callers.ts';
import { checkVersion, checkWellFormed } from './checks.ts';
import { ConsoleDoor, SESSION_PATH } from './console-door.ts';
import { ConsoleOidcDoor } from './console-oidc-door.ts';
import { ConsolePlace } from './console-place.ts';
import { isPreflight, preflightAnswer } from './cross-origin.ts';
import { Dashboard, dashboardRedirect } from './dashboard.ts';
import {
  type Call,
  canRequireState,
  type Endpoint,
  isForViewers,
  isPaged,
  writesDocuments,
} from './endpoints.ts';
import { expectedStates } from './if-match.ts';
import { perform, refuseBody, takeBody } from './operations.ts';
import { DOCUMENT_METHODS, optionsAnswer, serviceOptions } from './options-request.ts';
import { documentAnswer, type PublicDocument, rootAnswer } from './public-documents.ts';
import { emptyQuery } from './query.ts';
import { logRequest, type Observed } from './request-log.ts';
import { RequestRecord } from './request-record.ts';
import type { Match, Router } from './router.ts';
import type { Path } from './routes.ts';
import { complete } from './send.ts';
import type { Vocabularies } from './vocabularies.ts';

const RETRY_SECONDS = 1;
/** Bytes up to which a response goes to TLS at once. The number of connections bounds such responses. */
const LARGE_ANSWER = 64 * 1024;
/** Proxies that know this header send each piece on at once. */
const UNBUFFERED: Answer['headers'] = [['X-Accel-Buffering', 'no']];
const MALFORMED_PATH = 'the path has a percent sign that encodes no UTF-8';

export interface HandlerDeps {
  readonly engine: ResourceEngine;
  /** `tokenHash`: as `hashToken` makes it. */
  readonly authenticate: (token: string, tokenHash: string) => Promise<Identity>;
  readonly restrictions: Pick<IpRestrictions, 'judge' | 'judgeConsole'>;
  /** Sessions of the console. Absent: there is no console. */
  readonly console?: ConsoleAccess;
  readonly vocabularies: Vocabularies;
  readonly settings: Settings;
  readonly log: Logger;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly observe?: (request: Observed) => void;
  /** Notes the use of a key. */
  readonly used?: (account: string, key: string, address: string) => void;
  /** Counts for all daemons that share the accounts; without it this one counts for itself. */
  readonly limiter?: RateLimiter;
  /** Number of other daemons that cannot be reached at the moment. Absent: there are none. */
  readonly unreachable?: () => number;
  /**
   * Returns the number of other linked daemons that have not applied the last write of this one. The promise waits for
   * them, for a limited time. Absent: there are none.
   */
  readonly late?: () => number | Promise<number>;
}

/**
 * Takes each request through the checks in their order, calls the engine, and responds.
 * Invariant: every request gets a response.
 */
export class Handler {
  readonly #deps: HandlerDeps;
  readonly #callers: Callers;
  readonly #place: ConsolePlace;
  /** Null without a console. */
  readonly #consoleDoor: ConsoleDoor | null;
  /** Null without a provider. */
  readonly #oidcDoor: ConsoleOidcDoor | null;
  readonly #vocabularies: Vocabularies;
  readonly #router: Router<Path | PublicDocument>;
  readonly #held = new AccountBytes();
  readonly #dashboard: Dashboard;

  constructor(deps: HandlerDeps, router: Router<Path | PublicDocument>) {
    this.#router = router;
    this.#deps = deps;
    this.#dashboard = new Dashboard(deps.settings, deps.console?.oidc?.host);
    this.#vocabularies = deps.vocabularies;
    const place = new ConsolePlace(deps.settings);
    this.#place = place;
    this.#callers = new Callers({ ...deps, place });
    const { console } = deps;
    this.#consoleDoor =
      console === undefined ? null : new ConsoleDoor({ ...deps, console, place, callers: this.#callers });
    const oidc = console?.oidc;
    this.#oidcDoor =
      console === undefined || oidc === undefined ? null : new ConsoleOidcDoor({ ...deps, console, oidc });
  }

  /** Answers a request, whatever it is. Never rejects. */
  async handle(request: Request): Promise<void> {
    const vocabulary = this.#vocabularies.of(request.headers);
    const record = new RequestRecord(request, request.peer, this.#deps.now(), vocabulary);
    try {
      this.#send(request, record, await this.#answerTo(request, record));
    } catch (error) {
      this.#fail(error, request, record);
    }
  }

  async #answerTo(request: Request, record: RequestRecord): Promise<Answer> {
    const led = this.#place.elsewhere(request, record);
    if (led !== null) return led;
    if (record.pathname === SESSION_PATH && this.#consoleDoor !== null)
      return await this.#consoleDoor.answer(request, record);
    if (this.#oidcDoor?.serves(record.pathname) === true) return await this.#oidcDoor.answer(request, record);
    const match = this.#router.find(record.pathname);
    if (match === 'malformed') throw new Problem('requestMalformed', { reason: MALFORMED_PATH });
    if (record.method === 'OPTIONS') return answerOptions(request, record, match);
    if (match === 'nowhere') return await this.#answerPage(request, record);
    const { found, values } = match;
    if (!('endpoints' in found)) return this.#answerPublic(request, record, found);
    return this.#answer(request, record, { path: found, values });
  }

  /** Answers at a path that no operation has: a page, or that there is nothing. */
  async #answerPage(request: Request, record: RequestRecord): Promise<Answer> {
    const origin = this.#place.isAt(request.peer) ? '' : consoleUrl(this.#deps.settings);
    const led = rootAnswer(record, request.headers, origin) ?? dashboardRedirect(record);
    if (led !== null) return led;
    const document = await this.#dashboard.document(record.pathname, request.headers);
    if (document === null) return await this.#answer(request, record, null);
    return await this.#answerPublic(request, record, document, 'any query');
  }

  /** Answers with a document that anyone may read. Pages keep their state in the query. */
  async #answerPublic(
    request: Request,
    record: RequestRecord,
    document: PublicDocument,
    query: 'no query' | 'any query' = 'no query',
  ): Promise<Answer> {
    record.route = document.path;
    record.operation = document.operation;
    checkWellFormed(request);
    if (!DOCUMENT_METHODS.includes(record.method))
      throw methodNotAllowed(record.method, document.path, DOCUMENT_METHODS);
    if (query === 'no query') emptyQuery(record.query);
    refuseBody(request);
    return documentAnswer(document, request.headers);
  }

  /** Answers with a problem, whatever was thrown. */
  #fail(error: unknown, request: Request, record: RequestRecord): void {
    const { log } = this.#deps;
    const { operationId, vocabulary } = record;
    const problem = problemOf(error);
    record.fault = problem.code;
    // A raised Problem has its cause outside, such as an agent that never responds. The request's log line reports
    // it.
    if (problem.entry.status >= 500 && !(error instanceof Problem) && !isOutage(error))
      log.error({ err: error, operation_id: operationId }, 'api request failed');
    try {
      this.#send(request, record, problemAnswer(problem, operationId, vocabulary.errorPrefix));
    } catch (cause) {
      log.error({ err: cause, operation_id: operationId }, 'api answer failed');
      request.destroy();
    }
  }

  /** Answers what never became a request, and ends the connection. */
  refuse(sender: Sender, problem: Problem): void {
    const { own } = this.#vocabularies;
    const record = new RequestRecord({ method: '', target: '' }, sender, this.#deps.now(), own);
    record.fault = problem.code;
    const answer = problemAnswer(problem, record.operationId, own.errorPrefix);
    sender.refuse(complete(answer, record, undefined));
    this.#record(record, answer.status);
  }

  /** Writes the log line and notifies the observer. */
  #record(record: RequestRecord, status: number): void {
    const { log, now, observe } = this.#deps;
    const durationMs = now() - record.startedAt;
    logRequest(log, record, status, durationMs);
    observe?.({ operation: record.operation, status, durationMs, fault: record.fault });
  }

  /** The order of the checks is part of the contract (open points, decision 4). */
  async #answer(request: Request, record: RequestRecord, target: PathTarget | null): Promise<Answer> {
    const { engine, settings } = this.#deps;
    const { headers } = request;
    const { vocabulary } = record;
    checkWellFormed(request);

    const identity = await this.#callers.identify(request, record);
    if (!('fault' in identity)) {
      record.principal = { ...identity, address: record.source };
      await this.#callers.count(identity);
    }
    checkVersion(headers, this.#vocabularies.versionHeaders, vocabulary.versionHeader);
    if ('fault' in identity) throw new Problem(identity.fault);
    this.#checkSource(identity, record);
    // A session has its own last use.
    if (identity.session === undefined) this.#deps.used?.(identity.account, identity.key, record.source);

    if (target === null) throw new Problem('pathNotFound', { path: record.pathname });
    const endpoint = endpointOf(record, target.path);
    const { operation, operationId, source: address } = record;
    const principal = { ...identity, address, operation, operationId };
    if (principal.role === 'viewer' && !isForViewers(endpoint))
      throw new Problem('viewerOnlyReads', { method: record.method });
    const page = endpoint.page(record.query, vocabulary.words);
    // Logs the page only if it is valid: any other text in `before_id` does not belong in the log.
    if (isPaged(endpoint)) record.page = page;
    // Before the work, since only lists are large.
    if (isPaged(endpoint) && this.#held.isFull(principal.account)) throw this.#tooMuchUnread();
    const state = new RequestState(canRequireState(endpoint) ? expectedStates(headers.get('if-match')) : '*');
    const taken = takeBody(request, endpoint, (bytes) => this.#hold(record, request, bytes));
    const body = taken instanceof Promise ? await taken : taken;

    const common = { baseUrl: settings.baseUrl, principal, body };
    let missing = 0;
    const standaloneCall = (): StandaloneCall => ({
      ...{ ...common, path: valuesByName(target), query: page.values ?? {} },
      missing: (daemons) => {
        missing = daemons;
      },
    });
    if (endpoint.verb === 'standalone' && endpoint.open !== null)
      return await this.#openStream(request, record, endpoint.open, standaloneCall());
    const result =
      endpoint.verb === 'standalone'
        ? await endpoint.run(standaloneCall())
        : await perform(
            endpoint,
            { engine, ...common, ...resourceIn(target), page, state },
            vocabulary.words,
          );
    const text = result === null ? null : JSON.stringify(result);
    // The result of a change must be delivered. A read can be repeated, so only reads count towards the limit.
    const large = text !== null && text.length > LARGE_ANSWER;
    if (large && record.method === 'GET') this.#hold(record, request, text.length);
    const late = writesDocuments(endpoint) ? (this.#deps.late?.() ?? 0) : 0;
    const about = this.#aboutNodes(endpoint, typeof late === 'number' ? late : await late, missing);
    const headersOfState = state.tag === null ? [] : [['etag', `"${state.tag}"`] as const];
    return { status: endpoint.status, headers: [...about, ...headersOfState], body: text };
  }

  /** Answers with a stream of events, which ends when a request with the same key would be refused. Raises Problem. */
  async #openStream(
    { method, headers }: Request,
    { source }: RequestRecord,
    open: StandaloneStream,
    call: StandaloneCall,
  ): Promise<Answer> {
    const streamed = { status: 200, headers: UNBUFFERED, contentType: 'text/event-stream' };
    if (method === 'HEAD') return { ...streamed, body: '' };
    const body = await open({
      ...call,
      lastEventId: headers.get('last-event-id') ?? null,
      isSourceAdmitted: () => this.#callers.judge(call.principal, source) !== 'refused',
      isIdentified: () => this.#callers.isStillGood(headers, call.principal),
    });
    return { ...streamed, body };
  }

  /**
   * Returns the headers about other daemons. Sessions and tunnels of one that cannot be reached are shown as they were
   * known last, and it is not waited for after a write. `late`: the number of those that have not applied the write.
   * `missing`: the number of those that did not answer for this response.
   */
  #aboutNodes(endpoint: Endpoint, late: number, missing: number): Answer['headers'] {
    const isAbout = isAboutDaemons(endpoint) || writesDocuments(endpoint);
    const unreachable = Math.max(missing, isAbout ? (this.#deps.unreachable?.() ?? 0) : 0);
    if (unreachable + late === 0) return [];
    return [[UNREACHABLE_HEADER, unreachable] as const, [NOT_EVERYWHERE_HEADER, late] as const].flatMap(
      ([name, count]) => (count === 0 ? [] : [[name, String(count)] as const]),
    );
  }

  /** Counts memory for the account until the request is answered. Raises Problem. */
  #hold(record: RequestRecord, request: Request, bytes: number): void {
    const { account } = record.principal!;
    if (request.isOver) return;
    const first = record.held === 0;
    if (!this.#held.take(account, bytes)) throw this.#tooMuchUnread();
    record.held += bytes;
    if (first) request.onceOver(() => this.#held.release(account, record.held));
  }

  #tooMuchUnread(): Problem {
    const { limit } = this.#held;
    return new Problem('tooMuchUnread', { limit, seconds: RETRY_SECONDS }, { limit }, RETRY_SECONDS);
  }

  /** Raises Problem when the IP restrictions of the account do not let it be used from there. */
  #checkSource(
    identity: Exclude<Identity, { fault: unknown }>,
    { source, operationId }: RequestRecord,
  ): void {
    const { log } = this.#deps;
    const { account, session } = identity;
    const verdict = this.#callers.judge(identity, source);
    if (verdict === 'refused')
      throw new Problem(session === undefined ? 'apiSourceRefused' : 'consoleSourceRefused', {
        address: source,
      });
    if (verdict === 'unenforced') {
      const said = 'api request would have been refused: the IP restriction is not enforced';
      log.warn({ operation_id: operationId, account, source }, said);
    }
  }

  #send(request: Request, record: RequestRecord, answer: Answer): void {
    const length = request.headers.get('content-length');
    if (length !== undefined && length !== null) record.bytesIn = Number(length);
    const { body } = answer;
    if (body !== null && typeof body !== 'function') record.bytesOut = Buffer.byteLength(body);
    this.#record(record, answer.status);
    request.answer(complete(answer, record, request.headers.get('origin')));
  }
}

/** Needs no key, because it reveals no more than the OpenAPI document. Raises Problem. */
function answerOptions(
  request: Request,
  record: RequestRecord,
  match: Match<Path | PublicDocument> | 'nowhere',
): Answer {
  checkWellFormed(request);
  if (match === 'nowhere') {
    const answer = serviceOptions(record.pathname);
    if (answer === null) throw new Problem('pathNotFound', { path: record.pathname });
    return answer;
  }
  const { found } = match;
  if (!('endpoints' in found)) return optionsAnswer(DOCUMENT_METHODS);
  record.route = found.template;
  return isPreflight(request.headers)
    ? preflightAnswer(found, request.headers)
    : optionsAnswer(found.methods);
}

/** A path, with what its parameters are in a request. */
interface PathTarget {
  readonly path: Path;
  readonly values: readonly string[];
}

/** Raises Problem. */
function endpointOf(record: RequestRecord, path: Path): Endpoint {
  record.route = path.template;
  const endpoint = path.endpoints.get(record.method === 'HEAD' ? 'GET' : record.method);
  if (endpoint === undefined) throw methodNotAllowed(record.method, record.pathname, path.methods);
  record.operation = endpoint.operation;
  return endpoint;
}

/** Returns the resource in the path of a request. */
function resourceIn({ path, values }: PathTarget): Pick<Call, 'of' | 'id' | 'key'> {
  const { place, parameters } = path;
  if (place === null) throw new Error(`${path.template} belongs to no kind`);
  const { kind, roles } = place;
  const value = (name: string | null): string =>
    name === null ? '' : (values[parameters.indexOf(name)] ?? '');
  const of = roles.parent === null ? { kind } : { kind, parent: value(roles.parent) };
  return { of, id: value(roles.id), key: value(roles.key) };
}

function valuesByName({ path, values }: PathTarget): Readonly<Record<string, string>> {
  return Object.fromEntries(path.parameters.map((name, at) => [name, values[at] ?? '']));
}

/** Returns true if the response depends on what other daemons know. */
function isAboutDaemons(endpoint: Endpoint): boolean {
  return endpoint.verb === 'standalone' ? endpoint.standalone.isRead : endpoint.kind.source === 'live';
}
