/** The order of the checks that every request goes through. Never that a request gets past it unanswered. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { IpRestrictions } from '../access/ip-restrictions.ts';
import type { RateLimiter } from '../core/rate-limiter.ts';
import type { Settings } from '../core/settings.ts';
import { Problem } from '../errors/problem.ts';
import type { Connection, Connections } from '../http-server/connections.ts';
import type { ResourceEngine } from '../resources/definition.ts';
import { isOutage } from '../store/outage-log.ts';
import type { JsonValue } from '../store/store.ts';
import { AccountBytes } from './account-bytes.ts';
import { type Answer, methodNotAllowed, problemAnswer, problemOf } from './answer.ts';
import { Authentication, type Identity } from './authentication.ts';
import { drain } from './body.ts';
import { answerBroken } from './broken-request.ts';
import { checkVersion, checkWellFormed } from './checks.ts';
import { isPreflight, preflightAnswer, readableBy } from './cross-origin.ts';
import { Exchange } from './exchange.ts';
import { perform, readJson, refuseBody } from './operations.ts';
import { documentAnswer, type PublicDocument, rootAnswer } from './public-documents.ts';
import { elementsQuery, emptyQuery, type Page, pageQuery, queryOf } from './query.ts';
import { localLimiter } from './rate-limit.ts';
import { logRequest, type Observed } from './request-log.ts';
import type { Endpoint, Path } from './routes.ts';
import type { Vocabularies } from './vocabularies.ts';

const RETRY_SECONDS = 1;
/** Up to this an answer is with TLS at once, and the number of connections bounds it. */
const LARGE_ANSWER = 64 * 1024;

export interface HandlerDeps {
  readonly engine: ResourceEngine;
  readonly authenticate: (token: string) => Promise<Identity>;
  readonly restrictions: Pick<IpRestrictions, 'judge'>;
  readonly vocabularies: Vocabularies;
  readonly settings: Settings;
  readonly log: Logger;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly observe?: (request: Observed) => void;
  /** Counts for all daemons that share the accounts; without it this one counts for itself. */
  readonly limiter?: RateLimiter;
}

/** Takes each request through the checks in their order, asks the engine, and answers. No request gets past it unanswered. */
export class Handler {
  readonly #deps: HandlerDeps;
  readonly #connections: Connections;
  readonly #limiter: RateLimiter;
  readonly #authentication: Authentication;
  readonly #vocabularies: Vocabularies;
  readonly #held = new AccountBytes();

