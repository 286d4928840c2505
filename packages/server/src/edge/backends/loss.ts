/**
 * Names the reason why a connection of bytes ended abnormally.
 * Invariant: a service that has sent something is never reported as unreachable.
 */
import { ErrorCode, isUnreached } from '@underpass/wire';
import type { ErrorName } from '../../errors/catalogue.ts';
import { type DialFault, dialFault } from '../../errors/dial-fault.ts';
import { faultOfCode } from '../../online/dial-codes.ts';
import type { ByteStream, Opener } from '../sites/site.ts';

/** `stream` is what was opened at `opener`; `hasSpoken`: something came from it. */
export function lossOf(
  stream: Pick<ByteStream, 'failure'> | null,
  opener: Pick<Opener, 'closed'> | null,
  hasSpoken: boolean,
): ErrorName {
  if (stream?.failure !== undefined) return stream.failure;
  // With its agent's session lost nothing is known of the service.
  const isLost = opener?.closed.aborted === true;
  return hasSpoken || isLost ? 'upstreamClosed' : 'upstreamUnreachable';
}

/** Returns the cause why a stream ended with this code before any byte came from it. */
export function faultOf(
  stream: Pick<ByteStream, 'dialFault'> | null | undefined,
  opener: Pick<Opener, 'closed' | 'hidesDials'> | null,
  code: ErrorCode,
): DialFault {
  const known = stream?.dialFault ?? faultOfCode(code);
  if (known !== null) return known;
  if (opener?.closed.aborted === true) return dialFault('lost');
  return dialFault(opener?.hidesDials === true ? 'unknown' : 'closed');
}

/** Returns true if a place that closed a stream with this code may accept one a moment later. */
export function isForNow(code: ErrorCode): boolean {
  return code === ErrorCode.streamRefused || code === ErrorCode.acceptQueueFull;
}

/**
 * Returns true if a place that closed a stream with this code, before a byte, has passed nothing on. Another place may get the same
 * bytes.
 */
export function isUntouched(code: ErrorCode): boolean {
  return isForNow(code) || isUnreached(code);
}
