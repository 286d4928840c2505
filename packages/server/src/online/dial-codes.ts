/**
 * Codes of streams that did not reach their service, and the causes that they report.
 * Invariant: a stream with one of these codes has passed nothing on.
 */
import { ErrorCode } from '@underpass/wire';
import { type DialCause, type DialFault, dialFault } from '../errors/dial-fault.ts';

const causes: ReadonlyMap<ErrorCode, DialCause> = new Map([
  [ErrorCode.upstreamUnreached, 'failed'],
  [ErrorCode.upstreamRefused, 'refused'],
  [ErrorCode.upstreamNameMissing, 'name'],
  [ErrorCode.upstreamNameServers, 'nameServers'],
  [ErrorCode.upstreamDialTimeout, 'timeout'],
  [ErrorCode.upstreamTlsFailed, 'tls'],
  [ErrorCode.upstreamNoRoute, 'route'],
  [ErrorCode.upstreamNoSocket, 'socket'],
]);
const codes: ReadonlyMap<DialCause, ErrorCode> = new Map(
  Array.from(causes, ([code, cause]) => [cause, code]),
);

/** Returns null for any other code. */
export function faultOfCode(code: ErrorCode): DialFault | null {
  const cause = causes.get(code);
  return cause === undefined ? null : dialFault(cause);
}

/** Returns the code of a fault for another daemon. `code` is that of the stream, for a fault without a code of its own. */
export function codeOfFault(fault: DialFault, code: ErrorCode): ErrorCode {
  return codes.get(fault.cause) ?? code;
}

/** Returns the code for a daemon or agent that knows one alone. */
export function withoutCause(code: ErrorCode): ErrorCode {
  return causes.has(code) ? ErrorCode.upstreamUnreached : code;
}
