/**
 * Requests to the API of this service, with the session of the browser.
 * Invariant: no secret is kept beyond the page, and a change always has the token of the session.
 */
import { signal } from '@preact/signals';

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path of the API with its query, such as `/edges/https?limit=100`. */
  readonly path: string;
  /** Sent as JSON; absent: no body. */
  readonly body?: unknown;
  /** The tag of the version that is changed. The API refuses another one with 412. */
  readonly ifMatch?: string | null;
  readonly signal?: AbortSignal;
}

export interface Reply<T> {
  readonly status: number;
  readonly data: T;
  /** The tag of the version; null if the response has none. */
  readonly etag: string | null;
  /** Number of daemons that could not be reached. */
  readonly unreachable: number;
}

/** An error that the API reported, or that no response came. */
export class ApiError extends Error {
  /** HTTP status; 0 if no response came. */
  readonly status: number;
  /** Code of the service, such as `ERR_SERVICE_102`; '' for none. */
  readonly code: string;
  /** JSON pointer, or name of a parameter; '' for none. */
  readonly field: string;
  readonly details: Readonly<Record<string, string>>;

  constructor(message: string, status: number, code = '', details: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.field = details.field ?? '';
  }
}

/** The token of the session, which changes must have; '' for none. The cookie itself is hidden from the page. */
export const csrf = signal('');
/** Number of 401 responses to requests of a session that was good before. */
export const refusals = signal(0);

const VERSION = document.querySelector<HTMLMetaElement>('meta[name=version-header]')?.content ?? '';
const CSRF = 'X-CSRF-Token';

/** Rejects with ApiError; with AbortError if `signal` aborts. */
export async function send<T>(call: Call): Promise<Reply<T>> {
  const response = await fetchFor(call);
  const text = await response.text();
  if (!response.ok) throw problemOf(response.status, text);
  const { status, headers } = response;
  return {
    status,
    data: (text === '' ? null : JSON.parse(text)) as T,
    etag: headers.get('etag'),
    unreachable: Number(headers.get('unreachable-nodes') ?? 0),
  };
}

/** The response as it is. `lastEventId`: of a stream that continues. Rejects with ApiError if none came. */
export async function fetchFor(
  { method, path, body, ifMatch, signal: aborted }: Call,
  accept = 'application/json',
  lastEventId = '',
): Promise<Response> {
  try {
    const response = await fetch(path, {
      method,
      credentials: 'same-origin',
      cache: 'no-store',
      redirect: 'error',
      headers: {
        ...headersOf(method, body, ifMatch),
        Accept: accept,
        ...(lastEventId === '' ? {} : { 'Last-Event-ID': lastEventId }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(aborted === undefined ? {} : { signal: aborted }),
    });
    if (response.status === 401) refusals.value++;
    return response;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError('The service cannot be reached. Check the network, and that the daemon runs.', 0);
  }
}

function headersOf(method: Call['method'], body: unknown, ifMatch: string | null | undefined) {
  return {
    ...(VERSION === '' ? {} : { [VERSION]: '2' }),
    ...(csrf.value === '' || method === 'GET' ? {} : { [CSRF]: csrf.value }),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(ifMatch === undefined || ifMatch === null ? {} : { 'If-Match': ifMatch }),
  };
}

function problemOf(status: number, text: string): ApiError {
  try {
    const { msg, error_code, details } = JSON.parse(text) as Record<string, unknown>;
    return new ApiError(
      typeof msg === 'string' ? msg : `The service responded with ${status}.`,
      status,
      typeof error_code === 'string' ? error_code : '',
      (details ?? {}) as Record<string, string>,
    );
  } catch {
    return new ApiError(`The service responded with ${status}.`, status);
  }
}
