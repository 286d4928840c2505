/** Names the cause why a connection of the daemon itself was not made. */
import { type DialCause, type DialFault, dialFault } from '../../errors/dial-fault.ts';

const causes: ReadonlyMap<unknown, DialCause> = new Map([
  ['ECONNREFUSED', 'refused'],
  ['ENOTFOUND', 'name'],
  ['EAI_AGAIN', 'nameServers'],
  ['ETIMEDOUT', 'timeout'],
  ['EHOSTUNREACH', 'route'],
  ['ENETUNREACH', 'route'],
]);

/** `isReached`: the address was, and TLS failed. `error`: null if the connection ended without one. */
export function faultOfSocket(error: Error | null, isReached: boolean): DialFault {
  if (isReached) return dialFault('tls', error === null ? '' : reasonOf(error));
  // One address of several stands for all.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  if (!(first instanceof Error)) return dialFault('failed');
  return dialFault(causes.get('code' in first ? first.code : undefined) ?? 'failed', first.message);
}

/** OpenSSL's own words are in a field of their own, which errors of certificates do not have. */
function reasonOf(error: Error): string {
  return 'reason' in error && typeof error.reason === 'string' ? error.reason : error.message;
}
