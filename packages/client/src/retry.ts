/**
 * Decides which calls are retried, and when.
 * Invariant: a call that may have had an effect is retried only if that is safe.
 */
import { isCertificateError } from './certificate-error.ts';
import { ApiError, ConnectionError, UnexpectedAnswerError } from './errors.ts';

export interface RetryPolicy {
  /** The most attempts of a request, the first one included. */
  readonly attempts: number;
  /** The first back-off; each further one may be twice as long. */
  readonly baseDelayMs: number;
  /** Milliseconds of the longest wait. If the service requests a longer one, the error is thrown instead. */
  readonly maxDelayMs: number;
}

export const defaultRetry: RetryPolicy = { attempts: 4, baseDelayMs: 250, maxDelayMs: 60_000 };

/** Methods that have the same effect twice as once (RFC 9110 section 9.2.2). */
const IDEMPOTENT = new Set(['GET', 'PUT', 'DELETE']);
const UNAVAILABLE = new Set([502, 503, 504]);

/** Returns true if the service may have executed the request although it failed. */
export function mayHaveBeenDone(error: unknown): boolean {
  if (error instanceof ConnectionError) return error.wasSent;
  return statusOf(error) !== 429;
}

/**
 * Returns the milliseconds to wait before the next attempt; null if the error is to be thrown. `failures` counts the
 * attempts so far, `random` is from 0 to 1. A request that may have been executed is repeated only if that changes
 * nothing.
 */
export function retryDelay(
  error: unknown,
  method: string,
  failures: number,
  policy: RetryPolicy,
  random: number,
): number | null {
  if (failures >= policy.attempts || !isTransient(error)) return null;
  if (mayHaveBeenDone(error) && !IDEMPOTENT.has(method)) return null;
  const asked = error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0;
  if (asked > policy.maxDelayMs) return null;
  const backOff = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (failures - 1)) * random;
  return Math.min(policy.maxDelayMs, asked + backOff);
}

function isTransient(error: unknown): boolean {
  if (error instanceof ConnectionError) return !isCertificateError(error.code);
  const status = statusOf(error);
  return status === 429 || (status !== null && UNAVAILABLE.has(status));
}

function statusOf(error: unknown): number | null {
  return error instanceof ApiError || error instanceof UnexpectedAnswerError ? error.status : null;
}
