/**
 * The access log: a line for each request and each connection of visitors that has ended, or only for those that the
 * edge itself responded to or ended.
 * Invariant: a line never has a query, a header's value or a body, or foreign text without a bound.
 */
import type { Logger } from 'pino';
import type { AccessLogChoice } from '../command/options.ts';
import type { ExchangeRecord, Observe } from '../edge/sites/exchange-record.ts';
import { printableLine } from '../errors/printable.ts';
import { errorCode } from '../errors/problem.ts';

/** Characters of a path that a line shows. */
const LONGEST = 1024;

export class AccessLog {
  /** May become another one at any time. */
  choice: AccessLogChoice;
  readonly #log: Pick<Logger, 'info'>;
  readonly #errorPrefix: string;

  constructor(choice: AccessLogChoice, log: Pick<Logger, 'info'>, errorPrefix: string) {
    this.choice = choice;
    this.#log = log;
    this.#errorPrefix = errorPrefix;
  }

  /** True if the log also has requests without an error. */
  readonly recordsRequests = (): boolean => this.choice === 'all';

  readonly observe: Observe = (record) => {
    if (this.choice === 'off' || (this.choice === 'errors' && record.error === null)) return;
    this.#log.info(lineOf(record, this.#errorPrefix), record.kind === 'http' ? 'visit' : 'visit of bytes');
  };
}

function lineOf(record: ExchangeRecord, errorPrefix: string): object {
  const { kind, connection, method, path, status, decisions, error } = record;
  return {
    client_addr: connection.clientAddr,
    host: connection.serverName ?? '',
    server_name: connection.serverName ?? '',
    site: record.site,
    account: record.account,
    route: record.route,
    backend: record.backend,
    served_by: record.servedBy,
    ...(kind === 'http' ? { method: shown(method), path: shown(path), status } : {}),
    bytes_in: record.bytesIn,
    bytes_out: record.bytesOut,
    ...(record.bytesSaved === 0 ? {} : { bytes_saved: record.bytesSaved }),
    duration_ms: rounded(record.durationMs),
    ...(record.firstByteMs === null ? {} : { first_byte_ms: rounded(record.firstByteMs) }),
    ...(decisions.size === 0 ? {} : { decisions: Object.fromEntries(decisions) }),
    ...(error === null ? {} : { fault: error, error_code: errorCode(errorPrefix, error) }),
    ...(record.fault === null ? {} : { upstream_fault: record.fault }),
  };
}

function shown(text: string): string {
  return printableLine(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
}

function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
