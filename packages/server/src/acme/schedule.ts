/**
 * Decides when a certificate is requested. Pure.
 * Invariant: requests are never so frequent that the authority would reject later ones.
 */
import type { ManagedCertificate, ProvisioningFailure } from '../documents/index.ts';

const minute = 60_000;
const hour = 60 * minute;
/**
 * Pauses after the first, second and further failures. Public authorities allow five failed validations of a name in an
 * hour; no more than four fall into one.
 */
const afterFailures = [minute, 5 * minute, 15 * minute, hour, 3 * hour, 12 * hour, 24 * hour];
/** Pauses after permanent refusals. A retry is useless until the operator or the account changes something. */
const afterRefusals = [hour, 3 * hour, 12 * hour, 24 * hour];
/** Pauses after failed look-ups, which happen before an order and cost nothing. */
const afterLookups = [minute, minute, 2 * minute, 5 * minute, 15 * minute, 30 * minute, hour];
/** Fraction of a lifetime after which a certificate is renewed. */
const renewedAt = 2 / 3;
const earlierBy = 1 / 50;
const leastRest = minute;
/** Random fraction of a pause, so that many daemons with simultaneous failures do not retry together. */
const jitter = 0.1;

export interface Failure {
  readonly code: ProvisioningFailure['error_code'];
  readonly msg: string;
  /** True if a request was sent to the authority. */
  readonly wasAsked: boolean;
  /** True if the authority would refuse the same request until the operator or the account changes it. */
  readonly isLasting?: boolean;
  /** Milliseconds that the authority wants to wait before the next request. */
  readonly retryAfterMs: number;
}

/** Milliseconds since 1970. */
export function dueAt({ job, renews_at }: ManagedCertificate): number {
  if (job !== null) return job.failure?.retries_at ?? job.started_at;
  return renews_at ?? 0;
}

/** `random` is a number from 0 to 1. */
export function afterFailure(
  managed: ManagedCertificate,
  { code, msg, wasAsked, isLasting = false, retryAfterMs }: Failure,
  now: number,
  random: number,
): ManagedCertificate {
  const started_at = managed.job?.started_at ?? now;
  const attempts = (managed.job?.failure?.attempts ?? 0) + 1;
  const delays = isLasting ? afterRefusals : wasAsked ? afterFailures : afterLookups;
  const usual = delays[Math.min(attempts, delays.length) - 1]! * (1 + random * jitter);
  const retries_at = Math.round(now + Math.max(usual, retryAfterMs));
  return { ...managed, job: { started_at, failure: { error_code: code, msg, retries_at, attempts } } };
}

export interface Lifetime {
  /** Milliseconds since 1970. */
  readonly notBefore: number;
  readonly notAfter: number;
}

export function renewalOf({ notBefore, notAfter }: Lifetime, now: number, random: number): number {
  const lifetime = notAfter - notBefore;
  const wanted = notBefore + lifetime * (renewedAt - random * earlierBy);
  return Math.round(Math.max(wanted, now + leastRest));
}
