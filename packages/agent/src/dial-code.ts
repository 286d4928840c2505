/** Names the cause of an unreached upstream for the service, as the code that resets its stream. */
import { isCertificateError } from '@underpass/client/certificate-error';
import { ErrorCode } from '@underpass/wire';
import { codeOf, tlsReasonOf } from './reason.ts';

/** The upstream has not taken the connection in time. */
export class DialTimeout extends Error {}

const codes: ReadonlyMap<string | undefined, ErrorCode> = new Map([
  ['ECONNREFUSED', ErrorCode.upstreamRefused],
  ['ENOTFOUND', ErrorCode.upstreamNameMissing],
  ['EAI_AGAIN', ErrorCode.upstreamNameServers],
  ['ETIMEDOUT', ErrorCode.upstreamDialTimeout],
  ['EHOSTUNREACH', ErrorCode.upstreamNoRoute],
  ['ENETUNREACH', ErrorCode.upstreamNoRoute],
  // A refused connection has another code, so this one was made, and its handshake broken off.
  ['ECONNRESET', ErrorCode.upstreamTlsFailed],
  ['ENOENT', ErrorCode.upstreamNoSocket],
  ['ENOTSOCK', ErrorCode.upstreamNoSocket],
]);

/** `error`: of the connection or of its TLS handshake. */
export function dialCodeOf(error: unknown): ErrorCode {
  if (error instanceof DialTimeout) return ErrorCode.upstreamDialTimeout;
  const code = codeOf(error);
  if (tlsReasonOf(error) !== null || isCertificateError(code ?? '')) return ErrorCode.upstreamTlsFailed;
  return codes.get(code) ?? ErrorCode.upstreamUnreached;
}
