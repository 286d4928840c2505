/** Sends calls of the API for the generated resources. */
import { Agent } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { ApiError, type ClientError, UnexpectedAnswerError } from './errors.ts';
import type { ErrorBody } from './generated/types.ts';
import { Listing, type ListOptions } from './listing.ts';
import { type CallOptions, type ClientOptions, type ResolvedOptions, resolveOptions } from './options.ts';
import { mayHaveBeenDone, retryDelay } from './retry.ts';
import { type Answer, findAuthority, send } from './send.ts';

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
    let isUnsure = false;
    for (let failures = 1; ; failures++) {
      try {
        return (await this.#attempt(method, path, body, options)) as Result;
      } catch (error) {
        // Most likely, an earlier attempt deleted it, and the response was lost.
        if (isUnsure && method === 'DELETE' && error instanceof ApiError && error.status === 404)
          return undefined as Result;
        const delayMs = retryDelay(error, method, failures, this.#connection.retry, Math.random());
        if (delayMs === null) throw error;
        isUnsure ||= mayHaveBeenDone(error);
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

  async #attempt(
    method: string,
    path: string,
    body: object | undefined,
    options: CallOptions,
  ): Promise<unknown> {
    const { url, headers, timeoutMs } = this.#connection;
    const outgoing = {
      method,
      url,
      path: `${url.pathname.replace(/\/$/, '')}${path}`,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    };
    const limitMs = options.timeoutMs ?? timeoutMs;
    this.#agent ??= await this.#pinnedAgent(limitMs, options.signal);
    const answer = await send(this.#agent, outgoing, limitMs, options.signal);
    const isDone = answer.status >= 200 && answer.status < 300;
    if (isDone && answer.text === '') return undefined;
    const value = parse(answer);
    if (isDone) return value;
    if (!isErrorBody(value)) throw new UnexpectedAnswerError(answer.status, answer.text);
    throw new ApiError(value, answer.status, retryAfter(answer));
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

async function pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await wait(delayMs, undefined, signal === undefined ? {} : { signal });
  } catch {
    throw signal?.reason;
  }
}
