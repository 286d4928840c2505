/**
 * The reason why a certificate authority issued no certificate.
 * Invariant: the authority's text has at most one line and does not steer a terminal.
 */
import { printableLine } from '../errors/printable.ts';

const TYPES = 'urn:ietf:params:acme:error:';
const LONGEST = 500;
/** Types of RFC 8555, section 6.7, and RFC 8739, that time or a change outside mends: limits, faults there, and proofs that were not found. */
const PASSING: ReadonlySet<string> = new Set([
  ...['badNonce', 'rateLimited', 'serverInternal', 'orderNotReady'],
  ...['caa', 'connection', 'dns', 'incorrectResponse', 'tls', 'unauthorized', 'accountDoesNotExist'],
  // Of the order that a certificate replaces (RFC 9773): the next one is made without.
  'alreadyReplaced',
]);

export interface FailureFacts {
  /** Without the prefix of RFC 8555, such as `rateLimited`; '' where it gave none. */
  readonly type?: string;
  /** Before that it wants to hear nothing; 0 where it did not say. */
  readonly retryAfterMs?: number;
  /** Status of its response; 0 if there is none. */
  readonly status?: number;
}

export class AcmeFailure extends Error {
  override readonly name = 'AcmeFailure';
  readonly type: string;
  readonly retryAfterMs: number;
  readonly status: number;

  constructor(message: string, { type = '', retryAfterMs = 0, status = 0 }: FailureFacts = {}) {
    super(shortened(message));
    this.type = type;
    this.retryAfterMs = retryAfterMs;
    this.status = status;
  }

  /** True if the same request may succeed later. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500;
  }

  /** True if the authority would refuse the same request until the operator or the account changes it. */
  get isLasting(): boolean {
    return !this.isPassing && this.status >= 400 && !PASSING.has(this.type);
  }
}

/** The authority does not take the account, or takes it no more. */
export class AcmeAccountFailure extends AcmeFailure {
  constructor({ message, type, retryAfterMs, status }: AcmeFailure) {
    super(message, { type, retryAfterMs, status });
  }
}

/** The name is not looked up as it should be, so nobody was asked. */
export class NameFailure extends Error {
  override readonly name = 'NameFailure';
  /** Whether somebody has to mend it. */
  readonly code: 'DNS_ERROR' | 'INTERNAL_ERROR';

  constructor(code: NameFailure['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** The account has asked for as much as it may, so nobody was asked. */
export class ShareFailure extends Error {
  override readonly name = 'ShareFailure';
  readonly retryAfterMs: number;

  constructor(message: string, retryAfterMs: number) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** Returns the failure for a problem document (RFC 7807), or for anything else. */
export function failureOf(
  problem: unknown,
  about: string,
  answered: Omit<FailureFacts, 'type'> = {},
): AcmeFailure {
  const { type, detail, subproblems } = isRecord(problem) ? problem : {};
  const parts = [detail, ...(Array.isArray(subproblems) ? subproblems.map(detailOf) : [])];
  const said = parts.filter((part) => typeof part === 'string').join('; ');
  return new AcmeFailure(said === '' ? about : `${about}: ${said}`, {
    type: typeof type === 'string' && type.startsWith(TYPES) ? type.slice(TYPES.length) : '',
    ...answered,
  });
}

function detailOf(problem: unknown): unknown {
  return isRecord(problem) ? problem.detail : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function shortened(text: string): string {
  const line = printableLine(text);
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST)}…`;
}
