/** Writes answers. Never one without an operation id. */
import { cut } from '../errors/echo.ts';
import { Problem, type ProblemDetails } from '../errors/problem.ts';
import type { StreamedBody } from '../http-server/streamed-body.ts';
import { NewerFormatError } from '../store/format.ts';
import {
  StoreFullError,
  StoreRefusedError,
  StoreRemovedError,
  StoreUnavailableError,
  WriteOutcomeUnknownError,
} from '../store/store.ts';

/** The header with the number of daemons that cannot be reached, in answers about what is online. */
export const UNREACHABLE_HEADER = 'unreachable-nodes';

/** The header with the number of daemons that have not applied the change yet, in responses to writes. */
export const NOT_EVERYWHERE_HEADER = 'not-everywhere';

/** A response. `body` is null for one without a body, and a function for one that comes piece by piece. */
export interface Answer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | Buffer | null | StreamedBody;
  /** The content type of the body; absent: JSON. */
  readonly contentType?: string;
  /** The Cache-Control header; absent: `no-store`. */
  readonly cacheControl?: string;
}

const RETRY_SECONDS = 1;

/** An error in the one shape that all of them have: `{error_code, status_code, msg, details}`. */
export function problemAnswer(problem: Problem, operationId: string, prefix: string): Answer {
  const { status } = problem.entry;
  const body = JSON.stringify({
    error_code: `${prefix}${problem.number}`,
    status_code: status,
    msg: problem.message,
    details: { operation_id: operationId, ...textual(problem.details) },
  });
  return { status, headers: problemHeaders(problem, status), body };
}

/** Published clients read `details` as a map of strings: lists go out with commas, numbers in digits. */
function textual(details: ProblemDetails): Record<string, string> {
  const { field } = details;
  // The name of a query parameter comes from the client; a pointer has its steps cut.
  const shown = field === undefined || field[0] === '/' ? details : { ...details, field: cut(field) };
  const entries = Object.entries(shown).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : String(value)]),
  );
}

function problemHeaders(problem: Problem, status: number): (readonly [string, string])[] {
  switch (status) {
    case 401:
      return [['www-authenticate', 'Bearer']];
    case 405:
      return [['allow', problem.details.allowed?.join(', ') ?? '']];
    case 415:
      // RFC 9110, section 15.5.16: the header lists supported codings if the coding was wrong, not if the type was.
      return problem.code === 'contentEncodingUnsupported' ? [['accept-encoding', 'identity']] : [];
    case 429:
    case 503:
      return [['retry-after', String(problem.retryAfter ?? RETRY_SECONDS)]];
    default:
      return [];
  }
}

/** The problem behind any thrown value. An unforeseen error becomes `internalError`, which reveals none of its details. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof NewerFormatError) return new Problem('documentFormatNewer', { id: error.id });
  if (error instanceof StoreFullError) return new Problem('storeFull');
  if (error instanceof StoreRemovedError) return new Problem('storeRemoved');
  if (error instanceof StoreRefusedError) return new Problem('storeRefused');
  if (error instanceof StoreUnavailableError) {
    return new Problem('storeUnavailable', { seconds: RETRY_SECONDS }, {}, RETRY_SECONDS);
  }
  if (error instanceof WriteOutcomeUnknownError) return new Problem('writeOutcomeUnknown');
  return new Problem('internalError');
}

/** 405, from which the `Allow` header is made as well. */
export function methodNotAllowed(method: string, path: string, allowed: readonly string[]): Problem {
  return new Problem('methodNotAllowed', { method, path, allowed: allowed.join(', ') }, { allowed });
}
