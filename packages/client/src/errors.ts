/**
 * Errors of calls.
 * Invariant: callers can distinguish them without their messages.
 */
import { configurationErrorNumbers, type ErrorName, errorNumbers } from './generated/errors.ts';
import type { ErrorBody } from './generated/types.ts';

/** What every error of this client is, except an abort, which rejects with the signal's own reason. */
export class ClientError extends Error {
  override readonly name: string = 'ClientError';
}

/** The API refused the request. The message has the reason. */
export class ApiError extends ClientError {
  override readonly name = 'ApiError';
  /** `error_code`, e.g. `ERR_SERVICE_413`; the operator may have chosen another prefix. */
  readonly code: string;
  /** The digits at the end of `code`. */
  readonly number: number;
  /** The HTTP status. */
  readonly status: number;
  readonly details: ErrorBody['details'];
  /** Seconds after which a retry can succeed, if the API sent them. */
  readonly retryAfter: number | null;

  constructor(body: ErrorBody, status: number, retryAfter: number | null) {
    super(body.msg);
    this.code = body.error_code;
    this.number = Number(/\d+$/.exec(body.error_code)?.[0] ?? Number.NaN);
    this.status = status;
    this.details = body.details;
    this.retryAfter = retryAfter;
  }

  /** Names this request in the log of the service. */
  get operationId(): string {
    return this.details.operation_id;
  }

  /** Whether it is one of these conditions: `error.is('domainTakenHere')`. */
  is(...names: readonly ErrorName[]): boolean {
    const numbers = names.flatMap((name) => [errorNumbers[name], configurationErrorNumbers.get(name)]);
    return numbers.includes(this.number);
  }
}

/** No answer arrived: the service was not reached, or the connection was lost, or it took too long. */
export class ConnectionError extends ClientError {
  override readonly name = 'ConnectionError';
  /** The system's or OpenSSL's, e.g. `ECONNREFUSED`; `TIMEOUT` for an answer that took too long. */
  readonly code: string;
  /** Whether the request may have reached the service, and been done. */
  readonly wasSent: boolean;

  constructor(message: string, code: string, wasSent: boolean, cause?: Error) {
    super(message, { cause });
    this.code = code;
    this.wasSent = wasSent;
  }
}

/** What answered does not speak as the API does: a proxy on the way, or another service. */
export class UnexpectedAnswerError extends ClientError {
  override readonly name = 'UnexpectedAnswerError';
  readonly status: number;
  /** The beginning of what was answered. */
  readonly text: string;

  constructor(status: number, text: string) {
    super(`The answer (HTTP ${status}) is not one of the management API. Check the base URL.`);
    this.status = status;
    this.text = text.slice(0, 1000);
  }
}
