/**
 * Responses to connections that the HTTP engine does not serve. The connections end with them.
 * Invariant: each response has a record, so that a refusal can be looked up, at any port.
 */
import type { ErrorName } from '../../errors/catalogue.ts';
import { nobody } from '../sites/exchange-record.ts';
import type { ConnectionFacts, Reply } from '../sites/site.ts';
import { respondError, respondReply } from './respond.ts';
import type { Shared } from './shared.ts';

export interface OwnRequest {
  readonly connection: ConnectionFacts;
  /** Time of its arrival, by the clock of the engine. */
  readonly since: number;
  /** '' where it could not be read, and so is the path. */
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
  readonly wantsHtml: boolean;
}

const undecided: ReadonlyMap<string, string> = new Map();

export class OwnAnswers {
  readonly #shared: Pick<Shared, 'date' | 'errorCodeHeader' | 'errorPrefix' | 'now' | 'observe'>;

  constructor(shared: Pick<Shared, 'date' | 'errorCodeHeader' | 'errorPrefix' | 'now' | 'observe'>) {
    this.#shared = shared;
  }

  /** An error of the catalogue as bytes. `values` are for its message. */
  error(name: ErrorName, values: Readonly<Record<string, string | number>>, request: OwnRequest): Buffer {
    const { method, wantsHtml } = request;
    const asked = { isHead: method === 'HEAD', wantsHtml, close: true };
    const { status, bytes } = respondError(name, values, asked, this.#shared);
    this.#record(request, { status, bytes, error: name });
    return bytes;
  }

  /** `error` is the error of the response; null for none. */
  reply(reply: Reply, request: OwnRequest, error: ErrorName | null = null): Buffer {
    const asked = { isHead: request.method === 'HEAD', close: true };
    const bytes = respondReply(reply, null, asked, this.#shared);
    this.#record(request, { status: reply.status, bytes, error });
    return bytes;
  }

  #record(
    { connection, since, method, path }: OwnRequest,
    {
      status,
      bytes,
      error,
    }: { readonly status: number; readonly bytes: Buffer; readonly error: ErrorName | null },
  ): void {
    const { observe, now } = this.#shared;
    if (observe === null) return;
    const durationMs = now() - since;
    observe({
      ...{ kind: 'http', site: '', account: '', route: '', backend: '', servedBy: '' },
      ...{ credential: '', endpoint: '' },
      ...{ connection, method, path, query: '', status },
      ...{ bytesIn: 0, bytesOut: bytes.length, bytesSaved: 0, heads: null, bodies: null, isReused: false },
      ...{
        durationMs,
        firstByteMs: durationMs,
        decisions: undecided,
        visitors: nobody,
        error,
        fault: null,
        reason: null,
        to: null,
      },
    });
  }
}
