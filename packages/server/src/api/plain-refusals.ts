/** Refuses requests to the API that came over plain HTTP: a key in one of them was readable on the way. */
import { sourceKey } from '../core/ip/client-address.ts';
import { isFault, parseHostname } from '../core/names/hostname.ts';
import type { ErrorName } from '../errors/catalogue.ts';
import { Problem } from '../errors/problem.ts';
import type { Headers } from '../http-server/request.ts';
import { problemAnswer } from './answer.ts';
import type { HandlerDeps } from './handler.ts';
import { logRequest } from './request-log.ts';
import { RequestRecord } from './request-record.ts';
import { complete } from './send.ts';

export interface PlainRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Headers;
  /** The client's address, without its port. */
  readonly source: string;
}

export interface PlainRefusal {
  readonly error: ErrorName;
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

/** Milliseconds after which a source is logged again. */
const PERIOD_MS = 3_600_000;
/** Sources that are known at a time; it bounds the lines of a period, too. */
const MOST_SOURCES = 1000;

export class PlainRefusals {
  readonly #deps: Pick<HandlerDeps, 'vocabularies' | 'settings' | 'log' | 'now' | 'observe'>;
  /** Time at which each source was logged, the latest last. */
  readonly #logged = new Map<string, number>();

  constructor(deps: Pick<HandlerDeps, 'vocabularies' | 'settings' | 'log' | 'now' | 'observe'>) {
    this.#deps = deps;
  }

  /** The answer to any request, in the one shape that errors of the API have. */
  refuse(request: PlainRequest): PlainRefusal {
    const { vocabularies, settings, log, now, observe } = this.#deps;
    const { headers, source } = request;
    const vocabulary = vocabularies.of(headers);
    const record = new RequestRecord(request, { source, servername: null }, now(), vocabulary);
    const problem = new Problem('plainHttpForApi');
    const { status } = problem.entry;
    const { operationId } = record;
    record.fault = problem.code;
    record.host = nameIn(headers.get('host') ?? '');
    if (headers.has('authorization')) this.keySent(source, operationId);
    logRequest(log, record, status, now() - record.startedAt);
    observe?.({ operation: '', status, durationMs: now() - record.startedAt, fault: problem.code });
    const answer = problemAnswer(problem, operationId, vocabulary.errorPrefix);
    const code = `${vocabulary.errorPrefix}${problem.number}`;
    const all = complete(answer, record, headers.get('origin')).headers;
    return {
      error: problem.code,
      status,
      headers: [...all, [settings.errorCodeHeader, code]],
      body: Buffer.from(String(answer.body)),
    };
  }

  /** Logs once per source that a key was readable on the way, and never the key. */
  keySent(source: string, operationId?: string): void {
    const { log, now } = this.#deps;
    const since = now() - PERIOD_MS;
    for (const [known, at] of this.#logged) {
      if (at > since) break;
      this.#logged.delete(known);
    }
    const key = sourceKey(source);
    if (this.#logged.has(key) || this.#logged.size >= MOST_SOURCES) return;
    this.#logged.set(key, now());
    log.warn(
      { source, ...(operationId === undefined ? {} : { operation_id: operationId }) },
      'an API key was sent over plain HTTP, in clear text: replace it, and give the client a base URL with https',
    );
  }
}

/** The name in a Host header, for the log; '' for anything else. */
function nameIn(header: string): string {
  const hostname = parseHostname(header.replace(/:\d*$/, ''));
  return isFault(hostname) ? '' : hostname;
}