  constructor(deps: HandlerDeps, connections: Connections) {
    this.#deps = deps;
    this.#connections = connections;
    this.#limiter = deps.limiter ?? localLimiter(deps.settings.apiRateLimit, deps.now);
    this.#vocabularies = deps.vocabularies;
    this.#authentication = new Authentication({
      authenticate: deps.authenticate,
      limiter: this.#limiter,
      limit: deps.settings.apiRateLimit,
      now: deps.now,
    });
  }

  /** Answers a request to a path of a resource; null for a path that leads nowhere. */
  async handle(request: FastifyRequest, reply: FastifyReply, path: Path | null): Promise<void> {
    const exchange = this.#begin(request);
    try {
      const { headers } = request.raw;
      const answer =
        path !== null && isPreflight(exchange.method, headers)
          ? preflightAnswer(path, headers)
          : (rootAnswer(exchange, headers) ?? (await this.#answer(request, reply.raw, exchange, path)));
      this.#send(reply, exchange, answer);
    } catch (error) {
      this.fail(error, request, reply, exchange);
    }
  }

  /** Answers with a document that anyone may read. */
  async handlePublic(request: FastifyRequest, reply: FastifyReply, document: PublicDocument): Promise<void> {
    const exchange = this.#begin(request);
    exchange.route = document.path;
    exchange.operation = document.operation;
    try {
      checkWellFormed(request.raw, this.#connections.of(request.raw.socket));
      if (exchange.method !== 'GET') throw methodNotAllowed(exchange.method, document.path, ['GET']);
      emptyQuery(queryOf(exchange.target));
      refuseBody(request.raw);
      this.#send(reply, exchange, await documentAnswer(document, request.raw.headers));
    } catch (error) {
      this.fail(error, request, reply, exchange);
    }
  }

  /** Answers with a problem, whatever was thrown. */
  fail(error: unknown, request: FastifyRequest, reply: FastifyReply, begun?: Exchange): void {
    const { log } = this.#deps;
    const exchange = begun ?? this.#begin(request);
    const problem = problemOf(error);
    exchange.fault = problem.code;
    if (problem.entry.status >= 500 && !isOutage(error))
      log.error({ err: error, operation_id: exchange.operationId }, 'api request failed');
    drain(request.raw);
    try {
      this.#send(
        reply,
        exchange,
        problemAnswer(problem, exchange.operationId, exchange.vocabulary.errorPrefix),
      );
    } catch (cause) {
      // An answer that cannot be sent may be half out already; the end of the connection says so.
      log.error({ err: cause, operation_id: exchange.operationId }, 'api answer failed');
      request.raw.destroy();
    }
  }

  /** Answers a connection without a request, or instead of one that is broken, and ends it. */
  refuse(connection: Connection, problem: Problem): void {
    const { own } = this.#vocabularies;
    const exchange = new Exchange(null, connection.source, this.#deps.now(), own);
    exchange.fault = problem.code;
    const answer = problemAnswer(problem, exchange.operationId, own.errorPrefix);
    answerBroken(connection, exchange.operationId, answer);
    this.#record(exchange, answer.status);
  }

  /** Writes the log line and tells the observer. */
  #record(exchange: Exchange, status: number): void {
    const { log, now, observe } = this.#deps;
    const durationMs = now() - exchange.startedAt;
    logRequest(log, exchange, status, durationMs);
    observe?.({ operation: exchange.operation, status, durationMs, fault: exchange.fault });
  }

  #begin(request: FastifyRequest): Exchange {
    const source = this.#connections.of(request.raw.socket)?.source ?? '';
    return new Exchange(request.raw, source, this.#deps.now(), this.#vocabularies.of(request.raw.headers));
  }

  /** The order of the checks is part of the contract (open points, decision 4). */
  async #answer(
    request: FastifyRequest,
    response: ServerResponse,
    exchange: Exchange,
    path: Path | null,
  ): Promise<Answer> {
    const { engine, settings } = this.#deps;
    const { headers } = request.raw;
    checkWellFormed(request.raw, this.#connections.of(request.raw.socket));

    const identity = await this.#authentication.identify(headers.authorization, exchange.source);
    if (!('fault' in identity)) {
      exchange.principal = { ...identity, address: exchange.source };
      await this.#limit(identity.account);
    }
    checkVersion(headers, this.#vocabularies.versionHeaders, exchange.vocabulary.versionHeader);
    if ('fault' in identity) throw new Problem(identity.fault);
    this.#checkSource(identity.account, exchange);

    const parameters = request.params as Readonly<Record<string, string>>;
    const complete = path?.parameters.every((name) => parameters[name] !== '') ? path : null;
    const endpoint = endpointOf(exchange, complete);
    const query = queryOf(exchange.target);
    const page = pageOf(endpoint, query);
    // What else `before_id` may hold is not for the log.
    if (endpoint.verb === 'list') exchange.page = page;
    // Before the work, since only lists are large.
    if (endpoint.verb === 'list' && this.#held.isFull(exchange.principal!.account))
      throw this.#tooMuchUnread();
    const body = await this.#bodyOf(request.raw, endpoint, (bytes) => this.#hold(exchange, response, bytes));

    const { id, parent, key } = complete!.roles;
    const call = {
      endpoint,
      principal: exchange.principal!,
      id: id === null ? '' : parameters[id]!,
      ...(parent === null ? {} : { parent: parameters[parent]! }),
      key: key === null ? '' : parameters[key]!,
      page,
      body,
    };
    const result = await perform(engine, settings.baseUrl, call, exchange.vocabulary.words);
    const text = result === null ? null : JSON.stringify(result);
    // What was changed must be told; what was only asked for can be asked for again.
    const large = text !== null && text.length > LARGE_ANSWER;
    if (large && exchange.method === 'GET') this.#hold(exchange, response, text.length);
    return { status: endpoint.status, headers: [], body: text };
  }

  /** Counts memory for the account until the request is answered. Raises Problem. */
  #hold(exchange: Exchange, response: ServerResponse, bytes: number): void {
    const { account } = exchange.principal!;
    if (response.closed) return;
    const first = exchange.held === 0;
    if (!this.#held.take(account, bytes)) throw this.#tooMuchUnread();
    exchange.held += bytes;
    if (first) response.once('close', () => this.#held.release(account, exchange.held));
  }

  #tooMuchUnread(): Problem {
    const { limit } = this.#held;
    return new Problem('tooMuchUnread', { limit, seconds: RETRY_SECONDS }, { limit }, RETRY_SECONDS);
  }

  async #bodyOf(
    request: IncomingMessage,
    endpoint: Endpoint,
    grow: (bytes: number) => void,
  ): Promise<JsonValue> {
    switch (endpoint.body) {
      case 'json':
        return readJson(request, endpoint, grow);
      case 'none':
        return refuseBody(request);
      case 'ignored':
        drain(request);
        return null;
    }
  }

  /** Counts a request for its account. Raises Problem. */
  async #limit(account: string): Promise<void> {
    const seconds = await this.#limiter.admit(account);
    if (seconds === null) return;
    const limit = this.#deps.settings.apiRateLimit;
    throw new Problem('rateLimited', { limit, seconds }, { limit }, seconds);
  }

  /** Raises Problem when the account's IP restriction does not let its API be used from there. */
  #checkSource(account: string, { source, operationId }: Exchange): void {
    const { restrictions, log } = this.#deps;
    const verdict = restrictions.judge(account, 'api', source);
    if (verdict === 'refused') throw new Problem('apiSourceRefused', { address: source });
    if (verdict === 'unenforced') {
      const said = 'api request would have been refused: the IP restriction is not enforced';
      log.warn({ operation_id: operationId, account, source }, said);
    }
  }

  /** Writes past the framework: its way of sending costs more than all of the checks and adds a charset that JSON has not. */
  #send(reply: FastifyReply, exchange: Exchange, answer: Answer): void {
    const { raw } = reply;
    const { body } = answer;
    reply.hijack();
    this.#record(exchange, answer.status);
    const { operationIdHeader } = exchange.vocabulary;
    const headers = [operationIdHeader, exchange.operationId];
    const length = body === null ? 0 : Buffer.byteLength(body);
    if (body !== null) {
      const type = answer.contentType ?? 'application/json';
      headers.push('content-type', type, 'content-length', String(length));
    }
    for (const [name, value] of answer.headers) headers.push(name, value);
    const { origin } = raw.req.headers;
    if (origin !== undefined)
      for (const [name, value] of readableBy(origin, operationIdHeader)) headers.push(name, value);
    if (this.#connections.closing) raw.shouldKeepAlive = false;
    raw.writeHead(answer.status, headers);
    if (body === null) raw.end();
    else if (typeof body !== 'string') raw.end(body);
    // Nothing but ASCII, as nearly always: Node writes that without transcoding.
    else raw.end(body, length === body.length ? 'latin1' : 'utf8');
  }
}

/** Null for operations that list nothing. Raises Problem. */
function pageOf({ verb, kind }: Endpoint, query: string): Page | null {
  if (verb === 'list') return pageQuery(query, kind.prefix);
  if (verb === 'listElements') return elementsQuery(query);
  emptyQuery(query);
  return null;
}

function endpointOf(exchange: Exchange, path: Path | null): Endpoint {
  const pathname = exchange.target.split('?', 1)[0]!;
  if (path === null) throw new Problem('pathNotFound', { path: pathname });
  exchange.route = path.template;
  const endpoint = path.endpoints.get(exchange.method);
  if (endpoint === undefined) throw methodNotAllowed(exchange.method, pathname, path.methods);
  exchange.operation = endpoint.operation;
  return endpoint;
}
