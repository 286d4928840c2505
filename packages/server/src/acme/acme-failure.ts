/**
 * The reason why a certificate authority issued no certificate.
 * Invariant: the authority's text has at most one line and does not steer a terminal.
 */
import { printableLine } from '../errors/printable.ts';

const TYPES = 'urn:ietf:params:acme:error:';
const LONGEST = 500;
/**
 * Types of RFC 8555, section 6.7, and RFC 8739, that may pass without a change here: limits, internal errors, and
 * missing proofs.
 */
const PASSING: ReadonlySet<string> = new Set([
  ...['badNonce', 'rateLimited', 'serverInternal', 'orderNotReady'],
  ...['caa', 'connection', 'dns', 'incorrectResponse', 'tls', 'unauthorized', 'accountDoesNotExist'],
  // The certificate to replace was replaced already (RFC 9773). The next order names none.
  'alreadyReplaced',
]);

export interface FailureFacts {
  /** The type without the prefix of RFC 8555, such as `rateLimited`; '' for none. */
  readonly type?: string;
  /** Milliseconds that the authority wants to wait before the next request; 0 for none. */
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

/** The authority does not accept the account, or no longer does. */
export class AcmeAccountFailure extends AcmeFailure {
  constructor({ message, type, retryAfterMs, status }: AcmeFailure) {
    super(message, { type, retryAfterMs, status });
  }
}

/** The DNS of the name is wrong, so no request was sent. */
export class NameFailure extends Error {
  override readonly name = 'NameFailure';
  /** `DNS_ERROR` if the name's owner must correct it. */
  readonly code: 'DNS_ERROR' | 'INTERNAL_ERROR';

  constructor(code: NameFailure['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** The account has used up its share of orders, so no request was sent. */
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
