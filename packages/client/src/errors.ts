/**
 * Errors of calls.
 * Invariant: callers can distinguish them without their messages.
 */
import { configurationErrorNumbers, type ErrorName, errorNumbers } from './generated/errors.ts';
import type { ErrorBody } from './generated/types.ts';

/** The base of every error of this client except an abort, which rejects with the signal's own reason. */
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

  /** Returns true for one of these conditions: `error.is('domainTakenHere')`. */
  is(...names: readonly ErrorName[]): boolean {
    const numbers = names.flatMap((name) => [errorNumbers[name], configurationErrorNumbers.get(name)]);
    return numbers.includes(this.number);
  }
}

/** No response arrived: the service was not reached, or the connection was lost, or it took too long. */
export class ConnectionError extends ClientError {
  override readonly name = 'ConnectionError';
  /** The system's or OpenSSL's, e.g. `ECONNREFUSED`; `TIMEOUT` for a response that took too long. */
  readonly code: string;
  /** True if the request may have reached the service, and been executed. */
  readonly wasSent: boolean;

  constructor(message: string, code: string, wasSent: boolean, cause?: Error) {
    super(message, { cause });
    this.code = code;
    this.wasSent = wasSent;
  }
}

/** The response is not one of the API: a proxy on the way sent it, or another service. */
export class UnexpectedAnswerError extends ClientError {
  override readonly name = 'UnexpectedAnswerError';
  readonly status: number;
  /** The beginning of the response. */
  readonly text: string;

  constructor(status: number, text: string) {
    super(`The answer (HTTP ${status}) is not one of the management API. Check the base URL.`);
    this.status = status;
    this.text = text.slice(0, 1000);
  }
}
