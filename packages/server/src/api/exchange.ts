/** What is known of one request while it is answered. */
import type { IncomingMessage } from 'node:http';
import type { ErrorName } from '../errors/catalogue.ts';
import type { Principal } from '../resources/definition.ts';
import { newOperationId } from './operation-id.ts';
import type { Page } from './query.ts';
import type { Vocabulary } from './vocabularies.ts';

/** What is known of one request while it is answered; the log line is made from it. */
export class Exchange {
  readonly operationId = newOperationId();
  readonly method: string;
  /** The request target, query included: never for the log as it is. */
  readonly target: string;
  readonly source: string;
  /** Monotonic milliseconds. */
  readonly startedAt: number;
  /** `/edges/tls/{id}`; '' when the path leads nowhere. */
  route = '';
  /** The operation of the OpenAPI document; '' when the request did not get that far. */
  operation = '';
  principal: Principal | null = null;
  page: Page | null = null;
  fault: ErrorName | null = null;
  readonly vocabulary: Vocabulary;
  /** Bytes that are counted for the account until the answer is out. */
  held = 0;

  constructor(request: IncomingMessage | null, source: string, startedAt: number, vocabulary: Vocabulary) {
    this.vocabulary = vocabulary;
    this.method = request?.method ?? '';
    this.target = request?.url ?? '';
    this.source = source;
    this.startedAt = startedAt;
  }
}
