/** One log line per request. Never a header's value, a body or the value of an unknown parameter. */
import type { Logger } from 'pino';
import type { ErrorName } from '../errors/catalogue.ts';
import { errorCode } from '../errors/problem.ts';
import type { RequestRecord } from './request-record.ts';

export interface Observed {
  readonly operation: string;
  readonly status: number;
  readonly durationMs: number;
  /** Fault of the request; null for none. */
  readonly fault: ErrorName | null;
}

/** Longer than any id or word of a path, shorter than any token. */
const LONGEST_SEGMENT = 40;
const LONGEST_PATH = 200;

/** Writes one line per answered request. Header values, bodies and the values of unknown parameters never get here. */
export function logRequest(log: Logger, record: RequestRecord, status: number, durationMs: number): void {
  if (!log.isLevelEnabled('info')) return;
  log.info(
    {
      operation_id: record.operationId,
      host: record.host,
      method: record.method,
      route: record.route,
      path: loggedPath(record),
      operation: record.operation,
      status,
      fault: record.fault ?? undefined,
      error_code: record.fault === null ? undefined : errorCode(record.vocabulary.errorPrefix, record.fault),
      bytes_in: record.bytesIn,
      bytes_out: record.bytesOut,
      duration_ms: Math.round(durationMs * 1000) / 1000,
      account: record.principal?.account,
      key: record.principal?.key,
      source: record.source,
    },
    'api request',
  );
}

/** The path with what may be a token in it replaced, and of the query what was understood. */
function loggedPath({ pathname, query, page }: RequestRecord): string {
  const path = withoutTokens(pathname);
  if (query === '') return path;
  if (page === null) return `${path}?…`;
  const before = page.before === undefined ? '' : `&before_id=${page.before}`;
  // Filters and searches contain data of the account.
  return `${path}?limit=${page.limit}${before}${page.selection === undefined ? '' : '&…'}`;
}

function withoutTokens(path: string): string {
  let start = 0;
  while (start <= path.length) {
    const slash = path.indexOf('/', start);
    const end = slash === -1 ? path.length : slash;
    if (end - start > LONGEST_SEGMENT) return shortened(path);
    start = end + 1;
  }
  return path.length > LONGEST_PATH ? shortened(path) : path;
}

function shortened(path: string): string {
  const segments = path.split('/').map((segment) => (segment.length > LONGEST_SEGMENT ? '…' : segment));
  return segments.join('/').slice(0, LONGEST_PATH);
}
