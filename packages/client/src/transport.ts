/** Sends calls of the API for the generated resources. */

import type { IncomingMessage } from 'node:http';
import { Agent } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { ApiError, type ClientError, UnexpectedAnswerError } from './errors.ts';
import type { ErrorBody } from './generated/types.ts';
import { Listing, type ListOptions } from './listing.ts';
import { type CallOptions, type ClientOptions, type ResolvedOptions, resolveOptions } from './options.ts';
import { mayHaveBeenDone, retryDelay } from './retry.ts';
import { type Answer, findAuthority, type Outgoing, open, send } from './send.ts';

/** Sends calls of the API for the generated resources. */
export class Transport {
  readonly #connection: ResolvedOptions;
  /** Null until the pinned authority is known. */
  #agent: Agent | null;

  constructor(options: ClientOptions) {
    this.#connection = resolveOptions(options);
    const { ca, caFingerprint } = this.#connection;
    this.#agent = caFingerprint === undefined ? this.#agentWith(ca) : null;
  }

  /** `path` with its query. Rejects with a ClientError, or with the signal's reason. */
  async call<Result>(
    method: string,
    path: string,
    body: object | undefined,
    options: CallOptions,
  ): Promise<Result> {
    let unsure: unknown = null;
    for (let failures = 1; ; failures++) {
      try {
        return (await this.#attempt(method, path, body, options)) as Result;
      } catch (error) {
        const status = unsure !== null && error instanceof ApiError ? error.status : null;
        // Most likely, an earlier attempt deleted it, and the response was lost.
        if (method === 'DELETE' && status === 404) return undefined as Result;
        // The state that an earlier attempt made is not the required one.
        if (status === 412) throw unsure;
        const delayMs = retryDelay(error, method, failures, this.#connection.retry, Math.random());
        if (delayMs === null) throw error;
        if (mayHaveBeenDone(error)) unsure ??= error;
        this.#connection.onRetry({ error: error as ClientError, delayMs });
        await pause(delayMs, options.signal);
      }
    }
  }

  /** `key` and `names` as for `Listing`. */
  list<Item, Page>(
    path: string,
    key: string,
    options: ListOptions,
    names?: readonly string[],
  ): Listing<Item, Page> {
    const fetch = (query: string): Promise<Page> => this.call('GET', `${path}${query}`, undefined, options);
    return new Listing(key, options, fetch, names);
  }

  /** Closes the connections that are open. */
  close(): void {
    this.#agent?.destroy();
  }

  /** Opens a response that is read piece by piece. Rejects as `call`, without a retry. */
  async stream(
    path: string,
    lastEventId: string,
    { timeoutMs = this.#connection.timeoutMs, signal }: CallOptions,
  ): Promise<IncomingMessage> {
    const { headers, ...outgoing } = this.#outgoing('GET', path, undefined, {});
    const continued = lastEventId === '' ? {} : { 'last-event-id': lastEventId };
    const streamed = { ...headers, accept: 'text/event-stream', ...continued };
    this.#agent ??= await this.#pinnedAgent(timeoutMs, signal);
    const answer = await open(this.#agent, { ...outgoing, headers: streamed }, { timeoutMs, signal });
    if (!('text' in answer)) return answer;
    throw failure(answer, parse(answer));
  }

  /** Milliseconds before the next attempt to read a stream; null if the error is to be thrown. */
  streamDelay(error: unknown, failures: number, leastMs: number): number | null {
    const { retry, onRetry } = this.#connection;
    // A stream is tried again without end.
    const policy = { ...retry, attempts: Number.POSITIVE_INFINITY, baseDelayMs: leastMs };
    const delayMs = retryDelay(error, 'GET', failures, policy, 0.5 + Math.random() / 2);
    if (delayMs !== null) onRetry({ error: error as ClientError, delayMs });
    return delayMs;
  }

  async #attempt(
    method: string,
    path: string,
    body: object | undefined,
    options: CallOptions,
  ): Promise<unknown> {
    const { timeoutMs } = this.#connection;
    const outgoing = this.#outgoing(method, path, body, options);
    const limitMs = options.timeoutMs ?? timeoutMs;
    this.#agent ??= await this.#pinnedAgent(limitMs, options.signal);
    const answer = await send(this.#agent, outgoing, limitMs, options.signal);
    const isDone = answer.status >= 200 && answer.status < 300;
    if (isDone && answer.headers.etag !== undefined) options.onEtag?.(answer.headers.etag);
    if (isDone && answer.text === '') return undefined;
    const value = parse(answer);
    if (isDone) return value;
    throw failure(answer, value);
  }

  #outgoing(method: string, path: string, body: object | undefined, { ifMatch }: CallOptions): Outgoing {
    const { url, headers } = this.#connection;
    return {
      method,
      url,
      path: `${url.pathname.replace(/\/$/, '')}${path}`,
      headers: {
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    };
  }

  #agentWith(ca: string | undefined): Agent {
    const trust = ca === undefined ? {} : { ca, allowPartialTrustChain: true };
    return new Agent({ keepAlive: true, timeout: this.#connection.keepAliveMs, ...trust });
  }

  /** Returns an agent that trusts the pinned authority alone. Concurrent first calls each find it. */
  async #pinnedAgent(timeoutMs: number, signal: AbortSignal | undefined): Promise<Agent> {
    const { url, caFingerprint = '' } = this.#connection;
    const ca = await findAuthority(url, caFingerprint, { timeoutMs, signal });
    return this.#agent ?? this.#agentWith(ca);
  }
}

/** An id as a segment of a path. Throws TypeError for one that would change the path. */
export function segment(id: string): string {
  if (id === '' || id === '.' || id === '..') throw new TypeError(`"${id}" is not an id.`);
  return encodeURIComponent(id);
}

function parse({ status, text }: Answer): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnexpectedAnswerError(status, text);
  }
}

/** The error of a response. `value`: its body. */
function failure(answer: Answer, value: unknown): ClientError {
  return isErrorBody(value)
    ? new ApiError(value, answer.status, retryAfter(answer))
    : new UnexpectedAnswerError(answer.status, answer.text);
}

function isErrorBody(value: unknown): value is ErrorBody {
  if (typeof value !== 'object' || value === null) return false;
  const { error_code, msg, details } = value as Partial<ErrorBody>;
  return (
    typeof error_code === 'string' &&
    typeof msg === 'string' &&
    typeof details === 'object' &&
    details !== null
  );
}

/** Returns seconds; the API never sends a date in this header. */
function retryAfter({ headers }: Answer): number | null {
  const text = headers['retry-after'];
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null;
}

/** Rejects with the signal's reason. */
export async function pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await wait(delayMs, undefined, signal === undefined ? {} : { signal });
  } catch {
    throw signal?.reason;
  }
}
