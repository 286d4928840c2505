/**
 * `idp.<domain>`: the address to which identity providers send visitors of all names.
 * Invariant: a refused visitor gets a remedy, and the log has the reason by the id of the request.
 */
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Logger } from 'pino';
import { type ConnectionAddresses, ipOf, sourceKey } from '../core/ip/client-address.ts';
import { PlacesBySource } from '../core/limits/places-by-source.ts';
import { TokenBuckets } from '../core/limits/token-buckets.ts';
import { htmlPage } from '../errors/html-page.ts';
import { errorCode, Problem } from '../errors/problem.ts';
import type { Answer } from '../http-server/answer.ts';
import type { Request } from '../http-server/request.ts';
import { HttpServer } from '../http-server/server.ts';
import type { Timeouts } from '../http-server/timeouts.ts';
import { reasonPhrase } from '../http-syntax/reason-phrase.ts';
import { LoginFault } from './login-fault.ts';
import { type ProviderEndpoint, page, text } from './provider-answers.ts';
import { Visit } from './visit.ts';

const headLimit = 16 * 1024;
const timeouts: Timeouts = { head: 15_000, request: 15_000, keepAlive: 5_000, silence: 30_000 };
const connections = { perSource: 64, total: 512 };
/** Requests of one source, which many users can share: each one is verified with data from the store. */
const rate = { burst: 200, perSecond: 5 };
/** Failed requests among them. */
const failureRate = { burst: 60, perSecond: 0.5 };
/** Open requests, each with a form in memory. Beyond the total, the oldest one of the network with most of them is closed. */
const most = { perSource: 16, total: 128 };

export interface ProviderServiceOptions {
  readonly endpoints: readonly ProviderEndpoint[];
  readonly errorPrefix: string;
  readonly codeHeader: string;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export class ProviderService {
  readonly readAhead = headLimit;
  readonly #options: ProviderServiceOptions;
  readonly #server: HttpServer;
  readonly #rates = new TokenBuckets(rate);
  readonly #failures = new TokenBuckets(failureRate);
  /** Visits with an open response. */
  readonly #visits = new PlacesBySource<Visit>();

  constructor(options: ProviderServiceOptions) {
    this.#options = options;
    this.#server = new HttpServer(connections, {
      timeouts,
      headLimit,
      onRequest: (request) => void this.#serve(request),
      onFault: (sender) => sender.refuse(text(400, 'This is no request that could be answered.\n')),
      crashed: (error) => options.log.error({ err: error }, 'a connection for a login failed'),
    });
  }

  serve(socket: TLSSocket | Socket, { clientAddr }: Pick<ConnectionAddresses, 'clientAddr'>): void {
    this.#server.serve(socket, ipOf(clientAddr));
  }

  /** Finishes open requests, and cuts them after the deadline. */
  close(deadlineMs: number): Promise<void> {
    return this.#server.close(deadlineMs);
  }

  async #serve(request: Request): Promise<void> {
    const visit = new Visit(request);
    const endpoint = this.#options.endpoints.find((one) => one.serves(visit.path));
    if (endpoint === undefined) return request.answer(text(404, 'There is nothing here.\n'));
    const answer = await this.#bounded(visit, async () => await endpoint.answer(visit)).catch(
      (error: unknown) => this.#refuse(visit, error),
    );
    request.answer(answer);
  }

  async #bounded(visit: Visit, make: () => Promise<Answer>): Promise<Answer> {
    const source = sourceKey(visit.client);
    const now = this.#options.now();
    const isInTime = this.#rates.has(source, now) && this.#failures.has(source, now);
    if (!isInTime || !this.#hasPlaceFor(source)) throw busy;
    this.#rates.take(source, now);
    this.#visits.add(source, visit);
    try {
      return await Promise.race([make(), visit.givenUp]);
    } catch (error) {
      // Neither is anything that the source did.
      if (error === gaveWay) this.#rates.release(source, this.#options.now());
      else if (!(error instanceof LoginFault && error.code === 'loginBusy'))
        this.#failures.take(source, this.#options.now());
      throw error;
    } finally {
      this.#visits.delete(source, visit);
    }
  }

  #hasPlaceFor(source: string): boolean {
    if (this.#visits.countOf(source) >= most.perSource) return false;
    if (this.#visits.size < most.total) return true;
    const oldest = this.#visits.oldestBefore(source);
    if (oldest === undefined) return false;
    this.#visits.delete(sourceKey(oldest.client), oldest);
    oldest.giveUp(gaveWay);
    return true;
  }

  #refuse({ id, path, client }: Visit, error: unknown): Answer {
    const { log, errorPrefix, codeHeader } = this.#options;
    const isFault = error instanceof LoginFault;
    if (isFault) {
      const { check, message } = error;
      log.warn({ request: id, at: path, check, reason: message, client }, 'a login was refused');
    } else log.error({ err: error, request: id, at: path }, 'a login failed');
    const problem = new Problem(isFault ? error.code : 'loginFailed', { request: id });
    const { status } = problem.entry;
    const code = errorCode(errorPrefix, problem.code);
    const html = htmlPage({ status, title: reasonPhrase(status), message: problem.message, code });
    return page(status, html, undefined, [[codeHeader.toLowerCase(), code]]);
  }
}

const gaveWay = new LoginFault('loginBusy', 'rate', 'others of many addresses needed its place');
const busy = new LoginFault('loginBusy', 'rate', 'too many logins are under way, or came from one address');
