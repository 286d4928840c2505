/**
 * Deadlines of tests. Every wall-clock deadline of tests and harness is made here, so that one variable stretches all
 * of them. It is `TEST_TIMEOUT_FACTOR` (default 3): less shows failures sooner, more suits a slower machine.
 */
const DEFAULT_FACTOR = 3;

const given = Number(process.env.TEST_TIMEOUT_FACTOR ?? DEFAULT_FACTOR);
if (!(given > 0))
  throw new Error(`TEST_TIMEOUT_FACTOR is no positive number: ${process.env.TEST_TIMEOUT_FACTOR}`);

/** A deadline that is `ms` away on a quiet machine. */
export function timeoutMs(ms: number): number {
  return Math.round(ms * given);
}
