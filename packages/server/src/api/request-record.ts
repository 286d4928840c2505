/** The known facts of one request while it is processed. */
import type { ErrorName } from '../errors/catalogue.ts';
import type { Peer, Request } from '../http-server/request.ts';
import type { Principal } from '../resources/definition.ts';
import { newOperationId } from './operation-id.ts';
import { type Page, splitTarget } from './query.ts';
import type { Vocabulary } from './vocabularies.ts';

/** Data about a request for its log line. */
export class RequestRecord {
  readonly operationId = newOperationId();
  readonly method: string;
  /** The two parts of the request target: never for the log as they are. */
  readonly pathname: string;
  readonly query: string;
  readonly source: string;
  /** Name in the TLS handshake; '' without one. Plain HTTP has it in a header. */
  host: string;
  /** Monotonic milliseconds. */
  readonly startedAt: number;
  /** `/edges/tls/{id}`; '' when the path leads nowhere. */
  route = '';
  /** The operation of the OpenAPI document; '' when the request did not get that far. */
  operation = '';
  principal: Principal | null = null;
  /** True if the cookie of the console counts: no other origin may read the response. */
  isOfConsole = false;
  page: Page | null = null;
  fault: ErrorName | null = null;
  readonly vocabulary: Vocabulary;
  /** Bytes of the request body by its Content-Length; undefined: it has none. */
  bytesIn: number | undefined;
  /** Bytes of the response body; undefined: it has none. */
  bytesOut: number | undefined;
  /** Bytes that are counted for the account until the answer is out. */
  held = 0;

  constructor(
    { method, target }: Pick<Request, 'method' | 'target'>,
    { source, servername }: Pick<Peer, 'source' | 'servername'>,
    startedAt: number,
    vocabulary: Vocabulary,
  ) {
    const { pathname, query } = splitTarget(target);
    this.method = method;
    this.pathname = pathname;
    this.query = query;
    this.source = source;
    this.host = servername ?? '';
    this.startedAt = startedAt;
    this.vocabulary = vocabulary;
  }
}
