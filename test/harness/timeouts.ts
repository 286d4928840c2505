/**
 * How long tests wait for what should come. Every deadline of tests and harness by the clock on the wall is made here, so that
 * one variable stretches all of them: `TEST_TIMEOUT_FACTOR` (default 3; less to see failures sooner, more on a machine that is slower still).
 */
const DEFAULT_FACTOR = 3;

const given = Number(process.env.TEST_TIMEOUT_FACTOR ?? DEFAULT_FACTOR);
if (!(given > 0))
  throw new Error(`TEST_TIMEOUT_FACTOR is no positive number: ${process.env.TEST_TIMEOUT_FACTOR}`);

/** A deadline that is `ms` away on a quiet machine. */
export function timeoutMs(ms: number): number {
  return Math.round(ms * given);
}
