/** The operator's limits on the number and duration of visitors' requests and connections. */
import { ConfigError, type Values } from './options.ts';
import { type NumberRange, wholeNumber } from './whole-number.ts';

export interface VisitorLimits {
  readonly helloMs: number;
  readonly handshakeMs: number;
  readonly headMs: number;
  readonly headBytes: number;
  readonly requestHeadBytes: number;
  readonly idleMs: number;
  readonly bodyIdleMs: number;
  /** Connections of one source; null for a share of those that are free. */
  readonly perSource: number | null;
}

const SECONDS: NumberRange = { first: 1, last: 3600 };
/** Less would refuse browsers, more would let each visitor keep that much memory. */
const HEAD_BYTES: NumberRange = { first: 8192, last: 1024 * 1024 };
/** Browsers send up to 16 KB of cookies, as a rule far less. */
const REQUEST_HEAD_BYTES = 16 * 1024;
const PER_SOURCE: NumberRange = { first: 1, last: 9_999_999 };
/** A quarter of them may be ports of TCP edges. */
export const CONNECTIONS: NumberRange = { first: 16, last: 9_999_999 };

/** Throws ConfigError. */
export function toVisitorLimits(values: Values): VisitorLimits {
  const milliseconds = (flag: string, seconds: number): number =>
    wholeNumber(values, flag, seconds, SECONDS) * 1000;
  const headBytes = wholeNumber(values, 'head-bytes', 65_536, HEAD_BYTES);
  const handshakeMs = milliseconds('handshake-seconds', 30);
  return {
    helloMs: handshakeMs,
    handshakeMs,
    headMs: milliseconds('head-seconds', 30),
    headBytes,
    requestHeadBytes: requestHeadBytes(values, headBytes),
    idleMs: milliseconds('idle-seconds', 75),
    bodyIdleMs: milliseconds('body-seconds', 60),
    perSource: wholeNumber(values, 'connections-per-source', null, PER_SOURCE),
  };
}

/** Throws ConfigError. */
function requestHeadBytes(values: Values, headBytes: number): number {
  const given = wholeNumber(values, 'request-head-bytes', null, HEAD_BYTES);
  if (given === null) return Math.min(REQUEST_HEAD_BYTES, headBytes);
  if (given <= headBytes) return given;
  throw new ConfigError(
    `--request-head-bytes ${given}: is more than --head-bytes ${headBytes}. Raise --head-bytes, too, or give a smaller number.`,
  );
}
